"""What the owner narrows the feed down to: words, a preference, a source, a time. All of it stands in the address."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.utils import timezone

from thoughts.models import ThoughtQuerySet
from thoughts.searching import Query, holding

DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


@dataclass(frozen=True)
class Filter:
    """Each part may be left out. `since` is one of DAYS. `newest`: new thoughts by their time alone, which narrows nothing down."""

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
        said = {"q": self.words, "preference": self.preference, "source": self.source, "since": self.since, "order": order}
        return urlencode({name: value for name, value in said.items() if value})

    def begin(self, now: datetime) -> datetime | None:
        return now - timedelta(days=DAYS[self.since]) if self.since else None


def narrowed(rows: ThoughtQuerySet, by: Filter) -> ThoughtQuerySet:
    """Return what of `rows`, all of one view, the filter leaves; in the order of the index where that answers."""
    begin = by.begin(timezone.now())
    if by.is_search:
        rows = _found(rows, by, begin)
    if begin:
        rows = rows.filter(created_at__gte=begin)
    return rows.filter(preference=by.preference) if by.preference else rows


def _found(rows: ThoughtQuerySet, by: Filter, begin: datetime | None) -> ThoughtQuerySet:
    """Look no further back than the view goes: the few new thoughts are not looked for among all that there ever were."""
    oldest = rows.order_by("created_at", "id").values_list("created_at", flat=True).first()
    if oldest is None:
        return rows.none()
    query = Query.of(by.words, by.source, max(begin or oldest, oldest))
    return holding(rows, query) if query.words or not by.words else rows.none()
