"""The tick: what is due, and what was left behind. Rows are taken by conditional UPDATE, so that two ticks never do one thing twice."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from agents import queue, schedules, sentences, turns
from agents.models import ATTEMPTS_MAX, Run
from devices import asks
from devices.models import Ask

UNHEARD = timedelta(seconds=3)


def tick() -> None:
    """Requeue what a dead worker held, send what was not heard, start what is due, end what nobody answered."""
    now = timezone.now()
    for run in Run.objects.abandoned(now):
        _take_back(run)
    for run in Run.objects.filter(state=Run.State.QUEUED, updated_at__lt=now - UNHEARD):
        Run.objects.filter(pk=run.pk).update(updated_at=now)
        queue.enqueue(run)
    for ask in Ask.objects.filter(state=Ask.State.OPEN, expires_at__lt=now):
        with transaction.atomic():
            asks.expire(ask)
    for run in Run.objects.filter(state=Run.State.PARKED):
        _unpark(run)
    schedules.start_due(now)


def _take_back(run: Run) -> None:
    """Give an abandoned run its next attempt, or end it after the last."""
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt, lease_until=run.lease_until)
    if run.attempt < ATTEMPTS_MAX:
        assert run.lease_until is not None
        if mine.update(state=Run.State.QUEUED, lease_until=None, spent_seconds=run.seconds_spent_until(run.lease_until)):
            queue.enqueue(run)
    elif run.kind == Run.Kind.TURN:
        turns.fail_turn(run, "interrupted", sentences.RUN["interrupted"])
    else:
        run.end(Run.State.FAILED, outcome="Interrupted too often.", error_code="interrupted")


def _unpark(run: Run) -> None:
    """A parked run goes on once its question is over, whatever the answer was."""
    if Ask.objects.filter(run_id=run.pk, state=Ask.State.OPEN).exists():
        return
    if Run.objects.filter(pk=run.pk, state=Run.State.PARKED).update(state=Run.State.QUEUED, updated_at=timezone.now()):
        queue.enqueue(run)
