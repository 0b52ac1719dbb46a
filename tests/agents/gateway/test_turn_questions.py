"""Questions of turns: silence is not called a refusal; without a screen they go elsewhere."""

import asyncio
from datetime import timedelta

import pytest
from constance import config
from django.conf import settings
from django.utils import timezone

from agents.gateway import questions
from agents.models import Day, Run
from agents.worker import execute
from devices.grants import asks
from devices.models import Ask, Delivery, Device, Grant
from devices.owner import muting
from tests.agents.background import connect_browser
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.agents.signal.on_signal import run_on_loop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
HOST = "beans.example"


@pytest.fixture(autouse=True)
def without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MODEL", None)
    config.NOTIFY_CHANNEL = "push"


@pytest.fixture
def push_phone() -> Device:
    return Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")


def ask_from(device: Device | None) -> Ask:
    """Let a turn of the device ask whether it may read a site."""
    turn = send_message(f"What is on https://{HOST}/ ?", device)
    ask = asks.ask_grant(
        turn.pk, HOST, "read", "To read pages there.", is_background=False, seconds=questions.answer_s(turn)
    )
    questions.queue_question(turn, ask)
    questions.queue_question(turn, ask)
    return ask


def program() -> Device:
    return Device.objects.create(label="Editor", kind=Device.Kind.API)


def waits(ask: Ask) -> timedelta:
    return timedelta(seconds=round((ask.prompt_until - ask.created_at).total_seconds()))


def test_silence_is_said_to_be_silence() -> None:
    config.ASK_S = 1
    connect_browser(timezone.now())
    turn = send_message(f"What is on https://{HOST}/ ?")

    async def carried_out() -> None:
        await asyncio.wait_for(execute.execute(turn.pk), 20)

    run_on_loop(carried_out())
    assert Run.objects.get(pk=turn.pk).state == "done"
    assert f"I asked whether I may open {HOST}, and nobody answered." in reply_to(turn).text
    assert "See what waits" not in reply_to(turn).text  # the mend is the button
    assert "No model yet" not in reply_to(turn).text  # nor is a model what helps
    [late] = reply_to(turn).frame().late_asks or []
    assert (late.hosts, Run.objects.get(pk=turn.pk).error_code) == ([HOST], "no_answer")


def test_what_a_program_s_turn_asks_goes_to_the_phone_and_waits_as_long_as_one_from_there(push_phone: Device) -> None:
    ask = ask_from(program())
    delivery = Delivery.objects.get()
    assert (delivery.device, delivery.prompt, delivery.is_proactive) == (push_phone, ask.prompt, True)
    assert delivery.text.startswith(f"May I read pages on {HOST} and what is below it?")
    assert waits(ask) == timedelta(seconds=config.ASK_LINE_S)
    assert Day.objects.get().interruptions == 1  # once


def test_what_a_browser_asks_is_asked_there_while_it_is_connected(push_phone: Device) -> None:
    browser = connect_browser(timezone.now())
    for device in (browser, None):  # and on the web page
        assert waits(ask_from(device)) == timedelta(seconds=config.ASK_S)
    assert not Delivery.objects.exists()
    Ask.objects.all().delete()
    Device.objects.filter(pk=browser.pk).update(connection=None)
    assert waits(ask_from(browser)) == timedelta(seconds=config.ASK_LINE_S)
    assert Delivery.objects.get().device == push_phone


def test_a_program_s_turn_asks_nobody_who_sleeps_is_muted_or_was_asked_enough_and_does_not_wait_for_them(
    push_phone: Device,
) -> None:
    muting.mute_until(None)
    assert waits(ask_from(program())) == timedelta(seconds=config.ASK_S)
    muting.unmute()
    config.DAY_INTERRUPTIONS_MAX = 0
    Ask.objects.all().delete()
    assert waits(ask_from(program())) == timedelta(seconds=config.ASK_S)
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("listed_by", "first", "second"), [("yes", "yes 1", "yes 2"), ("/asks", "/allow 1", "/allow 2")]
)
def test_a_number_means_what_was_listed_with_it_though_another_question_is_over_by_then(
    listed_by: str, first: str, second: str
) -> None:
    one, two, three = (
        asks.ask_grant(send_message(f"What is on {host}?").pk, host, "read", "To read there.", is_background=False)
        for host in ("one.example", "two.example", "three.example")
    )
    assert "2. May I read pages on two.example" in immediate_answer(listed_by).text
    asks.expire(one)
    immediate_answer(first)
    assert not Grant.objects.exists()
    immediate_answer(listed_by)  # lists the remaining ones again
    asks.answer_ask(two.prompt, "dismiss")
    immediate_answer(second)
    assert Grant.objects.get().host == three.host


def test_of_one_list_several_are_answered_by_the_numbers_that_they_have_there() -> None:
    hosts = [f"{name}.example" for name in ("one", "two", "three")]
    for host in hosts:
        asks.ask_grant(send_message(f"What is on {host}?").pk, host, "read", "To read there.", is_background=False)
    immediate_answer("yes")
    assert [immediate_answer(f"yes {number}").text for number in (1, 2, 3)] == [
        f"I may read pages on {host} once." for host in hosts
    ]
