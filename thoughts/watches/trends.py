"""How the price of each watch changed since it began: in words, and as the small drawing of its card."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Lag
from django.utils import formats, timezone

from thoughts.models.watches import Observation, Watch
from thoughts.text.numbers import money_text
from thoughts.watches.chart import Area, price_range, price_span, step_line

AREA = Area(120, 32, 3, 3)
DRAWN = timedelta(days=90)
CHANGES_MAX = 120  # of one watch, the newest


@dataclass(frozen=True)
class Trend:
    """The change from the first price to the last. `is_whole`: the first is from the watch's first day."""

    first: Observation
    last: Observation
    is_whole: bool
    line: str
    summary: str

    @property
    def share(self) -> float:
        """Return the change as a share of the first price."""
        assert self.first.price
        assert self.last.price
        return float((self.last.price - self.first.price) / self.first.price)


def trends_of(watches: Iterable[Watch]) -> dict[int, Trend]:
    """Return the trend of each watch with at least two prices, in three queries however many there are."""
    by_key = {watch.pk: watch for watch in watches if not watch.is_for_items}
    ends = _first_and_last(by_key)
    changes = _changes(ends, timezone.now() - DRAWN)
    return {key: _trend(by_key[key], *ends[key], changes.get(key, [])) for key in ends}


def _priced() -> QuerySet[Observation]:
    return Observation.objects.filter(price__gt=0, currency=F("watch__currency"))


def _first_and_last(keys: Iterable[int]) -> dict[int, tuple[Observation, Observation]]:
    mine = _priced().filter(watch=OuterRef("pk")).values("pk")
    first, last = Subquery(mine.order_by("at", "id")[:1]), Subquery(mine.order_by("-at", "-id")[:1])
    rows = Watch.objects.filter(pk__in=list(keys)).annotate(first=first, last=last)
    pairs = {key: (a, b) for key, a, b in rows.values_list("pk", "first", "last") if a != b}
    visits = Observation.objects.only("watch", "at", "price", "currency").in_bulk(
        [visit for pair in pairs.values() for visit in pair]
    )
    return {key: (visits[a], visits[b]) for key, (a, b) in pairs.items() if a in visits and b in visits}


def _changes(keys: Iterable[int], since: datetime) -> dict[int, list[tuple[datetime, Decimal]]]:
    """Return the visits whose price differs from that of the visit before, oldest first."""
    before = Window(Lag("price"), partition_by=F("watch"), order_by=[F("at").asc(), F("id").asc()])
    rows = _priced().filter(watch__in=list(keys), at__gte=since).annotate(before=before)
    rows = rows.filter(Q(before=None) | ~Q(before=F("price"))).order_by("at", "id")
    changes: dict[int, list[tuple[datetime, Decimal]]] = {}
    for key, at, price in rows.values_list("watch", "at", "price"):
        assert price
        changes.setdefault(key, []).append((at, price))
    return changes


def _trend(watch: Watch, first: Observation, last: Observation, changes: list[tuple[datetime, Decimal]]) -> Trend:
    assert last.price
    points = [*changes[-CHANGES_MAX:], (last.at, last.price)]
    prices = [price for _, price in points]
    low, high = price_range(prices)
    start, end = points[0][0], points[-1][0]
    line = step_line([(AREA.x(at, start, end), AREA.y(price, low, high)) for at, price in points])
    now, day = money_text(last.price, watch.currency), formats.date_format(timezone.localtime(start), "j M")
    summary = f"{now} since {day}" if len(set(prices)) == 1 else f"since {day} {price_span(prices, watch.currency)}"
    return Trend(first, last, first.at - watch.created_at < timedelta(days=1), line, summary)
