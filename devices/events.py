"""Wake-ups to the sockets, through the channel layer. Hints all of them: the database is the truth, and a lost one
costs only time.

Event types, one method each in devices/sockets/consumers.py:
`wake` {seq, frame} (a new message) · `message.changed` {seq, frame} (as it is now, to whom it was sent) · `frame`
{frame, standing} (send this; `standing`: what it says of how things stand, see devices/sockets/window.py) ·
`turn.frame` {turn_id, attempt, index, frame} (a hint of a running turn) · `turn.status` {turn_id, frame} · `turn.end`
{turn_id, seq, frame} (send once the message `seq` was sent), these three with `is_private`: only where the turn was
asked · `tool.call` {call_id, connection, frame} (send once, over this connection) · `connection.replaced`
{connection} · `device.revoked`. Open feeds are told `frame` with the count of thoughts alone, in a group of their
own.
"""

import asyncio
from typing import Any
from uuid import UUID

import structlog
from asgiref.sync import SyncToAsync, async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from devices import protocol
from devices.reported_state import standing

OWNER_GROUP, FEED_GROUP, NOBODY = "owner", "feed", "nobody"
log = structlog.get_logger("penny.events")


def device_group(device_id: UUID) -> str:
    return f"device.{device_id}"


async def asend(event: dict[str, Any], group: str = OWNER_GROUP) -> None:
    """Send an event to every socket of a group. A Redis that is away is noted, not raised."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        await layer.group_send(group, event)
    except (RedisError, OSError) as error:
        log.warning("event.lost", event_type=event["type"], error=type(error).__name__)


def send(event: dict[str, Any], group: str = OWNER_GROUP) -> None:
    """Send from code that is not asynchronous. On a thread that works for an event loop the loop sends, and nobody
    waits for it.
    """
    loop = getattr(SyncToAsync.threadlocal, "main_event_loop", None)
    if loop is not None and loop.is_running():
        asyncio.run_coroutine_threadsafe(asend(event, group), loop)
    else:
        async_to_sync(asend)(event, group)


async def asend_frame(frame: protocol.ServerFrame, group: str = OWNER_GROUP) -> None:
    await asend(_event(frame), group)


def send_frame(frame: protocol.ServerFrame, group: str = OWNER_GROUP) -> None:
    send(_event(frame), group)


def _event(frame: protocol.ServerFrame) -> dict[str, Any]:
    return {"type": "frame", "frame": protocol.encode(frame), "standing": standing(frame)}
