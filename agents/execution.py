"""How a worker carries a run out: claimed under a lease, renewed while it runs, ended by its own attempt only."""

import asyncio
from uuid import UUID

import structlog
from django.utils import timezone

from agents import answering, sentences, thinking, turns
from agents.llm import ModelFailed
from agents.models import LEASE, RENEW_S, Run
from agents.permits import Parked
from agents.streaming import Stream
from agents.writing import Reply, link_handles
from devices import asks, grants
from devices.db import in_db
from thoughts.addresses import drop_addresses

log = structlog.get_logger("penny.runs")

_running: dict[UUID, asyncio.Task[None]] = {}
_releasing = False
_starting = asyncio.Semaphore(2)


class _Place:
    """A place among the runs that start. Runs that come together start one after the other: side by side each waits for the slowest.

    It is given back when the run's first model request is on its way.
    """

    def __init__(self) -> None:
        self._is_held = True

    def give_back(self) -> None:
        if self._is_held:
            self._is_held = False
            _starting.release()


async def execute(run_id: UUID) -> None:
    """Carry out a run if it can be claimed. Never raises: what goes wrong is written to the run and told to the owner."""
    await _starting.acquire()
    place = _Place()
    try:
        run = await in_db(Run.objects.claim)(run_id, timezone.now())
        if run is not None:
            await _watched(run, place)
    finally:
        place.give_back()


async def _watched(run: Run, place: _Place) -> None:
    task = asyncio.create_task(_carry_out(run, place))
    _running[run.pk] = task
    keeper = asyncio.create_task(_keep(run, task))
    try:
        await asyncio.wait([task])
    finally:
        keeper.cancel()
        _running.pop(run.pk, None)
        await in_db(_clean_up)(run)


def cancel(run_id: UUID) -> None:
    """Cancel a run of this process; called on its loop."""
    if task := _running.get(run_id):
        task.cancel()


def release_all() -> None:
    """Give every run back to the queue because this process stops; called on its loop."""
    global _releasing
    _releasing = True
    for task in _running.values():
        task.cancel()


async def _carry_out(run: Run, place: _Place) -> None:
    try:
        if run.cancel_requested_at is not None and run.kind != Run.Kind.TURN:
            await in_db(run.end)(Run.State.CANCELLED, outcome=sentences.RUN["cancelled"])
        elif run.kind == Run.Kind.TURN:
            await _turn(run, place)
        else:
            place.give_back()
            await thinking.think(run)
    except asyncio.CancelledError:
        await in_db(_stopped)(run)
    except Parked as parked:
        await in_db(_park)(run, parked)
    except ModelFailed as error:
        await in_db(run.end)(Run.State.FAILED, outcome=str(error), error_code=error.code)
    except Exception:
        log.exception("run.failed", run=str(run.pk))
        await in_db(run.end)(Run.State.FAILED, outcome=sentences.RUN["internal"], error_code="internal")


async def _turn(run: Run, place: _Place) -> None:
    assert run.message is not None
    stream = Stream(run, run.message.device_label)
    turn: answering.Turn | None = None
    try:
        await stream.start()
        if run.cancel_requested_at is not None:
            raise asyncio.CancelledError
        turn = await answering.begin(run, stream, place.give_back)
        reply = await answering.answer(turn, stream)
        await in_db(turns.finish_turn)(run, reply)
    except asyncio.CancelledError:
        if _releasing:
            raise
        await in_db(turns.fail_turn)(run, "cancelled", sentences.RUN["cancelled"], _partial(turn, stream))
    except ModelFailed as error:
        await in_db(turns.fail_turn)(run, error.code, str(error), _partial(turn, stream))
    except Exception:
        log.exception("turn.failed", run=str(run.pk))
        await in_db(turns.fail_turn)(run, "internal", sentences.RUN["internal"], _partial(turn, stream))


def _partial(turn: answering.Turn | None, stream: Stream) -> Reply | None:
    """Return what was written of a turn that did not end well, labelled like the whole would have been."""
    if turn is None or not stream.text.strip():
        return None
    handles = turn.context.handles
    text, links = link_handles(drop_addresses(stream.text), handles)
    return Reply(text, links, sorted(handles.origin | {"penny"}))


async def _keep(run: Run, task: asyncio.Task[None]) -> None:
    """Renew the lease; stop the run when it was cancelled, or when another attempt has it."""
    while True:
        await asyncio.sleep(RENEW_S)
        if not await in_db(_renew)(run):
            task.cancel()


def _renew(run: Run) -> bool:
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    if not mine.update(lease_until=timezone.now() + LEASE):
        return False
    return mine.filter(cancel_requested_at=None).exists()


def _stopped(run: Run) -> None:
    """A background run that was cancelled ends; one that this process gives back waits for the next."""
    if not _releasing:
        run.end(Run.State.CANCELLED, outcome=sentences.RUN["cancelled"], error_code="cancelled")
        return
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    mine.update(state=Run.State.QUEUED, lease_until=None)


def _park(run: Run, parked: Parked) -> None:
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    mine.update(state=Run.State.PARKED, lease_until=None, outcome=f"Waits for your answer: {parked.ask.host}"[:500])


def _clean_up(run: Run) -> None:
    run.refresh_from_db()
    if run.state not in Run.OPEN:
        asks.withdraw_run(run.pk)
        grants.forget_run(run.pk)
