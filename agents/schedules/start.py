"""Start scheduled runs: each occurrence once, missed ones once in all."""

from datetime import datetime, timedelta
from uuid import uuid4

import structlog
from django.db import transaction
from django.utils import timezone

from agents.models import Run, Schedule
from agents.runs import day_budget, queue
from agents.schedules import reminders
from agents.schedules.digest import send_digest
from agents.thinking.start import may_read_something, start_thinking
from devices import disk
from devices.conversation.messages import is_idle
from devices.owner import clock, machine_clock, muting
from thoughts.recurrence import nearest_occurrence, next_occurrence, period_of

# A move to another time zone puts a daily schedule up to so much further ahead than a day.
AHEAD_MOST = timedelta(hours=14)
log = structlog.get_logger("penny.schedules")


def next_after(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the first time after `now`; None for an ended rule and for a one-time schedule.

    Intervals are counted from the time that is due or comes next, however late the schedule runs.
    """
    return next_occurrence(schedule.rrule, now, schedule.next_run_at) if schedule.rrule else None


def start_due(now: datetime, *, is_stopped: bool = False, was_wrong: bool = False) -> None:
    """Start due schedules, and give new or resumed ones their first time.

    What may not start yet stays due. `is_stopped`: the owner stopped everything; reminders go out all the same.
    `was_wrong`: the machine's clock is right again after a jump.
    """
    if machine_clock.is_right(now):
        _bring_back(now, timedelta() if was_wrong else AHEAD_MOST)
    for schedule in Schedule.objects.active().filter(next_run_at=None):
        Schedule.objects.filter(pk=schedule.pk, next_run_at=None).update(next_run_at=_next_or_pause(schedule, now))
    due = Schedule.objects.due(now).select_related("preference")
    if not due or not disk.has_room():
        return
    for schedule in sorted(due, key=_rank):
        if is_stopped and schedule.kind != Schedule.Kind.REMINDER:
            continue
        if why_waiting(schedule, now) is None and (schedule.is_told or is_idle(now)):
            _start(schedule, now)


def _bring_back(now: datetime, most: timedelta) -> None:
    """Compute the next time anew where it lies more than a period and `most` ahead: the clock was wrong then."""
    for schedule in Schedule.objects.active().filter(next_run_at__gt=now + most).exclude(rrule=""):
        assert schedule.next_run_at is not None
        try:
            is_far = schedule.next_run_at > now + most + (period_of(schedule.rrule) if most else most)
            at = nearest_occurrence(schedule.rrule, now, schedule.next_run_at) if is_far else None
        except (ValueError, TypeError):  # of an old backup; it is paused when it is due
            continue
        if at and at < schedule.next_run_at:
            Schedule.objects.filter(pk=schedule.pk, next_run_at=schedule.next_run_at).update(next_run_at=at)
            log.info("schedule.brought_back", schedule=schedule.pk)


def _next_or_pause(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the next occurrence; pause a schedule with an invalid rule.

    An old backup may hold one, and the other schedules must not wait for it.
    """
    try:
        return next_after(schedule, now)
    except (ValueError, TypeError):
        log.exception("schedule.paused", schedule=schedule.pk)
        Schedule.objects.filter(pk=schedule.pk).update(enabled=False)
        return None


def why_waiting(schedule: Schedule, now: datetime) -> str | None:
    if not schedule.rrule and machine_clock.holds_once(schedule.next_run_at, now):
        return "The clock of this machine jumped: Activity says what helps."
    if not schedule.in_quiet_hours and (until := clock.quiet_until(now)):
        return f"Quiet hours until {clock.time_in_words(until, now)}."
    if schedule.kind == Schedule.Kind.DIGEST and (silent_until := muting.muted_until(now)):
        return f"You muted me {muting.muted_in_words(silent_until, now)}."
    if not schedule.is_told and (paused := day_budget.why_paused(now)):
        return str(paused)
    return "It waits for your answer." if _waits_for_answer(schedule) else None


def _waits_for_answer(schedule: Schedule) -> bool:
    """Return whether a run waits for the owner, and the next one could do no more.

    Thinking goes on with the sites that are allowed.
    """
    parked = schedule.runs.filter(state=Run.State.PARKED).exists()
    return parked and not (schedule.kind == Schedule.Kind.THINKING and may_read_something())


def starts_at(schedule: Schedule, now: datetime) -> datetime | None:
    """Return when a schedule starts next, with the day's budget and quiet hours considered."""
    at = schedule.next_run_at or next_after(schedule, now)
    if at is None:
        return None
    if not schedule.is_told and day_budget.why_paused(now):
        at = max(at, clock.next_day(now))
    return at if schedule.in_quiet_hours else clock.quiet_until(max(at, now)) or at


def next_times(schedule: Schedule, now: datetime, count: int = 5) -> list[datetime]:
    """Return the next start times, with quiet hours considered; fewer if the rule ends."""
    times: list[datetime] = []
    moment = first = next_after(schedule, now)
    while moment and len(times) < count:
        times.append(moment if schedule.in_quiet_hours else clock.quiet_until(moment) or moment)
        moment = next_occurrence(schedule.rrule, times[-1], first)
    return times


def _rank(schedule: Schedule) -> tuple[bool, float]:
    """Return a sort key for a short day's budget: tasks first, then what is liked most."""
    return schedule.kind == Schedule.Kind.THINKING, -schedule.preference.strength if schedule.preference else 0.0


@transaction.atomic
def run_now(schedule: Schedule) -> Run:
    """Start a schedule's run at once, besides its own times. Raises DiskFull."""
    now = timezone.now()
    Schedule.objects.filter(pk=schedule.pk).update(last_run_at=now)
    return _start_run(schedule, now)


@transaction.atomic
def _start(schedule: Schedule, now: datetime) -> None:
    mine = Schedule.objects.filter(pk=schedule.pk, enabled=True, next_run_at=schedule.next_run_at)
    if not mine.update(next_run_at=_next_or_pause(schedule, now), last_run_at=now, enabled=bool(schedule.rrule)):
        return
    # An open run of this schedule counts for this occurrence too.
    if not schedule.runs.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING]).exists():
        _start_run(schedule, now)


def _start_run(schedule: Schedule, now: datetime) -> Run:
    if schedule.kind == Schedule.Kind.DIGEST:
        return send_digest(now, schedule)
    if schedule.kind == Schedule.Kind.REMINDER:
        return reminders.send_reminder(schedule, now)
    if schedule.kind == Schedule.Kind.TASK:
        return start_task(schedule)
    return start_thinking(preference=schedule.preference, schedule=schedule)


@transaction.atomic
def start_task(schedule: Schedule) -> Run:
    """Store a queued run with the owner's current words, and wake the worker.

    Raises DiskFull.
    """
    disk.check_room()
    run = Run.objects.create(kind=Run.Kind.TASK, turn_id=uuid4(), task=schedule.task, schedule=schedule)
    queue.enqueue_on_commit(run)
    return run


@transaction.atomic
def start_task_again(run: Run) -> Run | None:
    """Store a queued run with the words of a task that ended; None while one with them is open. Raises DiskFull."""
    disk.check_room()
    if Run.objects.filter(kind=Run.Kind.TASK, task=run.task, state__in=Run.OPEN).exists():
        return None
    again = Run.objects.create(kind=Run.Kind.TASK, turn_id=uuid4(), task=run.task, schedule=run.schedule)
    queue.enqueue_on_commit(again)
    return again
