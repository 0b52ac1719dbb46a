"""/act: the mode of a channel that cannot say it with each message, and what keeps Penny from acting."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from agents.acting.obstacle import WORDS, current_obstacle
from agents.commands import act
from agents.llm.providers import parse_endpoint
from agents.turns import start
from devices.models import Device, Message
from devices.models.devices import ACTING_TOOLS
from devices.owner.account import the_owner
from devices.protocol import ChatSend, Obstacle
from tests.agents.outbox.send_message import immediate_answer, send_message

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def acting_browser(settings: Any) -> Device:
    """A connected browser that may act, and a model."""
    settings.MODEL = parse_endpoint("openai-compatible:scripted", "http://127.0.0.1:9")
    return Device.objects.create(
        label="Desk",
        kind="browser",
        tools=["browse_url", *sorted(ACTING_TOOLS)],
        act_use=True,
        connection="c",
        seen_at=timezone.now(),
    )


@pytest.fixture
def phone() -> Device:
    return Device.objects.create(label="Signal", kind="signal", address="+4915100000000")


def may_act(device: Device, **fields: Any) -> bool:
    run = send_message("Put it into the basket", Device.objects.get(pk=device.pk), **fields)
    assert run.message is not None
    return run.message.may_act


def test_a_phone_that_cannot_say_the_mode_has_one(acting_browser: Device, phone: Device) -> None:
    assert not may_act(phone)
    assert immediate_answer("/act on", phone).text == act.ON
    assert [may_act(phone), may_act(acting_browser)] == [True, False]
    assert immediate_answer("/ACT off", phone).text == act.OFF
    assert not may_act(phone)


def test_a_panel_keeps_its_own_mode(acting_browser: Device) -> None:
    assert immediate_answer("/act on", acting_browser).text == act.ON
    assert [may_act(acting_browser), may_act(acting_browser, mode="act", tab="shop.example")] == [False, True]
    assert Message.objects.get(may_act=True).tab_host == "shop.example"


OBSTACLES: list[tuple[Obstacle, dict[str, Any]]] = [
    ("no_browser", {"seen_at": timezone.now() - timedelta(hours=1)}),
    ("no_browser", {"connection": None}),
    ("no_browser", {"revoked_at": timezone.now()}),
    ("old_browser", {"tools": ["browse_url"]}),
    ("switched_off", {"act_use": False}),
    ("switched_off", {"tool_use": False}),
]


@pytest.mark.parametrize(("obstacle", "fields"), OBSTACLES)
def test_what_keeps_penny_from_acting_is_said_and_the_mode_stays(
    acting_browser: Device, phone: Device, obstacle: Obstacle, fields: dict[str, Any]
) -> None:
    assert current_obstacle() is None
    Device.objects.filter(pk=acting_browser.pk).update(**fields)
    assert current_obstacle() == obstacle
    assert immediate_answer("/act on", phone).text == WORDS[obstacle]
    assert not may_act(phone)


def test_without_a_model_she_cannot_act(acting_browser: Device, settings: Any) -> None:
    settings.MODEL = None
    assert immediate_answer("/act on", acting_browser).text == WORDS["no_model"]


def test_off_the_record_nothing_is_switched_and_nobody_acts(acting_browser: Device, phone: Device) -> None:
    immediate_answer("/act on", phone)
    assert not may_act(phone, temporary=True)
    send_message("/act off", phone, temporary=True)
    assert may_act(phone)


def test_a_token_cannot_switch_it(acting_browser: Device) -> None:
    program = Device.objects.create(label="Program", kind="api")
    assert "works in your browser and on Signal" in immediate_answer("/act on", program).text
    assert not may_act(program)


def test_a_question_that_is_asked_again_has_its_mode(acting_browser: Device) -> None:
    run = send_message("Put it into the basket", acting_browser, mode="act", tab="shop.example")
    failure = Message.objects.create(
        owner=the_owner(), seq=99, text="It failed.", kind=Message.Kind.FAILURE, direction="out", turn_id=run.turn_id
    )
    again = start.start_turn(
        the_owner(), acting_browser, ChatSend(turn_id=uuid4(), text="Put it into the basket", parent_id=failure.pk)
    )
    assert again is not None
    assert again.message is not None
    assert (again.message.may_act, again.message.tab_host) == (True, "shop.example")
