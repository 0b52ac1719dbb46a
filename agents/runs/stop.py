"""Stop everything: cancel the runs, close Penny's pages, refuse calls until /resume."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from agents.models import Run
from agents.runs import failure_texts, queue
from devices.grants import asks
from devices.owner import stop
from devices.sockets import call_rows

TELL_ENDED: list[Callable[[], None]] = []  # called once a run has ended that no worker held


def stop_all(device_label: str, now: datetime, but: UUID | None = None) -> int:
    """Stop in the caller's transaction; return how many runs that cancelled.

    `but`: the run of a command for it.
    """
    stop.stop_everything(device_label, now)
    count = end_runs(Run.objects.exclude(pk=but) if but else Run.objects.all(), now)
    transaction.on_commit(call_rows.cancel_all)
    return count


def end_runs(runs: QuerySet[Run], now: datetime) -> int:
    """Cancel the open ones of the runs; return how many.

    The worker of a turn writes its message.
    """
    open_runs = list(runs.filter(state__in=Run.OPEN))
    for run in open_runs:
        if run.is_background and run.state != Run.State.RUNNING:
            _end_unclaimed(run, now)
        else:
            _cancel(run, now)
    return len(open_runs)


def _cancel(run: Run, now: datetime) -> None:
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=now, not_before=None)
    transaction.on_commit(lambda: queue.wake_cancel(run))


def _end_unclaimed(run: Run, now: datetime) -> None:
    """End a run that no worker holds. If a worker claims it meanwhile, cancel it."""
    waiting = Run.objects.filter(pk=run.pk, state__in=[Run.State.QUEUED, Run.State.PARKED])
    count = waiting.update(
        state=Run.State.CANCELLED,
        outcome=failure_texts.RUN["cancelled"],
        error_code="cancelled",
        ended_at=now,
        cancel_requested_at=now,
    )
    if count:
        asks.withdraw_run(run.pk)
        for tell in TELL_ENDED:
            transaction.on_commit(tell)
    else:
        _cancel(run, now)
