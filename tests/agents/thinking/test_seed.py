"""The preference that thinking starts from: the longest waiting, or a share of others."""

from collections import Counter

import pytest
from constance import config
from django.utils import timezone

from agents.models import Run
from agents.thinking.seed import pick_seed
from thoughts.models import Preference, Thought

pytestmark = pytest.mark.django_db


def runs(count: int) -> list[tuple[str, bool]]:
    """Return the seeds of consecutive runs, as thinking picks them."""
    seeds = []
    for _ in range(count):
        run = Run.objects.create(kind=Run.Kind.THINKING)
        seed, explores = pick_seed(run)
        assert seed is not None
        seed.mark_used(timezone.now())
        Run.objects.filter(pk=run.pk).update(preference=seed, explores=explores)
        seeds.append((seed.text, explores))
    return seeds


def test_one_run_of_five_explores_and_the_others_go_by_age() -> None:
    for name in "abc":
        Preference.objects.create(text=name)
    seeds = runs(20)
    assert [explores for _, explores in seeds] == [False, False, False, False, True] * 4
    assert [text for text, _ in seeds[:4]] == ["a", "b", "c", "a"]


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.1, 1), (0.5, 5), (1.0, 10)])
def test_the_share_is_the_owners(share: float, count: int) -> None:
    config.EXPLORATION_SHARE = share
    for name in "ab":
        Preference.objects.create(text=name)
    assert sum(explores for _, explores in runs(10)) == count


def test_exploring_leads_to_what_is_near_the_liked_and_to_what_was_rarely_used() -> None:
    config.EXPLORATION_SHARE = 1.0
    usual = Preference.objects.create(text="gardens", used_at=timezone.now())
    espresso, near, rare = (
        Preference.objects.create(text=text, used_at=timezone.now()) for text in ("espresso", "lever machines", "maps")
    )
    Thought.objects.create(title="A lever moves", text="Old machines with a lever.", preference=espresso, reaction=1)
    for seed in (usual, near):
        Thought.objects.bulk_create(Thought(title="x", text="x", preference=seed) for _ in range(9))
    counts = Counter[str]()
    for _ in range(300):
        counts[str(pick_seed(Run.objects.create(kind=Run.Kind.THINKING))[0])] += 1
    assert counts["lever machines"] > 90
    assert counts[rare.text] > 90
    assert counts["gardens"] == 0  # it is first in line anyway


def test_each_attempt_at_a_run_starts_from_the_same() -> None:
    config.EXPLORATION_SHARE = 1.0
    for number in range(20):
        Preference.objects.create(text=f"preference {number}")
    run = Run.objects.create(kind=Run.Kind.THINKING)
    assert len({str(pick_seed(run)[0]) for _ in range(5)}) == 1
    run.preference = Preference.objects.last()
    assert pick_seed(run) == (run.preference, False)


def test_a_candidate_and_a_dislike_and_what_is_muted_seed_nothing() -> None:
    Preference.objects.create(text="a", valence=-1)
    Preference.objects.create(text="b", muted=True)
    Preference.objects.create(text="c", source="said", mentions=1)
    assert pick_seed(Run.objects.create(kind=Run.Kind.THINKING)) == (None, False)
