"""Problems of the Signal line: found, reported to the owner, and cleared again."""

import asyncio
import time
from datetime import timedelta
from typing import Any

import pytest
from constance import config
from django.utils import timezone

from agents.signal import line_state
from agents.signal import listener as signal_listener
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineState
from tests.agents.signal.on_signal import (
    answer_again,
    conversation,
    lambda_of,
    line_problem,
    listening,
    post_all,
    run_on_loop,
    store_answer,
    until,
)
from tests.stand_ins.signal_server import BOT, OWNER, Fault, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.mark.parametrize(
    ("broken", "problem", "words"),
    [
        ({"version": "0.60"}, "old", "Update its image to 0.100 or newer"),
        ({"version": "0.99"}, "old", "what you write does not come in with it"),
        ({"mode": "normal"}, "mode", "Set MODE=json-rpc"),
        ({"accounts": []}, "unlinked", "Link one below"),
        ({"accounts": ["+491709999999"]}, "number", "has no account +491700000001"),
    ],
)
def test_what_is_wrong_with_the_line_is_named(
    signal: SignalServer, phone: Device, broken: dict[str, Any], problem: str, words: str
) -> None:
    for name, value in broken.items():
        setattr(signal, name, value)

    async def probed() -> None:
        listener = asyncio.create_task(signal_listener.listen())
        await until(lambda: line_problem() == problem, f"{problem} is noticed")
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)

    run_on_loop(probed())
    assert words in LineState.of("signal").said


def test_a_listener_that_hears_nothing_while_sending_works_is_noticed_said_and_recovered(
    signal: SignalServer, phone: Device, question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.3))
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    store_answer("Before.")
    listening(
        signal,
        lambda_of(post_all),
        lambda: Delivery.objects.filter(arrived_at__isnull=False).exists(),
        lambda_of(signal.wedge_listeners),
        lambda_of(answer_again, "While it is wedged.", question),
        lambda_of(post_all),
        lambda: any("nothing has come back since" in text for _, text in conversation()),
        lambda: signal.listening > 0,
        lambda_of(signal.write, "Do you hear me?"),
        lambda: any(text == "Do you hear me?" for _, text in conversation()),
        lambda: any(text == line_state.RETURNED for _, text in conversation()),
    )
    assert [message.text for message in signal.sent] == ["Before.", "While it is wedged."]


def test_what_is_heard_of_before_the_server_says_that_it_took_it_makes_no_deaf_line(
    signal: SignalServer, phone: Device, question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.3))
    signal.answers_after_s = 0.2
    store_answer("It is hot.")
    listening(signal, lambda_of(post_all), lambda: _looked_since_accepted(timedelta(seconds=0.5)))
    assert (line_problem(), Delivery.objects.get().arrived_at is not None) == ("", True)


def _looked_since_accepted(after: timedelta) -> bool:
    state = LineState.of("signal")
    return bool(state.accepted_at and state.checked_at and state.checked_at > state.accepted_at + after)


@pytest.mark.parametrize(
    ("fault", "problem", "words"),
    [
        (Fault(429), "limited", "Signal accepts no more messages for a while"),
        (
            Fault(400, {"error": "Specified account does not exist"}),
            "unregistered",
            f"Signal does not know the number {BOT} any more",
        ),
        (
            Fault(400, {"error": "Failed to send message due to untrusted identities"}),
            "untrusted",
            "Your safety number on Signal has",
        ),
    ],
)
def test_what_only_sending_finds_out_is_said_and_stands_until_something_is_accepted(
    signal: SignalServer,
    phone: Device,
    question: Message,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
    problem: str,
    words: str,
) -> None:
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    store_answer("It is hot.")
    signal.fail(fault)
    post_all()
    assert line_problem() == problem
    listening(signal, lambda: any(text.startswith(f"Signal: {words}") for _, text in conversation()))
    assert (line_problem(), LineState.of("signal").said.startswith(words)) == (problem, True)
    post_all()
    assert line_problem() == ""
    listening(signal, lambda: any(text == line_state.RETURNED for _, text in conversation()))


def test_a_number_that_is_heard_from_again_is_registered(signal: SignalServer, phone: Device) -> None:
    LineState.objects.create(line="signal", problem="unregistered", said="Link it again.", problem_since=timezone.now())
    listening(signal, lambda_of(signal.write, "Hello"), lambda: line_problem() == "")
    assert Message.objects.get().text == "Hello"
    assert "DELETE" not in [method for method, *_ in signal.calls]  # no check was needed


def test_a_number_that_signal_knows_again_is_found_out_though_nothing_is_sent_or_heard(
    signal: SignalServer, phone: Device
) -> None:
    since = timezone.now() - timedelta(hours=1)
    LineState.objects.create(
        line="signal", problem="unregistered", said="Link it again.", problem_since=since, told=True
    )
    signal.fail(Fault(400, {"error": "Specified account does not exist"}))
    listening(signal, lambda: not signal.faults)
    assert line_problem() == "unregistered"
    listening(
        signal, lambda: line_problem() == "", lambda: any(text == line_state.RETURNED for _, text in conversation())
    )
    assert [(method, path, body) for method, path, body in signal.calls] == [
        ("DELETE", f"/v1/typing-indicator/{BOT}", {"recipient": OWNER})
    ]


def test_a_listener_that_hears_nothing_is_said_within_a_minute() -> None:
    assert line_state.NO_ECHO + line_state.SAID_AFTER + timedelta(seconds=2 * signal_listener.PROBE_S) <= timedelta(
        minutes=1
    )


def test_what_may_have_been_missed_while_nobody_listened_is_said(signal: SignalServer, phone: Device) -> None:
    LineState.objects.create(line="signal", checked_at=timezone.now() - timedelta(hours=1))
    listening(signal, lambda: Message.objects.exists())
    assert conversation()[0][1].startswith("I was not listening to Signal since ")


def test_what_is_missed_while_the_server_is_away_is_said_though_nobody_was_stopped(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "MISSED", timedelta(0))
    listening(
        signal,
        lambda: LineState.of("signal").listening_since is not None,
        lambda_of(signal.cut_listeners),
        lambda: LineState.of("signal").listening_since is None,
        lambda: any(text.startswith("I was not listening to Signal since ") for _, text in conversation()),
    )


def test_a_phone_that_is_off_has_nobody_connect_again_and_again(
    signal: SignalServer, phone: Device, question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.2))
    monkeypatch.setattr(signal_listener, "PROBE_S", 0.05)
    store_answer("Before.")
    listening(signal, lambda_of(post_all), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    signal.receipts, connections = False, signal.opened
    answer_again("While it is off.", question)
    post_all()
    listening(signal, lambda: line_problem() == "deaf", lambda_of(time.sleep, 1.0))
    assert (line_problem(), signal.opened - connections) == ("deaf", 2)


def test_trouble_on_the_line_is_told_on_another_device(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    pushed = Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.NOTIFY_CHANNEL = "signal"
    signal.mode = "normal"
    listening_in_vain(lambda: Delivery.objects.exists())
    delivery = Delivery.objects.get()
    assert delivery.message is not None
    assert (delivery.device, delivery.message.text.startswith("Signal: "), delivery.is_proactive) == (
        pushed,
        True,
        True,
    )


def listening_in_vain(condition: Any) -> None:
    """Listen where no connection succeeds."""

    async def probed() -> None:
        listener = asyncio.create_task(signal_listener.listen())
        await until(condition, "the condition")
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)

    run_on_loop(probed())
