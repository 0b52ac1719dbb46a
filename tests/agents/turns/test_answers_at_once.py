"""Answers to external channels are sent at once by the process that stores them, in order."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from agents.outbox import send
from devices.channels import routing
from devices.db import in_db
from devices.models import Device
from devices.models.deliveries import Delivery
from tests.agents.outbox.send_message import immediate_answer
from tests.agents.signal.on_signal import run_on_loop, until
from tests.stand_ins.signal_server import Fault, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture(autouse=True)
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wake-ups: only the sending process starts a send."""
    monkeypatch.setattr(routing, "wake_sender", lambda: None)
    monkeypatch.setattr(send, "LOOK_S", 600)


def run_while_sending(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do some work while this process sends."""

    async def whole() -> None:
        poster = asyncio.create_task(send.post_for_ever())
        try:
            await asyncio.sleep(0)
            await work()
        finally:
            await until(lambda: not send._sending, "what was taken is sent")
            poster.cancel()
            with suppress(asyncio.CancelledError):
                await poster

    run_on_loop(whole())


def test_it_is_sent_with_what_waited_behind_it_and_none_is_sent_twice(signal: SignalServer, phone: Device) -> None:
    async def work() -> None:
        await in_db(immediate_answer)("/help stop", phone)
        await until(lambda: len(signal.sent) == 1, "it is sent")
        await in_db(immediate_answer)("/help resume", phone)
        await until(lambda: len(signal.sent) == 2, "the next is sent")

    run_while_sending(work)
    assert [message.text.partition("\n")[0].strip("`") for message in signal.sent] == ["/stop", "/resume"]
    assert list(Delivery.objects.values_list("state", "attempts")) == [("accepted", 1)] * 2


def test_it_waits_behind_what_was_queued_before_it(signal: SignalServer, phone: Device) -> None:
    immediate_answer("/help stop", phone)
    signal.fail(Fault(503))
    run_on_loop(send.post_due())

    async def work() -> None:
        await in_db(immediate_answer)("/help resume", phone)

    run_while_sending(work)
    assert (signal.sent, set(Delivery.objects.values_list("state", flat=True))) == ([], {"queued"})


def test_a_long_one_is_left_to_the_outbox(signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(send, "AT_ONCE_CHARACTERS", 10)

    async def work() -> None:
        await in_db(immediate_answer)("/help stop", phone)

    run_while_sending(work)
    assert Delivery.objects.get().attempts == 0


def test_where_the_process_does_not_send_it_waits_for_who_does(signal: SignalServer, phone: Device) -> None:
    immediate_answer("/help stop", phone)
    assert Delivery.objects.get().lease_until is None
    run_on_loop(send.post_due())
    assert len(signal.sent) == 1
