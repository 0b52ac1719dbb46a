"""Find the phrases that name two times: "next friday", "at 8" in the afternoon, "01/07/2026"."""

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta

from agents.schedules.clock_phrases import split_clock
from agents.schedules.phrase_words import DAY, DAYS, MORNING, ORDER

_EITHER_HALF = re.compile(r"(?:at |@ ?)?([1-9]|1[01])(?:[:.]([0-5]\d))?")
_FIGURES = re.compile(r"(?:on )?(\d{1,2})/(\d{1,2})/(\d{4})")
_PART_OF_TODAY = re.compile(r"(?:this|today)(?: in the)? (morning|afternoon|evening|night)")
# The hour at which each part of a day is told, and the hour at which it ends.
_PARTS = {"morning": (8, 12), "afternoon": (14, 18), "evening": (18, 24), "night": (21, 24)}

Readings = tuple[datetime, datetime]


def two_readings(text: str, now: datetime) -> Readings | None:
    """Return the two times that an English phrase may mean, the likelier first. The first may be over already."""
    if readings := _either_half(text, now) or _rest_of_part(text, now):
        return readings
    for rest, clock in split_clock(text):
        if days := _two_days(rest, now.date()):
            first, second = (datetime.combine(day, clock or MORNING) for day in days)
            return (first, second) if first != second and second > now else None
    return None


def _either_half(text: str, now: datetime) -> Readings | None:
    """An hour whose morning is over today, and whose evening comes still."""
    match = _EITHER_HALF.fullmatch(text)
    if match is None or (not match[2] and not text.startswith(("at", "@"))):
        return None
    morning = datetime.combine(now.date(), time(int(match[1]), int(match[2] or 0)))
    evening = morning + timedelta(hours=12)
    return (evening, morning + timedelta(days=1)) if morning <= now < evening else None


def _rest_of_part(text: str, now: datetime) -> Readings | None:
    """A part of today that has begun: in an hour at most, or tomorrow."""
    match = _PART_OF_TODAY.fullmatch(text)
    if match is None:
        return None
    start_hour, end = _PARTS[match[1]]
    if not start_hour <= now.hour < end:
        return None
    next_hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return next_hour, datetime.combine(now.date() + timedelta(days=1), time(start_hour))


def _two_days(text: str, today: date) -> tuple[date, date] | None:
    if match := re.fullmatch(rf"(?:on )?next ({DAY}|weekend)", text):
        weekday = 5 if match[1] == "weekend" else ORDER.index(DAYS[match[1]])
        ahead = weekday - today.weekday()
        return (today + timedelta(days=ahead), today + timedelta(days=ahead + 7)) if ahead > 0 else None
    if text in ("next month", "next year"):
        year, month = (today.year + 1, 1) if text == "next year" or today.month == 12 else (today.year, today.month + 1)
        first = date(year, month, 1)
        same_month = today.month if text == "next year" else month
        return first, date(year, same_month, min(today.day, monthrange(year, same_month)[1]))
    if re.fullmatch(r"(?:at |by )?(?:the )?end of (?:the|this) week", text):
        return today + timedelta(days=4 - today.weekday()), today + timedelta(days=6 - today.weekday())
    match = _FIGURES.fullmatch(text)
    return _days_in_figures(*(int(number) for number in match.groups())) if match else None


def _days_in_figures(first: int, second: int, year: int) -> tuple[date, date] | None:
    """The day before the month as in most of the world, then the month before the day."""
    days = [
        date(year, month, day)
        for day, month in ((first, second), (second, first))
        if year and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
    ]
    return (days[0], days[1]) if len(days) == 2 and days[0] != days[1] else None
