import asyncio
from datetime import datetime
from typing import NamedTuple

import structlog
from constance import config
from django.db import DatabaseError
from django.db.models import Q

from agents.outbox import progress
from devices.channels.signal.channel import LINE, mark_read
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import LineState

log = structlog.get_logger("penny.heard")

_marking: set[asyncio.Task[None]] = set()


class Taken(NamedTuple):
    """What became a message: which one, the device that it came from, its moment as the line names it, and when it was
    heard.
    """

    message: Message
    device: Device
    sent_at: int | None
    heard_at: datetime


def show_taken(taken: Taken) -> None:
    """Note that a message was taken, and show that on the owner's phone. Nobody waits for that, and its answer goes
    first.
    """
    progress.show_progress(taken.message, taken.device)
    _marking.add(task := asyncio.create_task(_show_read_later(taken)))
    task.add_done_callback(_marking.discard)


async def _show_read_later(taken: Taken) -> None:
    await asyncio.sleep(progress.SHOWN_AFTER_S)
    try:
        await in_db(note_heard)(taken.heard_at)
        await mark_read_if_wanted(taken.device, taken.sent_at)
    except DatabaseError as error:
        log.info("heard.not_noted", error=type(error).__name__)


async def mark_read_if_wanted(device: Device, sent_at: int | None) -> None:
    if sent_at and await in_db(_sends_receipts)():
        await mark_read(device, sent_at)


def note_heard(at: datetime) -> None:
    """Whatever is heard of the owner's devices proves that the line is not deaf, and that Signal knows its number."""
    state = LineState.objects.filter(pk=LineState.of(LINE).pk)
    state.filter(problem__in=["deaf", "unregistered"]).update(problem="", said="")
    state.filter(Q(heard_at=None) | Q(heard_at__lt=at)).update(heard_at=at)  # more may have been heard since


def _sends_receipts() -> bool:
    return bool(config.SIGNAL_READ_RECEIPTS)
