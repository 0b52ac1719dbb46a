"""Parse how long from now: "in 2h30m", "in a month", "3 days from now"."""

import re
from datetime import datetime, timedelta

from agents.schedules.phrase_words import COUNTS

PHRASE_CHARACTERS = 60
_UNITS = r"minutes?|mins?|m|hours?|hrs?|hr|h|days?|d|weeks?|wks?|w|months?|years?"
_AMOUNT = rf"\d{{1,4}}(?:\.\d{{1,2}})? ?(?:{_UNITS})"
_SPAN = rf"({_AMOUNT}(?:(?:,| and|, and)? ?{_AMOUNT}){{0,3}})"
_FORMS = (re.compile(rf"in {_SPAN}"), re.compile(rf"{_SPAN} (?:from now|later)"))
_IN_WORDS = re.compile(rf"\b({'|'.join(name for name, count in COUNTS.items() if count)}) (?=(?:{_UNITS})\b)")
_LONG_UNIT = re.compile(r"\d ?(?:d|w|y|mo)")


def parse_span(text: str, now: datetime) -> tuple[datetime, timedelta | None] | None:
    """Return when a span from now ends, with its length where it counts hours or minutes alone.

    dateparser takes nearly everything for a time, so only text of this shape reaches it. It is imported here, as its
    tables cost 150 ms.
    """
    text = _IN_WORDS.sub(lambda match: f"{COUNTS[match[1]]} ", text) if len(text) <= PHRASE_CHARACTERS else ""
    match = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if match is None or re.search(r"(?<![\d.])0+(?:\.0+)? ?[a-z]", match[1]):
        return None
    from dateparser import parse

    settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "future", "PARSERS": ["relative-time"]}
    end = parse(f"in {match[1]}", languages=["en"], settings=settings)
    if end is None or end <= now:
        return None
    return end, None if _LONG_UNIT.search(match[1]) else end - now
