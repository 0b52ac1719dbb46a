"""Find the time of day in a phrase: in figures ("7:30 pm") or in words ("half past seven")."""

import re
from collections.abc import Callable, Iterator
from datetime import time

from agents.schedules.phrase_words import DAY, DAYS, MONTHS, MORNING, NTH, UNIT

_PARTS = {
    "morning": MORNING,
    "noon": time(12),
    "afternoon": time(14),
    "evening": time(18),
    "night": time(21),
    "midnight": time(),
}
_UNKNOWN_BEFORE = {"night": 6, "evening": 4}
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
_FEW_MINUTES = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_PAST_OR_TO = rf"(?P<few>{'|'.join(sorted(_FEW_MINUTES, key=len, reverse=True))}|\d{{1,2}})(?: minutes?)?"
_ABBREVIATED = "|".join(name for name in (*DAYS, *MONTHS) if len(name) <= 5 and name not in ("march", "april", "may"))
# Times of day in words, and short forms that the grammar does not have.
_SPELLED: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\b([ap])\. ?m\b\.?"), r"\1m"),
    (re.compile(rf"\b({_ABBREVIATED})\."), r"\1"),
    (re.compile(r"\b(\d{4}-\d{2}-\d{2})t(?=\d)"), r"\1 "),
    (re.compile(r"\b(\d{4})/(\d{2})/(\d{2})\b"), r"\1-\2-\3"),
    (re.compile(rf"\b({DAY})s? ?[-–] ?({DAY})s?\b"), r"\1 to \2"),
    (re.compile(rf"\b(?<!every )(?<!/)({DAY}(?:/{DAY})+)\b"), lambda match: f"every {match[1].replace('/', ', ')}"),
    (re.compile(r"\b(?:bi-?weekly|fortnightly|every fortnight|every second week)\b"), "every 2 weeks"),
    (re.compile(r"\bin a fortnight\b"), "in 2 weeks"),
    (re.compile(r"\b(in|every) a? ?couple of\b"), r"\1 2"),
    (re.compile(r"\bonce (?:a|an|every|per) (day|week|month|quarter|year)\b"), r"every \1"),
    (re.compile(r"\bevery single\b"), "every"),
    (re.compile(r"\bnightly\b"), "every night"),
    (
        re.compile(rf"\bevery ({'|'.join(name for name in NTH if name != 'last')}) ({UNIT})\b(?! of)"),
        lambda match: f"every {NTH[match[1]]} {match[2]}s",
    ),
    (re.compile(rf"\bevery (\d{{1,2}})(?:st|nd|rd|th) ({UNIT})\b(?! of)"), r"every \1 \2s"),
    (re.compile(r"\b(?:quarterly|each quarter)\b"), "every quarter"),
    (re.compile(r"\b(?:half-?yearly|every six months)\b"), "every half year"),
    (re.compile(r"\bin half a year\b"), "in 6 months"),
    (
        re.compile(rf"\b(?:(?P<at>at )?{_PAST_OR_TO} (?P<to>past|after|to|before) {_HOUR})\b"),
        lambda match: _few_minutes_in_figures(match),
    ),
    (re.compile(rf"\b(?:at )?half {_HOUR}\b"), lambda match: f"at {_HOURS.get(match['hour'], match['hour'])}:30"),
    (re.compile(r"\bat (\d{1,2}) ?h ?(\d{2})\b"), r"at \1:\2"),
    (re.compile(r"\bat (\d{1,2}) ?h\b"), r"at \1:00"),
    (re.compile(r"\bat ([01]\d|2[0-3])([0-5]\d)\b"), r"at \1:\2"),
    (re.compile(r"\btonight\b"), "this evening"),
    (re.compile(r"\b(in|every|each) (\d+) ?(?:mins?|m)\b"), r"\1 \2 minutes"),
    (re.compile(r"\b(in|every|each) (\d+) ?(?:hours?|hrs?|h)\b"), r"\1 \2 hours"),
    (
        re.compile(rf"\b(?:at )?(?:a )?(?P<past>half past|quarter past|quarter to) {_HOUR}\b"),
        lambda match: _in_figures(match),
    ),
    (re.compile(rf"\bat {_HOUR} (?P<past>fifteen|thirty|forty-five)\b"), lambda match: _in_figures(match)),
    (re.compile(rf"\bat (?P<hour>{'|'.join(_HOURS)})\b"), lambda match: f"at {_HOURS[match['hour']]}"),
    (re.compile(rf"\bat (\d{{1,2}}(?:[:.]\d{{2}})?) in the ({'|'.join(_PARTS)})\b"), r"in the \2 at \1"),
    (re.compile(rf"\b(?:every|each) ({'|'.join(_PARTS)})\b"), r"every day in the \1"),
]


def put_in_figures(text: str) -> str:
    """Return a phrase with times of day in figures, and with short forms spelled out."""
    for form, replacement in _SPELLED:
        text = form.sub(replacement, text)
    return text


def _in_figures(match: re.Match[str]) -> str:
    """Return "half past seven" as "at 7:30"."""
    hour, minutes = int(_HOURS.get(match["hour"], match["hour"])), _PAST[match["past"]]
    return f"at {hour}:{minutes}" if minutes > 0 else f"at {(hour - 1) % 24 or 12}:{60 + minutes}"


def _few_minutes_in_figures(match: re.Match[str]) -> str:
    """Return "ten to nine" as "at 8:50"; "9 to 5" without "at" is a span, and stays."""
    few, is_before = match["few"], match["to"] in ("to", "before")
    minutes = int(_FEW_MINUTES.get(few, few))
    hour = int(_HOURS.get(match["hour"], match["hour"]))
    if not 1 <= minutes <= 29 or hour > 24 or (is_before and few.isdecimal() and not match["at"]):
        return match[0]
    return f"at {(hour - 1) % 24 or 12}:{60 - minutes}" if is_before else f"at {hour}:{minutes:02}"


def split_clock(text: str) -> Iterator[tuple[str, time | None]]:
    """Yield the phrase without its time of day, with that time; last the whole with None."""
    for match in (_LAST.fullmatch(text), _FIRST.fullmatch(text)):
        if match and (clock := _time(match)) is not None:
            yield _without_part((match["rest"] or "").strip(" ,"), clock)
    yield text, None


def _without_part(rest: str, clock: time) -> tuple[str, time]:
    """Remove the part of the day from "tomorrow evening", and apply it: "at 7" is 19:00 then.

    A small hour of a night or an evening may be on either of two days: such a phrase stays.
    """
    match = re.fullmatch(rf"(.*?) ?(?:in the )?({'|'.join(_PARTS)})", rest)
    if match is None or clock.hour < _UNKNOWN_BEFORE.get(match[2], 0):
        return rest, clock
    return match[1], clock.replace(hour=clock.hour + 12) if clock.hour < 12 <= _PARTS[match[2]].hour else clock


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
