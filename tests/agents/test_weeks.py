"""A person with tastes reads the feed for weeks, with and without a model: what it brings and repeats, and what each sentence rests on."""

from datetime import UTC, datetime

import pytest
from constance import config
from django.db.models import Count
from django.test import Client

from agents.models import Digest, Schedule, Step
from devices.owner import the_owner
from tests.agents.background import moved, use_model
from tests.model_server import ModelServer
from tests.weeks import ABOUT_FOOTBALL, ASPECTS, CHEAP, DISLIKED, Weeks, free_with_words, tales, unsupported
from thoughts.models import Page, Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
START = datetime(2026, 3, 20, tzinfo=UTC)  # the clock is changed on the 29th
DAYS, CHEAPER_ON = 21, 10
CASES = [(with_model, seed) for with_model in (False, True) for seed in (1,)]


@pytest.fixture
def weeks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, model: ModelServer, client: Client) -> Weeks:
    """The person, the web and Penny, with the model or without and with dice as `param` says. Penny thinks every five hours."""
    with_model, seed = getattr(request, "param", (False, 1))
    if with_model:
        use_model(monkeypatch, model)
        free_with_words(model)
    clock = moved(monkeypatch, START)
    config.TIMEZONE, config.KEEP_PAGES_DAYS = "Europe/Berlin", 4
    Schedule.objects.filter(kind="thinking").update(rrule="FREQ=HOURLY;INTERVAL=5")
    client.force_login(the_owner())
    return Weeks(monkeypatch, clock, client, seed)


def test_of_two_pages_the_one_about_something_disliked_is_left_out_and_each_sentence_has_its_span(weeks: Weeks) -> None:
    for aspect in (ASPECTS[0], ABOUT_FOOTBALL):
        weeks.web.publish(aspect, weeks.web.sentences(aspect), START)
    Preference.objects.exclude(text__in=["espresso", DISLIKED]).delete()
    weeks.go_by(hours=7)
    thought = Thought.objects.get()
    assert weeks.web.opened == 2
    assert [row.url for row in thought.pages.all()] == list(weeks.web.stories)[:1]
    assert DISLIKED not in thought.text.lower()
    assert len(thought.sentences) >= 3
    assert unsupported([thought]) == []


@pytest.mark.long
@pytest.mark.parametrize("weeks", CASES, indirect=True, ids=lambda case: f"{'model' if case[0] else 'none'}-{case[1]}")
def test_three_weeks(weeks: Weeks, model: ModelServer) -> None:
    for day in range(DAYS):
        weeks.web.price = CHEAP if day >= CHEAPER_ON else weeks.web.price
        weeks.day()
    thoughts = list(Thought.objects.filter(watch=None))
    weeks.tell(len(thoughts))
    _each_sentence_has_its_span_though_pages_were_removed(weeks)
    _nothing_is_told_twice_and_nothing_that_is_disliked(weeks, thoughts)
    _it_pleases_and_what_does_not_counts_less(weeks)
    _the_watch_tells_once()
    _each_request_has_a_run_that_was_due(model)


def _each_sentence_has_its_span_though_pages_were_removed(weeks: Weeks) -> None:
    assert unsupported(Thought.objects.all()) == []
    assert weeks.web.opened > Page.objects.count(), "pages that nothing cites were removed"


def _nothing_is_told_twice_and_nothing_that_is_disliked(weeks: Weeks, thoughts: list[Thought]) -> None:
    told = [tales(thought, weeks.web) for thought in thoughts]
    again = [(one, other) for n, one in enumerate(told) for other in told[:n] if one == other]
    assert len(again) <= len(told) / 50, again
    assert not [thought.title for thought in thoughts if DISLIKED in thought.text.lower()]


def _it_pleases_and_what_does_not_counts_less(weeks: Weeks) -> None:
    strengths = dict(Preference.objects.values_list("text", "strength"))
    assert strengths["celebrity cooking"] < strengths["night trains"]
    assert any(each.pleased for each in weeks.shown)


def _the_watch_tells_once() -> None:
    assert [thought.title for thought in Thought.objects.exclude(watch=None)] == ["lever: now 880.00 EUR, below 900.00 EUR"]
    assert not Digest.objects.values("day").annotate(count=Count("pk")).filter(count__gt=1)


def _each_request_has_a_run_that_was_due(model: ModelServer) -> None:
    asked = Step.objects.filter(kind=Step.Kind.MODEL).exclude(name="extraction")
    assert asked.count() == len(model.requests)
    assert not asked.exclude(run__schedule__kind="thinking")
