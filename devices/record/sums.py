"""Sum the counts of what left this machine, and say the sums in words."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from devices.models import HostCount

NOUNS = {
    HostCount.Way.MODEL: ("question to a model", "questions to models"),
    HostCount.Way.PAGE: ("page opened", "pages opened"),
    HostCount.Way.SEARCH: ("search", "searches"),
    HostCount.Way.MESSAGE: ("message to you", "messages to you"),
}


@dataclass
class Sum:
    """What went to a host, or left on a day, in all its ways."""

    name: str | date
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    last: date | None = None

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        parts = ((self.counts.get(way, 0), nouns) for way, nouns in NOUNS.items())
        return ", ".join(f"{count:,} {nouns[count != 1]}" for count, nouns in parts if count)


def sums(rows: Iterable[HostCount], by: str = "") -> list[Sum]:
    """Sum the rows by a field, or all together; nothing for no rows."""
    by_name: dict[str | date, Sum] = {}
    for row in rows:
        name = getattr(row, by) if by else ""
        one = by_name.setdefault(name, Sum(name))
        one.counts[row.way] += row.count
        one.last = max(row.day, one.last or row.day)
    return list(by_name.values())
