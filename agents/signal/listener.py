"""Receive from Signal: one process holds the line and replaces its connections.

The server delivers only while a client is connected. A connection may stay open and deliver nothing, although sending
works. So each connection is replaced after 45 s, at once when a ping stays unanswered, and at once when no receipt
follows an accepted message. The next connection opens before the last one closes. A frame that both deliver is stored
once.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import structlog
from django.db import DatabaseError
from django.utils import timezone

from agents.signal import inbox, read_receipts
from agents.signal.line_state import (
    drop_first,
    hold_line,
    last_checked,
    note_alive,
    note_listening,
    note_problem,
    note_registered,
    note_unread,
    number_to_check,
    record_disconnect,
    release_line,
)
from agents.turns import start
from devices import disk
from devices.channels.channel import NotSent, OutcomeUnknown, TryLater
from devices.channels.signal import api, frames
from devices.channels.signal.api import SignalProblem
from devices.channels.signal.channel import CHANNEL
from devices.db import in_db

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

LAST_S = 2.0  # to store the last frames of a closed connection
PING_S, PONG_S = 10.0, 10.0
PROBE_S, OPEN_S = 5.0, 10.0
RENEW_S = 45.0  # lifetime of one connection
AGAIN_S, AGAIN_MAX_S = 1.0, 15.0
FRAME_BYTES = 16 * 1024 * 1024
log = structlog.get_logger("penny.signal")


async def listen() -> None:
    """Hold the line, or wait until the process that holds it is gone. Never returns."""
    me = uuid4()
    while True:
        try:
            if await in_db(hold_line)(me):
                await _Line(me).run()
        except (DatabaseError, SignalProblem) as error:
            log.warning("signal.put_off", error=type(error).__name__)
        except Exception:  # no other code would restart the listener
            log.exception("signal.listener_failed")
        await asyncio.sleep(PROBE_S)


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task


class _Line:
    """The Signal line while this process holds it."""

    def __init__(self, me: UUID) -> None:
        self._me = me
        self._account = ""
        self._missed_since: datetime | None = None
        self._asked_at: datetime | None = None
        self._ready = asyncio.Event()  # the account is known, and no problem prevents listening
        self._renew = asyncio.Event()
        self._has_entries = asyncio.Event()
        self._open: dict[asyncio.Task[None], ClientConnection] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Probe, listen and process until another process holds the line.

        Raises the error that ended one of the three.
        """
        self._missed_since = await in_db(last_checked)()
        others = [asyncio.create_task(work()) for work in (self._listen, self._take)]
        try:
            while await in_db(hold_line)(self._me):
                await self._probe()
                over, _ = await asyncio.wait(others, timeout=PROBE_S, return_when=asyncio.FIRST_COMPLETED)
                for task in over:
                    task.result()
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.shield(
                in_db(release_line)(self._me)
            )  # another process need not wait until the lease runs out

    # Health checks
    # -------------------------------------------------------------------------------------------

    async def _probe(self) -> None:
        try:
            server = await api.server_info()
            self._account = api.account_among(server["accounts"])
            is_newly_deaf = await in_db(note_alive)(self._account, server["version"])
        except SignalProblem as problem:
            await in_db(note_problem)(problem)
            if problem.code in ("unlinked", "number", "mode"):
                self._ready.clear()
            return
        self._ready.set()
        if is_newly_deaf:  # once: a phone that is off does not make the line deaf
            self._renew.set()
        await self._ask_again()

    async def _ask_again(self) -> None:
        """Send a typing signal that nobody sees, to check an unregistered number again."""
        device = await in_db(number_to_check)(self._asked_at)
        if device is None:
            return
        self._asked_at = timezone.now()
        try:
            await CHANNEL.type(device, False)
        except (NotSent, OutcomeUnknown):
            return
        await in_db(note_registered)()

    # Listening
    # -------------------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        """Open one connection after the other. The last one delivers until the next is open."""
        last: asyncio.Task[None] | None = None
        new: asyncio.Task[None] | None = None
        wait_s = AGAIN_S
        try:
            while True:
                await self._ready.wait()
                opening = asyncio.get_running_loop().create_future()
                new = asyncio.create_task(self._read(opening, turn := asyncio.Event()))
                try:
                    async with asyncio.timeout(OPEN_S + 1):
                        await asyncio.shield(opening)
                except asyncio.CancelledError:
                    new.cancel()
                    raise
                except (TimeoutError, OSError) as error:
                    new.cancel()
                    await self._lost(type(error).__name__)
                    await asyncio.sleep(wait_s)
                    wait_s = min(AGAIN_MAX_S, 2 * wait_s)
                    continue
                if last is not None:
                    await self._retire(last)
                turn.set()
                last, wait_s = new, AGAIN_S
                self._renew.clear()
                if not await self._lasts(new):
                    last = None
                    await self._lost("closed")
                    await asyncio.sleep(AGAIN_S)
        finally:
            if new is not None and new is not last:  # it has not replaced the last one yet
                new.cancel()
                await asyncio.wait([new], timeout=LAST_S)
            if last is not None:
                await self._retire(last)

    async def _lost(self, error: str) -> None:
        self._missed_since = self._missed_since or timezone.now()
        await in_db(record_disconnect)(error)

    async def _retire(self, reader: asyncio.Task[None]) -> None:
        """Close a connection, and wait until its last frames are stored, to keep the order."""
        if socket := self._open.pop(reader, None):
            self._closing.add(closing := asyncio.create_task(socket.close()))
            closing.add_done_callback(self._closing.discard)
        await asyncio.wait([reader], timeout=LAST_S)

    async def _lasts(self, reader: asyncio.Task[None]) -> bool:
        """Wait until the next connection is due; return whether this one is still open."""
        renewed = asyncio.create_task(self._renew.wait())
        try:
            await asyncio.wait({reader, renewed}, timeout=RENEW_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            renewed.cancel()
        return not reader.done()

    async def _read(self, opening: asyncio.Future[None], turn: asyncio.Event) -> None:
        """Store the frames of one connection from its turn on.

        Ends when the connection is closed or leaves a ping unanswered.
        """
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        try:
            async with connect(
                api.receive_url(self._account),
                open_timeout=OPEN_S,
                ping_interval=PING_S,
                ping_timeout=PONG_S,
                close_timeout=2,
                max_size=FRAME_BYTES,
                proxy=None,
            ) as socket:
                self._open[_this_task()] = socket
                await in_db(note_listening)(self._missed_since)
                self._missed_since = None
                if not opening.done():
                    opening.set_result(None)
                await turn.wait()
                async for text in socket:
                    await self._store(frames.without_nul(text))
        except (WebSocketException, OSError, TimeoutError, EOFError) as error:
            if not opening.done():
                opening.set_exception(ConnectionError(type(error).__name__))
            log.info("signal.connection_over", error=type(error).__name__)
        finally:
            self._open.pop(_this_task(), None)

    async def _store(self, text: str) -> None:
        """Store one frame. The server never resends it, so retry while the database is away."""
        try:
            frame = frames.parse_frame(text)
        except frames.Unreadable as error:
            log.warning("signal.unreadable", where=str(error))
            await in_db(note_unread)()
            return
        if frame is None:
            return
        while True:
            try:
                result = await in_db(inbox.store_frame)(frame, json.loads(text), self._account)
                if isinstance(result, read_receipts.Received):
                    read_receipts.acknowledge_on_phone(result)
                elif result:
                    self._has_entries.set()
                return
            except DatabaseError as error:
                log.warning("signal.not_stored_yet", error=type(error).__name__)
                await asyncio.sleep(AGAIN_S)

    # Processing
    # ----------------------------------------------------------------------------------------------------------------

    async def _take(self) -> None:
        """Process stored entries, also those that an earlier process left."""
        while True:
            self._has_entries.clear()
            try:
                await inbox.process_entries()
            except (DatabaseError, TryLater, start.Busy, disk.DiskFull) as error:
                log.warning("signal.take_later", error=type(error).__name__)
                await asyncio.sleep(AGAIN_S)
                continue
            except Exception:
                log.exception("signal.not_taken")
                await in_db(drop_first)()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_MAX_S):
                    await self._has_entries.wait()
