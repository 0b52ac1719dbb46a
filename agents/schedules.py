"""When runs start by themselves: rows with a recurrence rule, each occurrence started once, a missed one caught up once."""

import zoneinfo
from datetime import datetime, timedelta

from constance import config
from dateutil.rrule import rrulestr
from django.db import transaction
from django.utils import timezone

from agents.models import Run, Schedule
from agents.thinking_runs import start_thinking
from devices import disk
from devices.models import Message


def next_after(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the first occurrence after `now`, or None when the rule has ended. Counted on the owner's clock, daylight-saving included."""
    zone = zoneinfo.ZoneInfo(config.TIMEZONE)
    local = now.astimezone(zone).replace(tzinfo=None)
    found = rrulestr(schedule.rrule, dtstart=local.replace(microsecond=0)).after(local)
    return None if found is None else found.replace(tzinfo=zone).astimezone(zoneinfo.ZoneInfo("UTC"))


def start_due(now: datetime) -> None:
    """Start what is due; a new or resumed schedule gets its first time here. Without room on the disk it stays due."""
    for schedule in Schedule.objects.filter(enabled=True, next_run_at=None):
        Schedule.objects.filter(pk=schedule.pk, next_run_at=None).update(next_run_at=next_after(schedule, now))
    if is_idle(now) and disk.has_room():
        for schedule in Schedule.objects.due(now):
            _start(schedule, now)


def is_idle(now: datetime) -> bool:
    """Whether the owner has been silent long enough for background work."""
    recent = Message.objects.filter(direction=Message.Direction.IN, created_at__gt=now - timedelta(seconds=config.IDLE_S))
    return not recent.exists()


def run_now(schedule: Schedule) -> Run:
    """Start a schedule's run at once, besides its own times."""
    Schedule.objects.filter(pk=schedule.pk).update(last_run_at=timezone.now())
    return start_thinking(preference=schedule.preference, schedule=schedule)


@transaction.atomic
def _start(schedule: Schedule, now: datetime) -> None:
    mine = Schedule.objects.filter(pk=schedule.pk, enabled=True, next_run_at=schedule.next_run_at)
    if not mine.update(next_run_at=next_after(schedule, now), last_run_at=now):
        return
    # A run of this schedule that is not over yet stands for this occurrence too.
    if not schedule.runs.filter(state__in=Run.OPEN).exists():
        start_thinking(preference=schedule.preference, schedule=schedule)
