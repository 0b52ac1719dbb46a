"""When something comes again: recurrence rules (RFC 5545), counted on the owner's clock, daylight-saving included."""

import re
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

from constance import config
from dateutil.rrule import rrule, rrulestr
from django.core.exceptions import ValidationError

WITHIN_A_DAY = re.compile(r"FREQ=(HOURLY|MINUTELY|SECONDLY)", re.IGNORECASE)
# How far ahead a rule must come, else it counts as one that never does: a search of thirty years by the minute takes
# half a minute.
RULE_COMES_WITHIN, RULE_WITHIN_A_DAY_COMES_WITHIN = timedelta(days=30 * 365), timedelta(days=366)


def next_occurrence(rule: str, now: datetime) -> datetime | None:
    """Return the first occurrence after `now`, or None when the rule has ended. Raises ValueError, TypeError for what
    is no rule.

    A rule of hours or minutes goes on evenly when the clock is changed; any other comes once on such a day, at its time
    on the clock.
    """
    zone = zoneinfo.ZoneInfo(config.TIMEZONE)
    return _evenly(rule, now, zone) if WITHIN_A_DAY.search(rule) else _by_the_clock(rule, now, zone)


def _by_the_clock(rule: str, now: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """What the clock skips comes an hour later; of a time that it shows twice the first counts, and may be over
    already.
    """
    for shown in _shown(rule, now.astimezone(zone)):
        found = shown.replace(tzinfo=zone).astimezone(UTC)
        if found > now:
            return found
    return None


def _evenly(rule: str, now: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Count on the clock as it goes now; where it was changed until then, on the changed one."""
    clock = _clock(now.astimezone(zone))
    shown = next(_shown(rule, now.astimezone(clock)), None)
    if shown is None:
        return None
    changed = _clock(shown.replace(tzinfo=clock).astimezone(zone))
    occurrences = (shown.replace(tzinfo=changed) for shown in _shown(rule, now.astimezone(changed)))
    found = next((found for found in occurrences if _clock(found.astimezone(zone)) == changed), None)
    return None if found is None else found.astimezone(UTC)


def _shown(rule: str, after: datetime) -> Iterator[datetime]:
    """Return what the clock shows at the occurrences after `after`, if nobody changes it."""
    local = after.replace(tzinfo=None)
    return iter(rrulestr(rule, dtstart=local.replace(microsecond=0)).xafter(local))


def _clock(moment: datetime) -> timezone:
    """Return the clock that shows a moment as its timezone does, and is never changed."""
    return timezone(moment.utcoffset() or timedelta())


def validate_rrule(value: str) -> None:
    """Raise ValidationError for what is no recurrence rule, or for one that never comes: the tick would search for its
    time for ever.
    """
    # For a rule that never comes the library looks up to its last year, whatever `until` says: from 2000 on that takes
    # six seconds.
    # rules are counted on the owner's clock, so that they name no timezone of their own
    start = datetime(9960, 1, 1)  # noqa: DTZ001
    try:
        rule = rrulestr(value, dtstart=start)
        within = RULE_WITHIN_A_DAY_COMES_WITHIN if WITHIN_A_DAY.search(value) else RULE_COMES_WITHIN
        found = rule.replace(until=start + within, count=None).after(start) if isinstance(rule, rrule) else None
    except (ValueError, TypeError) as error:
        raise ValidationError(f"Write a recurrence rule such as FREQ=MINUTELY;INTERVAL=20: {error}.") from None
    if found is None:
        raise ValidationError("That never comes. Write one recurrence rule such as FREQ=MINUTELY;INTERVAL=20.")
