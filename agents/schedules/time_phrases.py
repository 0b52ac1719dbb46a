"""When something is to happen, as people say it: "every weekday at 8", "on the first Monday of the month", "in 20
minutes".

A small grammar on recurrence rules, of whole phrases only: what it does not know it does not guess at. A phrase is read
back to the owner. German phrases are put into its words first (agents/schedules/german_phrases.py).
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from agents.schedules.german_phrases import in_english
from agents.schedules.rule_words import WORKDAYS

WORDS_MAX = 14
MORNING = time(8)
_DAYS = {
    name: code
    for code, names in {
        "MO": "monday mon", "TU": "tuesday tue tues", "WE": "wednesday wed", "TH": "thursday thu thur thurs",
        "FR": "friday fri",
        "SA": "saturday sat", "SU": "sunday sun",
    }.items()
    for name in names.split()
}  # fmt: skip
_ORDER = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sep sept",
         "october oct", "november nov", "december dec"), 1,
    )
    for name in names.split()
}  # fmt: skip
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
_COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
    "other": 2,
    "half": 0,
    "half an": 0,
}
_PARTS = {
    "morning": MORNING,
    "noon": time(12),
    "afternoon": time(14),
    "evening": time(18),
    "night": time(21),
    "midnight": time(),
}
_UNKNOWN_BEFORE = {"night": 6, "evening": 4}
_DAY = rf"(?:{'|'.join(sorted(_DAYS, key=len, reverse=True))})"
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_NUMBER = rf"(?:\d{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_CLOCK = (
    r"(?:(?:at |@ ?)?(?P<hour>\d{1,2})[:.](?P<minute>\d{2}) ?(?P<half>am|pm)?|(?:at |@ "
    r"?)?(?P<hour2>\d{1,2}) ?(?P<half2>am|pm|o'clock)"
    r"|(?:at|@) ?(?P<hour3>\d{1,2})|(?:in the |at )?(?P<part>morning|noon|afternoon|evening|night|midnight))"
)
_LAST, _FIRST = re.compile(rf"(?:(?P<rest>.*?) )?{_CLOCK}"), re.compile(rf"{_CLOCK}(?: (?P<rest>.*))?")

_HOURS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11,
    "twelve": 12,
}  # fmt: skip
_HOUR = rf"(?P<hour>\d{{1,2}}|{'|'.join(_HOURS)})"
_PAST = {"half past": 30, "quarter past": 15, "quarter to": -15, "fifteen": 15, "thirty": 30, "forty-five": 45}
# Times of day in words, and what is written shorter than the grammar has it.
_SPELLED: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\b([ap])\. ?m\b\.?"), r"\1m"),
    (re.compile(r"\btonight\b"), "this evening"),
    (re.compile(r"\b(in|every|each) (\d+) ?(?:mins?|m)\b"), r"\1 \2 minutes"),
    (re.compile(r"\b(in|every|each) (\d+) ?(?:hours?|hrs?|h)\b"), r"\1 \2 hours"),
    (
        re.compile(rf"\b(?:at )?(?:a )?(?P<past>half past|quarter past|quarter to) {_HOUR}\b"),
        lambda found: _in_figures(found),
    ),
    (re.compile(rf"\bat {_HOUR} (?P<past>fifteen|thirty|forty-five)\b"), lambda found: _in_figures(found)),
    (re.compile(rf"\bat (?P<hour>{'|'.join(_HOURS)})\b"), lambda found: f"at {_HOURS[found['hour']]}"),
    (re.compile(rf"\bat (\d{{1,2}}(?:[:.]\d{{2}})?) in the ({'|'.join(_PARTS)})\b"), r"in the \2 at \1"),
    (re.compile(rf"\b(?:every|each) ({'|'.join(_PARTS)})\b"), r"every day in the \1"),
]

_HALF = "and a half"
_MINUTES = {"minute": 1, "min": 1, "hour": 60, "day": 24 * 60, "week": 7 * 24 * 60}
# What follows a time and would have been a part of it: a time of day that is none, more minutes, another time of day.
_NO_TIME = re.compile(r"(?:at|@) ?\d|and a half|the \d{1,2}(?:st|nd|rd|th)\b")
_MORE_MINUTES = re.compile(r"\d{1,3} ?(?:min|hour|day|week)")
_JOINED = re.compile(r"(?:and|or|but|from|until|till|except|starting|oder|ab|bis|ausser) (?:on |at )?")
_ALSO_AT = re.compile(r"\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?\b")
_JOINS = re.compile(
    r"^(?:(?:me|mich|mir)\b\s*)?(?:(?:to|that|about|daran|dass|an (?=(?:d|mein|dein)\w+ ))\b,?\s*)?", re.IGNORECASE
)


@dataclass(frozen=True)
class When:
    """`rule`: how it repeats, empty for once; `at`: of what comes once, the time on the owner's clock.

    `after`: of what comes so many minutes or hours from now, that time. Where the clock is changed until then, `at` is
    an hour off.
    """

    rule: str = ""
    at: datetime | None = None
    after: timedelta | None = field(default=None, compare=False)


def split(text: str, now: datetime) -> tuple[When, str] | None:
    """Return when and what a text says, whichever comes first in it, or None. `now`: on the owner's clock, without a
    timezone.

    The longest phrase that is one counts, at the beginning or else at the end.
    """
    words = text.split()
    words = words[1:] if words and words[0].lower() in ("me", "mich", "mir") else words
    for count in range(min(len(words), WORDS_MAX), 0, -1):
        if when := parse(" ".join(words[:count]), now):
            return None if _goes_on(words[:count], words[count:], now) else (when, _what(words[count:]))
    for count in range(min(len(words) - 1, WORDS_MAX), 0, -1):
        if when := parse(" ".join(words[-count:]), now):
            return when, _what(words[:-count])
    return None


def _what(words: list[str]) -> str:
    """Return the rest without what only joins it to its time."""
    return _JOINS.sub("", " ".join(words).strip(" :,–-")).strip()


def _goes_on(phrase: list[str], rest: list[str], now: datetime) -> bool:
    """Whether what is left goes on with the time: one that is half understood is another than the one that was meant.

    A colon ends it, and what a rule is for may begin with a rule or a day: "every friday at 4 weekly report".
    """
    if phrase[-1].endswith(":"):
        return False
    text = in_english(" ".join(rest))
    joined = _JOINED.match(text)
    text = text[joined.end() :] if joined else text
    if (
        _NO_TIME.match(text)
        or (joined and _ALSO_AT.match(text))
        or (phrase[0].lower() == "in" and _MORE_MINUTES.match(text))
    ):
        return True
    words = text.split()
    return any(_is_time(words[:count], now, whatever=joined is not None) for count in range(1, 5))


def _is_time(words: list[str], now: datetime, *, whatever: bool) -> bool:
    when = parse(" ".join(words), now)
    if when is None or whatever:
        return when is not None
    return when.at is not None and (len(words) > 1 or words[0] in ("today", "tonight", "tomorrow"))


def parse(phrase: str, now: datetime) -> When | None:
    """Return what a whole phrase says, None for one that says no time."""
    text = " ".join(phrase.lower().replace(",", " , ").split()).strip(" :,–-").replace(" ,", ",")
    return _parse(text, now) or (_parse(text.rstrip(".!?"), now) if text.endswith((".", "!", "?")) else None)


def _parse(text: str, now: datetime) -> When | None:
    text = in_english(text)
    for form, said in _SPELLED:
        text = form.sub(said, text)
    if found := _evenly(text) or _from_now(text, now):
        return found
    for rest, clock in _clocks(text):
        if found := _at(rest, clock, now):
            return found
    return None


def _in_figures(found: re.Match[str]) -> str:
    """Say "half past seven" as "at 7:30"."""
    hour, minutes = int(_HOURS.get(found["hour"], found["hour"])), _PAST[found["past"]]
    return f"at {hour}:{minutes}" if minutes > 0 else f"at {(hour - 1) % 24 or 12}:{60 + minutes}"


def _clocks(text: str) -> Iterator[tuple[str, time | None]]:
    """Yield what is left of a phrase without its time of day, with that time; the whole without one last."""
    for match in (_LAST.fullmatch(text), _FIRST.fullmatch(text)):
        if match and (clock := _time(match)) is not None:
            yield _without_part((match["rest"] or "").strip(" ,"), clock)
    yield text, None


def _without_part(rest: str, clock: time) -> tuple[str, time]:
    """Take the part of the day off "tomorrow evening", whose time of day was said more exactly: at 7 is 19:00 then.

    Of a night it is not known which of two days 2 o'clock is on, nor of an evening.
    """
    found = re.fullmatch(rf"(.*?) ?(?:in the )?({'|'.join(_PARTS)})", rest)
    if found is None or clock.hour < _UNKNOWN_BEFORE.get(found[2], 0):
        return rest, clock
    return found[1], clock.replace(hour=clock.hour + 12) if clock.hour < 12 <= _PARTS[found[2]].hour else clock


def _time(match: re.Match[str]) -> time | None:
    if match["part"]:
        return _PARTS[match["part"]]
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    half = match["half"] or match["half2"]
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    minute = int(match["minute"] or 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _evenly(text: str) -> When | None:
    """Every so many minutes or hours."""
    if text == "hourly":
        return When("FREQ=HOURLY;INTERVAL=1")
    found = re.fullmatch(
        rf"(?:every|each) (?:(?P<count>{_NUMBER}) )?(?P<half>{_HALF} )?(?P<unit>minute|hour)s?(?P<half2> {_HALF})?",
        text,
    )
    minutes = _minutes(found) if found else None
    if found is None or minutes is None or minutes % 1:
        return None
    if found["unit"] == "hour" and minutes % 60 == 0:
        return When(f"FREQ=HOURLY;INTERVAL={minutes // 60:.0f}")
    return When(f"FREQ=MINUTELY;INTERVAL={minutes:.0f}")


def _from_now(text: str, now: datetime) -> When | None:
    found = re.fullmatch(
        rf"in (?P<count>{_NUMBER}) (?P<half>{_HALF} )?(?P<unit>minute|min|hour|day|week)s?(?P<half2> {_HALF})?", text
    )
    minutes = _minutes(found) if found else None
    if found is None or minutes is None:
        return None
    after = timedelta(minutes=minutes)
    return When(at=now + after, after=after if _MINUTES[found["unit"]] <= 60 else None)


def _minutes(found: re.Match[str]) -> float | None:
    """Return how many minutes a count of some unit is, None for what says nothing (half a day)."""
    count, unit, is_more = _count(found["count"]), _MINUTES[found["unit"]], found["half"] or found["half2"]
    if count == 0:
        return 30 if unit == 60 and not is_more else None
    return (count + 0.5 if is_more else count) * unit


def _count(text: str | None) -> int:
    if text is None:
        return 1
    return int(text) if text.isdecimal() else _COUNTS[text]


def _at(rest: str, clock: time | None, now: datetime) -> When | None:
    """Return what a phrase says of which the time of day is known, or not said."""
    if rule := next(
        (found for form, rule in _RULES if (match := form.fullmatch(rest)) and (found := rule(match))), None
    ):
        at = clock or MORNING
        return When(f"{rule};BYHOUR={at.hour};BYMINUTE={at.minute};BYSECOND=0")
    day = _date(rest, clock, now)
    if day is None:
        return None
    moment = datetime.combine(day, clock or MORNING)
    return When(at=moment) if moment > now else None


def _date(rest: str, clock: time | None, now: datetime) -> date | None:
    """Return the one day that a phrase names; without a word for it, today or tomorrow, whichever the time of day comes
    next on.
    """
    today = now.date()
    if rest == "":
        return None if clock is None else today if datetime.combine(today, clock) > now else today + timedelta(days=1)
    if rest in ("today", "this"):
        return today
    if rest in ("tomorrow", "on tomorrow"):
        return today + timedelta(days=1)
    if rest in ("the day after tomorrow", "day after tomorrow"):
        return today + timedelta(days=2)
    if rest == "next week":
        return today + timedelta(days=7)
    if found := re.fullmatch(rf"(?:on |this |next |on next )?({_DAY})", rest):
        ahead = (_ORDER.index(_DAYS[found[1]]) - today.weekday()) % 7
        is_over = ahead == 0 and datetime.combine(today, clock or MORNING) <= now
        return today + timedelta(days=7 if is_over or (ahead == 0 and "next" in rest) else ahead)
    if (found := re.fullmatch(rf"in (?P<count>{_NUMBER}) (?P<unit>day|week)s?", rest)) and (
        count := _count(found["count"])
    ):
        return today + timedelta(days=count * (7 if found["unit"] == "week" else 1))
    if found := re.fullmatch(rf"(?:on )?({_DAY})(?: of)? next week|next week,?(?: on)? ({_DAY})", rest):
        return today + timedelta(days=7 - today.weekday() + _ORDER.index(_DAYS[found[1] or found[2]]))
    return _calendar_day(rest, today)


def _calendar_day(rest: str, today: date) -> date | None:
    if found := re.fullmatch(rf"(?:on )?({_DAY}),? (?:the |den )?(?P<day>.+)", rest):
        named = _calendar_day(found["day"], today)
        return named if named and named.weekday() == _ORDER.index(_DAYS[found[1]]) else None
    if found := re.fullmatch(r"(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)", rest):
        return _next_of_months(int(found[1]), today)
    if found := re.fullmatch(r"(?:on )?(\d{4})-(\d{2})-(\d{2})", rest):
        return _real(int(found[1]), int(found[2]), int(found[3]))
    found = re.fullmatch(
        rf"(?:on )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{_MONTH})(?:,? (?P<year>\d{{4}}))?",
        rest,
    )
    found = found or re.fullmatch(
        rf"(?:on )?(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?", rest
    )
    if found is None:
        return None
    month, day = _MONTHS[found["month"]], int(found["day"])
    if found["year"]:
        return _real(int(found["year"]), month, day)
    this_year = _real(today.year, month, day)
    return this_year if this_year and this_year >= today else _real(today.year + 1, month, day)


def _next_of_months(day: int, today: date) -> date | None:
    """Return the next day of that number: the 31st is not in every month."""
    months = (divmod(today.year * 12 + today.month - 1 + ahead, 12) for ahead in range(3))
    found = (_real(year, month + 1, day) for year, month in months)
    return next((named for named in found if named and named >= today), None)


def _real(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None


def _weekly(codes: tuple[str, ...]) -> str:
    return f"FREQ=WEEKLY;BYDAY={','.join(code for code in _ORDER if code in codes)}"


def _named_days(found: re.Match[str]) -> str:
    return _weekly(tuple(_DAYS[name] for name in re.findall(_DAY, found[1])))


def _range_of_days(found: re.Match[str]) -> str:
    first, last = (_ORDER.index(_DAYS[found[number]]) for number in (1, 2))
    return _weekly(tuple(_ORDER[at % 7] for at in range(first, last + 1 if last >= first else last + 8)))


def _every_few(found: re.Match[str]) -> str:
    count, unit = _count(found["count"]), found["unit"]
    if found["on"] and unit == "day" and count % 7 == 0:
        count, unit = count // 7, "week"
    if not count or (found["on"] and unit != "week"):
        return ""
    frequency = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}[unit]
    on = f";BYDAY={','.join(_DAYS[name] for name in re.findall(_DAY, found['on']))}" if found["on"] else ""
    on = on or (";BYMONTHDAY=1" if frequency == "MONTHLY" else ";BYDAY=MO" if frequency == "WEEKLY" else "")
    return f"FREQ={frequency};INTERVAL={count}{on}"


def _every_other(found: re.Match[str]) -> str:
    return f"FREQ=WEEKLY;INTERVAL=2;BYDAY={_DAYS[found['name']]}"


def _day_of_month(found: re.Match[str]) -> str:
    day = (
        -1
        if found["day"] in ("last", "last day")
        else int(re.sub(r"\D", "", found["day"]) or _NTH.get(found["day"], 0))
    )
    return f"FREQ=MONTHLY;BYMONTHDAY={day}" if day == -1 or 1 <= day <= 31 else ""


def _nth_day_of_month(found: re.Match[str]) -> str:
    return f"FREQ=MONTHLY;BYDAY={_NTH[found['nth']]}{_DAYS[found['name']]}"


def _yearly(found: re.Match[str]) -> str:
    day = _calendar_day(found["day"], date(2028, 1, 1))  # a leap year, so that every day is one
    return f"FREQ=YEARLY;BYMONTH={day.month};BYMONTHDAY={day.day}" if day else ""


_EVERY_MONTH = r"(?:every|each) month|monthly"
_OF_MONTH = r"(?:of|in) (?:the|every|each) month"
_LIST = rf"{_DAY}s?(?:(?:,| and|, and| &) {_DAY}s?)*"
_RULES: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (re.compile(r"every ?day|each day|daily"), lambda _: "FREQ=DAILY"),
    (re.compile(r"(?:on |every |each )?(?:weekday|workday|working day)s?"), lambda _: _weekly(WORKDAYS)),
    (re.compile(r"(?:on |at |every |each )?(?:the )?weekends?"), lambda _: _weekly(("SA", "SU"))),
    (re.compile(r"weekly|(?:every|each) week"), lambda _: _weekly(("MO",))),
    (re.compile(rf"(?:every |each |weekly on |(?:every|each) week on )({_LIST})"), _named_days),
    (re.compile(rf"(?:on )?((?:{_DAY}s)(?:(?:,| and|, and| &) {_DAY}s)*)"), _named_days),
    (re.compile(rf"(?:every |each |from )?({_DAY})s? (?:to|until|through|till|-|–) ({_DAY})s?"), _range_of_days),
    (re.compile(rf"every (?P<count>{_NUMBER}) (?P<unit>day|week|month)s?(?: (?:on )?(?P<on>{_LIST}))?"), _every_few),
    (re.compile(rf"every (?:other|second|2nd) (?P<name>{_DAY})"), _every_other),
    (re.compile(_EVERY_MONTH), lambda _: "FREQ=MONTHLY;BYMONTHDAY=1"),
    (
        re.compile(rf"(?:{_EVERY_MONTH}) on (?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th|\.)?|first|last(?: day)?)"),
        _day_of_month,
    ),
    (
        re.compile(rf"(?:on |every )?(?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th|\.)?|first|last)(?: day)? {_OF_MONTH}"),
        _day_of_month,
    ),
    (re.compile(rf"(?:on |every )?(?:the )?(?P<nth>{'|'.join(_NTH)}) (?P<name>{_DAY}) {_OF_MONTH}"), _nth_day_of_month),
    (re.compile(rf"(?:{_EVERY_MONTH}) on (?:the )?(?P<nth>{'|'.join(_NTH)}) (?P<name>{_DAY})"), _nth_day_of_month),
    (re.compile(r"(?:every year|each year|yearly|annually) on (?P<day>.+)"), _yearly),
]
