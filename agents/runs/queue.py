"""Wake the workers: runs to start, runs to cancel. A lost wake-up costs at most one tick."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.models import Run
from devices.redis import own_stillness, shared_client, sync_client

CANCEL_CHANNEL, START_CHANNEL = "run.cancel", "run.start"
BEHIND_S = 0.05
log = structlog.get_logger("penny.queue")


class Slots(NamedTuple):
    """The slots of a worker: whether one is free, and how to start a run stored as claimed.

    Both are called in a database thread.
    """

    are_free: Callable[[], bool]
    begin: Callable[[Run], None]


_own: Slots | None = None  # set if this process is a worker


def use_own(slots: Slots | None) -> None:
    """Make this process execute the turns that it stores, while it has free slots."""
    global _own
    _own = slots


def store_and_start(run: Run) -> None:
    """Store the run of a turn in the caller's transaction and start it after the commit.

    A worker claims its own run in the same transaction, which saves a transaction and a wake-up. Any other process
    queues it.
    """
    if (own := _own) is not None and own.are_free():
        run.take(timezone.now())
        # If this fails, the lease expires and the tick queues the run again.
        transaction.on_commit(lambda: own.begin(run), robust=True)
    else:
        enqueue_on_commit(run)
    run.save(force_insert=True)


def enqueue_on_commit(*runs: Run) -> None:
    transaction.on_commit(lambda: enqueue(*runs))


def enqueue(*runs: Run) -> None:
    """Wake the workers for queued runs.

    Turns are published to every listening worker, without Celery; the first to claim one executes it. Background runs,
    and turns that no worker receives, wait in Celery's queue.
    """
    from celery import current_app

    turns = [str(run.pk) for run in runs if not run.is_background]
    try:
        are_heard = bool(turns) and bool(sync_client().publish(START_CHANNEL, " ".join(turns)))
        for run in runs:
            if run.is_background or not are_heard:
                with own_stillness().asking():
                    current_app.send_task("agents.execute", [str(run.pk)], queue="runs")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("enqueue.lost", runs=[str(run.pk) for run in runs], error=type(error).__name__)


async def announce_turn(run: Run) -> None:
    """Tell the other workers that a turn runs, so that their background work is preempted.

    Published after a delay: the first token of the turn needs the database and the model first.
    """
    await asyncio.sleep(BEHIND_S)
    if run.state != Run.State.RUNNING:  # it is over already
        return
    try:
        await shared_client().publish(START_CHANNEL, str(run.pk))
    except (RedisError, OSError) as error:
        log.warning("begun.lost", run=str(run.pk), error=type(error).__name__)


def wake_cancel(run: Run) -> None:
    """Tell the worker that a run was cancelled. Its heartbeat would notice after 2 s."""
    try:
        sync_client().publish(CANCEL_CHANNEL, str(run.pk))
    except RedisError as error:
        log.warning("cancel.lost", run=str(run.pk), error=type(error).__name__)
    if run.state == Run.State.PARKED:
        unpark(run)
    elif run.state != Run.State.RUNNING:
        enqueue(run)


def unpark(run: Run) -> None:
    """Queue a parked run again."""
    if Run.objects.filter(pk=run.pk, state=Run.State.PARKED).update(state=Run.State.QUEUED, updated_at=timezone.now()):
        transaction.on_commit(lambda: enqueue(run))
