"""Compute the chart of a price: coordinates for the template's SVG.

The table beside it has the same values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from thoughts.models.watches import Observation, Watch, money

WIDTH, HEIGHT = 640, 180
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 22, 22
DOTS_MAX, VISITS_MAX = 60, 400


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
    highest: str
    lowest: str
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
    low, high = _range([*prices, *([watch.below] if watch.below is not None else [])])
    start, end = priced[0].at, priced[-1].at
    places = [(_x(visit.at, start, end), _y(price, low, high)) for visit, price in zip(priced, prices, strict=True)]
    return Chart(
        line=_steps(places),
        dots=[_dot(x, y, visit) for (x, y), visit in zip(places, priced, strict=True)][-DOTS_MAX:],
        threshold=_coordinate(_y(watch.below, low, high)) if watch.below is not None else "",
        threshold_label=money(watch.below, watch.currency),
        highest=money(max(prices), watch.currency),
        lowest=money(min(prices), watch.currency),
        first_at=start,
        last_at=end,
        summary=f"{len(priced)} visits, from {money(min(prices), watch.currency)} to "
        f"{money(max(prices), watch.currency)}; "
        f"now {money(prices[-1], watch.currency)}",
    )


def _range(values: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the lowest and the highest with some room; one value alone lies in the middle."""
    low, high = min(values), max(values)
    room = (high - low) / 10 or max(high / 10, Decimal(1))
    return low - room, high + room


def _x(at: datetime, start: datetime, end: datetime) -> float:
    share = (at - start) / (end - start) if end > start else 0.5
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(price: Decimal, low: Decimal, high: Decimal) -> float:
    return TOP + float((high - price) / (high - low)) * (HEIGHT - TOP - BOTTOM)


def _steps(places: Sequence[tuple[float, float]]) -> str:
    points = [places[0]]
    for x, y in places[1:]:
        points += [(x, points[-1][1]), (x, y)]
    return " ".join(f"{_coordinate(x)},{_coordinate(y)}" for x, y in points)


def _dot(x: float, y: float, visit: Observation) -> Dot:
    return Dot(_coordinate(x), _coordinate(y), f"{visit.money}, {timezone.localtime(visit.at):%Y-%m-%d %H:%M}")


def _coordinate(number: float) -> str:
    return f"{number:.1f}"
