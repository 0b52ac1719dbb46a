"""Show on the owner's channel that a message is being answered: reaction, typing indicator.

A failure is harmless and only logged.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from django.db import DatabaseError
from django.utils import timezone

from agents.models import Run
from agents.outbox.compose import target_on_channel
from agents.outbox.receipts import in_ms
from devices.channels.channel import Can, Channel, NotSent, OutcomeUnknown, Target, TryLater
from devices.channels.registry import channel_of
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineState

SHOWN_AFTER_S = 0.25  # a fast answer needs no indicator
TYPING_S = 10.0  # Signal shows it for fifteen seconds
SEEN = "👀"
log = structlog.get_logger("penny.posting")
_showing: set[asyncio.Task[None]] = set()


def show_progress(message: Message, device: Device) -> None:
    """Show progress on the owner's message in the background; the answer goes first."""
    _showing.add(task := asyncio.create_task(_show_progress_later(message, device)))
    task.add_done_callback(_showing.discard)


async def _show_progress_later(message: Message, device: Device) -> None:
    await asyncio.sleep(SHOWN_AFTER_S)
    if await in_db(_is_open)(message):
        await _show_progress(message, device)


async def _show_progress(message: Message, device: Device) -> None:
    channel = channel_of(device)
    if Can.TYPE in channel.can:
        await _quietly(channel.type(device, True))
    target = await in_db(target_on_channel)(message, device)
    if target and Can.REACT in channel.can:
        await _put_reaction(device, target, SEEN)
        if not await in_db(_is_open)(message):  # the answer came first
            await _put_reaction(device, target, None)


def _is_open(message: Message) -> bool:
    return Run.objects.filter(message=message, state__in=Run.OPEN).exists()


async def keep_typing() -> None:
    """Renew the typing indicator while answers are being written. Never returns."""
    while True:
        await asyncio.sleep(TYPING_S)
        try:
            for device in await in_db(_waiting_devices)():
                await _quietly(channel_of(device).type(device, True))
        except DatabaseError as error:
            log.warning("typing.put_off", error=type(error).__name__)


def _waiting_devices() -> list[Device]:
    running = Run.objects.filter(state=Run.State.RUNNING, message__isnull=False)
    devices = Device.objects.active().filter(pk__in=running.values("message__device"))
    return [device for device in devices if channel_of(device).is_queued and Can.TYPE in channel_of(device).can]


async def remove_progress(delivery: Delivery, channel: Channel) -> None:
    question = delivery.message.parent if delivery.message and not delivery.is_proactive else None
    if question is None or Can.REACT not in channel.can or question.direction != Message.Direction.IN:
        return
    if target := await in_db(target_on_channel)(question, delivery.device):
        await _put_reaction(delivery.device, target, None)


async def _put_reaction(device: Device, target: Target, sign: str | None) -> None:
    async with reaction_recorded(device):
        await _quietly(channel_of(device).react(device, target, sign))


@asynccontextmanager
async def reaction_recorded(device: Device) -> AsyncIterator[None]:
    """Record when a reaction is sent: the channel gives it no id.

    The owner's device confirms it like a message. That receipt must not count for a delivery.
    """
    line = channel_of(device).line
    if line is None:
        yield
        return
    start_ms = in_ms(timezone.now())
    await in_db(LineState.note_sign)(line.name, start_ms, None)
    try:
        yield
    finally:
        await in_db(LineState.note_sign)(line.name, start_ms, in_ms(timezone.now()))


async def _quietly(doing: object) -> None:
    try:
        await doing  # type: ignore[misc]
    except (TryLater, NotSent, OutcomeUnknown) as error:
        log.info("progress.not_shown", error=type(error).__name__)
