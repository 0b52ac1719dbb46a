"""The purpose from the first run sets preferences and the thinking schedule, nothing else."""

import json
from typing import Any
from uuid import uuid4

import pytest

from agents.frames.answer import answer_frame
from agents.models import Schedule
from devices.access.handshake import web_device
from devices.owner.account import the_owner
from devices.protocol import Ack, Malformed, PurposeSet, parse_client
from thoughts.models import Preference

pytestmark = pytest.mark.django_db


def send_purpose(thinks: bool, *likes: str) -> None:
    ref = uuid4()
    assert answer_frame(the_owner(), web_device(), PurposeSet(ref=ref, thinks=thinks, likes=list(likes))) == [
        Ack(ref=str(ref))
    ]


def create_schedule(**fields: Any) -> Schedule:
    return Schedule.objects.create(name="A", **fields)


@pytest.fixture(autouse=True)
def thinking() -> Schedule:
    Schedule.objects.all().delete()
    return create_schedule(kind=Schedule.Kind.THINKING)


def test_what_is_liked_is_added_once_and_nothing_that_is_known_changes() -> None:
    Preference.objects.create(text="Lever espresso", valence=-1, strength=0.5)
    send_purpose(True, "lever  espresso", "shortwave radio", " shortwave radio ")
    rows = [(row.text, row.valence, row.strength, row.source) for row in Preference.objects.order_by("text")]
    assert rows == [("Lever espresso", -1, 0.5, "added"), ("shortwave radio", 1, 1.0, "added")]


def test_thinking_is_paused_and_goes_on(thinking: Schedule) -> None:
    send_purpose(False)
    thinking.refresh_from_db()
    assert (thinking.enabled, thinking.next_run_at) == (False, None)
    send_purpose(True)
    thinking.refresh_from_db()
    assert thinking.enabled
    assert thinking.next_run_at is not None


def test_the_owners_other_schedules_stay(thinking: Schedule) -> None:
    task = create_schedule(kind=Schedule.Kind.TASK, task="Look for concerts")
    digest = create_schedule(kind=Schedule.Kind.DIGEST, enabled=False)
    mine = create_schedule(kind=Schedule.Kind.THINKING, preference=Preference.objects.create(text="radio"))
    send_purpose(False)
    assert [row.enabled for row in Schedule.objects.filter(pk__in=[task.pk, digest.pk, mine.pk]).order_by("pk")] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("likes", [[""], ["a" * 301], ["nul \x00"], ["a"] * 21, "espresso"])
def test_what_is_no_list_of_likes_is_malformed(likes: Any) -> None:
    with pytest.raises(Malformed):
        parse_client(json.dumps({"type": "purpose.set", "ref": str(uuid4()), "thinks": True, "likes": likes}))
