"""Find the recurrence rule that a phrase names, its time of day aside."""

import re
from collections.abc import Callable
from datetime import date

from agents.schedules.day_phrases import calendar_day
from agents.schedules.phrase_words import DAY, DAYS, NTH, NUMBER, ORDER, count_of
from agents.schedules.rule_words import WORKDAYS


def parse_rule(phrase: str) -> str | None:
    return next(
        (rule for form, rule_of in _RULES if (match := form.fullmatch(phrase)) and (rule := rule_of(match))), None
    )


def _weekly(codes: tuple[str, ...]) -> str:
    return f"FREQ=WEEKLY;BYDAY={','.join(code for code in ORDER if code in codes)}"


def _named_days(match: re.Match[str]) -> str:
    return _weekly(tuple(DAYS[name] for name in re.findall(DAY, match[1])))


def _range_of_days(match: re.Match[str]) -> str:
    first, last = (ORDER.index(DAYS[match[number]]) for number in (1, 2))
    return _weekly(tuple(ORDER[at % 7] for at in range(first, last + 1 if last >= first else last + 8)))


def _every_few(match: re.Match[str]) -> str:
    count, unit = count_of(match["count"]), match["unit"]
    if match["on"] and unit == "day" and count % 7 == 0:
        count, unit = count // 7, "week"
    if not count or (match["on"] and unit != "week"):
        return ""
    if unit == "year":
        return f"FREQ=YEARLY;INTERVAL={count};BYMONTH=1;BYMONTHDAY=1"
    frequency = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}[unit]
    on = f";BYDAY={','.join(DAYS[name] for name in re.findall(DAY, match['on']))}" if match["on"] else ""
    on = on or (";BYMONTHDAY=1" if frequency == "MONTHLY" else ";BYDAY=MO" if frequency == "WEEKLY" else "")
    return f"FREQ={frequency};INTERVAL={count}{on}"


def _every_few_days(match: re.Match[str]) -> str:
    count = count_of(match["count"])
    return f"FREQ=WEEKLY;INTERVAL={count};BYDAY={DAYS[match['name']]}" if count else ""


def _every_other(match: re.Match[str]) -> str:
    return f"FREQ=WEEKLY;INTERVAL=2;BYDAY={DAYS[match['name']]}"


def _day_of_month(match: re.Match[str]) -> str:
    day = (
        -1 if match["day"] in ("last", "last day") else int(re.sub(r"\D", "", match["day"]) or NTH.get(match["day"], 0))
    )
    return f"FREQ=MONTHLY;BYMONTHDAY={day}" if day == -1 or 1 <= day <= 31 else ""


def _nth_day_of_month(match: re.Match[str]) -> str:
    return f"FREQ=MONTHLY;BYDAY={NTH[match['nth']]}{DAYS[match['name']]}"


def _yearly(match: re.Match[str]) -> str:
    day = calendar_day(match["day"], date(2028, 1, 1))  # a leap year has every day
    return f"FREQ=YEARLY;BYMONTH={day.month};BYMONTHDAY={day.day}" if day else ""


_EVERY_MONTH = r"(?:every|each) month|monthly"
_OF_MONTH = r"(?:of|in) (?:the|every|each) month"
_LIST = rf"{DAY}s?(?:(?:,| and|, and| &) {DAY}s?)*"
_RULES: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (re.compile(r"every ?day|each day|daily"), lambda _: "FREQ=DAILY"),
    (re.compile(r"(?:on |every |each )?(?:weekday|workday|working day)s?"), lambda _: _weekly(WORKDAYS)),
    (re.compile(r"(?:on |at |every |each )?(?:the )?weekends?"), lambda _: _weekly(("SA", "SU"))),
    (re.compile(r"weekly|(?:every|each) week"), lambda _: _weekly(("MO",))),
    (re.compile(rf"(?:every |each |weekly on |(?:every|each) week on )({_LIST})"), _named_days),
    (re.compile(rf"(?:on )?((?:{DAY}s)(?:(?:,| and|, and| &) {DAY}s)*)"), _named_days),
    (re.compile(rf"(?:every |each |from )?({DAY})s? (?:to|until|through|till|-|–) ({DAY})s?"), _range_of_days),
    (
        re.compile(rf"every (?P<count>{NUMBER}) (?P<unit>day|week|month|year)s?(?: (?:on )?(?P<on>{_LIST}))?"),
        _every_few,
    ),
    (re.compile(rf"every (?:other|second|2nd) (?P<name>{DAY})"), _every_other),
    (re.compile(rf"every (?P<count>{NUMBER}) (?P<name>{DAY})s"), _every_few_days),
    (re.compile(r"every quarter"), lambda _: "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1"),
    (re.compile(r"every half year"), lambda _: "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1"),
    (re.compile(r"every year|each year|yearly|annually"), lambda _: "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"),
    (re.compile(r"(?:every|each) (?:the )?(?P<day>\d{1,2}(?:st|nd|rd|th|\.))"), _day_of_month),
    (re.compile(_EVERY_MONTH), lambda _: "FREQ=MONTHLY;BYMONTHDAY=1"),
    (
        re.compile(rf"(?:{_EVERY_MONTH}) on (?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th|\.)?|first|last(?: day)?)"),
        _day_of_month,
    ),
    (
        re.compile(rf"(?:on |every )?(?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th|\.)?|first|last)(?: day)? {_OF_MONTH}"),
        _day_of_month,
    ),
    (re.compile(rf"(?:on |every )?(?:the )?(?P<nth>{'|'.join(NTH)}) (?P<name>{DAY}) {_OF_MONTH}"), _nth_day_of_month),
    (re.compile(rf"(?:{_EVERY_MONTH}) on (?:the )?(?P<nth>{'|'.join(NTH)}) (?P<name>{DAY})"), _nth_day_of_month),
    (re.compile(r"(?:every year|each year|yearly|annually) on (?P<day>.+)"), _yearly),
]
