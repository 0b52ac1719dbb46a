"""Draw prices over time: coordinates for the SVG of a watch's page, and what a card's drawing needs of it.

The list of visits has the same values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import pairwise

from django.utils import formats, timezone

from thoughts.models.watches import Observation, Watch
from thoughts.text.numbers import money_text

DOTS_MAX, VISITS_MAX = 60, 400


@dataclass(frozen=True)
class Area:
    """The room of a drawing inside its margins."""

    width: int
    height: int
    beside: int
    above: int

    def x(self, at: datetime, start: datetime, end: datetime) -> float:
        share = (at - start) / (end - start) if end > start else 0.5
        return self.beside + share * (self.width - 2 * self.beside)

    def y(self, price: Decimal, low: Decimal, high: Decimal) -> float:
        return self.above + float((high - price) / (high - low)) * (self.height - 2 * self.above)


CHART = Area(640, 180, 8, 22)


@dataclass(frozen=True)
class Dot:
    x: str
    y: str
    label: str


@dataclass(frozen=True)
class Chart:
    """`line` holds the points of the price, which is valid until the next visit.

    `threshold` is the height of the owner's threshold, or empty.
    """

    line: str
    dots: list[Dot]
    threshold: str
    threshold_label: str
    first_at: datetime
    last_at: datetime
    summary: str


def chart_of(watch: Watch, visits: Sequence[Observation]) -> Chart | None:
    """Return the chart of visits, given newest first.

    None with fewer than two prices in the watch's currency.
    """
    priced = [visit for visit in reversed(visits) if visit.price is not None and visit.currency == watch.currency][
        -VISITS_MAX:
    ]
    if len(priced) < 2:
        return None
    prices = [visit.price for visit in priced if visit.price is not None]
    low, high = price_range([*prices, *([watch.below] if watch.below is not None else [])])
    start, end = priced[0].at, priced[-1].at
    places = [
        (CHART.x(visit.at, start, end), CHART.y(price, low, high)) for visit, price in zip(priced, prices, strict=True)
    ]
    return Chart(
        line=step_line(places),
        dots=_dots(places, priced)[-DOTS_MAX:],
        threshold=_coordinate(CHART.y(watch.below, low, high)) if watch.below is not None else "",
        threshold_label=money_text(watch.below, watch.currency),
        first_at=start,
        last_at=end,
        summary=f"{len(priced)} visits, {price_span(prices, watch.currency)}; "
        f"now {money_text(prices[-1], watch.currency)}",
    )


def price_span(prices: Sequence[Decimal], currency: str) -> str:
    return f"from {money_text(min(prices), currency)} to {money_text(max(prices), currency)}"


def price_range(values: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the lowest and the highest with some room; one value alone lies in the middle."""
    low, high = min(values), max(values)
    room = (high - low) / 10 or max(high / 10, Decimal(1))
    return low - room, high + room


def step_line(places: Sequence[tuple[float, float]]) -> str:
    points = [places[0]]
    for (_, before), (x, y) in pairwise(places):
        points += [(x, before), (x, y)]
    return " ".join(f"{_coordinate(x)},{_coordinate(y)}" for x, y in points)


def _dots(places: Sequence[tuple[float, float]], visits: Sequence[Observation]) -> list[Dot]:
    """Return a dot for each change of the price, and for the last visit."""
    marked = [0, *(n for n in range(1, len(visits)) if visits[n].price != visits[n - 1].price), len(visits) - 1]
    return [_dot(*places[n], visits[n]) for n in dict.fromkeys(marked)]


def _dot(x: float, y: float, visit: Observation) -> Dot:
    at = formats.date_format(timezone.localtime(visit.at), "j M Y, H:i")
    return Dot(_coordinate(x), _coordinate(y), f"{visit.money}, {at}")


def _coordinate(number: float) -> str:
    return f"{number:.1f}"
