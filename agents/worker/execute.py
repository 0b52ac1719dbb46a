"""Execute runs in a worker: claim under a lease, renew it, and end only one's own attempt."""

import asyncio
from collections.abc import Coroutine
from itertools import islice
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError
from django.utils import timezone

from agents.acting.delegate import close_errands
from agents.acting.steer import is_with_owner
from agents.answers import answer
from agents.answers import begin as answers_begin
from agents.answers.reply import Reply
from agents.llm.messages import ModelFailed
from agents.llm.streams import event_stream
from agents.models import LEASE, RENEW_S, WORKER_SLOTS, Errand, Run
from agents.runs import busy_model, failure_texts, give_way, queue, steps
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Parked
from agents.runs.stream import Stream
from agents.thinking.looking import say_state
from agents.turns import finish
from agents.worker.tables import WORK
from devices import disk, events
from devices.db import in_db
from devices.grants import asks, grants
from devices.owner import counts

RELEASE_S = 3.0
WAITING_MAX = 4 * WORKER_SLOTS  # further ones are left to the tick, which sends the oldest first
log = structlog.get_logger("penny.runs")

_running: dict[UUID, asyncio.Task[None]] = {}
_waiting: dict[UUID, None] = {}  # an ordered set, in the order of arrival
_woken: set[UUID] = set()  # running here, and named by a wake-up meanwhile: some were parked and queued again
_spawned: set[asyncio.Task[None]] = set()
_releasing = False
_taking = asyncio.Lock()
_starting = asyncio.Semaphore(2)


class _Place:
    """A place among the runs that start, given back when the first model request leaves.

    Only a few runs start at a time: started side by side, each would wait for the slowest.
    """

    def __init__(self, run: Run) -> None:
        self._run_id, self._is_held = run.pk, False

    async def __aenter__(self) -> "_Place":
        await _starting.acquire()
        self._is_held = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.give_back()

    def give_back(self) -> None:
        event_stream.starting.discard(self._run_id)
        if self._is_held:
            self._is_held = False
            _starting.release()


def queue_turn(run_id: UUID) -> None:
    """Queue a turn on this process's loop; it runs as soon as there is a slot."""
    if run_id in _running:
        _woken.add(run_id)
        return
    if len(_waiting) >= WAITING_MAX:
        return
    _waiting[run_id] = None
    event_stream.starting.add(run_id)
    _claim_soon()


def has_room() -> bool:
    """Whether a turn stored by this process may be claimed at once.

    That needs a free slot and no turn that waits.
    """
    return not (_releasing or _waiting or _taking.locked()) and len(_running) < WORKER_SLOTS


def start_claimed(run: Run, material: answers_begin.Material) -> None:
    """Execute a turn that was stored as claimed. Called on this process's loop."""
    event_stream.starting.add(run.pk)
    _spawn(_run_with_lease(run, material))
    _spawn(queue.announce_turn(run))


def _claim_soon() -> None:
    """Start a task that claims waiting turns, unless one runs: it looks again before it ends."""
    if not _taking.locked():
        _spawn(_claim_waiting())


async def execute(run_id: UUID) -> None:
    """Execute a run if it can be claimed. Never raises: errors go to the run and to the owner."""
    for run, material in await in_db(_claim_runs)([run_id]):
        await _run_with_lease(run, material)


async def _claim_waiting() -> None:
    """Claim the waiting turns, as far as there are slots.

    Turns that arrive while those start are claimed together in the next round.
    """
    async with _taking:
        while (free := WORKER_SLOTS - len(_running)) > 0 and _waiting and not _releasing:
            run_ids = list(islice(_waiting, free))
            for run_id in run_ids:
                del _waiting[run_id]
            try:
                claims = await in_db(_claim_runs)(run_ids)
            except DatabaseError:  # the runs stay queued, and the tick sends them again
                log.exception("claim.failed")
                claims = []
            event_stream.starting.difference_update(set(run_ids) - {run.pk for run, _ in claims})
            for run, material in claims:
                _spawn(_run_with_lease(run, material))
            await asyncio.sleep(0)  # from here on they count as running
            # Queue behind all of them: the next claim waits until the last has started.
            async with _starting, _starting:
                pass


def _spawn(work: Coroutine[Any, Any, None]) -> None:
    task = asyncio.create_task(work)
    _spawned.add(task)
    task.add_done_callback(_spawned.discard)


def _claim_runs(run_ids: list[UUID]) -> list[tuple[Run, answers_begin.Material | None]]:
    """Claim runs and load what their turns need, in one database call.

    Many turns may queue for that call. On a full disk nothing is claimed; the tick sends the runs again.
    """
    if not disk.can_write():
        return []
    runs = Run.objects.claim(run_ids, timezone.now())
    return list(zip(runs, answers_begin.gather_materials([run.message for run in runs]), strict=True))


class _Progress:
    """What a turn has written so far. Empty until it starts."""

    def __init__(self) -> None:
        self.turn: answers_begin.Turn | None = None
        self.stream: Stream | None = None
        self._kept = ""

    def reply(self) -> Reply | None:
        if self.turn is None or self.stream is None or not self.stream.text.strip():
            return None
        return answer.reply_so_far(self.turn.context, self.stream)

    def news(self) -> dict[str, Any]:
        """Return the fields to save with the next heartbeat, in case the worker is killed."""
        text = self.stream.text if self.stream is not None else ""
        if text == self._kept:
            return {}
        self._kept, reply = text, self.reply()
        return {"partial": reply.kept() if reply else {}}


async def _run_with_lease(run: Run, material: answers_begin.Material | None) -> None:
    progress = _Progress()
    task = asyncio.create_task(_carry_out(run, material, progress))
    _running[run.pk] = task
    keeper = asyncio.create_task(_keep_lease(run, task, progress))
    counting = asyncio.create_task(_have_it_counted())
    try:
        await asyncio.wait([task])
    finally:
        keeper.cancel()
        counting.cancel()
        _running.pop(run.pk, None)
        try:
            await in_db(_clean_up)(run, progress.turn)
            await close_errands(run)
            await say_state(run)
        except DatabaseError:  # its asks expire by themselves
            log.exception("run.not_cleaned_up", run=str(run.pk))
        if run.pk in _woken:
            _woken.discard(run.pk)
            if run.state == Run.State.RUNNING:  # this attempt did not end it
                queue_turn(run.pk)
        _claim_soon()
        await events.asend(counts.LOOK, events.FEED_GROUP)


async def _have_it_counted() -> None:
    """Have the open pages count the run. The first token of a turn needs the database first."""
    await asyncio.sleep(queue.BEHIND_S)
    await events.asend(counts.LOOK, events.FEED_GROUP)


def cancel(run_id: UUID) -> None:
    """Cancel a run of this process. Called on its loop."""
    if task := _running.get(run_id):
        task.cancel()


async def release_all() -> None:
    global _releasing
    _releasing = True
    for task in _running.values():
        task.cancel()
    if _spawned:
        await asyncio.wait(_spawned, timeout=RELEASE_S)


async def _carry_out(run: Run, material: answers_begin.Material | None, progress: _Progress) -> None:
    try:
        if material is not None:
            async with _Place(run) as place:
                await _execute_turn(run, material, place, progress)
        elif run.cancel_requested_at is not None:
            raise asyncio.CancelledError
        else:
            event_stream.starting.discard(run.pk)  # only turns start one after the other
            await WORK[Run.Kind(run.kind)](run)
    except asyncio.CancelledError:
        await in_db(_end_stopped)(run, progress.reply())
    except busy_model.WaitsForModel as waits:
        if not await in_db(busy_model.wait)(run, waits):
            await in_db(_end_stopped)(run, None)
    except Parked as parked:
        await in_db(_park)(run, parked)
    except (ModelFailed, BudgetSpent) as error:
        await in_db(run.end)(Run.State.FAILED, outcome=str(error), error_code=error.code)
    except Exception as error:
        log.exception("run.failed", run=str(run.pk))
        code = _code_of(error)
        await in_db(_end_failed)(run, code, progress.reply())


async def _execute_turn(run: Run, material: answers_begin.Material, place: _Place, progress: _Progress) -> None:
    assert run.message is not None
    give_way.preempt_background()
    progress.stream = stream = Stream(run, run.message.device_label, finish.group_of(run))
    if await _answer_turn(run, material, place, progress, stream):
        await stream.forget()


async def _answer_turn(
    run: Run, material: answers_begin.Material, place: _Place, progress: _Progress, stream: Stream
) -> bool:
    """Answer a turn, or store why not; return whether this attempt ended the run."""
    try:
        await stream.start()
        if run.cancel_requested_at is not None:
            raise asyncio.CancelledError
        progress.turn = turn = answers_begin.begin_turn(run, material, stream.status, place.give_back)
        reply = await answer.answer_turn(turn, stream)
        if is_mine := await in_db(finish.finish_turn)(run, reply, turn.context):
            turn.context.last = None
        return is_mine
    except asyncio.CancelledError:
        if _releasing:
            raise
        if await in_db(_set_aside)(run):
            return False
        return await in_db(finish.fail_turn)(run, "cancelled", failure_texts.RUN["cancelled"], progress.reply())
    except Parked as parked:
        await in_db(_park)(run, parked)
        return False
    except (ModelFailed, BudgetSpent) as error:
        return await in_db(finish.fail_turn)(run, error.code, str(error), progress.reply())
    except Exception as error:
        log.exception("turn.failed", run=str(run.pk))
        code = _code_of(error)
        return await in_db(finish.fail_turn)(run, code, failure_texts.RUN[code], progress.reply())


def _code_of(error: Exception) -> str:
    return disk.DiskFull.code if disk.is_full(error) else "internal"


async def _keep_lease(run: Run, task: asyncio.Task[None], progress: _Progress) -> None:
    """Renew the lease; cancel the task if the run was cancelled or another attempt has it."""
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            if not await in_db(_renew)(run, progress.news()):
                task.cancel()
        except DatabaseError as error:  # the next heartbeat retries; if the lease expires, another attempt takes over
            log.warning("lease.not_renewed", run=str(run.pk), error=type(error).__name__)


def _renew(run: Run, news: dict[str, Any]) -> bool:
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    if not mine.update(lease_until=timezone.now() + LEASE, **news):
        return False
    return mine.filter(cancel_requested_at=None).exclude(errand__state=Errand.State.PAUSED).exists()


def _end_failed(run: Run, code: str, partial: Reply | None) -> None:
    """End a failed run.

    A turn ends only with its message: if that cannot be stored, it is retried.
    """
    if run.kind == Run.Kind.TURN:
        finish.fail_turn(run, code, failure_texts.RUN[code], partial)
    else:
        run.end(
            Run.State.CANCELLED if code == "cancelled" else Run.State.FAILED,
            outcome=failure_texts.RUN[code],
            error_code=code,
        )


def _end_stopped(run: Run, partial: Reply | None) -> None:
    """End a cancelled run, or queue it again if this process stops."""
    if not _releasing:
        _end_failed(run, "cancelled", partial)
        return
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    mine.update(state=Run.State.QUEUED, lease_until=None, spent_seconds=run.seconds_spent_until(timezone.now()))


def _park(run: Run, parked: Parked) -> None:
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    seconds = run.seconds_spent_until(timezone.now())
    mine.update(
        state=Run.State.PARKED,
        lease_until=None,
        spent_seconds=seconds,
        outcome=parked.outcome[:500],
    )
    if run.kind == Run.Kind.TURN and not is_with_owner(run, timezone.now()):  # they gave the page back meanwhile
        queue.unpark(run)


def _set_aside(run: Run) -> bool:
    """Park a turn whose page the owner has taken; return whether they have."""
    row = Run.objects.filter(pk=run.pk, cancel_requested_at=None, errand__state__in=Errand.OPEN).first()
    if row is None:
        return False
    _park(row, Parked())
    return True


def _clean_up(run: Run, turn: answers_begin.Turn | None) -> None:
    if not Run.objects.filter(pk=run.pk, state__in=Run.OPEN).exists():  # ended, or deleted
        asks.withdraw_run(run.pk)
        grants.forget_run(run.pk)
    if turn is not None:
        steps.store_last(turn.context)  # in case it was interrupted between its last step and its end
