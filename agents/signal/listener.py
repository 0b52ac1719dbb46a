"""Listening to Signal: one process holds the line, opens the next connection before it closes the last, and looks
whether it is alive.

The server hands on what comes in while somebody listens, and only then. A connection may be open and bring nothing any
more, while what is sent still goes out. So each is replaced after a while, at once when its pings stay unanswered, and
at once when something was sent and no sign of it came back; what two connections both bring is stored once.
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
    RENEW_S,
    drop_first,
    hold,
    last_checked,
    let_go,
    note_alive,
    note_listening,
    note_lost,
    note_problem,
    note_registered,
    note_unread,
    to_ask_with,
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

LAST_S = 2.0  # in which what a closed connection brought is stored
PING_S, PONG_S = 10.0, 10.0
PROBE_S, OPEN_S = 5.0, 10.0
AGAIN_S, AGAIN_MAX_S = 1.0, 15.0
FRAME_BYTES = 16 * 1024 * 1024
log = structlog.get_logger("penny.signal")


async def listen() -> None:
    """Hold the line as long as this process lives, or wait until the process that holds it is gone."""
    me = uuid4()
    while True:
        try:
            if await in_db(hold)(me):
                await _Line(me).run()
        except (DatabaseError, SignalProblem) as error:
            log.warning("signal.put_off", error=type(error).__name__)
        except Exception:  # whatever it was: nobody else would begin to listen again
            log.exception("signal.listener_failed")
        await asyncio.sleep(PROBE_S)


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task


class _Line:
    """The line while this process holds it."""

    def __init__(self, me: UUID) -> None:
        self._me = me
        self._account = ""
        self._missed_since: datetime | None = None
        self._asked_at: datetime | None = None
        self._known = asyncio.Event()  # the account is, and nothing is in the way of listening
        self._renew = asyncio.Event()
        self._came = asyncio.Event()
        self._open: dict[asyncio.Task[None], ClientConnection] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Probe, listen and take until the line is lost to another process. Raises what ended one of these."""
        self._missed_since = await in_db(last_checked)()
        others = [asyncio.create_task(work()) for work in (self._listen, self._take)]
        try:
            while await in_db(hold)(self._me):
                await self._probe()
                over, _ = await asyncio.wait(others, timeout=PROBE_S, return_when=asyncio.FIRST_COMPLETED)
                for task in over:
                    task.result()
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.shield(in_db(let_go)(self._me))  # another process need not wait until the lease runs out

    # Looking whether it is alive
    # -------------------------------------------------------------------------------------------

    async def _probe(self) -> None:
        try:
            found = await api.look()
            self._account = api.account_among(found["accounts"])
            is_newly_deaf = await in_db(note_alive)(self._account, found["version"])
        except SignalProblem as problem:
            await in_db(note_problem)(problem)
            if problem.code in ("unlinked", "number", "mode"):
                self._known.clear()
            return
        self._known.set()
        if is_newly_deaf:  # later ones come in their turn: a phone that is off makes no line deaf
            self._renew.set()
        await self._ask_again()

    async def _ask_again(self) -> None:
        """Have Signal take something that nobody sees, where it did not know the number: what it takes ends that, as
        what is sent would.
        """
        device = await in_db(to_ask_with)(self._asked_at)
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
        """Open one connection after the other. The last one goes on bringing what comes until the next one is open."""
        last: asyncio.Task[None] | None = None
        new: asyncio.Task[None] | None = None
        wait_s = AGAIN_S
        try:
            while True:
                await self._known.wait()
                opened = asyncio.get_running_loop().create_future()
                new = asyncio.create_task(self._read(opened, turn := asyncio.Event()))
                try:
                    async with asyncio.timeout(OPEN_S + 1):
                        await asyncio.shield(opened)
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
            if new is not None and new is not last:  # it was still to take the place of the last one
                new.cancel()
                await asyncio.wait([new], timeout=LAST_S)
            if last is not None:
                await self._retire(last)

    async def _lost(self, error: str) -> None:
        self._missed_since = self._missed_since or timezone.now()
        await in_db(note_lost)(error)

    async def _retire(self, reader: asyncio.Task[None]) -> None:
        """Close a connection and wait until what it brought is stored: what the next one brings comes behind that."""
        if socket := self._open.pop(reader, None):
            self._closing.add(closing := asyncio.create_task(socket.close()))
            closing.add_done_callback(self._closing.discard)
        await asyncio.wait([reader], timeout=LAST_S)

    async def _lasts(self, reader: asyncio.Task[None]) -> bool:
        """Wait until it is time for the next connection; return whether this one is still there."""
        renewed = asyncio.create_task(self._renew.wait())
        try:
            await asyncio.wait({reader, renewed}, timeout=RENEW_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            renewed.cancel()
        return not reader.done()

    async def _read(self, opened: asyncio.Future[None], turn: asyncio.Event) -> None:
        """Store whatever one connection brings, from its turn on. Ends when it is closed, or does not answer its
        pings.
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
                if not opened.done():
                    opened.set_result(None)
                await turn.wait()
                async for text in socket:
                    await self._store(frames.without_nul(text))
        except (WebSocketException, OSError, TimeoutError, EOFError) as error:
            if not opened.done():
                opened.set_exception(ConnectionError(type(error).__name__))
            log.info("signal.connection_over", error=type(error).__name__)
        finally:
            self._open.pop(_this_task(), None)

    async def _store(self, text: str) -> None:
        """Store what came in. Nobody sends it again, so that a database that is away is waited for."""
        try:
            frame = frames.read(text)
        except frames.Unreadable as error:
            log.warning("signal.unreadable", where=str(error))
            await in_db(note_unread)()
            return
        if frame is None:
            return
        while True:
            try:
                noted = await in_db(inbox.note)(frame, json.loads(text), self._account)
                if isinstance(noted, read_receipts.Taken):
                    read_receipts.show_taken(noted)
                elif noted:
                    self._came.set()
                return
            except DatabaseError as error:
                log.warning("signal.not_stored_yet", error=type(error).__name__)
                await asyncio.sleep(AGAIN_S)

    # Taking
    # ----------------------------------------------------------------------------------------------------------------

    async def _take(self) -> None:
        """Take what was stored, also what a process before this one left."""
        while True:
            self._came.clear()
            try:
                await inbox.take_all()
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
                    await self._came.wait()


# How it stands
# ---------------------------------------------------------------------------------------------------------------
