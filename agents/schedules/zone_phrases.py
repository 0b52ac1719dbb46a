"""Parse times on the owner's clock, or in a zone that the words name: "9 Berlin time", "14:00 UTC", "Berliner Zeit"."""

from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from agents.schedules.time_phrases import When, parse_time, split_time
from devices.owner import clock
from devices.owner.timezones import parse_timezone

_SHORT = frozenset({"utc", "gmt", "cet", "eet", "est", "mst", "hst"})
_TIME, PLACE_WORDS = ("time", "zeit"), 3


@dataclass(frozen=True)
class _Zoned:
    """The words before the zone, the zone, and the words after it."""

    before: str
    zone: ZoneInfo
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{'' if self.after.startswith(':') else ' '}{self.after}".strip()


def time_and_words(text: str, now: datetime) -> tuple[When, str] | None:
    """Return the time and the rest of a text, None if it does not begin or end with a time. `now` has a timezone."""
    zoned = _split_zone(text, now, is_whole=False)
    if zoned is None:
        return split_time(text, _local(now, clock.zone()))
    for local in _clocks(now, zoned.zone):
        if (parts := split_time(zoned.text, local)) and (when := _in_zone(parts[0], zoned.zone, now)):
            return when, parts[1]
    return None


def time_of(phrase: str, now: datetime) -> When | None:
    """Return the time of a whole phrase. `now` has a timezone."""
    zoned = _split_zone(phrase, now, is_whole=True)
    if zoned is None:
        return parse_time(phrase, _local(now, clock.zone()))
    times = (parse_time(zoned.text, local) for local in _clocks(now, zoned.zone))
    return next((when for time in times if time and (when := _in_zone(time, zoned.zone, now))), None)


def _clocks(now: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the owner's local time and that of the zone, the earlier first: from it no time to come is missed."""
    return sorted([_local(now, clock.zone()), _local(now, zone)])


def _in_zone(when: When, zone: ZoneInfo, now: datetime) -> When | None:
    """Return the time on the clock of the zone, None if that is over."""
    if when.at is None or when.after:
        return when
    zoned = replace(when, zone=zone)
    return zoned if zoned.moment(now) > now else None


def _local(now: datetime, zone: ZoneInfo) -> datetime:
    return now.astimezone(zone).replace(tzinfo=None)


def _split_zone(text: str, now: datetime, *, is_whole: bool) -> _Zoned | None:
    """Split a text at the first zone that belongs to a time. `is_whole`: nothing but the time may be there."""
    words = text.split()
    for end, word in enumerate(words):
        bare = word.rstrip(":,.;!?")
        if zone_there := _zone_at(words, end, bare.lower()):
            begin, zone = zone_there
            mark = ":" if word.endswith(":") else ""
            before, after = " ".join(words[:begin]), f"{mark} {' '.join(words[end + 1 :])}".strip()
            if any(_belongs_to_time(before, after, local, is_whole=is_whole) for local in _clocks(now, zone)):
                return _Zoned(before, zone, after)
    return None


def _belongs_to_time(before: str, after: str, local: datetime, *, is_whole: bool) -> bool:
    """Return whether the words before a zone are a time, or end with one and nothing follows."""
    if parse_time(before.removeprefix("me "), local):
        return not (is_whole and after)
    parts = None if after or is_whole else split_time(before, local)
    return parts is not None and bool(parts[1]) and not before.endswith(parts[1])


def _zone_at(words: list[str], end: int, bare: str) -> tuple[int, ZoneInfo] | None:
    """Return where a zone that ends with this word begins."""
    if bare in _TIME:
        for begin in range(max(1, end - PLACE_WORDS), end):
            if name := _zone_name(" ".join(words[begin:end]).lower(), is_german=bare == "zeit"):
                return begin, ZoneInfo(name)
    elif bare in _SHORT or "/" in bare or bare.startswith(("utc+", "utc-", "gmt+", "gmt-")):
        name = parse_timezone(bare)
        return (end, ZoneInfo(name)) if name else None
    return None


def _zone_name(place: str, *, is_german: bool) -> str | None:
    if place in _SHORT or not is_german:
        return parse_timezone(place.removesuffix("'s").removesuffix("’s"))
    return parse_timezone(place) or parse_timezone(place.removesuffix("er"))
