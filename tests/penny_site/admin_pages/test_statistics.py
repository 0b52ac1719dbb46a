"""What thinking brings and costs, as the admin shows it."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from constance import config
from django.test import Client
from django.utils import timezone

from agents.models import Run
from agents.thinking.statistics import yields
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought

pytestmark = pytest.mark.django_db


def run(state: str, at: datetime, seconds: int = 10, **fields: Any) -> Run:
    times = {"created_at": at, "started_at": at, "ended_at": at + timedelta(seconds=seconds)}
    return Run.objects.create(**{"kind": Run.Kind.THINKING, "state": state} | times | fields)


@pytest.fixture
def week() -> datetime:
    """Runs of two days, for two preferences, and others that are no thinking. Returns the day of the first ones."""
    config.TIMEZONE = "Pacific/Auckland"
    now = timezone.now().replace(hour=23, minute=0)  # there it is the next day
    first = now - timedelta(days=3)
    maps, espresso = Preference.objects.create(text="maps"), Preference.objects.create(text="espresso <b>")
    liked = Thought.objects.create(title="A", text="A", reaction=1)
    run(
        "done",
        first,
        preference=maps,
        thought=liked,
        spent_tokens=900,
        spent_micros=1_100_000,
        spent_pages=3,
        explores=True,
    )
    run(
        "discarded",
        first,
        preference=maps,
        outcome="The same as “One”.",
        spent_tokens=300,
        spent_micros=400_000,
        spent_seconds=5,
    )
    run(
        "discarded", first + timedelta(days=1), preference=espresso, outcome="The same as “Another”.", spent_tokens=4000
    )
    run("failed", first + timedelta(days=1), preference=espresso, outcome="The model did not answer.")
    run("done", first, kind=Run.Kind.LEARNING, spent_tokens=77, spent_micros=90)
    run("done", first, kind=Run.Kind.TURN, spent_tokens=10**6, spent_micros=10**9)
    run("done", first - timedelta(days=30), preference=maps, spent_tokens=10**6)
    return first


def test_runs_are_counted_by_day_and_by_preference_with_their_cost(week: datetime) -> None:
    found = yields(7)
    local = [(week + timedelta(days=more)).strftime("%Y-%m-%d") for more in (2, 1)]
    assert [(row.name, row.runs, row.thoughts, row.tokens) for row in found.by_day] == [
        (local[0], 2, 0, 4000),
        (local[1], 2, 1, 1200),
    ]
    assert [(row.name, row.share, row.tokens) for row in found.by_preference] == [
        ("espresso <b>", 0, 4000),
        ("maps", 50, 1200),
    ]
    maps = found.by_preference[1]
    assert (maps.liked, maps.disliked, maps.discarded, maps.explored, maps.pages, maps.seconds) == (1, 0, 1, 1, 3, 25.0)
    assert (found.total.runs, found.total.failed, found.total.tokens_per_thought, found.learning.tokens) == (
        4,
        1,
        5200,
        77,
    )


def test_money_is_that_of_the_runs_whose_models_have_a_price(week: datetime) -> None:
    found = yields(7)
    assert [(row.name, row.micros, row.money) for row in found.by_preference] == [
        ("espresso <b>", None, ""),
        ("maps", 1_500_000, "1.50"),
    ]
    assert [row.money for row in found.by_day] == ["", "1.50"]
    assert (found.total.money, found.total.money_per_thought, found.learning.money) == ("1.50", "1.50", "0.0001")


def test_reasons_are_counted_whatever_they_name(week: datetime) -> None:
    assert yields(7).reasons == [("The same as “…”.", 2), ("The model did not answer.", 1)]


def test_the_admin_shows_it(client: Client, week: datetime) -> None:
    client.force_login(the_owner())
    html = client.get("/admin/yields/", {"days": 7}).content.decode()
    assert "1 thought of 4 runs in 7 days, 1 of them exploring, for 5,200 tokens (5,200 for a thought)" in html
    assert "(5,200 for a thought) and 1.50 of money (1.50 for a thought)." in html
    assert "espresso &lt;b&gt;" in html
    assert re.search(r'<th scope="row">maps</th><td>2</td><td>1</td><td>50 %</td><td>1</td>', html)
    assert "<td>1,200</td><td>1.50</td><td>3</td>" in html
    assert "<td>4,000</td><td>-</td><td>0</td>" in html
    assert 'href="/admin/yields/"' in client.get("/admin/").content.decode()


@pytest.mark.parametrize(
    ("days", "said"), [("0", "greater than or equal to 1"), ("x", "whole number"), ("1", "has not thought in these")]
)
def test_days_that_cannot_be_shown_are_said_and_so_is_that_there_was_nothing(
    client: Client, days: str, said: str
) -> None:
    client.force_login(the_owner())
    assert said in client.get("/admin/yields/", {"days": days}).content.decode()


def test_only_the_owner_sees_it(client: Client) -> None:
    assert client.get("/admin/yields/").status_code == 302
