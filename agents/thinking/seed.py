"""Choose the preference that a thinking run starts from.

The one that waited longest; a fixed share of the runs explores another one.
"""

import random

from constance import config
from django.utils import timezone

from agents.models import Run
from agents.runs import day_budget
from devices.owner import clock
from thoughts.models import Preference, Thought
from thoughts.text.words import containment, words

LIKED = 20  # thoughts that were liked last


def pick_seed(run: Run) -> tuple[Preference | None, bool]:
    """Return the seed of a run and whether it explores; None if nothing may seed one.

    Another attempt starts from the same seed.
    """
    if run.preference is not None:
        return run.preference, run.explores
    now = timezone.now()
    if day_budget.is_low(now):  # the rest of the day's budget goes to the best
        return Preference.objects.seeds().best_first(clock.day_before(now)).first(), False
    seeds = list(Preference.objects.seeds())
    if len(seeds) > 1 and _explores():
        return _another(run, seeds[1:]), True
    return (seeds[0] if seeds else None), False


def _explores() -> bool:
    """Return whether this run explores: exactly the set share of all runs, evenly spread."""
    before, share = (
        Run.objects.filter(kind=Run.Kind.THINKING, preference__isnull=False).count(),
        float(config.EXPLORATION_SHARE),
    )
    return int((before + 1) * share) > int(before * share)


def _another(run: Run, seeds: list[Preference]) -> Preference:
    """Draw another seed; few thoughts, and nearness to liked thoughts, raise its chance."""
    thoughts = [
        (thought.preference_id, words(f"{thought.title} {thought.text}"))
        for thought in Thought.objects.filter(reaction=Preference.Valence.LIKE).order_by("-created_at")[:LIKED]
    ]
    weights = []
    for seed in seeds:
        nearness = max(
            (containment(words(seed.text), text_words) for key, text_words in thoughts if key != seed.pk), default=0.0
        )
        weights.append(1 / (1 + seed.thoughts.count()) + nearness)
    # Not a secret: every attempt at a run draws the same seed.
    return random.Random(run.pk.int).choices(seeds, weights)[0]  # noqa: S311
