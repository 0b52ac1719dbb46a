"""The purpose from the first run sets preferences and the thinking schedule, nothing else."""

import json
from typing import Any
from uuid import uuid4

import pytest

from agents.frames.answer import answer
from agents.models import Schedule
from devices.access.handshake import web_device
from devices.owner.account import the_owner
from devices.protocol import Ack, Malformed, PurposeSet, parse_client
from thoughts.models import Preference

pytestmark = pytest.mark.django_db


def say(thinks: bool, *likes: str) -> None:
    ref = uuid4()
    assert answer(the_owner(), web_device(), PurposeSet(ref=ref, thinks=thinks, likes=list(likes))) == [
        Ack(ref=str(ref))
    ]


def schedule(**fields: Any) -> Schedule:
    return Schedule.objects.create(name="A", **fields)


@pytest.fixture(autouse=True)
def thinking() -> Schedule:
    Schedule.objects.all().delete()
    return schedule(kind=Schedule.Kind.THINKING)


def test_what_is_liked_is_added_once_and_nothing_that_is_known_changes() -> None:
    Preference.objects.create(text="Lever espresso", valence=-1, strength=0.5)
    say(True, "lever  espresso", "shortwave radio", " shortwave radio ")
    rows = [(row.text, row.valence, row.strength, row.source) for row in Preference.objects.order_by("text")]
    assert rows == [("Lever espresso", -1, 0.5, "added"), ("shortwave radio", 1, 1.0, "added")]


def test_thinking_is_paused_and_goes_on(thinking: Schedule) -> None:
    say(False)
    thinking.refresh_from_db()
    assert (thinking.enabled, thinking.next_run_at) == (False, None)
    say(True)
    thinking.refresh_from_db()
    assert thinking.enabled
    assert thinking.next_run_at is not None


def test_the_owners_other_schedules_stay(thinking: Schedule) -> None:
    task = schedule(kind=Schedule.Kind.TASK, task="Look for concerts")
    digest = schedule(kind=Schedule.Kind.DIGEST, enabled=False)
    mine = schedule(kind=Schedule.Kind.THINKING, preference=Preference.objects.create(text="radio"))
    say(False)
    assert [row.enabled for row in Schedule.objects.filter(pk__in=[task.pk, digest.pk, mine.pk]).order_by("pk")] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("likes", [[""], ["a" * 301], ["nul \x00"], ["a"] * 21, "espresso"])
def test_what_is_no_list_of_likes_is_malformed(likes: Any) -> None:
    with pytest.raises(Malformed):
        parse_client(json.dumps({"type": "purpose.set", "ref": str(uuid4()), "thinks": True, "likes": likes}))
