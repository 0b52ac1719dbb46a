"""The preference of a watch: that of the thought that the conversation is about."""

import json
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from constance.utils import get_values

from agents.gateway.call import call_tool
from agents.llm.messages import ToolRequest
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.tools.watch import seed_preference
from devices.models import Message
from devices.owner.account import the_owner
from tests.agents.background import SOME_MODELS
from thoughts.models import Preference, Thought
from thoughts.models.watches import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
URL = "https://shop.example/lever"


@pytest.fixture
def espresso() -> Preference:
    return Preference.objects.create(text="espresso")


@pytest.fixture
def espresso_thought(espresso: Preference) -> Thought:
    return Thought.objects.create(title="Levers", text="They hold.", preference=espresso, seed_text="espresso")


def store_own_message(text: str = f"Tell me when {URL} drops below 900 €", **fields: Any) -> Message:
    seq = Message.objects.count() + 1
    values = {"device_label": "Desk", "html": "", "turn_id": uuid4(), "direction": Message.Direction.IN}
    return Message.objects.create(owner=the_owner(), seq=seq, text=text, **(values | fields))


def test_a_wish_about_a_thought_came_of_its_preference(espresso_thought: Thought, espresso: Preference) -> None:
    assert seed_preference(store_own_message(thought=espresso_thought)) == espresso
    notification = store_own_message(
        "Levers", direction=Message.Direction.OUT, kind=Message.Kind.NOTIFICATION, thought=espresso_thought
    )
    assert seed_preference(store_own_message(parent=notification)) == espresso


def test_a_wish_that_goes_on_from_what_was_said_about_a_thought_did_too_until_there_is_a_new_subject(
    espresso_thought: Thought, espresso: Preference
) -> None:
    store_own_message("What does it cost?", thought=espresso_thought)
    store_own_message("950 €.", direction=Message.Direction.OUT)
    assert seed_preference(store_own_message()) == espresso
    store_own_message("/new", kind=Message.Kind.COMMAND)
    assert seed_preference(store_own_message()) is None


def test_a_wish_out_of_nothing_came_of_nothing_though_a_thought_was_shown_just_before(
    espresso_thought: Thought,
) -> None:
    store_own_message(
        "Levers", direction=Message.Direction.OUT, kind=Message.Kind.NOTIFICATION, thought=espresso_thought
    )
    assert seed_preference(store_own_message()) is None
    assert seed_preference(None) is None


def test_a_wish_about_what_a_watch_told_came_of_what_that_watch_did(espresso: Preference) -> None:
    watch = Watch.objects.create(url=URL, domain="shop.example", preference=espresso)
    alert = Thought.objects.create(title="Cheaper", text="Cheaper.", watch=watch)
    assert seed_preference(store_own_message(thought=alert)) == espresso


def test_what_a_planner_watches_for_the_owner_is_stored_with_it(
    espresso_thought: Thought, espresso: Preference
) -> None:
    message = store_own_message(thought=espresso_thought)
    run = Run.objects.create(kind=Run.Kind.TURN, state="running", message=message, turn_id=message.turn_id)
    context = Context(run, "planner", Handles([message.text]), message.text, SOME_MODELS, get_values())
    content = async_to_sync(call_tool)(
        context, ToolRequest("1", "watch", json.dumps({"page": URL, "below": 900, "currency": "EUR"}))
    )
    assert content["is_new"] is True
    assert Watch.objects.get().preference == espresso
