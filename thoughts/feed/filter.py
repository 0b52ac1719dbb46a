"""What the owner narrows the feed down to: words, a preference, a source, a time. All of it stands in the address."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, Subquery
from django.utils import timezone

from thoughts.feed.word_index import Query, holding, holding_among_few, place_of
from thoughts.models import Thought, ThoughtQuerySet

FEW = 500  # thoughts of a view: so many are looked at one by one
DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True)
class Filter:
    """Each part may be left out. `since` is one of DAYS. `newest`: new thoughts by their time alone, which narrows
    nothing down.
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
        """Whether the index of words answers. Its pages go by its own keys."""
        return bool(self.words or self.source)

    @property
    def in_address(self) -> str:
        """Return the parameters of a GET that say the same."""
        order = "newest" if self.newest else ""
        said = {
            "q": self.words,
            "preference": self.preference,
            "source": self.source,
            "since": self.since,
            "order": order,
        }
        return urlencode({name: value for name, value in said.items() if value})

    def begin(self, now: datetime) -> datetime | None:
        return now - timedelta(days=DAYS[self.since]) if self.since else None


def narrowed(rows: ThoughtQuerySet, by: Filter, behind: tuple[datetime, UUID] | None = None) -> ThoughtQuerySet:
    """Return what of `rows`, all of one view, the filter leaves; in the order of the index where that answers.

    `behind`: of what a search finds, the part that comes after the thought of this time and key.
    """
    begin = by.begin(timezone.now())
    if by.is_search:
        rows = _found(rows, by, begin, place_of(*behind) if behind else None)
    if begin:
        rows = rows.filter(created_at__gte=begin)
    return rows.filter(preference=by.preference) if by.preference else rows


def _found(rows: ThoughtQuerySet, by: Filter, begin: datetime | None, before: int | None) -> ThoughtQuerySet:
    """Look no further than the view goes: a few thoughts, new or saved, are not looked for among all that there ever
    were.
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
    """Return when the first and the last of some rows were made, in one query that two places of an index answer."""
    keys = [
        Subquery(rows.order_by(*order).values("pk")[:1]) for order in (("created_at", "id"), ("-created_at", "-id"))
    ]
    made = Thought.objects.filter(Q(pk=keys[0]) | Q(pk=keys[1])).values_list("created_at", flat=True)
    return min(made), max(made)
