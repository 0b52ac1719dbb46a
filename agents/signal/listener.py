"""Listening to Signal: one process holds the line, opens the next connection before it closes the last, and looks whether it is alive.

The server hands on what comes in while somebody listens, and only then. A connection may be open and bring nothing any more, while what
is sent still goes out. So each is replaced after a while, at once when its pings stay unanswered, and at once when something was sent and
no sign of it came back; what two connections both bring is stored once.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from agents.signal import inbox
from agents.turns import start
from devices import disk
from devices.channels import routing
from devices.channels.channel import NotSent, OutcomeUnknown, TryLater
from devices.channels.signal import api, frames, own_numbers
from devices.channels.signal.api import PROBLEMS, SignalProblem
from devices.channels.signal.channel import CHANNEL, LINE
from devices.conversation import messages
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import REFUSALS, UNREGISTERED, Delivery, LineState
from devices.owner import clock
from devices.owner.account import the_owner
from thoughts.text.labels import HOUSE

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

LAST_S = 2.0  # in which what a closed connection brought is stored
RENEW_S = 45.0  # of one connection
PING_S, PONG_S = 10.0, 10.0
PROBE_S, OPEN_S = 5.0, 10.0
AGAIN_S, AGAIN_MAX_S = 1.0, 15.0
NO_ECHO = timedelta(seconds=25)  # after something was taken and no device of the owner's said a word
FRAME_BYTES = 16 * 1024 * 1024
SAID_AFTER = timedelta(seconds=10)
TOLD_AGAIN = timedelta(hours=6)
MISSED = timedelta(seconds=20)
ASKED_AGAIN = timedelta(seconds=60)  # whether Signal knows the number again
KEPT = ("lost", "deaf", *REFUSALS)  # problems that a server which answers does not end
MISSED_SAID = "I was not listening to Signal since {since}. What you wrote there meanwhile did not reach me: please write it again."
RETURNED = "Signal works again. What I had to say there is on its way."
UNTAKEN = "Something inside me went wrong with this message, so I did nothing with it. Please send it again."
log = structlog.get_logger("penny.signal")


async def listen() -> None:
    """Hold the line as long as this process lives, or wait until the process that holds it is gone."""
    me = uuid4()
    while True:
        try:
            if await in_db(_hold)(me):
                await _Line(me).run()
        except (DatabaseError, SignalProblem) as error:
            log.warning("signal.put_off", error=type(error).__name__)
        except Exception:  # whatever it was: nobody else would begin to listen again
            log.exception("signal.listener_failed")
        await asyncio.sleep(PROBE_S)


def _hold(me: UUID) -> bool:
    return LineState.of(LINE).hold(me, timezone.now())


def _let_go(me: UUID) -> None:
    LineState.of(LINE).let_go(me)


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
        self._missed_since = await in_db(_last_checked)()
        others = [asyncio.create_task(work()) for work in (self._listen, self._take)]
        try:
            while await in_db(_hold)(self._me):
                await self._probe()
                over, _ = await asyncio.wait(others, timeout=PROBE_S, return_when=asyncio.FIRST_COMPLETED)
                for task in over:
                    task.result()
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.shield(in_db(_let_go)(self._me))  # another process need not wait until the lease runs out

    # Looking whether it is alive -------------------------------------------------------------------------------------------

    async def _probe(self) -> None:
        try:
            found = await api.look()
            self._account = api.account_among(found["accounts"])
            is_newly_deaf = await in_db(_note_alive)(self._account, found["version"])
        except SignalProblem as problem:
            await in_db(_note_problem)(problem)
            if problem.code in ("unlinked", "number", "mode"):
                self._known.clear()
            return
        self._known.set()
        if is_newly_deaf:  # later ones come in their turn: a phone that is off makes no line deaf
            self._renew.set()
        await self._ask_again()

    async def _ask_again(self) -> None:
        """Have Signal take something that nobody sees, where it did not know the number: what it takes ends that, as what is sent would."""
        device = await in_db(_to_ask_with)(self._asked_at)
        if device is None:
            return
        self._asked_at = timezone.now()
        try:
            await CHANNEL.type(device, False)
        except (NotSent, OutcomeUnknown):
            return
        await in_db(_note_registered)()

    # Listening -------------------------------------------------------------------------------------------------------------

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
        await in_db(_note_lost)(error)

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
        """Store whatever one connection brings, from its turn on. Ends when it is closed, or does not answer its pings."""
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
                await in_db(_note_listening)(self._missed_since)
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
            await in_db(_note_unread)()
            return
        if frame is None:
            return
        while True:
            try:
                noted = await in_db(inbox.note)(frame, json.loads(text), self._account)
                if isinstance(noted, inbox.Taken):
                    inbox.show_taken(noted)
                elif noted:
                    self._came.set()
                return
            except DatabaseError as error:
                log.warning("signal.not_stored_yet", error=type(error).__name__)
                await asyncio.sleep(AGAIN_S)

    # Taking ----------------------------------------------------------------------------------------------------------------

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
                await in_db(_drop_first)()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_MAX_S):
                    await self._came.wait()


@transaction.atomic
def _drop_first() -> None:
    """Let go of an entry that cannot be taken, so that those behind it are, and tell who wrote it."""
    if entry := inbox.next_entry():
        type(entry).objects.filter(pk=entry.pk).update(envelope=None)
        inbox.refuse(entry, UNTAKEN)


def _note_unread() -> None:
    LineState.of(LINE).count_unread()


# How it stands ---------------------------------------------------------------------------------------------------------------


@transaction.atomic
def _note_alive(account: str, version: str) -> bool:
    """Note that the server answers; return whether it seems to have become deaf."""
    now, state = timezone.now(), LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    is_deaf = _seems_deaf(state, now)
    problem, said = state.problem, state.said
    if is_deaf and problem not in REFUSALS:
        assert state.accepted_at is not None
        problem, said = "deaf", PROBLEMS["deaf"].format(since=clock.in_words(state.heard_at or state.accepted_at, now))
    elif problem not in KEPT:
        problem, said = "", ""
    _change(state, problem, said, now)
    is_new = problem == "deaf" and state.problem != "deaf"
    missing = {"listening_since": None} if is_new else {}
    LineState.objects.filter(pk=state.pk).update(account=account, version=version[:32], checked_at=now, **missing)
    return is_new


def _to_ask_with(asked_at: datetime | None) -> Device | None:
    """Return a number of the owner's, where Signal did not know Penny's a while ago and nobody asked since."""
    state, now = LineState.of(LINE), timezone.now()
    since = max(filter(None, (state.problem_since, asked_at)), default=None)
    if state.problem != UNREGISTERED or (since and now - since < ASKED_AGAIN):
        return None
    return next(iter(own_numbers.shown()), None)


@transaction.atomic
def _note_registered() -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    if state.problem == UNREGISTERED:
        _change(state, "", "", timezone.now())


def _seems_deaf(state: LineState, now: datetime) -> bool:
    """Whether something was taken a while ago and none of the owner's devices, which did so before, has said that it is there."""
    if state.accepted_at is None or now - state.accepted_at < NO_ECHO or (state.heard_at and state.heard_at > state.accepted_at):
        return False
    sent = Delivery.objects.filter(device__kind=Device.Kind.SIGNAL)
    return sent.filter(arrived_at__isnull=False).exists()


@transaction.atomic
def _note_problem(problem: SignalProblem) -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    _change(state, problem.code, str(problem), timezone.now())
    LineState.objects.filter(pk=state.pk).update(checked_at=timezone.now())


@transaction.atomic
def _note_lost(error: str) -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    LineState.objects.filter(pk=state.pk).update(reconnects=F("reconnects") + 1, listening_since=None)
    if state.problem in ("", "lost"):
        _change(state, "lost", PROBLEMS["lost"], timezone.now())
    log.info("signal.lost", error=error)


def _last_checked() -> datetime | None:
    """Return until when somebody listened, None where nobody ever did. Since then nobody does."""
    state = LineState.of(LINE)
    LineState.objects.filter(pk=state.pk).update(listening_since=None)
    return state.checked_at


@transaction.atomic
def _note_listening(missed_since: datetime | None) -> None:
    now, state = timezone.now(), LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    if missed_since and now - missed_since > MISSED:
        _tell(MISSED_SAID.format(since=clock.in_words(missed_since, now)))
    if state.problem == "lost":
        _change(state, "", "", timezone.now())
    LineState.objects.filter(pk=state.pk, listening_since=None).update(listening_since=now)


def _change(state: LineState, problem: str, said: str, now: datetime) -> None:
    """Note how the line stands, and say it in the conversation where that changed for longer than a moment."""
    if problem != state.problem:
        log.info("signal.stands", problem=problem or "well")
    since = state.problem_since if problem == state.problem else (now if problem else None)
    LineState.objects.filter(pk=state.pk).update(problem=problem, said=said, problem_since=since)
    if problem and since and now - since >= SAID_AFTER and (state.told_at is None or now - state.told_at > TOLD_AGAIN):
        _tell(f"Signal: {said}")
        LineState.objects.filter(pk=state.pk).update(told_at=now, told=True)
    elif not problem and state.told:
        _tell(RETURNED)
        LineState.objects.filter(pk=state.pk).update(told=False)


def _tell(words: str) -> None:
    """Say it in the conversation, and to a device that is reached otherwise than over the line that it is about."""
    if not own_numbers.shown():
        return
    message = messages.store(
        the_owner(),
        messages.written(words, []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=sorted(HOUSE),
    )
    routing.tell(message, "You write to Penny over Signal.", without=Device.Kind.SIGNAL)
