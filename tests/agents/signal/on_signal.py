"""Penny listening to a stand-in of Signal inside the test process, while the owner's phone does something."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from django.db import connections

from agents.outbox import progress, send
from agents.signal import listener as signal_listener
from agents.signal import read_receipts
from agents.worker import loop
from devices.db import in_db
from devices.models import Delivery, Message
from tests.stand_ins.signal_server import SignalServer


def run(work: Coroutine[Any, Any, Any]) -> None:
    async def whole() -> None:
        try:
            await work
        finally:
            await in_db(connections.close_all)()

    loop.run_on_loop(whole())


async def until(condition: Callable[[], Any], what: str) -> None:
    """Wait for what happens on this loop and in the database."""
    for _ in range(600):
        if await in_db(condition)():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(what)


async def _listening(signal: SignalServer, meanwhile: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Listen as the worker does while something else happens."""
    opened = signal.opened  # the connection of an earlier time may not be gone there yet: what is said to that is lost
    listener = asyncio.create_task(signal_listener.listen())
    try:
        await until(lambda: signal.opened > opened, "somebody listens")
        await meanwhile()
    finally:
        showing = [*progress._showing, *read_receipts._marking]
        for task in (listener, *showing):
            task.cancel()
        await asyncio.gather(listener, *showing, return_exceptions=True)


def _done(step: Callable[[], Any]) -> None:
    """Do a step on a thread of its own, which leaves no connection open: PostgreSQL drops no database that somebody is
    connected to.
    """
    try:
        step()
    finally:
        connections.close_all()


def listening(signal: SignalServer, *steps: Callable[[], Any]) -> None:
    """Listen; do each of these in turn, and wait for those that are conditions until they hold."""

    async def meanwhile() -> None:
        for step in steps:
            if step.__name__ == "<lambda>":
                await until(step, "a condition")
            else:
                await asyncio.to_thread(_done, step)

    run(_listening(signal, meanwhile))


def said() -> list[tuple[str, str]]:
    return list(Message.objects.order_by("seq").values_list("direction", "text"))


def lambda_of(do: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
    """A step that does something, as against one that waits for it."""

    def step() -> None:
        do(*arguments)

    return step


def post() -> None:
    """Send what is due, also what was put off."""
    Delivery.objects.filter(state="queued").update(not_before=None)
    run(send.post_due())
