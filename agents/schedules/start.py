"""When runs start by themselves: rows with a recurrence rule, each occurrence started once, a missed one caught up
once.
"""

from datetime import datetime
from uuid import uuid4

import structlog
from constance import config
from django.db import transaction
from django.utils import timezone as django_timezone

from agents.models import Run, Schedule
from agents.runs import day_budget, queue
from agents.schedules import reminders
from agents.schedules.digest import send_digest
from agents.thinking.start import may_read_something, start_thinking
from devices import disk
from devices.conversation.messages import is_idle
from devices.owner import clock, muting
from thoughts.recurrence import WITHIN_A_DAY, next_occurrence

log = structlog.get_logger("penny.schedules")


def set_enabled(schedule: Schedule, enabled: bool) -> None:
    """Pause it, or have it go on: with its next occurrence, not with those that it missed. What comes once keeps its
    time, over or not.
    """
    row = Schedule.objects.filter(pk=schedule.pk)
    if schedule.rrule:
        row.update(enabled=enabled, next_run_at=next_after(schedule, django_timezone.now()) if enabled else None)
    else:
        row.update(enabled=enabled)


def set_timezone(name: str) -> None:
    """Change the owner's clock. What comes at a time of day comes at that time on the new one; hours and minutes go on
    evenly.
    """
    now, before = django_timezone.now(), clock.zone()
    config.TIMEZONE = name
    for schedule in Schedule.objects.active().filter(next_run_at__gt=now).exclude(rrule=""):
        if schedule.next_run_at and not WITHIN_A_DAY.search(schedule.rrule):
            shown = schedule.next_run_at.astimezone(before).replace(tzinfo=clock.zone(), fold=0)
            Schedule.objects.filter(pk=schedule.pk, next_run_at=schedule.next_run_at).update(next_run_at=shown)


def next_after(schedule: Schedule, now: datetime) -> datetime | None:
    """Return its first time after `now`; None where the rule has ended, and of what comes once, whose time was set with
    it.
    """
    return next_occurrence(schedule.rrule, now) if schedule.rrule else None


def start_due(now: datetime, *, is_stopped: bool = False) -> None:
    """Start what is due; a new or resumed schedule gets its first time here. What may not start yet stays due.

    `is_stopped`: whether the owner stopped everything; what was to be remembered is told all the same.
    """
    for schedule in Schedule.objects.active().filter(next_run_at=None):
        Schedule.objects.filter(pk=schedule.pk, next_run_at=None).update(next_run_at=_next(schedule, now))
    due = Schedule.objects.due(now).select_related("preference")
    if not due or not disk.has_room():
        return
    for schedule in sorted(due, key=_rank):
        if is_stopped and schedule.kind != Schedule.Kind.REMINDER:
            continue
        if why_waiting(schedule, now) is None and (schedule.is_told or is_idle(now)):
            _start(schedule, now)


def _next(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the next occurrence. A schedule whose rule is none, as an old backup may hold, is paused: the others must
    not wait for it.
    """
    try:
        return next_after(schedule, now)
    except (ValueError, TypeError):
        log.exception("schedule.paused", schedule=schedule.pk)
        Schedule.objects.filter(pk=schedule.pk).update(enabled=False)
        return None


def why_waiting(schedule: Schedule, now: datetime) -> str | None:
    """Return why a schedule does not start now although it may be due, None where nothing is in its way."""
    if not schedule.in_quiet_hours and (until := clock.quiet_until(now)):
        return f"Quiet hours until {clock.in_words(until, now)}."
    if schedule.kind == Schedule.Kind.DIGEST and (muted := muting.muted_until(now)):
        return f"You muted me {muting.in_words(muted, now)}."
    if not schedule.is_told and (paused := day_budget.why_paused(now)):
        return str(paused)
    return "It waits for your answer." if _waits_for_answer(schedule) else None


def _waits_for_answer(schedule: Schedule) -> bool:
    """Whether a run of it waits for the owner, and the next one could do no more. Thinking goes on with the sites that
    are allowed.
    """
    parked = schedule.runs.filter(state=Run.State.PARKED).exists()
    return parked and not (schedule.kind == Schedule.Kind.THINKING and may_read_something())


def starts_at(schedule: Schedule, now: datetime) -> datetime | None:
    """Return when a schedule starts next as things are: not while the day's budget is used up, nor in quiet hours."""
    at = schedule.next_run_at or next_after(schedule, now)
    if at is None:
        return None
    if not schedule.is_told and day_budget.why_paused(now):
        at = max(at, clock.next_day(now))
    return at if schedule.in_quiet_hours else clock.quiet_until(max(at, now)) or at


def next_times(schedule: Schedule, now: datetime, count: int = 5) -> list[datetime]:
    """Return when a schedule starts next, with the quiet hours in mind. Fewer where its rule ends."""
    found: list[datetime] = []
    while len(found) < count and (moment := next_after(schedule, found[-1] if found else now)):
        found.append(moment if schedule.in_quiet_hours else clock.quiet_until(moment) or moment)
    return found


def _rank(schedule: Schedule) -> tuple[bool, float]:
    """Return what comes first where the day's budget may not be enough for all: the owner's tasks, then what is liked
    most.
    """
    return schedule.kind == Schedule.Kind.THINKING, -schedule.preference.strength if schedule.preference else 0.0


@transaction.atomic
def run_now(schedule: Schedule) -> Run:
    """Start a schedule's run at once, besides its own times. Raises DiskFull."""
    now = django_timezone.now()
    Schedule.objects.filter(pk=schedule.pk).update(last_run_at=now)
    return _begin(schedule, now)


@transaction.atomic
def _start(schedule: Schedule, now: datetime) -> None:
    mine = Schedule.objects.filter(pk=schedule.pk, enabled=True, next_run_at=schedule.next_run_at)
    if not mine.update(next_run_at=_next(schedule, now), last_run_at=now, enabled=bool(schedule.rrule)):
        return
    # A run of this schedule that is not over yet stands for this occurrence too.
    if not schedule.runs.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING]).exists():
        _begin(schedule, now)


def _begin(schedule: Schedule, now: datetime) -> Run:
    if schedule.kind == Schedule.Kind.DIGEST:
        return send_digest(now, schedule)
    if schedule.kind == Schedule.Kind.REMINDER:
        return reminders.tell(schedule, now)
    if schedule.kind == Schedule.Kind.TASK:
        return start_task(schedule)
    return start_thinking(preference=schedule.preference, schedule=schedule)


@transaction.atomic
def start_task(schedule: Schedule) -> Run:
    """Store a queued run with the owner's words as they are now, and wake the worker. Raises DiskFull."""
    disk.check_room()
    run = Run.objects.create(kind=Run.Kind.TASK, turn_id=uuid4(), task=schedule.task, schedule=schedule)
    queue.enqueue_on_commit(run)
    return run
