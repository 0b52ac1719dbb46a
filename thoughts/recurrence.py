"""Evaluate recurrence rules (RFC 5545) on the owner's clock, daylight saving included.

Only a subset of the standard is accepted. Every rule of the subset has a next occurrence that is found within a bounded
number of steps, from whatever moment it is asked.
"""

import re
import zoneinfo
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from constance import config
from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrule, rrulestr
from django.core.exceptions import ValidationError

EXAMPLE = "FREQ=MINUTELY;INTERVAL=20"
INTERVAL_MAX, VALUES_MAX = 9999, 62
WITHIN_A_DAY = {"MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}
_STEPS = WITHIN_A_DAY | {"DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}
FREQUENCIES = {*_STEPS, "MONTHLY", "YEARLY"}
# The numbers that each part may hold. Parts of days are refused within a day: the search would go by the minute.
_RANGES = {
    "BYMONTH": range(1, 13),
    "BYMONTHDAY": {*range(-31, 0), *range(1, 32)},
    "BYHOUR": range(24),
    "BYMINUTE": range(60),
    "BYSECOND": {0},
    "BYSETPOS": {*range(-31, 0), *range(1, 32)},
}
_LONG_PARTS = {"BYMONTH", "BYMONTHDAY", "BYSETPOS"}
_PARTS = {"FREQ", "INTERVAL", "BYDAY", "WKST", "UNTIL", *_RANGES}
_UNTIL_A_DAY = re.compile(r"(UNTIL=\d{8})(?=;|$)", re.IGNORECASE)
# A rule without an occurrence within this time counts as one that never occurs.
COMES_WITHIN, WITHIN_A_DAY_COMES_WITHIN = timedelta(days=30 * 365), timedelta(days=366)


class RuleRefused(ValueError):
    """A rule that is not in the subset. The text says what to write."""


@dataclass(frozen=True)
class Rule:
    """A rule of the accepted subset. `by_the_day`: it says at which hours, minutes or days within a day it counts."""

    text: str
    frequency: str
    interval: int
    by_the_day: bool

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Raises RuleRefused for whatever is not in the subset."""
        parts = _split_parts(text)
        frequency = parts.get("FREQ", "")
        if frequency == "SECONDLY":
            raise RuleRefused("Once a minute is the most: write FREQ=MINUTELY.")
        if frequency not in FREQUENCIES:
            raise RuleRefused(
                f"Write a recurrence rule such as {EXAMPLE}. FREQ is one of {', '.join(sorted(FREQUENCIES))}."
            )
        interval = parts.get("INTERVAL", "1")
        if not interval.isascii() or not interval.isdecimal() or not 1 <= int(interval[:6]) <= INTERVAL_MAX:
            raise RuleRefused(f"INTERVAL is a number from 1 to {INTERVAL_MAX}.")
        if frequency in WITHIN_A_DAY and (long_parts := _LONG_PARTS & parts.keys()):
            raise RuleRefused(f"{min(long_parts)} needs FREQ=DAILY or a longer one.")
        for name, numbers in _RANGES.items():
            _check_numbers(name, parts.get(name, ""), numbers)
        text = _UNTIL_A_DAY.sub(r"\1T235959", text)  # that day counts
        return cls(text, frequency, int(interval), bool({"BYHOUR", "BYMINUTE", "BYDAY"} & parts.keys()))

    def times_after(self, start: datetime, after: datetime) -> Iterator[datetime]:
        """Yield the naive local times after `after`, counted from `start`. Raises ValueError if none can come."""
        start = self._move_up(start.replace(second=0, microsecond=0), after)
        within = WITHIN_A_DAY_COMES_WITHIN if self.frequency in WITHIN_A_DAY else COMES_WITHIN
        rule = rrulestr(self.text, dtstart=start)
        if not isinstance(rule, rrule):
            raise RuleRefused("Write one rule.")
        until = min((end for end in (rule._until, after + within) if end), default=None)  # type: ignore[attr-defined]
        return iter(rule.replace(until=until).xafter(after))

    @property
    def period(self) -> timedelta:
        return self.interval * (_STEPS.get(self.frequency) or timedelta(days=31 * self._months))

    @property
    def _months(self) -> int:
        return 12 if self.frequency == "YEARLY" else 1

    def step_back(self, far: datetime, now: datetime) -> datetime | None:
        """Return a local time before `now` of the same beat as `far`; None if there is none since the year 1."""
        if self.frequency in _STEPS:
            step = _STEPS[self.frequency] * self.interval
            count = (far - now) // step + 1
            return far - count * step if timedelta(days=far.toordinal() - 1) > count * step else None
        step_months = self._months * self.interval
        ahead = (far.year - now.year) * 12 + far.month - now.month
        for count in range(ahead // step_months + 1, far.year * 12 // step_months):
            earlier = far - relativedelta(months=count * step_months)
            if earlier.day == far.day:  # a month may have no 31st
                return earlier
        return None

    def _move_up(self, start: datetime, after: datetime) -> datetime:
        """Return a later start of the same beat, so that the search has few steps.

        Within a day, a rule that names hours or minutes is counted from midnight: from any other minute it may never
        meet them.
        """
        if self.frequency in WITHIN_A_DAY and self.by_the_day:
            start = start.replace(hour=0, minute=0)
        if self.frequency not in _STEPS or start >= after:
            return start
        step = _STEPS[self.frequency] * self.interval
        return start + (after - start) // step * step


def repeats_within_a_day(rule: str) -> bool:
    """Whether a rule goes by the hour or the minute, also a stored one that is not accepted any more."""
    return any(f"FREQ={frequency}" in rule.upper() for frequency in WITHIN_A_DAY)


def follows_clock(rule: str) -> bool:
    """Whether times of day or days decide when a rule occurs. "Every 20 minutes" goes on in any time zone."""
    try:
        parsed = Rule.parse(rule)
    except ValueError:
        return not repeats_within_a_day(rule)
    return parsed.by_the_day or parsed.frequency not in WITHIN_A_DAY


def next_occurrence(rule: str, now: datetime, start: datetime | None = None) -> datetime | None:
    """Return the first occurrence after `now`, or None if the rule has ended.

    `start`: an occurrence from which intervals are counted, `now` without one. A rule of hours or minutes keeps its
    interval when daylight saving changes. Any other rule occurs once on such a day, at its local time. Raises
    ValueError for a rule that is not accepted.
    """
    parsed, zone = Rule.parse(rule), zoneinfo.ZoneInfo(config.TIMEZONE)
    start = start or now
    evenly = parsed.frequency in WITHIN_A_DAY
    return _evenly(parsed, now, start, zone) if evenly else _by_the_clock(parsed, now, start, zone)


def nearest_occurrence(rule: str, now: datetime, far: datetime) -> datetime | None:
    """Return the first occurrence after `now` in the beat of an occurrence that lies any number of periods ahead."""
    parsed, zone = Rule.parse(rule), zoneinfo.ZoneInfo(config.TIMEZONE)
    if far <= now:
        return next_occurrence(rule, now, far)
    if parsed.frequency in WITHIN_A_DAY:
        step = _STEPS[parsed.frequency] * parsed.interval
        return next_occurrence(rule, now, far - (far - now) // step * step - step)
    local = _naive(far, zone)
    start = parsed.step_back(local, _naive(now, zone))
    return next_occurrence(rule, now, start.replace(tzinfo=zone)) if start else far


def period_of(rule: str) -> timedelta:
    """Return about how far apart occurrences are. Raises RuleRefused."""
    return Rule.parse(rule).period


def _by_the_clock(rule: Rule, now: datetime, start: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Return the next occurrence by local time.

    A skipped local time moves an hour later. Of a repeated local time the first counts, which may be past already.
    """
    for local_time in rule.times_after(_naive(start, zone), _naive(now, zone)):
        occurrence = local_time.replace(tzinfo=zone).astimezone(UTC)
        if occurrence > now:
            return occurrence
    return None


def _evenly(rule: Rule, now: datetime, start: datetime, zone: zoneinfo.ZoneInfo) -> datetime | None:
    """Return the next occurrence by the current UTC offset.

    If the offset changes before it, the changed offset counts.
    """
    clock = _clock(now.astimezone(zone))
    local_time = next(rule.times_after(_naive(start, clock), _naive(now, clock)), None)
    if local_time is None:
        return None
    later_clock = _clock(local_time.replace(tzinfo=clock).astimezone(zone))
    local_times = rule.times_after(_naive(start, later_clock), _naive(now, later_clock))
    occurrences = (time.replace(tzinfo=later_clock) for time in local_times)
    first = next((moment for moment in occurrences if _clock(moment.astimezone(zone)) == later_clock), None)
    return None if first is None else first.astimezone(UTC)


def _naive(moment: datetime, zone: zoneinfo.ZoneInfo | timezone) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _clock(moment: datetime) -> timezone:
    """Return the fixed UTC offset that the timezone of a moment has at that moment."""
    return timezone(moment.utcoffset() or timedelta())


def _split_parts(text: str) -> dict[str, str]:
    """Return the parts of a rule by name, in capitals. Raises ValueError."""
    pairs = [part.partition("=") for part in text.upper().split(";")]
    parts = {name: value for name, _, value in pairs}
    if "COUNT" in parts:
        raise RuleRefused("Say until when instead of how often: UNTIL=20301231T000000 instead of COUNT.")
    if unknown := sorted(name for name in parts if name not in _PARTS):
        raise RuleRefused(f"Write a recurrence rule such as {EXAMPLE}: “{unknown[0][:20]}” is no part of a rule here.")
    if len(parts) < len(pairs) or any(not value or "\n" in value for value in parts.values()):
        raise RuleRefused(f"Each part stands once, as NAME=VALUE: {EXAMPLE}.")
    return parts


def _check_numbers(name: str, value: str, numbers: Collection[int]) -> None:
    values = value.split(",") if value else []
    if len(values) > VALUES_MAX or not all(number.lstrip("-").isdecimal() for number in values):
        raise RuleRefused(f"{name} holds at most {VALUES_MAX} numbers.")
    if wrong := [number for number in values if int(number) not in numbers]:
        raise RuleRefused(f"{name} cannot be {wrong[0][:20]}.")


def validate_rrule(value: str) -> None:
    """Raise ValidationError for a rule that is not accepted, or never occurs."""
    start = datetime(2024, 1, 1)  # noqa: DTZ001  rules follow the owner's clock; the answer is the same at any moment
    try:
        first = next(Rule.parse(value).times_after(start, start), None)
    except RuleRefused as refused:
        raise ValidationError(str(refused)) from None
    except (ValueError, TypeError):
        raise ValidationError(f"Penny cannot read this. Write a recurrence rule such as {EXAMPLE}.") from None
    if first is None:
        raise ValidationError(f"That never comes. Write one recurrence rule such as {EXAMPLE}.")
