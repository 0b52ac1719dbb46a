"""Send wake-ups to the sockets through the channel layer.

The database is the source of truth: a lost wake-up costs only time. Event types, one method each in
devices/sockets/socket.py:
- `wake` {seq, frame}: a new message
- `message.changed` {seq, frame}: a message as it is now, for sockets that have it
- `frame` {frame, standing}: send this; `standing`: the state that it reports (devices/reported_state.py)
- `turn.frame` {turn_id, attempt, index, frame}: a piece of a running turn
- `turn.status` {turn_id, frame}
- `turn.end` {turn_id, seq, frame}: send once the message `seq` was sent
- `tool.call` {call_id, connection, frame}: send once, over this connection
- `connection.replaced` {connection}
- `device.revoked`

The three events of a turn may have `is_private`: only for the socket on which the turn was asked. Open feeds have a
group of their own, which receives `frame` with the count of thoughts alone.
"""

import asyncio
from typing import Any
from uuid import UUID

import structlog
from asgiref.sync import SyncToAsync, async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from devices import protocol
from devices.reported_state import reported_state

OWNER_GROUP, FEED_GROUP, NOBODY = "owner", "feed", "nobody"
log = structlog.get_logger("penny.events")


def device_group(device_id: UUID) -> str:
    return f"device.{device_id}"


async def asend(event: dict[str, Any], group: str = OWNER_GROUP) -> None:
    """Send an event to every socket of a group. Redis being away is logged, not raised."""
    layer = get_channel_layer()
    assert layer is not None
    try:
        await layer.group_send(group, event)
    except (RedisError, OSError) as error:
        log.warning("event.lost", event_type=event["type"], error=type(error).__name__)


def send(event: dict[str, Any], group: str = OWNER_GROUP) -> None:
    """Send from synchronous code; on the thread of an event loop, without waiting."""
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
    return {"type": "frame", "frame": protocol.encode(frame), "standing": reported_state(frame)}
