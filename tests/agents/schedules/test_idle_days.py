"""Idle days, with moved time: no model is asked without a reason."""

from datetime import UTC, datetime, timedelta

import pytest
from constance import config

from agents.models import Run, Schedule
from tests.agents.background import Clock, carry_out_all, connect_browser, movable_clock, use_model
from tests.stand_ins.model_server import ModelServer
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
START = datetime(2026, 3, 20, tzinfo=UTC)  # daylight saving time begins on the 29th


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    use_model(monkeypatch, model)
    return movable_clock(monkeypatch, START)


def days(clock: Clock, count: float) -> list[Run]:
    """Let days go by with a tick every twenty minutes; return all runs."""
    end, ran = clock.now + timedelta(days=count), list[Run]()
    while clock.now < end:
        clock.move(minutes=20)
        ran += carry_out_all()
    return ran


def no_browser(clock: Clock) -> None:
    Preference.objects.create(text="espresso")


def no_preference(clock: Clock) -> None:
    connect_browser(clock.now)


def enough_unread(clock: Clock) -> None:
    no_browser(clock)
    no_preference(clock)
    for number in range(20):
        Thought.objects.create(title=str(number), text="It holds.", html="", created_at=clock.now - timedelta(days=9))


def a_spent_day(clock: Clock) -> None:
    no_browser(clock)
    no_preference(clock)
    config.DAY_PAGES_MAX = 0


SITUATIONS = [no_browser, no_preference, enough_unread, a_spent_day]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_an_idle_night_asks_no_model(situation: object, clock: Clock, model: ModelServer) -> None:
    situation(clock)  # type: ignore[operator]
    ran = days(clock, 0.25)
    assert model.requests == []
    assert {run.state for run in ran} == (set() if situation is a_spent_day else {"discarded"})


def test_what_is_due_asks_it_as_often_as_it_is_due(clock: Clock, model: ModelServer) -> None:
    no_browser(clock)
    Schedule.objects.create(name="Poem", kind="task", task="Write a line", rrule="FREQ=HOURLY;INTERVAL=2")
    days(clock, 0.25)
    assert len(model.requests) == 2


@pytest.mark.long
@pytest.mark.parametrize("situation", SITUATIONS)
def test_thirty_idle_days_ask_no_model(situation: object, clock: Clock, model: ModelServer) -> None:
    situation(clock)  # type: ignore[operator]
    days(clock, 30)
    assert model.requests == []
