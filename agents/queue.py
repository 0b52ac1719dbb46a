"""Telling the worker that there is something to do. Hints: what was not heard is found in the database by the next tick."""

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.models import Run
from devices.redis import sync_client

CANCEL_CHANNEL, START_CHANNEL = "run.cancel", "run.start"
log = structlog.get_logger("penny.queue")


def enqueue_on_commit(*runs: Run) -> None:
    transaction.on_commit(lambda: enqueue(*runs))


def enqueue(*runs: Run) -> None:
    """Tell the workers that runs wait. Turns go to all that listen, without Celery's own work: the first to claim one has it.

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


def wake_cancel(run: Run) -> None:
    """Tell the worker that a run was cancelled; its heartbeat would find out two seconds later."""
    try:
        sync_client().publish(CANCEL_CHANNEL, str(run.pk))
    except RedisError as error:
        log.warning("cancel.lost", run=str(run.pk), error=type(error).__name__)
    if run.state != Run.State.RUNNING:
        enqueue(run)
