"""Run Penny's Signal listener against a stand-in, while the owner's phone does something."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from django.db import connections, transaction

from agents.outbox import progress, send
from agents.signal import inbox, read_receipts
from agents.signal import listener as signal_listener
from agents.worker import loop
from devices.channels import routing
from devices.conversation import messages
from devices.db import in_db
from devices.models import Delivery, LineState, Message
from devices.owner.account import the_owner
from tests.stand_ins.signal_server import OWNER, SignalServer
from tests.waiting import DEADLINE_S, SOONEST_S, NotInTime, Patience
from thoughts.models import Thought


def run_on_loop(work: Coroutine[Any, Any, Any]) -> None:
    async def whole() -> None:
        try:
            await work
        finally:
            await in_db(connections.close_all)()

    loop.run_on_loop(whole())


async def until(condition: Callable[[], Any], what: str) -> None:
    """Wait for a condition on this loop or in the database."""
    patience = Patience()
    while not await in_db(condition)():
        if patience.is_over(DEADLINE_S):
            raise NotInTime(f"{what}: not within {DEADLINE_S:g} s ({patience})")
        await asyncio.sleep(SOONEST_S)


async def _listening(signal: SignalServer, meanwhile: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Listen as the worker does while something else happens."""
    # An earlier connection may still be open, and what it receives is lost.
    connection_count = signal.opened
    listener = asyncio.create_task(signal_listener.listen())
    try:
        await until(lambda: signal.opened > connection_count, "somebody listens")
        await meanwhile()
    finally:
        showing = [*progress._showing, *read_receipts._marking]
        for task in (listener, *showing):
            task.cancel()
        await asyncio.gather(listener, *showing, return_exceptions=True)


def _run_step(step: Callable[[], Any]) -> None:
    """Run a step on its own thread; close its connections: PostgreSQL drops no database in use."""
    try:
        step()
    finally:
        connections.close_all()


def listening(signal: SignalServer, *steps: Callable[[], Any]) -> None:
    """Listen while carrying out the steps in turn; a lambda is a condition to wait for."""

    async def meanwhile() -> None:
        for step in steps:
            if step.__name__ == "<lambda>":
                await until(step, "a condition")
            else:
                await asyncio.to_thread(_run_step, step)

    run_on_loop(_listening(signal, meanwhile))


def conversation() -> list[tuple[str, str]]:
    return list(Message.objects.order_by("seq").values_list("direction", "text"))


def lambda_of(do: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
    """Return a step that does something, as opposed to a condition."""

    def step() -> None:
        do(*arguments)

    return step


def post_all() -> None:
    """Send what is due, and what was put off."""
    Delivery.objects.filter(state="queued").update(not_before=None)
    run_on_loop(send.post_due())


def store_answer(text: str, origin: list[str] | None = None) -> Delivery:
    """Store Penny's answer to the last message, with its delivery."""
    question = Message.objects.filter(direction="in").latest("seq")
    with transaction.atomic():
        message = messages.store_message(
            the_owner(),
            messages.render_content(text, []),
            device=None,
            device_label="Penny",
            direction="out",
            turn_id=question.turn_id,
            parent=question,
            origin=origin or ["owner", "penny"],
        )
        delivery = routing.queue_reply(message, question)
    assert delivery is not None
    return delivery


def envelope(at: int, text: str) -> dict[str, Any]:
    return {"source": OWNER, "sourceNumber": OWNER, "timestamp": at, "dataMessage": {"timestamp": at, "message": text}}


def store_notification(thought: Thought, text: str = "") -> Message:
    with transaction.atomic():
        return messages.store_message(
            the_owner(),
            messages.render_content(text or thought.text, []),
            device=None,
            device_label="Penny",
            direction="out",
            kind="notification",
            thought=thought,
            origin=thought.origin,
        )


async def process_entries() -> None:
    """Process the stored entries, and wait for the progress reactions."""
    await inbox.process_entries()
    await asyncio.gather(*progress._showing)


def answer_again(text: str, question: Message) -> Delivery:
    Message.objects.filter(direction="out").update(turn_id=None)
    assert question.device is not None
    return store_answer(text)


def line_problem() -> str:
    return LineState.of("signal").problem
