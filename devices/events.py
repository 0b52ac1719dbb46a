"""Send wake-ups to the sockets through the channel layer, and check what comes out of it.

The database is the source of truth: a lost wake-up costs only time. Each event type has a method in
devices/sockets/consumers.py or devices/sockets/frame_sender.py. The three events of a turn may have `is_private`: only
for the socket on which the turn was asked. Open pages have a group of their own, which receives `counts.look` and the
frames of their header alone. Sockets that a session opened are in PAGE_GROUP too, which receives `session.ended` alone.
"""

import asyncio
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

import structlog
from asgiref.sync import SyncToAsync, async_to_sync
from channels.layers import get_channel_layer
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from redis.exceptions import RedisError
from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from devices import protocol
from devices.reported_state import reported_state

OWNER_GROUP, FEED_GROUP, PAGE_GROUP, NOBODY = "owner", "feed", "page", "nobody"
log = structlog.get_logger("penny.events")

Number = Annotated[int, Field(ge=0, lt=2**63)]
Id = Annotated[str, AfterValidator(lambda text: str(UUID(text)))]


class _Message(TypedDict):
    """A new message, or a message as it is now for sockets that have it."""

    type: Literal["wake", "message.changed"]
    seq: Number
    frame: str | None


class _Frame(TypedDict):
    """Send this; `standing`: the state that it reports (devices/reported_state.py)."""

    type: Literal["frame"]
    frame: str
    standing: list[tuple[str, str]]


class _TurnFrame(TypedDict):
    """A piece of a running turn."""

    type: Literal["turn.frame"]
    turn_id: Id
    attempt: Number
    index: Number
    frame: str
    is_private: NotRequired[bool]


class _TurnStatus(TypedDict):
    type: Literal["turn.status"]
    turn_id: Id
    frame: str
    is_private: NotRequired[bool]


class _TurnEnd(TypedDict):
    """Send once the message `seq` was sent."""

    type: Literal["turn.end"]
    turn_id: Id
    seq: Number
    frame: str
    is_private: NotRequired[bool]


class _ToolCall(TypedDict):
    """Send once, over this connection."""

    type: Literal["tool.call"]
    call_id: Id
    connection: str
    frame: str


class _ConnectionReplaced(TypedDict):
    type: Literal["connection.replaced"]
    connection: str


class _DeviceRevoked(TypedDict):
    type: Literal["device.revoked"]


class _ActingLook(TypedDict):
    """Look whether Penny can act on pages now, and say it."""

    type: Literal["acting.look"]


class _CountsLook(TypedDict):
    """Count what the header of a page shows, and send it."""

    type: Literal["counts.look"]


class _SessionEnded(TypedDict):
    """Look whether the session of this socket is over."""

    type: Literal["session.ended"]


_Event = Annotated[
    _Message
    | _Frame
    | _TurnFrame
    | _TurnStatus
    | _TurnEnd
    | _ToolCall
    | _ConnectionReplaced
    | _DeviceRevoked
    | _ActingLook
    | _CountsLook
    | _SessionEnded,
    Field(discriminator="type"),
]
_EVENT: TypeAdapter[Any] = TypeAdapter(_Event)


def parse_event(event: Any) -> dict[str, Any] | None:
    """Return a copy of an event out of Redis, None if no part of Penny sends such an event."""
    try:
        return dict(_EVENT.validate_python(event))
    except ValidationError as error:
        log.warning("event.malformed", problems=[problem["type"] for problem in error.errors()[:3]])
        return None


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
    """Send from synchronous code; on a thread of an event loop, without waiting.

    A loop that has stopped belongs to a process that is ending. Nothing waits for such a loop: the thread, and with it
    the process, would never end. The event is lost, as with Redis away.
    """
    loop = getattr(SyncToAsync.threadlocal, "main_event_loop", None)
    if loop is None or loop.is_closed():
        async_to_sync(asend)(event, group)
    elif loop.is_running():
        asyncio.run_coroutine_threadsafe(asend(event, group), loop)
    else:
        log.info("event.lost", event_type=event["type"], error="the process is ending")


async def asend_frame(frame: protocol.ServerFrame, group: str = OWNER_GROUP) -> None:
    await asend(_event(frame), group)


def send_frame(frame: protocol.ServerFrame, group: str = OWNER_GROUP) -> None:
    send(_event(frame), group)


def _event(frame: protocol.ServerFrame) -> dict[str, Any]:
    return {"type": "frame", "frame": protocol.encode(frame), "standing": reported_state(frame)}
