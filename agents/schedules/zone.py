"""Move what the owner's clock decides to another time zone.

A time of day stays that time on the new clock. A moment ("in 20 minutes") stays that moment. What comes once is moved
as well, and its old moment is stored: the owner is told, and may keep that one.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from constance import config
from django.db import transaction
from django.utils import timezone

from agents.models import Run, Schedule, ScheduleQuerySet
from agents.runs import day_budget
from devices.models import Ask
from devices.owner import clock, muting
from devices.web.links import link_to
from thoughts.models.watches import Watch
from thoughts.recurrence import follows_clock, next_occurrence
from thoughts.rendering import escape_markdown

LISTED = 5
A_DAY = timedelta(hours=25)  # the longest that a day is


@transaction.atomic
def set_timezone(name: str) -> None:
    now, before = timezone.now(), clock.zone()
    config.TIMEZONE = name
    if before == clock.zone():
        return
    for schedule in Schedule.objects.filter(next_run_at__gt=now, keeps_moment=False):
        _move_schedule(schedule, before, now)
    for watch in Watch.objects.filter(next_check_at__gt=now).exclude(rrule=""):
        if follows_clock(watch.rrule):
            at = clock.same_time(watch.next_check_at, before)
            Watch.objects.filter(pk=watch.pk).update(next_check_at=at if at > now else watch.next_visit(now))
    muting.move_to_zone(before, now)
    _look_again_at_waiting(now)


def _move_schedule(schedule: Schedule, before: ZoneInfo, now: datetime) -> None:
    assert schedule.next_run_at is not None
    mine = Schedule.objects.filter(pk=schedule.pk, next_run_at=schedule.next_run_at)
    if not schedule.rrule:
        mine.update(**_once(schedule, before, now))
    elif follows_clock(schedule.rrule):
        mine.update(next_run_at=_recurring(schedule.rrule, clock.same_time(schedule.next_run_at, before), now))


def _recurring(rule: str, at: datetime, now: datetime) -> datetime:
    """Return the next time of a rule. Where the new clock passed it today, a daily one skips it, a rarer one is due."""
    if at > now:
        return at
    try:
        later = next_occurrence(rule, now, at)
    except (ValueError, TypeError):  # of an old backup; the tick pauses it
        return at
    return later if later and later - at <= A_DAY else at


def _once(schedule: Schedule, before: ZoneInfo, now: datetime) -> dict[str, object]:
    """Return the new fields of what comes once. Its first zone counts, whatever zones came since."""
    first_at, zone = schedule.moved_from or schedule.next_run_at, ZoneInfo(schedule.moved_zone or before.key)
    assert first_at is not None
    at = clock.same_time(first_at, zone)
    if at <= now:  # the new clock passed it: the next day that it shows this time
        today = clock.today(now)
        days = (clock.same_time(first_at, zone, day) for day in (today, today + timedelta(days=1)))
        at = next(moment for moment in days if moment > now)
    if at == first_at:
        return {"next_run_at": first_at, "moved_from": None, "moved_zone": ""}
    return {"next_run_at": at, "moved_from": first_at, "moved_zone": zone.key}


def _look_again_at_waiting(now: datetime) -> None:
    """End waits for the old clock's morning or midnight. What has to wait on the new clock waits on."""
    Ask.objects.filter(held_until__gt=now).update(held_until=now)
    paused = Run.objects.filter(state=Run.State.QUEUED, not_before__gt=now, error_code__startswith="day_")
    paused.update(not_before=clock.next_day(now) if day_budget.why_paused(now) else now)


def moved_schedules(now: datetime) -> ScheduleQuerySet:
    """Return what comes once, was moved to another zone, and can still come at its old moment."""
    return Schedule.objects.active().filter(rrule="", next_run_at__gt=now, moved_from__gt=now).order_by("next_run_at")


def keep_old_moment(schedule: Schedule, now: datetime) -> bool:
    """Move what comes once back to its old moment, where it stays in any zone; return whether it could."""
    row = moved_schedules(now).filter(pk=schedule.pk, moved_from=schedule.moved_from)
    fields = {"next_run_at": schedule.moved_from, "moved_from": None, "moved_zone": "", "keeps_moment": True}
    return bool(schedule.moved_from and row.order_by().update(**fields))


def describe_moved(now: datetime) -> tuple[str, list[str]]:
    """Return Markdown that lists what was moved, each with a link to keep its old moment, and these links."""
    rows = list(moved_schedules(now))
    links = [(row, link_to("schedule", row.pk)) for row in rows[:LISTED]]
    lines = [
        f"- “{escape_markdown(row.name)}”: {clock.time_in_words(row.next_run_at, now)}. "
        f"[Keep the old moment]({link}): {clock.time_in_words(row.moved_from, now)}"
        for row, link in links
        if row.next_run_at and row.moved_from
    ]
    routine = link_to("schedules")
    if len(rows) > LISTED:
        lines.append(f"- and {len(rows) - LISTED} more under [Routine]({routine})")
    text = "\n".join(["", "", "These come once, at the same time of day on the new clock:", "", *lines])
    return (text, [routine, *(link for _, link in links)]) if rows else ("", [])


def moved_in_words(now: datetime) -> str:
    """Return the same for a notice of a page, as plain text."""
    rows = list(moved_schedules(now))
    names = ", ".join(
        f"“{row.name}” ({clock.time_in_words(row.next_run_at, now)})" for row in rows[:LISTED] if row.next_run_at
    )
    more = f" and {len(rows) - LISTED} more" if len(rows) > LISTED else ""
    return f" On the new clock: {names}{more}. Under Routine you can keep the old moment of each." if rows else ""
