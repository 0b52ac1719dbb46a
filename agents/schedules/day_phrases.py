"""Find the one day that a phrase names."""

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta

from agents.schedules.phrase_words import DAY, DAYS, MONTH, MONTHS, MORNING, NUMBER, ORDER, count_of


def parse_day(rest: str, clock: time | None, now: datetime) -> date | None:
    """Return the day that a phrase names; if empty, the day on which the clock time comes next."""
    today = now.date()
    if rest == "":
        return None if clock is None else today if datetime.combine(today, clock) > now else today + timedelta(days=1)
    if rest in ("today", "this"):
        return today
    if rest in ("tomorrow", "on tomorrow"):
        return today + timedelta(days=1)
    if rest in ("the day after tomorrow", "day after tomorrow"):
        return today + timedelta(days=2)
    if rest in ("this weekend", "next weekend"):
        ahead = 5 - today.weekday()
        return today + timedelta(days=ahead if ahead > 0 else 0 if rest.startswith("this") else ahead + 7)
    if rest == "next week":
        return today + timedelta(days=7)
    if match := re.fullmatch(rf"(?:on |this |next |on next |coming |on coming |this coming )?({DAY})", rest):
        ahead = (ORDER.index(DAYS[match[1]]) - today.weekday()) % 7
        is_over = ahead == 0 and datetime.combine(today, clock or MORNING) <= now
        return today + timedelta(days=7 if is_over or (ahead == 0 and "next" in rest) else ahead)
    if match := re.fullmatch(rf"(?:on )?({DAY}) after next", rest):
        return today + timedelta(days=(ORDER.index(DAYS[match[1]]) - today.weekday() - 1) % 7 + 8)
    if rest == "the week after next":
        return today + timedelta(days=14)
    if match := re.fullmatch(rf"({NUMBER}) weeks? from (?:on )?(.+)", rest):
        start = parse_day(match[2], clock, now) if "week" not in match[2] else None
        return start + timedelta(weeks=count_of(match[1])) if start and count_of(match[1]) else None
    if match := re.fullmatch(r"(?:at |by |on )?(?:the )?end of ((?:the |this )?(?:month|year)|next month)", rest):
        return _last_day_of(match[1], today)
    if (match := re.fullmatch(rf"in (?P<count>{NUMBER}) (?P<unit>day|week)s?", rest)) and (
        count := count_of(match["count"])
    ):
        return today + timedelta(days=count * (7 if match["unit"] == "week" else 1))
    if match := re.fullmatch(rf"(?:on )?({DAY})(?: of)? next week|next week,?(?: on)? ({DAY})", rest):
        return today + timedelta(days=7 - today.weekday() + ORDER.index(DAYS[match[1] or match[2]]))
    return calendar_day(rest, today)


def calendar_day(rest: str, today: date) -> date | None:
    if match := re.fullmatch(rf"(?:on )?({DAY}),? (?:the |den )?(?P<day>.+)", rest):
        candidate = calendar_day(match["day"], today)
        return candidate if candidate and candidate.weekday() == ORDER.index(DAYS[match[1]]) else None
    if match := re.fullmatch(r"(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)", rest):
        return _next_of_months(int(match[1]), today)
    if match := re.fullmatch(r"(?:on )?(\d{1,2})/(\d{1,2})/(\d{4})", rest):
        first, second, year = (int(number) for number in match.groups())
        return _real(year, second, first) or _real(year, first, second)
    if match := re.fullmatch(r"(?:on )?(\d{4})-(\d{2})-(\d{2})", rest):
        return _real(int(match[1]), int(match[2]), int(match[3]))
    match = re.fullmatch(
        rf"(?:on )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{MONTH})(?:,? (?P<year>\d{{4}}))?",
        rest,
    )
    match = match or re.fullmatch(
        rf"(?:on )?(?P<month>{MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?", rest
    )
    if match is None:
        return None
    month, day = MONTHS[match["month"]], int(match["day"])
    if match["year"]:
        return _real(int(match["year"]), month, day)
    days = (_real(today.year + ahead, month, day) for ahead in range(9))  # 29 February is not in every year
    return next((candidate for candidate in days if candidate and candidate >= today), None)


def _last_day_of(what: str, today: date) -> date:
    year, month = (today.year, 12) if what.endswith("year") else (today.year, today.month)
    year, month = (year + month // 12, month % 12 + 1) if what == "next month" else (year, month)
    return date(year, month, monthrange(year, month)[1])


def _next_of_months(day: int, today: date) -> date | None:
    """Return the next day of that number: the 31st is not in every month."""
    months = (divmod(today.year * 12 + today.month - 1 + ahead, 12) for ahead in range(3))
    days = (_real(year, month + 1, day) for year, month in months)
    return next((candidate for candidate in days if candidate and candidate >= today), None)


def _real(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None
