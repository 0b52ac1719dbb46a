"""Settled changes of visits, compared with a second implementation on random visits."""

import random
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from django.utils import timezone

from thoughts.models import Observation, Watch
from thoughts.models.watches import CONFIRM_AFTER
from thoughts.models.watches import Observation as Visit
from thoughts.watches.changes import address_key, come_again, settle_price

PRICES = [("950", "EUR"), ("899", "EUR"), ("900", "EUR"), ("5", "USD"), (None, ""), ("5", "")]
NOW = timezone.now()


def visits_of(dice: random.Random, count: int) -> list[Observation]:
    """Return random visits: repeated, changed, in another currency, or without a value."""
    visits: list[Observation] = []
    for _ in range(count):
        if visits and dice.random() < 0.5:
            last = visits[-1]
            visits.append(Visit(price=last.price, currency=last.currency, stock=last.stock))
        else:
            price, currency = dice.choice(PRICES)
            stock = dice.choice(["in", "out", "unknown"])
            visits.append(Visit(price=Decimal(price) if price else None, currency=currency, stock=stock))
    return visits


def expected_reports(visits: list[Observation]) -> list[tuple[int, str]]:
    """Return the expected reports by number of the visit: changes that two visits in a row confirm."""
    reports, is_below, in_stock = [], False, None
    for number, (before, now) in enumerate(pairwise([None, *visits])):
        assert now is not None
        below = [
            None if visit is None or visit.price is None or visit.currency != "EUR" else visit.price < 900
            for visit in (before, now)
        ]
        if below[0] is not None and below[0] == below[1] != is_below:
            is_below = bool(below[1])
            reports += [(number, "below")] if is_below else []
        stock = [{"in": True, "out": False}.get(visit.stock if visit else "") for visit in (before, now)]
        if stock[0] is not None and stock[0] == stock[1] != in_stock:
            reports += [(number, "back")] if stock[1] and in_stock is False else []
            in_stock = stock[1]
    return reports


def reports_of_watch(visits: list[Observation]) -> list[tuple[int, str]]:
    watch, before, reports = Watch(below=Decimal(900), currency="EUR", when_back=True), None, []
    for number, visit in enumerate(visits):
        verdict = settle_price(watch, visit, before)
        reports += [(number, what) for what in verdict.reports if what != "shape"]
        come_again(watch, verdict, NOW)
        assert watch.next_check_at <= NOW + (CONFIRM_AFTER if verdict.look_again else timedelta(minutes=70))
        before = visit
    return reports


def compare(rounds: int, seed: int) -> None:
    dice = random.Random(seed)
    alerts = 0
    for _ in range(rounds):
        visits = visits_of(dice, 40)
        expected = expected_reports(visits)
        assert reports_of_watch(visits) == expected, [
            (str(visit.price), visit.currency, visit.stock) for visit in visits
        ]
        alerts += len(expected)
    assert alerts > rounds  # something happens in most of them


def test_what_is_told_is_what_two_visits_in_a_row_say_and_nothing_else() -> None:
    compare(200, 1)


@pytest.mark.long
def test_that_holds_for_many_more_shops() -> None:
    for seed in range(50):
        compare(400, seed)


def test_a_value_that_is_away_for_long_is_said_once_until_it_is_back() -> None:
    nothing, something = Visit(price=None, stock="unknown"), Visit(price=Decimal(950), currency="EUR", stock="in")
    watch, before, reports_at = Watch(below=Decimal(900), currency="EUR"), None, []
    for number, visit in enumerate([something, *[nothing] * 9, something, *[nothing] * 4]):
        verdict = settle_price(watch, visit, before)
        if "shape" in verdict.reports:
            reports_at.append(number)
            watch.missing_told_at = NOW
        before = visit
    assert reports_at == [3, 13]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("https://www.a.example/t/1/?utm_source=x&b=2&a=1#end", "http://a.example/t/1?a=1&b=2", True),
        ("https://a.example/t?id=1", "https://a.example/t?id=2", False),
        ("https://a.example/t?reference=1", "https://a.example/t", False),
        ("https://a.example/t?ref=feed", "https://a.example/t", True),
        ("https://[broken", "https://[broken", True),
    ],
)
def test_an_address_is_the_same_however_somebody_came_there(one: str, other: str, is_same: bool) -> None:
    assert (address_key(one) == address_key(other)) == is_same
