"""The history of a price as a drawing: places for the template's SVG, in its own units. The table beside it says the
same in words.
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
    """`line`: the points of the price, which holds until the next visit. `threshold`: the height of the owner's, empty
    for none.
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
    """Return the drawing of visits, the newest first; None where fewer than two saw a price in the watch's currency."""
    seen = [each for each in reversed(visits) if each.price is not None and each.currency == watch.currency][
        -VISITS_MAX:
    ]
    if len(seen) < 2:
        return None
    prices = [each.price for each in seen if each.price is not None]
    low, high = _range([*prices, *([watch.below] if watch.below is not None else [])])
    start, end = seen[0].at, seen[-1].at
    places = [(_x(each.at, start, end), _y(price, low, high)) for each, price in zip(seen, prices, strict=True)]
    return Chart(
        line=_steps(places),
        dots=[_dot(x, y, each) for (x, y), each in zip(places, seen, strict=True)][-DOTS_MAX:],
        threshold=_said(_y(watch.below, low, high)) if watch.below is not None else "",
        threshold_label=money(watch.below, watch.currency),
        highest=money(max(prices), watch.currency),
        lowest=money(min(prices), watch.currency),
        first_at=start,
        last_at=end,
        summary=f"{len(seen)} visits, from {money(min(prices), watch.currency)} to "
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
    return " ".join(f"{_said(x)},{_said(y)}" for x, y in points)


def _dot(x: float, y: float, visit: Observation) -> Dot:
    return Dot(_said(x), _said(y), f"{visit.money}, {timezone.localtime(visit.at):%Y-%m-%d %H:%M}")


def _said(number: float) -> str:
    return f"{number:.1f}"
