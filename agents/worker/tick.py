"""The tick: start what is due, requeue what was lost. A conditional UPDATE claims each row.

Two ticks at once never do one thing twice.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents.acting.hands import conversation
from agents.acting.steer import is_with_owner
from agents.answers.reply import Reply
from agents.gateway import questions
from agents.learning import from_history, from_messages
from agents.models import ATTEMPTS_MAX, BACKOFF_S, WORKER_SLOTS, Run
from agents.runs import failure_texts, queue
from agents.schedules import start
from agents.turns import finish
from agents.watches import start as watches_start
from agents.worker import far_ahead, forget_temporary
from devices.grants import asks
from devices.models import Ask
from devices.owner import machine_clock, stop
from devices.sockets import call_rows

UNHEARD = timedelta(seconds=3)
SENT_AGAIN = 2 * WORKER_SLOTS  # per tick, the oldest first: with a long queue more would only add load


def tick() -> None:
    """Requeue runs of dead workers and lost wake-ups, start what is due, expire old asks."""
    now = timezone.now()
    was_wrong = _look_at_clock(now)
    for run in Run.objects.abandoned(now):
        _requeue_abandoned(run)
    unheard = Q(not_before=None, updated_at__lt=now - UNHEARD) | Q(not_before__lte=now)
    for run in Run.objects.filter(unheard, state=Run.State.QUEUED).order_by("created_at")[:SENT_AGAIN]:
        Run.objects.filter(pk=run.pk).update(updated_at=now, not_before=None)
        queue.enqueue(run)
    for ask in Ask.objects.open().filter(is_background=False, expires_at__lt=now):
        asks.expire(ask)
    questions.renew_background_asks(now)
    for run in Run.objects.filter(state=Run.State.PARKED):
        _unpark(run, now)
    is_stopped = stop.is_stopped()
    start.start_due(now, is_stopped=is_stopped, was_wrong=was_wrong)
    if is_stopped:
        return
    questions.ask_held(now)
    watches_start.start_due_visits(now, was_wrong=was_wrong)
    from_messages.start_due(now)
    from_history.start_due(now)
    forget_temporary.forget_temporary_turns(now)
    forget_temporary.forget_wordings(now)
    conversation.forget_lines(now)


@transaction.atomic
def _look_at_clock(now: datetime) -> bool:
    """Record the tick. Return whether the machine's clock is right again after a jump; then nothing stays far ahead."""
    if was_wrong := machine_clock.record_tick(now):
        far_ahead.bring_back(now)
    return was_wrong


@transaction.atomic
def _requeue_abandoned(run: Run) -> None:
    """Requeue an abandoned run, with a delay after its second failure, or end it after the last."""
    now = timezone.now()
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt, lease_until=run.lease_until)
    if run.interrupted_attempts < ATTEMPTS_MAX:
        assert run.lease_until is not None
        wait_s, spent_s = BACKOFF_S[run.interrupted_attempts - 1], run.seconds_spent_until(run.lease_until)
        not_before = now + timedelta(seconds=wait_s)
        count = mine.update(
            state=Run.State.QUEUED, lease_until=None, not_before=not_before, spent_seconds=spent_s, updated_at=now
        )
        if count and not wait_s:
            queue.enqueue_on_commit(run)
        if count:
            transaction.on_commit(lambda: call_rows.abandon(run.pk))
        return
    if not mine.update(lease_until=now):  # the lease was renewed meanwhile
        return
    run.steps.all().give_up(now)
    transaction.on_commit(lambda: call_rows.abandon(run.pk))
    if run.kind == Run.Kind.TURN:
        finish.fail_turn(
            run, "interrupted", failure_texts.RUN["interrupted"], Reply.restored(run.partial) if run.partial else None
        )
    else:
        run.end(Run.State.FAILED, outcome="Interrupted too often.", error_code="interrupted")


def _unpark(run: Run, now: datetime) -> None:
    """Requeue a parked run without open asks, whatever the answers were, once the owner no longer has its page."""
    if not Ask.objects.filter(run_id=run.pk, state=Ask.State.OPEN).exists() and not is_with_owner(run, now):
        queue.unpark(run)
