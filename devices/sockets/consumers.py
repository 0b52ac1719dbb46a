"""The sockets: they check, store, forward. What the other side asks for is done one frame after the other, beside what
it is told.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import structlog
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError
from redis.exceptions import RedisError

from agents.frames import answer as frames_answer
from agents.frames.welcome import caught_up, ends_missed, first_frames, first_seq, standing_now
from devices import events, protocol
from devices.access import failed_attempts, handshake, sign_ins
from devices.access.pairing import is_device_origin
from devices.conversation import messages as conversation_messages
from devices.db import in_db
from devices.models import Device
from devices.owner.account import the_owner
from devices.reported_state import Standing, standing
from devices.sockets import browser_calls
from devices.sockets.window import Window, size_bytes
from penny_site.doors import header

HEARTBEAT_S = 15
POLL_S = 2.0
STANDING_LOOKS = 3  # of those looks, one at how everything stands
REVOKED_LOOK_S = 0.4
WAITING_FRAMES, WAITING_TURNS = 64, 32
TOGETHER = 8  # messages in one transaction: while it is open nobody else writes
CLOSE_FAILED = 1011  # of RFC 6455: the server met what it was not made for
_LOOK = {"type": "wake"}  # which names no message: look for all that are due
log = structlog.get_logger("penny.sockets")


class Socket(AsyncWebsocketConsumer):
    """What both sockets share once it is known who is there."""

    groups: list[str] = []
    device: Device | None = None
    owner: User
    window: Window
    standing: Standing
    tasks: tuple[asyncio.Task[None], ...] = ()
    is_closing = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waking = asyncio.Lock()
        self._has_place = asyncio.Event()
        self._has_place.set()

    async def __call__(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        """Like Channels' own, but what waits for its answer keeps only the other side waiting, not what is told to it
        meanwhile.
        """

        async def when_there_is_a_place() -> Any:
            await self._has_place.wait()
            return await receive()

        await super().__call__(scope, when_there_is_a_place, send)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Like Channels' own, without its visit to the database's thread for each event: every piece of every stream
        would queue there behind the queries. `in_db` looks after stale connections where they are used.
        """
        await getattr(self, get_handler_name(message))(message)

    async def begin(self, device: Device, cursor: int | None) -> None:
        """Join first, then read from the database: what happens in between comes twice and is sent once."""
        self.device, self.owner = device, await in_db(the_owner)()
        self.groups = [events.OWNER_GROUP, events.device_group(device.id)]
        await self._join()
        start = await in_db(first_seq)(self.owner, cursor)
        self.window, self.standing = Window(sent=start, acknowledged=start), Standing()
        for frame in await in_db(first_frames)(device, self.owner, self.window):
            await self.tell(frame)
        await self.wake(_LOOK)
        self.inbox: asyncio.Queue[protocol.ClientFrame] = asyncio.Queue(WAITING_FRAMES)
        self.tasks = (asyncio.create_task(self._beat()), asyncio.create_task(self._answer()))

    async def _join(self) -> None:
        """Join the groups, or do it later when Redis is away; what was joined before costs nothing."""
        try:
            for group in self.groups:
                await self.channel_layer.group_add(group, self.channel_name)
        except (RedisError, OSError) as error:
            log.warning("socket.deaf", error=type(error).__name__)

    async def tell(self, frame: protocol.ServerFrame) -> None:
        await self.tell_text(protocol.encode(frame))
        self.standing.note(standing(frame))

    async def tell_text(self, text: str) -> None:
        """Send a frame, unless the other side has long stopped reading, or could not take it: it would be sent again
        and again.
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
        except ConnectionResetError:  # what else came from there is not worth an answer; `disconnect` follows
            self.is_closing = True

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        if not self.is_closing:
            self.is_closing = True
            with suppress(ConnectionResetError):  # the other side was faster
                await super().close(code, reason)

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
        """Answer one frame of a device that is in."""
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
            await self.tell(frames_answer.put_off(frame))
        else:
            self.inbox.put_nowait(frame)
            if self.inbox.full():
                self._has_place.clear()

    async def _answer(self) -> None:
        """Do what is asked for, in the order in which it was. What streams to this socket meanwhile does not wait
        behind it.
        """
        assert self.device is not None
        while frame := await self.inbox.get():
            self._has_place.set()
            if self.is_closing:
                continue  # taken off all the same: what comes after it, the end of the socket, must not wait for ever
            frames = self._with_what_waits(frame)
            try:
                for asked, answers in await in_db(frames_answer.answer_some)(
                    self.owner, self.device, frames, len(self.window.turns)
                ):
                    for answer in answers:
                        if isinstance(asked, protocol.ChatSend) and isinstance(answer, protocol.Ack):
                            self.window.expect(asked.turn_id)
                        await self.tell(answer)
            except Exception:
                log.exception("frame.failed")
                await self.close(CLOSE_FAILED)

    def _with_what_waits(self, frame: protocol.ClientFrame) -> list[protocol.ClientFrame]:
        """Return a frame with those behind it, as far as they are messages that can be stored in one transaction."""
        frames = [frame]
        while frames_answer.is_plain(frames[-1]) and len(frames) < TOGETHER and not self.inbox.empty():
            frames.append(self.inbox.get_nowait())
        return frames

    # Events of devices/events.py
    # ---------------------------------------------------------------------------------------------

    async def wake(self, event: dict[str, Any]) -> None:
        """Send the messages that are due, in order, then the ends of turns that waited for them.

        A wake-up names the message that it is about, and brings it along: one that went out already, or that is the
        next, costs no look into the database. Nor does one for a reader that is behind: what it is about waits with
        what came before.
        """
        self.window.last = max(self.window.last, event.get("seq", 0))
        if self.window.is_behind and event is not _LOOK:
            return
        async with self._waking:
            seq = event.get("seq", self.window.sent + 1)
            if seq > self.window.sent and self.window.room <= 0:
                self.window.is_behind = True
            elif seq == self.window.sent + 1 and event["type"] == "wake" and event.get("frame"):
                await self._send_message(seq, event["frame"])
            elif seq > self.window.sent:
                await self._send_messages()
            for held in self.window.due():
                await self.tell_text(held["frame"])

    async def _send_messages(self) -> None:
        """Send what is due, as far as there is room, and what came meanwhile."""
        is_on_its_way = True
        while is_on_its_way and (room := self.window.room) > 0:
            try:
                messages = await in_db(conversation_messages.after)(self.owner, self.window.sent, room)
            except DatabaseError as error:  # the next look finds them
                log.warning("messages.unread", error=type(error).__name__)
                return
            self.window.is_behind = len(messages) == room
            for message in messages:
                if not await self._send_message(
                    message.seq, protocol.encode(protocol.MessageNew(message=message.frame()))
                ):
                    self.window.is_behind = True
                    return
            is_on_its_way = bool(messages) and self.window.sent < self.window.last

    async def _send_message(self, seq: int, text: str) -> bool:
        """Send a message, unless it has to wait until the other side says something; return whether it was sent."""
        if not self.window.takes(text):
            return False
        self.window.sent = seq
        await self.tell_text(text)
        return True

    async def frame(self, event: dict[str, Any]) -> None:
        await self.tell_text(event["frame"])
        self.standing.note(event["standing"])

    async def message_changed(self, event: dict[str, Any]) -> None:
        """Send a message again that the other side has: it knows it by its id. Sooner it would pass for all that comes
        before it.
        """
        if event["seq"] <= self.window.sent:
            await self.tell_text(event["frame"])

    async def turn_frame(self, event: dict[str, Any]) -> None:
        """Send a piece of a turn, and what went before it where that is missing. A reader that is behind does without
        until it is not.
        """
        if self.window.is_behind or self._is_for_another(event) or event["turn_id"] in self.window.over:
            return
        if self.window.has_gap(event) and (
            whole := await asyncio.to_thread(caught_up, UUID(event["turn_id"]), self.window)
        ):
            await self.tell(whole)
        if self.window.is_news(event):
            await self.tell_text(event["frame"])

    async def turn_status(self, event: dict[str, Any]) -> None:
        if not self._is_for_another(event):
            await self.tell_text(event["frame"])

    def _is_for_another(self, event: dict[str, Any]) -> bool:
        """Whether it is about a temporary turn that was asked over another socket."""
        return bool(event.get("is_private")) and event["turn_id"] not in self.window.turns

    async def turn_end(self, event: dict[str, Any]) -> None:
        if self._is_for_another(event):
            return
        self.window.hold(event)
        await self.wake(event)

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

    async def _beat(self) -> None:
        """Say every 15 s that the device is here; look every 2 s whether a wake-up was lost."""
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
        if self.window.sent < await in_db(conversation_messages.last_seq)(self.owner):
            await self.wake(_LOOK)
        turn_ids = self.window.next_turns()
        for end in await in_db(ends_missed)(self.owner, turn_ids, self.window.sent) if turn_ids else ():
            if self.window.is_first_end(str(end.turn_id)):
                await self.tell(end)

    async def _say_what_was_lost(self) -> None:
        """Say how things stand where a hint of it never came: a question that a surface does not show cannot be
        answered there.
        """
        for frame in self.standing.missed(await in_db(standing_now)()):
            log.warning("hint.lost", frame_type=frame.type)
            await self.tell(frame)

    async def disconnect(self, code: int) -> None:
        for task in self.tasks:
            task.cancel()


class DeviceConsumer(Socket):
    """`/ws/device`: extensions and programs, after the handshake of devices/access/handshake.py."""

    alarm: asyncio.TimerHandle | None = None
    received = 0

    async def connect(self) -> None:
        origin = header(self.scope, b"origin")
        if not is_device_origin(origin):
            await self.close()  # before the upgrade: HTTP 403
            return
        self.handshake = handshake.Handshake(origin or "")
        await self.accept()
        loop = asyncio.get_running_loop()
        self.alarm = loop.call_later(protocol.UNAUTHENTICATED_S, lambda: loop.create_task(self._too_late()))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.device is None:
            self.received += len(text_data or "") + len(bytes_data or b"")
            if self.received > protocol.UNAUTHENTICATED_BYTES:
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
                await wait_if_guessed("proof", self.scope)
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
        await in_db(browser_calls.fail_older)(device)
        await events.asend(
            {"type": "connection.replaced", "connection": device.connection}, events.device_group(device.id)
        )
        await self.begin(device, frame.cursor)
        self.tasks = (*self.tasks, asyncio.create_task(self._watch()))

    async def _watch(self) -> None:
        """Look whether the device was revoked or has a newer socket, first for between its proof and the joining of the
        groups: this one closes within a second, also when the wake-up was lost.
        """
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
            await in_db(browser_calls.fail_pending)(self.device.connection)


class FeedConsumer(AsyncWebsocketConsumer):
    """`/ws/feed`: tells an open page of the feed how many thoughts are new, by the session cookie and exactly our own
    Origin.

    A hint: the page looks by itself now and then. It takes nothing, and is no device.
    """

    groups = (events.FEED_GROUP,)

    async def connect(self) -> None:
        if await is_own_page(self.scope):
            await self.accept()
        else:
            await self.close()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.close(protocol.CLOSE_MALFORMED)

    async def frame(self, event: dict[str, Any]) -> None:
        if not await in_db(sign_ins.is_good)(self.scope["session"].session_key):
            await self.close(protocol.CLOSE_NOT_PROVEN)
            return
        with suppress(ConnectionResetError):
            await self.send(text_data=event["frame"])


async def is_own_page(scope: Any) -> bool:
    """Whether a socket is opened by a page of Penny's, signed in. One that is not waits when there were too many."""
    user = scope.get("user")
    if header(scope, b"origin") == settings.PUBLIC_URL and user is not None and user.is_authenticated:
        return True
    await wait_if_guessed("session", scope)
    return False


class WebConsumer(Socket):
    """`/ws/web`: the web page, by its session cookie and exactly its own Origin."""

    async def connect(self) -> None:
        if not await is_own_page(self.scope):
            await self.close()
            return
        await self.accept()
        await self.begin(await in_db(handshake.web_device)(), _cursor(self.scope))

    async def _look(self) -> None:
        """Close also where the session is over: whoever was signed out elsewhere is told nothing more."""
        if not await in_db(sign_ins.is_good)(self.scope["session"].session_key):
            await self.close(protocol.CLOSE_NOT_PROVEN)
            return
        await super()._look()

    async def device_revoked(self, event: dict[str, Any]) -> None:
        """The web page is no device to revoke: signing out ends it."""


async def wait_if_guessed(kind: str, scope: Any) -> None:
    """Count something wrong, and let it wait for its answer when there was too much of it."""
    address = (scope.get("client") or ["unknown"])[0]
    if await asyncio.to_thread(failed_attempts.is_too_often, kind, address):
        await asyncio.sleep(failed_attempts.DELAY_S)


def _cursor(scope: Any) -> int | None:
    given = parse_qs(scope["query_string"].decode("latin-1")).get("cursor", [""])[0]
    return int(given) if given.isdigit() and len(given) < 16 else None
