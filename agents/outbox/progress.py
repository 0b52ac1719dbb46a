"""Signs on the owner's own line that a message is being answered: eyes on it, and that somebody types. In vain they are
no harm.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from django.db import DatabaseError
from django.utils import timezone

from agents.models import Run
from agents.outbox.compose import called_on_line
from agents.outbox.receipts import in_ms
from devices.channels.channel import Can, Channel, NotSent, OutcomeUnknown, Target, TryLater
from devices.channels.registry import channel_of
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineState

SHOWN_AFTER_S = 0.25  # an answer that comes at once needs no sign that it will
TYPING_S = 10.0  # Signal shows it for fifteen seconds
SEEN = "👀"
log = structlog.get_logger("penny.posting")
_showing: set[asyncio.Task[None]] = set()


def show_progress(message: Message, device: Device) -> None:
    """Say on the owner's message that it is being answered. Nobody waits for that: a line may be slow, and the answer
    goes first.
    """
    _showing.add(task := asyncio.create_task(_show_progress_later(message, device)))
    task.add_done_callback(_showing.discard)


async def _show_progress_later(message: Message, device: Device) -> None:
    await asyncio.sleep(SHOWN_AFTER_S)
    if await in_db(_is_open)(message):
        await _show_progress(message, device)


async def _show_progress(message: Message, device: Device) -> None:
    """Put eyes on a message, and show that an answer is being written. In vain is no harm."""
    channel = channel_of(device)
    if Can.TYPE in channel.can:
        await _quietly(channel.type(device, True))
    target = await in_db(called_on_line)(message, device)
    if target and Can.REACT in channel.can:
        await _put(device, target, SEEN)
        if not await in_db(_is_open)(message):  # the answer was quicker
            await _put(device, target, None)


def _is_open(message: Message) -> bool:
    return Run.objects.filter(message=message, state__in=Run.OPEN).exists()


async def keep_typing() -> None:
    """Show again and again that answers are being written, as long as they are."""
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


async def unmark(delivery: Delivery, channel: Channel) -> None:
    """Take the eyes from a message that is answered."""
    asked = delivery.message.parent if delivery.message and not delivery.is_proactive else None
    if asked is None or Can.REACT not in channel.can or asked.direction != Message.Direction.IN:
        return
    if target := await in_db(called_on_line)(asked, delivery.device):
        await _put(delivery.device, target, None)


async def _put(device: Device, target: Target, sign: str | None) -> None:
    async with noted(device):
        await _quietly(channel_of(device).react(device, target, sign))


@asynccontextmanager
async def noted(device: Device) -> AsyncIterator[None]:
    """Note when something is done that the line gives no name to: the owner's device says that it has that, as it does
    of a message.
    """
    line = channel_of(device).line
    if line is None:
        yield
        return
    begun = in_ms(timezone.now())
    await in_db(LineState.note_sign)(line.name, begun, None)
    try:
        yield
    finally:
        await in_db(LineState.note_sign)(line.name, begun, in_ms(timezone.now()))


async def _quietly(doing: object) -> None:
    try:
        await doing  # type: ignore[misc]
    except (TryLater, NotSent, OutcomeUnknown) as error:
        log.info("progress.not_shown", error=type(error).__name__)
