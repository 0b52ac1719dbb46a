"""Filter the feed by words, preference, source and time.

The address carries the whole filter.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, Subquery
from django.utils import timezone

from thoughts.index.finds import Query, holding, holding_among_few, place_of
from thoughts.models import Thought, ThoughtQuerySet

FEW = 500  # thoughts of a view; up to this number they are compared one by one
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True)
class Filter:
    """A filter, each part optional. `since` is a key of DAYS.

    `newest` orders new thoughts by time and filters nothing.
    """

    words: str = ""
    preference: int | None = None
    source: str = ""
    since: str = ""
    newest: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.preference or self.source or self.since)

    @property
    def is_search(self) -> bool:
        """Whether the index of words answers. Its pages have cursors of their own."""
        return bool(self.words or self.source)

    @property
    def in_address(self) -> str:
        order = "newest" if self.newest else ""
        parameters = {
            "q": self.words,
            "preference": self.preference,
            "source": self.source,
            "since": self.since,
            "order": order,
        }
        return urlencode({name: value for name, value in parameters.items() if value})

    def begin(self, now: datetime) -> datetime | None:
        return now - timedelta(days=DAYS[self.since]) if self.since else None


def narrowed(rows: ThoughtQuerySet, by: Filter, behind: tuple[datetime, UUID] | None = None) -> ThoughtQuerySet:
    """Return the filtered rows of one view; a search is in the order of the index.

    `behind`: in a search, return only rows after the thought of this time and key.
    """
    begin = by.begin(timezone.now())
    if by.is_search:
        rows = _search_rows(rows, by, begin, place_of(*behind) if behind else None)
    if begin:
        rows = rows.filter(created_at__gte=begin)
    return rows.filter(preference=by.preference) if by.preference else rows


def _search_rows(rows: ThoughtQuerySet, by: Filter, begin: datetime | None, before: int | None) -> ThoughtQuerySet:
    """Search rows by words and source.

    The index is limited to the time span of the view. A few rows are compared one by one instead.
    """
    query = Query.of(by.words, by.source)
    if by.words and not query.words:
        return rows.none()
    if not rows.order_by()[FEW : FEW + 1].exists():
        return holding_among_few(rows if before is None else rows.filter(words__id__lt=before), query)
    oldest, newest = _ends(rows)
    query = Query.of(by.words, by.source, max(begin or oldest, oldest), newest)
    return holding(rows, query if before is None else query.before(before))


def _ends(rows: ThoughtQuerySet) -> tuple[datetime, datetime]:
    """Return the creation times of the oldest and the newest row.

    One query, which an index answers.
    """
    keys = [
        Subquery(rows.order_by(*order).values("pk")[:1]) for order in (("created_at", "id"), ("-created_at", "-id"))
    ]
    times = Thought.objects.filter(Q(pk=keys[0]) | Q(pk=keys[1])).values_list("created_at", flat=True)
    return min(times), max(times)
