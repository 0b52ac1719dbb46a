"""Send frames over one socket, and pass on the events that need no look into the database."""

from contextlib import suppress
from typing import Any

import structlog
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from redis.exceptions import RedisError

from devices import protocol
from devices.models import Device
from devices.reported_state import ReportedState, reported_state
from devices.sockets.window import Window, size_bytes

log = structlog.get_logger("penny.sockets")


class FrameSender(AsyncWebsocketConsumer):
    """The sending half of a device's socket."""

    groups: list[str] = []
    device: Device | None = None
    window: Window
    standing: ReportedState
    is_closing = False

    async def _join(self) -> None:
        """Join the groups, or log that Redis is away. Joining again costs nothing."""
        try:
            for group in self.groups:
                await self.channel_layer.group_add(group, self.channel_name)
        except (RedisError, OSError) as error:
            log.warning("socket.deaf", error=type(error).__name__)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler of an event, without Channels' visit to the database thread.

        Every piece of every stream would wait there behind the queries. `in_db` closes stale connections where they are
        used.
        """
        await getattr(self, get_handler_name(message))(message)

    async def tell(self, frame: protocol.ServerFrame) -> None:
        await self.tell_text(protocol.encode(frame))
        self.standing.note(reported_state(frame))

    async def tell_text(self, text: str) -> None:
        """Send a frame. Close the socket if the other side has stopped reading.

        A frame that is too large is dropped: it would be sent again and again.
        """
        if self.is_closing:
            return
        if size_bytes(text) > protocol.FRAME_BYTES:
            log.error("frame.too_large", size_bytes=size_bytes(text))
        elif self.window.count(text):
            await self._put(text)
        else:
            await self.close(protocol.CLOSE_TOO_SLOW)

    async def _put(self, text: str) -> None:
        try:
            await self.send(text_data=text)
        except ConnectionResetError:  # the other side is gone; `disconnect` follows
            self.is_closing = True

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        if not self.is_closing:
            self.is_closing = True
            with suppress(ConnectionResetError):  # the other side closed first
                await super().close(code, reason)

    # Events of devices/events.py
    # ---------------------------------------------------------------------------------------------

    async def frame(self, event: dict[str, Any]) -> None:
        await self.tell_text(event["frame"])
        self.standing.note(event["standing"])

    async def message_changed(self, event: dict[str, Any]) -> None:
        """Send a changed message, if the other side has it.

        Sent earlier, its `seq` would count as everything before it.
        """
        if event["seq"] <= self.window.sent_seq:
            await self.tell_text(event["frame"])

    async def turn_status(self, event: dict[str, Any]) -> None:
        if not self._is_for_another(event):
            await self.tell_text(event["frame"])

    def _is_for_another(self, event: dict[str, Any]) -> bool:
        """Return whether the event is about a temporary turn of another socket."""
        return bool(event.get("is_private")) and event["turn_id"] not in self.window.turns

    async def tool_call(self, event: dict[str, Any]) -> None:
        assert self.device is not None
        if event["connection"] == self.device.connection and self.window.is_first(event["call_id"]):
            await self.tell_text(event["frame"])

    async def device_revoked(self, event: dict[str, Any]) -> None:
        await self.close(protocol.CLOSE_REVOKED)

    async def connection_replaced(self, event: dict[str, Any]) -> None:
        assert self.device is not None
        if event["connection"] != self.device.connection:
            await self.close(protocol.CLOSE_REPLACED)
