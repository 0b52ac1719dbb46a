"""Parse time phrases: "every weekday at 8", "on the first Monday", "in 20 minutes".

A small grammar on recurrence rules, for whole phrases only: it does not guess at what it does not know. Penny reads the
time back to the owner. German phrases are translated first (agents/schedules/german_phrases.py).
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from agents.schedules.clock_phrases import put_in_figures, split_clock
from agents.schedules.day_phrases import parse_day
from agents.schedules.german_phrases import in_english
from agents.schedules.phrase_words import MONTH, MORNING, NUMBER, count_of
from agents.schedules.rule_phrases import parse_rule
from agents.schedules.span_phrases import parse_span
from agents.schedules.unclear_phrases import two_readings
from devices.owner import clock

WORDS_MAX, PHRASE_CHARACTERS = 14, 200
_HALF = "and a half"
_MINUTES = {"minute": 1, "min": 1, "hour": 60, "day": 24 * 60, "week": 7 * 24 * 60}
# Words after a time that belong to it: an invalid time of day, more minutes, another time of day.
_NO_TIME = re.compile(r"(?:at|@) ?\d|and a half|the \d{1,2}(?:st|nd|rd|th)\b")
_MORE_MINUTES = re.compile(r"\d{1,3} ?(?:min|hour|day|week)")
_DAY_WITHOUT_MONTH, _MONTH_FIRST = re.compile(r"\d{1,2}(?:\.|st|nd|rd|th)"), re.compile(rf"(?:of )?(?:{MONTH})\b")
_JOINED = re.compile(r"(?:and|or|but|from|until|till|except|starting|oder|ab|bis|ausser) (?:on |at )?")
_ALSO_AT = re.compile(r"\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?\b")
_JOINS = re.compile(
    r"^(?:(?:me|mich|mir)\b\s*)?(?:(?:to|that|about|daran|dass|an (?=(?:d|mein|dein)\w+ ))\b,?\s*)?", re.IGNORECASE
)


@dataclass(frozen=True)
class When:
    """A parsed time.

    `rule`: how it repeats, empty for once. `at`: the time of a one-time event on the owner's clock. `after`: the time
    from now, for so many minutes or hours. If the clock changes until then, `at` is an hour off. `other`: a second
    time that the phrase may mean as well; the owner is then asked which. `zone`: the time zone that the words name, on
    whose clock `at` is then.
    """

    rule: str = ""
    at: datetime | None = None
    after: timedelta | None = field(default=None, compare=False)
    other: datetime | None = None
    zone: ZoneInfo | None = None

    @property
    def keeps_moment(self) -> bool:
        """Whether the time stays the same moment wherever the owner goes."""
        return self.after is not None or self.zone is not None

    def moment(self, now: datetime) -> datetime:
        """Return when a one-time event comes. `now` has a timezone."""
        assert self.at is not None
        return now + self.after if self.after else self.at.replace(tzinfo=self.zone or clock.zone())


def plain_time(moment: datetime) -> str:
    """Return a local time as a phrase that can be read in one way only."""
    return f"{moment.day} {moment:%B %Y} at {moment:%H:%M}"


def split_time(text: str, now: datetime) -> tuple[When, str] | None:
    """Return the time and the rest of a text, None if it does not begin or end with a time.

    The longest phrase counts. `now`: on the owner's clock, without a timezone.
    """
    words = text.split()
    words = words[1:] if words and words[0].lower() in ("me", "mich", "mir") else words
    for count in range(min(len(words), WORDS_MAX), 0, -1):
        if when := parse_time(" ".join(words[:count]), now):
            return (
                None if _goes_on(words[:count], words[count:], now) else (when, _without_joining_words(words[count:]))
            )
    for count in range(min(len(words) - 1, WORDS_MAX), 0, -1):
        if when := parse_time(" ".join(words[-count:]), now):
            return when, _without_joining_words(words[:-count])
    return None


def _without_joining_words(words: list[str]) -> str:
    return _JOINS.sub("", " ".join(words).strip(" :,–-")).strip()


def _goes_on(phrase: list[str], rest: list[str], now: datetime) -> bool:
    """Return whether the rest continues the time: a time that is half understood is wrong.

    A colon ends the time. The rest may begin with a rule or a day: "every friday at 4 weekly report".
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
        or (_DAY_WITHOUT_MONTH.fullmatch(phrase[-1]) and _MONTH_FIRST.match(text))
    ):
        return True
    words = text.split()
    return any(_is_time(words[:count], now, whatever=joined is not None) for count in range(1, 5))


def _is_time(words: list[str], now: datetime, *, whatever: bool) -> bool:
    when = parse_time(" ".join(words), now)
    if when is None or whatever:
        return when is not None
    return when.at is not None and (len(words) > 1 or words[0] in ("today", "tonight", "tomorrow"))


def parse_time(phrase: str, now: datetime) -> When | None:
    if len(phrase) > PHRASE_CHARACTERS:
        return None
    text = " ".join(phrase.lower().replace(",", " , ").split()).strip(" :,–-").replace(" ,", ",")
    return _parse_phrase(text, now) or (
        _parse_phrase(text.rstrip(".!?"), now) if text.endswith((".", "!", "?")) else None
    )


def _parse_phrase(text: str, now: datetime) -> When | None:
    text = put_in_figures(in_english(text))
    if when := _evenly(text) or _from_now(text, now):
        return when
    if readings := two_readings(text, now):
        first, second = readings
        return When(at=first, other=second) if first > now else When(at=second)
    for rest, time_of_day in split_clock(text):
        if when := _at(rest, time_of_day, now):
            return when
    return None


def _evenly(text: str) -> When | None:
    """Parse "every 20 minutes", "hourly"."""
    if text == "hourly":
        return When("FREQ=HOURLY;INTERVAL=1")
    match = re.fullmatch(
        rf"(?:every|each) (?:(?P<count>{NUMBER}) )?(?P<half>{_HALF} )?(?P<unit>minute|hour)s?(?P<half2> {_HALF})?",
        text,
    )
    minutes = _minutes(match) if match else None
    if match is None or minutes is None or minutes % 1:
        return None
    if match["unit"] == "hour" and minutes % 60 == 0:
        return When(f"FREQ=HOURLY;INTERVAL={minutes // 60:.0f}")
    return When(f"FREQ=MINUTELY;INTERVAL={minutes:.0f}")


def _from_now(text: str, now: datetime) -> When | None:
    match = re.fullmatch(
        rf"in (?P<count>{NUMBER}) (?P<half>{_HALF} )?(?P<unit>minute|min|hour|day|week)s?(?P<half2> {_HALF})?", text
    )
    minutes = _minutes(match) if match else None
    if match is not None and minutes is not None:
        after = timedelta(minutes=minutes)
        return When(at=now + after, after=after if _MINUTES[match["unit"]] <= 60 else None)
    span = None if match else parse_span(text, now)
    return When(at=span[0], after=span[1]) if span else None


def _minutes(match: re.Match[str]) -> float | None:
    """Return a count of some unit in minutes, None for what says nothing (half a day)."""
    count, unit, is_more = count_of(match["count"]), _MINUTES[match["unit"]], match["half"] or match["half2"]
    if count == 0:
        return 30 if unit == 60 and not is_more and match["count"].startswith("half") else None
    return (count + 0.5 if is_more else count) * unit


def _at(rest: str, clock: time | None, now: datetime) -> When | None:
    if rule := parse_rule(rest):
        at = clock or MORNING
        return When(f"{rule};BYHOUR={at.hour};BYMINUTE={at.minute};BYSECOND=0")
    day = parse_day(rest, clock, now)
    if day is None:
        return None
    moment = datetime.combine(day, clock or MORNING)
    return When(at=moment) if moment > now else None
