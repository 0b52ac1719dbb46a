"""The three sockets: devices, the web page, and the feed.

They check, store and forward. Requests are answered one after the other; events are sent meanwhile.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError
from redis.exceptions import RedisError

from agents.acting.obstacle import acting_state
from agents.frames import answer as frames_answer
from agents.frames.counts import current_counts
from agents.frames.welcome import current_state, first_frames, first_seq, missed_ends, missed_text
from devices import events, protocol
from devices.access import failed_attempts, handshake, sign_ins
from devices.access.pairing import is_device_origin
from devices.conversation import messages as conversation_messages
from devices.db import in_db
from devices.models import Device
from devices.owner.account import the_owner
from devices.owner.stop import stop_state
from devices.reported_state import ReportedState
from devices.sockets import call_rows
from devices.sockets.frame_sender import FrameSender
from devices.sockets.window import Window, cursor_of
from penny_site.doors import read_header

HEARTBEAT_S = 15
POLL_S = 2.0
STANDING_LOOKS = 3  # every third poll also checks the reported state
REVOKED_LOOK_S = 0.4
WAITING_FRAMES, WAITING_TURNS = 64, 32
TOGETHER = 8  # messages in one transaction, which holds up other writers
CLOSE_FAILED = 1011  # RFC 6455: internal error
_LOOK = {"type": "wake"}  # names no message: find all that are due
log = structlog.get_logger("penny.sockets")


class Socket(FrameSender):
    """What the sockets of devices and of the web page share after authentication."""

    owner: User
    tasks: tuple[asyncio.Task[None], ...] = ()
    further_groups: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waking = asyncio.Lock()
        self._has_place = asyncio.Event()
        self._has_place.set()

    async def __call__(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        """Pause reading while the inbox is full; events are still sent meanwhile."""

        async def when_there_is_a_place() -> Any:
            await self._has_place.wait()
            return await receive()

        await super().__call__(scope, when_there_is_a_place, send)

    async def begin(self, device: Device, cursor: int | None) -> None:
        """Join the groups, then read the database: an event in between is sent once."""
        self.device, self.owner = device, await in_db(the_owner)()
        self.groups = [events.OWNER_GROUP, events.device_group(device.id), *self.further_groups]
        await self._join()
        start = await in_db(first_seq)(self.owner, cursor)
        self.window, self.standing = Window(sent_seq=start, acknowledged=start), ReportedState()
        for frame in await in_db(first_frames)(device, self.owner, self.window):
            await self.tell(frame)
        await self.wake(_LOOK)
        self.inbox: asyncio.Queue[protocol.ClientFrame] = asyncio.Queue(WAITING_FRAMES)
        self.tasks = (asyncio.create_task(self._beat()), asyncio.create_task(self._answer()))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_closing:
            return
        if text_data is None:
            await self.close(protocol.CLOSE_MALFORMED)
            return
        if len(text_data.encode(errors="surrogatepass")) > protocol.FRAME_BYTES:
            await self.close(protocol.CLOSE_TOO_LARGE)
            return
        try:
            await self.take(protocol.parse_client(text_data))
        except protocol.Malformed as error:
            log.info("frame.malformed", where=str(error).partition(":")[0])
            await self.close(protocol.CLOSE_MALFORMED)

    async def take(self, frame: protocol.ClientFrame) -> None:
        assert self.device is not None
        if self.window.heard():
            await self.wake(_LOOK)
        if isinstance(frame, protocol.AuthHello | protocol.AuthProof):
            await self.close(protocol.CLOSE_MALFORMED)
        elif isinstance(frame, protocol.MessageAck):
            self.window.acknowledge(frame.seq)
            if self.window.has_room_again:
                await self.wake(_LOOK)
        elif isinstance(frame, protocol.Ping):
            await self.tell(protocol.Pong())
        elif isinstance(frame, protocol.ChatSend) and self.inbox.qsize() >= WAITING_TURNS:
            await self.tell(frames_answer.reject_flooding(frame))
        else:
            self.inbox.put_nowait(frame)
            if self.inbox.full():
                self._has_place.clear()

    async def _answer(self) -> None:
        """Answer the requests in order, beside the events."""
        assert self.device is not None
        while frame := await self.inbox.get():
            self._has_place.set()
            if self.is_closing:
                continue  # drain the queue, so that the disconnect behind it is reached
            frames = self._with_what_waits(frame)
            try:
                if any(isinstance(frame, protocol.ChatSend) for frame in frames):
                    await asyncio.to_thread(frames_answer.render_ahead, frames)
                for request, answers in await in_db(frames_answer.answer_frames)(
                    self.owner, self.device, frames, len(self.window.turns)
                ):
                    for answer in answers:
                        if isinstance(request, protocol.ChatSend) and isinstance(answer, protocol.Ack):
                            self.window.expect(request.turn_id)
                        await self.tell(answer)
            except Exception:
                log.exception("frame.failed")
                await self.close(CLOSE_FAILED)

    def _with_what_waits(self, frame: protocol.ClientFrame) -> list[protocol.ClientFrame]:
        """Return a frame with the following plain messages: one transaction stores them all."""
        frames = [frame]
        while frames_answer.is_plain(frames[-1]) and len(frames) < TOGETHER and not self.inbox.empty():
            frames.append(self.inbox.get_nowait())
        return frames

    # Events of devices/events.py
    # ---------------------------------------------------------------------------------------------

    async def wake(self, event: dict[str, Any]) -> None:
        """Send the messages that are due, in order, then the ends of turns that waited for them.

        A wake-up names its message and brings it along. If that message was sent already, or is the next one, no query
        is needed. Nor for a reader that is behind: it gets the message with the earlier ones.
        """
        self.window.last = max(self.window.last, event.get("seq", 0))
        if self.window.is_behind and event is not _LOOK:
            return
        async with self._waking:
            seq = event.get("seq", self.window.sent_seq + 1)
            if seq > self.window.sent_seq and self.window.room <= 0:
                self.window.is_behind = True
            elif seq == self.window.sent_seq + 1 and event["type"] == "wake" and event.get("frame"):
                await self._send_message(seq, event["frame"])
            elif seq > self.window.sent_seq:
                await self._send_messages()
            for end in self.window.due():
                await self.tell_text(end["frame"])

    async def _send_messages(self) -> None:
        """Send the messages that are due, as far as there is room, also those that come meanwhile."""
        is_on_its_way = True
        while is_on_its_way and (room := self.window.room) > 0:
            try:
                messages = await in_db(conversation_messages.messages_after)(self.owner, self.window.sent_seq, room)
            except DatabaseError as error:  # the next poll finds them
                log.warning("messages.unread", error=type(error).__name__)
                return
            self.window.is_behind = len(messages) == room
            for message in messages:
                if not await self._send_message(
                    message.seq, protocol.encode(protocol.MessageNew(message=message.frame()))
                ):
                    self.window.is_behind = True
                    return
            is_on_its_way = bool(messages) and self.window.sent_seq < self.window.last

    async def _send_message(self, seq: int, text: str) -> bool:
        """Send a message unless it has to wait for the other side; return whether it was sent."""
        if not self.window.takes(text):
            return False
        self.window.sent_seq = seq
        await self.tell_text(text)
        return True

    async def turn_frame(self, event: dict[str, Any]) -> None:
        """Send a piece of a turn, after the text so far if a piece is missing.

        A reader that is behind gets no pieces.
        """
        if self.window.is_behind or self._is_for_another(event) or event["turn_id"] in self.window.over:
            return
        if self.window.has_gap(event) and (
            whole := await asyncio.to_thread(missed_text, UUID(event["turn_id"]), self.window)
        ):
            await self.tell(whole)
        if self.window.is_news(event):
            await self.tell_text(event["frame"])

    async def turn_end(self, event: dict[str, Any]) -> None:
        if self._is_for_another(event):
            return
        self.window.hold(event)
        await self.wake(event)

    async def acting_look(self, event: dict[str, Any]) -> None:
        await self.tell(await in_db(acting_state)())

    async def _beat(self) -> None:
        """Record every 15 s that the device is here; poll every 2 s for lost wake-ups."""
        assert self.device is not None
        while not self.is_closing:
            try:
                for look in range(round(HEARTBEAT_S / POLL_S)):
                    await asyncio.sleep(POLL_S)
                    await self._join()
                    await self._look()
                    if look % STANDING_LOOKS == 0:
                        await self._say_what_was_lost()
                await in_db(handshake.mark_seen)(self.device)
            except (DatabaseError, RedisError, OSError) as error:
                log.warning("socket.heartbeat", error=type(error).__name__)

    async def _look(self) -> None:
        """Find without Redis what a wake-up would have told."""
        if self.window.is_stalled:
            await self.close(protocol.CLOSE_TOO_SLOW)
            return
        if self.window.sent_seq < await in_db(conversation_messages.last_seq)(self.owner):
            await self.wake(_LOOK)
        turn_ids = self.window.next_turns()
        for end in await in_db(missed_ends)(self.owner, turn_ids, self.window.sent_seq) if turn_ids else ():
            if self.window.is_first_end(str(end.turn_id)):
                await self.tell(end)

    async def _say_what_was_lost(self) -> None:
        """Send reported state again whose wake-up was lost: what a surface does not show cannot be answered there."""
        for frame in self.standing.missed(await in_db(current_state)()):
            log.warning("hint.lost", frame_type=frame.type)
            await self.tell(frame)

    async def disconnect(self, code: int) -> None:
        for task in self.tasks:
            task.cancel()


class DeviceConsumer(Socket):
    """`/ws/device`: extensions and programs, after the handshake (devices/access/handshake.py)."""

    alarm: asyncio.TimerHandle | None = None
    bytes_before_auth = 0

    async def connect(self) -> None:
        origin = read_header(self.scope, b"origin")
        if not is_device_origin(origin):
            await self.close()  # before the upgrade: HTTP 403
            return
        self.handshake = handshake.Handshake(origin or "")
        await self.accept()
        loop = asyncio.get_running_loop()
        self.alarm = loop.call_later(protocol.UNAUTHENTICATED_S, lambda: loop.create_task(self._too_late()))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.device is None:
            self.bytes_before_auth += len(text_data or "") + len(bytes_data or b"")
            if self.bytes_before_auth > protocol.UNAUTHENTICATED_BYTES:
                await self.close(protocol.CLOSE_TOO_LARGE)
                return
        await super().receive(text_data, bytes_data)

    async def take(self, frame: protocol.ClientFrame) -> None:
        if self.device is not None:
            await super().take(frame)
            return
        try:
            await self._shake(frame)
        except handshake.Refused as refused:
            if refused.close_code == protocol.CLOSE_NOT_PROVEN:
                await failed_attempts.wait_if_guessed("proof", self.scope)
            await self.close(refused.close_code)

    async def _shake(self, frame: protocol.ClientFrame) -> None:
        if self.handshake.hello is None:
            challenge = await in_db(self.handshake.challenge)(frame)
            await self._put(protocol.encode(challenge))
            return
        device = await in_db(self.handshake.admit)(frame)
        assert isinstance(frame, protocol.AuthProof)
        if self.alarm is not None:
            self.alarm.cancel()
        await in_db(call_rows.fail_older)(device)
        await events.asend(
            {"type": "connection.replaced", "connection": device.connection}, events.device_group(device.id)
        )
        await self.begin(device, frame.cursor)
        self.tasks = (*self.tasks, asyncio.create_task(self._watch()))

    async def _watch(self) -> None:
        """Close within a second if the device is revoked or replaced, also if it was before it joined its groups."""
        assert self.device is not None
        while not self.is_closing:
            try:
                if (code := await in_db(handshake.why_over)(self.device)) is not None:
                    await self.close(code)
            except DatabaseError as error:
                log.warning("socket.watch", error=type(error).__name__)
            await asyncio.sleep(REVOKED_LOOK_S)

    async def _too_late(self) -> None:
        if self.device is None:
            await self.close(protocol.CLOSE_NOT_PROVEN)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.alarm is not None:
            self.alarm.cancel()
        if self.device is not None and self.device.connection is not None:
            await in_db(handshake.disconnect)(self.device)
            await in_db(call_rows.fail_pending)(self.device.connection)


class OfSession(AsyncWebsocketConsumer):
    """A socket that a signed-in page opened. `enter` is awaited once it is accepted."""

    async def connect(self) -> None:
        if await is_own_page(self.scope):
            await self.accept()
            await self.enter()
        else:
            await self.close()

    async def session_ended(self, event: dict[str, Any]) -> None:
        await self.close_if_over()

    async def counts_look(self, event: dict[str, Any]) -> None:
        if not await self.close_if_over():
            with suppress(ConnectionResetError):
                await self.send(text_data=protocol.encode(await in_db(current_counts)()))

    async def close_if_over(self) -> bool:
        """Close the socket if its session is over, and return whether it is."""
        if is_over := not await in_db(sign_ins.is_good)(self.scope["session"].session_key):
            await self.close(protocol.CLOSE_NOT_PROVEN)
        return is_over


class FeedConsumer(OfSession):
    """`/ws/feed`: tells an open page what its header counts. It receives nothing; the feed also polls."""

    groups = (events.FEED_GROUP, events.PAGE_GROUP)

    async def enter(self) -> None:
        await self.send(text_data=protocol.encode(await in_db(current_counts)()))
        await self.send(text_data=protocol.encode(await in_db(stop_state)()))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.close(protocol.CLOSE_MALFORMED)

    async def frame(self, event: dict[str, Any]) -> None:
        if not await self.close_if_over():
            with suppress(ConnectionResetError):
                await self.send(text_data=event["frame"])


async def is_own_page(scope: Any) -> bool:
    """Return whether a signed-in page of Penny's opens the socket; delay repeated failures."""
    user = scope.get("user")
    if read_header(scope, b"origin") == settings.PUBLIC_URL and user is not None and user.is_authenticated:
        return True
    await failed_attempts.wait_if_guessed("session", scope)
    return False


class WebConsumer(OfSession, Socket):
    """`/ws/web`: the web page, by its session cookie and exactly its own Origin."""

    further_groups = (events.PAGE_GROUP, events.FEED_GROUP)

    async def enter(self) -> None:
        await self.begin(await in_db(handshake.web_device)(), cursor_of(self.scope))
        await self.tell(await in_db(current_counts)())
        await self.close_if_over()  # it may have ended before this socket joined its group

    async def _look(self) -> None:
        """Close the socket if its session is over: a signed-out page receives nothing more."""
        if not await self.close_if_over():
            await super()._look()

    async def device_revoked(self, event: dict[str, Any]) -> None:
        """The web page cannot be revoked: signing out ends it."""
