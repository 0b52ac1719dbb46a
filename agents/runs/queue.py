"""Telling the worker that there is something to do. Hints: what was not heard is found in the database by the next
tick.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.models import Run
from devices.redis import shared_client, sync_client

CANCEL_CHANNEL, START_CHANNEL = "run.cancel", "run.start"
BEHIND_S = 0.05
log = structlog.get_logger("penny.queue")


class Slots(NamedTuple):
    """Those of a worker: whether one is free, and what begins a run that was stored as claimed. Both are called where
    the database is.
    """

    are_free: Callable[[], bool]
    begin: Callable[[Run], None]


_own: Slots | None = None  # where this process is a worker


def use_own(slots: Slots | None) -> None:
    """Have turns that this process stores carried out by itself, as far as it has slots."""
    global _own
    _own = slots


def add(run: Run) -> None:
    """Store the run of a turn within the caller's transaction, and have it carried out once that is committed.

    A worker that stores one claims it with that: it waits neither for a second transaction nor for its own word.
    Otherwise it is queued.
    """
    if (own := _own) is not None and own.are_free():
        run.take(timezone.now())
        transaction.on_commit(
            lambda: own.begin(run), robust=True
        )  # where that fails the lease runs out, and the tick sends it again
    else:
        enqueue_on_commit(run)
    run.save(force_insert=True)


def enqueue_on_commit(*runs: Run) -> None:
    transaction.on_commit(lambda: enqueue(*runs))


def enqueue(*runs: Run) -> None:
    """Tell the workers that runs wait. Turns go to all that listen, without Celery's own work: the first to claim one
    has it.

    What runs in the background, and a turn that nobody hears of now, is left with Celery until a worker takes it.
    """
    from celery import current_app

    turns = [str(run.pk) for run in runs if not run.is_background]
    try:
        are_heard = bool(turns) and bool(sync_client().publish(START_CHANNEL, " ".join(turns)))
        for run in runs:
            if run.is_background or not are_heard:
                current_app.send_task("agents.execute", [str(run.pk)], queue="runs")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("enqueue.lost", runs=[str(run.pk) for run in runs], error=type(error).__name__)


async def say_begun(run: Run) -> None:
    """Tell the other workers of a turn that is being answered: what they do in the background gives way to it.

    Its first word, which the database and the model have to be asked for, comes before that.
    """
    await asyncio.sleep(BEHIND_S)
    try:
        await shared_client().publish(START_CHANNEL, str(run.pk))
    except (RedisError, OSError) as error:
        log.warning("begun.lost", run=str(run.pk), error=type(error).__name__)


def wake_cancel(run: Run) -> None:
    """Tell the worker that a run was cancelled; its heartbeat would find out two seconds later."""
    try:
        sync_client().publish(CANCEL_CHANNEL, str(run.pk))
    except RedisError as error:
        log.warning("cancel.lost", run=str(run.pk), error=type(error).__name__)
    if run.state != Run.State.RUNNING:
        enqueue(run)
