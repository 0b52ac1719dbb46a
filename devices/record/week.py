"""The week of the Sunday receipt: which days it has, and what left this machine in them.

The receipt is made from the counts each time it is shown. Only that the owner put it away is stored.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from constance import config
from django.db import transaction

from devices.grants.engines import known_name
from devices.models import HostCount, PutAwayReceipt

SUNDAY = 6
HOSTS_NAMED = 4
A_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Line:
    """A line of the receipt: how many of what, and to which hosts."""

    count: int
    what: str
    hosts: str


WORDS = {
    HostCount.Way.SEARCH: ("search", "searches", "through"),
    HostCount.Way.PAGE: ("page opened", "pages opened", ""),
    HostCount.Way.MODEL: ("question to a model", "questions to models", "at"),
    HostCount.Way.MESSAGE: ("message to you", "messages to you", "over"),
}


def week_over(today: date) -> date:
    """Return the Sunday on which the last whole week began. A week ends on Saturday."""
    return today - timedelta(days=(today.weekday() - SUNDAY) % 7) - A_WEEK


def read_week(text: str) -> date | None:
    """Parse the Sunday of a week; None for any other text."""
    try:
        day = date.fromisoformat(text)
        return day if day.weekday() == SUNDAY and day + A_WEEK else None
    except (ValueError, OverflowError):
        return None


def lines_of(week: date) -> list[Line]:
    """Return a line for each way in which something left this machine in the week."""
    rows = list(HostCount.objects.filter(day__range=(week, week + A_WEEK - timedelta(days=1))))
    return [line for way in WORDS if (line := _line(way, [row for row in rows if row.way == way]))]


def _line(way: str, rows: list[HostCount]) -> Line | None:
    count, hosts = sum(row.count for row in rows), sorted({row.host for row in rows})
    if not count:
        return None
    one, many, before = WORDS[HostCount.Way(way)]
    if way == HostCount.Way.PAGE:
        where = f"on {len(hosts):,} site{'' if len(hosts) == 1 else 's'}"
    else:
        rest = f" and {len(hosts) - HOSTS_NAMED:,} more" if len(hosts) > HOSTS_NAMED else ""
        where = f"{before} {', '.join(known_name(host) for host in hosts[:HOSTS_NAMED])}{rest}"
    return Line(count, one if count == 1 else many, where)


def is_whole(week: date, today: date) -> bool:
    """Whether the counts of each of its days are still there."""
    kept_days = config.KEEP_RECORD_DAYS
    return not kept_days or (today - week).days <= kept_days


def is_put_away(week: date) -> bool:
    return PutAwayReceipt.objects.filter(week=week).exists()


@transaction.atomic
def put_away(week: date) -> None:
    PutAwayReceipt.objects.exclude(week=week).delete()
    PutAwayReceipt.objects.get_or_create(week=week)


def put_back(week: date) -> None:
    PutAwayReceipt.objects.filter(week=week).delete()
