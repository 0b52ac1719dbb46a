"""The Signal listener: its connections, and how it begins again after any failure."""

import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone

from agents.signal import line_state
from agents.signal import listener as signal_listener
from devices.models import Device, Message
from devices.models.deliveries import LineState
from tests.agents.signal.on_signal import conversation, lambda_of, line_problem, listening
from tests.stand_ins.signal_server import SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_a_connection_is_replaced_before_it_is_closed_so_that_nothing_is_missed(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_listener, "RENEW_S", 0.05)
    texts = list[str]()

    def write() -> None:
        ends_at = time.monotonic() + 60
        while signal.opened <= 5 or len(texts) < 30:
            assert time.monotonic() < ends_at, f"{signal.opened} connections were opened"
            texts.append(f"Number {len(texts)}")
            signal.write(texts[-1])
            time.sleep(0.02)

    listening(signal, write, lambda: Message.objects.count() == len(texts))
    assert [text for _, text in conversation()] == texts
    assert signal.lost == 0


def test_a_connection_that_breaks_is_opened_again(signal: SignalServer, phone: Device) -> None:
    listening(
        signal,
        lambda_of(signal.cut_listeners),
        lambda: LineState.of("signal").reconnects > 0,
        lambda: signal.listening > 0,
        lambda_of(signal.write, "Again"),
        lambda: Message.objects.exists(),
        lambda: line_problem() == "",
    )


def test_a_server_that_answers_no_pings_is_noticed(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_listener, "PING_S", 0.1)
    monkeypatch.setattr(signal_listener, "PONG_S", 0.1)

    def fall_silent() -> None:
        signal.is_silent = True

    def speak() -> None:
        signal.is_silent = False

    listening(
        signal,
        fall_silent,
        lambda: LineState.of("signal").reconnects > 0,
        speak,
        lambda: signal.listening > 0,
        lambda: line_problem() == "",
    )


def test_two_processes_do_not_listen_at_once() -> None:
    one, other, now = uuid4(), uuid4(), timezone.now()
    state = LineState.of("signal")
    assert (state.hold(one, now), state.hold(other, now), state.hold(one, now)) == (True, False, True)
    assert state.hold(other, now + timedelta(minutes=1))


@pytest.mark.parametrize("part", ["_listen", "_take", "_probe"])
def test_whatever_ends_a_part_of_listening_has_all_of_it_begin_anew(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(signal_listener, "PROBE_S", 0.1)
    whole, failed = getattr(signal_listener._Line, part), list[int]()

    async def fails_once(line: signal_listener._Line) -> None:
        if not failed:
            failed.append(1)
            raise OperationalError("the database is being started")
        await whole(line)

    monkeypatch.setattr(signal_listener._Line, part, fails_once)
    listening(
        signal, lambda: bool(failed), lambda: signal.write("Do you hear me?") and Message.objects.exists()
    )  # messages sent while nobody listens are lost
    assert conversation()[0] == ("in", "Do you hear me?")


def test_a_connection_that_takes_the_place_of_another_misses_nothing(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_listener, "RENEW_S", 0.05)
    monkeypatch.setattr(line_state, "MISSED", timedelta(0))
    since: list[Any] = []
    listening(
        signal,
        lambda: LineState.of("signal").listening_since is not None,
        lambda_of(lambda: since.append(LineState.of("signal").listening_since)),
        lambda: signal.opened > 8,
    )
    assert (LineState.of("signal").listening_since, conversation()) == (since[0], [])
