"""Acknowledge messages on the owner's phone: a progress reaction, then a read receipt."""

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


class Received(NamedTuple):
    """A received message with its device, Signal timestamp and receive time."""

    message: Message
    device: Device
    sent_at: int | None
    heard_at: datetime


def acknowledge_on_phone(incoming: Received) -> None:
    """Show progress on a received message in the background; the answer goes first."""
    progress.show_progress(incoming.message, incoming.device)
    _marking.add(task := asyncio.create_task(_show_read_later(incoming)))
    task.add_done_callback(_marking.discard)


async def _show_read_later(incoming: Received) -> None:
    await asyncio.sleep(progress.SHOWN_AFTER_S)
    try:
        await in_db(record_receive_time)(incoming.heard_at)
        await mark_read_if_wanted(incoming.device, incoming.sent_at)
    except DatabaseError as error:
        log.info("heard.not_noted", error=type(error).__name__)


async def mark_read_if_wanted(device: Device, sent_at: int | None) -> None:
    if sent_at and await in_db(_sends_receipts)():
        await mark_read(device, sent_at)


def record_receive_time(at: datetime) -> None:
    """Record the receive time: the line is not deaf, and its number is registered."""
    state = LineState.objects.filter(pk=LineState.of(LINE).pk)
    state.filter(problem__in=["deaf", "unregistered"]).update(problem="", said="")
    state.filter(Q(heard_at=None) | Q(heard_at__lt=at)).update(heard_at=at)  # keep the newest receive time


def _sends_receipts() -> bool:
    return bool(config.SIGNAL_READ_RECEIPTS)
