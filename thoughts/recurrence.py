"""Evaluate recurrence rules (RFC 5545) on the owner's clock, daylight saving included."""

import re
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

from constance import config
from dateutil.rrule import rrule, rrulestr
from django.core.exceptions import ValidationError

WITHIN_A_DAY = re.compile(r"FREQ=(HOURLY|MINUTELY|SECONDLY)", re.IGNORECASE)
# A rule without an occurrence within this time counts as one that never occurs. A search of thirty years by the minute
# takes half a minute.
RULE_COMES_WITHIN, RULE_WITHIN_A_DAY_COMES_WITHIN = timedelta(days=30 * 365), timedelta(days=366)


def next_occurrence(rule: str, now: datetime) -> datetime | None:
    """Return the first occurrence after `now`, or None if the rule has ended.

    A rule of hours or minutes keeps its interval when daylight saving changes. Any other rule occurs once on such a
    day, at its local time. Raises ValueError or TypeError for an invalid rule.
    """
    zone = zoneinfo.ZoneInfo(config.TIMEZONE)
    return _evenly(rule, now, zone) if WITHIN_A_DAY.search(rule) else _by_the_clock(rule, now, zone)


def _by_the_clock(rule: str, now: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Return the next occurrence by local time.

    A skipped local time moves an hour later. Of a repeated local time the first counts, which may be past already.
    """
    for local_time in _local_times(rule, now.astimezone(zone)):
        occurrence = local_time.replace(tzinfo=zone).astimezone(UTC)
        if occurrence > now:
            return occurrence
    return None


def _evenly(rule: str, now: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Return the next occurrence by the current UTC offset.

    If the offset changes before it, the changed offset counts.
    """
    clock = _clock(now.astimezone(zone))
    local_time = next(_local_times(rule, now.astimezone(clock)), None)
    if local_time is None:
        return None
    later_clock = _clock(local_time.replace(tzinfo=clock).astimezone(zone))
    occurrences = (time.replace(tzinfo=later_clock) for time in _local_times(rule, now.astimezone(later_clock)))
    first = next((moment for moment in occurrences if _clock(moment.astimezone(zone)) == later_clock), None)
    return None if first is None else first.astimezone(UTC)


def _local_times(rule: str, after: datetime) -> Iterator[datetime]:
    """Yield the local times of the occurrences after `after`, without any change of the clock."""
    local = after.replace(tzinfo=None)
    return iter(rrulestr(rule, dtstart=local.replace(microsecond=0)).xafter(local))


def _clock(moment: datetime) -> timezone:
    """Return the fixed UTC offset that the timezone of a moment has at that moment."""
    return timezone(moment.utcoffset() or timedelta())


def validate_rrule(value: str) -> None:
    """Raise ValidationError for an invalid rule, or one that never occurs.

    The tick would search for its time for ever.
    """
    # The library searches a rule that never occurs up to its last year, whatever `until` says. From the year 2000 that
    # takes six seconds, so start near the end. The start is naive: rules follow the owner's clock.
    start = datetime(9960, 1, 1)  # noqa: DTZ001
    try:
        rule = rrulestr(value, dtstart=start)
        within = RULE_WITHIN_A_DAY_COMES_WITHIN if WITHIN_A_DAY.search(value) else RULE_COMES_WITHIN
        first = rule.replace(until=start + within, count=None).after(start) if isinstance(rule, rrule) else None
    except (ValueError, TypeError) as error:
        raise ValidationError(f"Write a recurrence rule such as FREQ=MINUTELY;INTERVAL=20: {error}.") from None
    if first is None:
        raise ValidationError("That never comes. Write one recurrence rule such as FREQ=MINUTELY;INTERVAL=20.")
