"""Which preference a thinking run starts from: the one that waited longest, and every so often another, to explore."""

import random

from constance import config
from django.utils import timezone

from agents.models import Run
from agents.runs import day_budget
from devices.owner import clock
from thoughts.models import Preference, Thought
from thoughts.text.words import containment, words

LIKED = 20  # thoughts that were liked last


def pick(run: Run) -> tuple[Preference | None, bool]:
    """Return the seed of a run, and whether it explores; None where nothing may seed one. Another attempt starts from
    the same.
    """
    if run.preference is not None:
        return run.preference, run.explores
    now = timezone.now()
    if day_budget.is_low(now):  # what is left of the day goes to the best
        return Preference.objects.seeds().best_first(clock.day_before(now)).first(), False
    seeds = list(Preference.objects.seeds())
    if len(seeds) > 1 and _explores():
        return _another(run, seeds[1:]), True
    return (seeds[0] if seeds else None), False


def _explores() -> bool:
    """Whether this run is one of the share that explores: exactly that share of all that had a seed, evenly spread."""
    before, share = (
        Run.objects.filter(kind=Run.Kind.THINKING, preference__isnull=False).count(),
        float(config.EXPLORATION_SHARE),
    )
    return int((before + 1) * share) > int(before * share)


def _another(run: Run, seeds: list[Preference]) -> Preference:
    """Return one of the seeds whose turn it is not, the likelier the less came of it yet and the nearer it is to what
    was liked.
    """
    liked = [
        (thought.preference_id, words(f"{thought.title} {thought.text}"))
        for thought in Thought.objects.filter(reaction=Preference.Valence.LIKE).order_by("-created_at")[:LIKED]
    ]
    weights = []
    for seed in seeds:
        nearness = max((containment(words(seed.text), said) for key, said in liked if key != seed.pk), default=0.0)
        weights.append(1 / (1 + seed.thoughts.count()) + nearness)
    # nothing secret: each attempt at a run draws the same
    return random.Random(run.pk.int).choices(seeds, weights)[0]  # noqa: S311
