"""Weeks of a person with tastes reading the feed, with and without a model.

What the feed brings and repeats, and the evidence of each sentence.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from constance import config
from django.db.models import Count
from django.test import Client

from agents.models import Digest, Run, Schedule, Step
from devices.owner.account import the_owner
from tests.agents.background import movable_clock, use_model
from tests.stand_ins.model_server import ModelServer
from tests.weeks import ABOUT_FOOTBALL, DISLIKED, Weeks, free_with_words, tales, unsupported
from tests.weeks_web import ASPECTS, CHEAP, Aspect
from thoughts.models import Page, Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
START = datetime(2026, 3, 20, tzinfo=UTC)  # daylight saving time begins on the 29th
DAYS, CHEAPER_ON = 21, 10
CASES = [(with_model, seed) for with_model in (False, True) for seed in (1,)]


@pytest.fixture
def weeks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, model: ModelServer, client: Client) -> Weeks:
    """The person, the web and Penny. `param`: with a model, and the seed of the dice.

    Penny thinks every five hours.
    """
    with_model, seed = getattr(request, "param", (False, 1))
    if with_model:
        use_model(monkeypatch, model)
        free_with_words(model)
    clock = movable_clock(monkeypatch, START)
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
    assert weeks.web.opened_pages == 2
    assert [row.url for row in thought.pages.all()] == list(weeks.web.stories)[:1]
    assert DISLIKED not in thought.text.lower()
    assert len(thought.sentences) >= 3
    assert unsupported([thought]) == []


def test_what_was_told_is_left_out_of_the_next_find_whoever_tells_it_and_alone_makes_none(weeks: Weeks) -> None:
    first_sentences = weeks.web.sentences(ASPECTS[0])
    old = [
        weeks.web.publish(ASPECTS[0], sentences, START)
        for sentences in (first_sentences, weeks.web.sentences(ASPECTS[0]))
    ]
    Preference.objects.exclude(text="espresso").delete()
    weeks.go_by(hours=7)
    first = Thought.objects.get()
    assert {row.url for row in first.pages.all()} == set(old)
    weeks.web.publish(ASPECTS[0], first_sentences, START)
    new = weeks.web.publish(ASPECTS[0], weeks.web.sentences(ASPECTS[0]), START)
    weeks.go_by(hours=5)
    assert [row.url for row in Thought.objects.exclude(pk=first.pk).get().pages.all()] == [new]
    weeks.go_by(hours=5)
    assert Thought.objects.count() == 2
    assert weeks.runs[-1].outcome == "There is nothing new about “espresso” on the pages that say something."


ANIMALS = Aspect(
    "jaguar",
    1,
    "a jaguar cub beside its mother in the rain forest | a jaguar that swims after fish and caimans | a "
    "wild jaguar on the river bank",
    "was filmed by biologists at night | hunts along the river again | crossed the nature reserve",
)
CARS = Aspect(
    "jaguar",
    0,
    "a jaguar coupe with a twelve cylinder engine | a jaguar car with a rebuilt gearbox | the dealer of "
    "a second hand jaguar car",
    "was sold at the motor show | gets new brakes and a carburettor | costs less insurance",
)


def test_what_is_like_what_was_liked_is_opened_first_once_there_were_thumbs(weeks: Weeks) -> None:
    Preference.objects.all().delete()
    Preference.objects.create(text="jaguar")
    weeks.go_by(hours=7)  # to the first run, which finds nothing
    for aspect, valence in [(CARS, -1), (ANIMALS, 1)]:
        liked_or_not = weeks.web.publish(aspect, weeks.web.sentences(aspect), weeks.clock.now)
        weeks.go_by(hours=5)
        _react(weeks, Thought.objects.get(pages__url=liked_or_not), valence)
    cars, more_cars, animals = (
        weeks.web.publish(aspect, weeks.web.sentences(aspect), weeks.clock.now) for aspect in (CARS, CARS, ANIMALS)
    )
    weeks.go_by(hours=5)
    new = Page.objects.filter(url__in=[cars, more_cars, animals]).order_by("pk")
    assert new[0].url == animals


def test_what_is_like_what_was_disliked_is_left_out_of_a_find_and_soon_makes_none(weeks: Weeks) -> None:
    Preference.objects.all().delete()
    Preference.objects.create(text="jaguar", strength=3)
    weeks.go_by(hours=7)
    assert _outcome_of(weeks, ANIMALS).react(weeks, 1)
    count = 0
    while (outcome := _outcome_of(weeks, CARS)).thought and count < 9:
        count += outcome.react(weeks, -1)
    assert 2 <= count < 6
    ends = [run.outcome for run in weeks.runs if run.kind == Run.Kind.THINKING]
    assert re.fullmatch("Like “.*”, which you did not like.", ends[-1])
    weeks.web.publish(CARS, weeks.web.sentences(CARS), weeks.clock.now)
    alone = _outcome_of(weeks, ANIMALS)
    assert alone.thought
    assert [row.url for row in alone.thought.pages.all()] == [alone.url]
    Preference.objects.create(text="espresso")
    config.EXPLORATION_SHARE = 1.0
    assert _outcome_of(weeks, CARS).thought, "where it explores, such things get their chance"


@dataclass(frozen=True)
class Outcome:
    """A published page, and the thought that the next run made of it, if any."""

    url: str
    thought: Thought | None

    def react(self, weeks: Weeks, valence: int) -> bool:
        if self.thought:
            _react(weeks, self.thought, valence)
        return self.thought is not None


def _outcome_of(weeks: Weeks, aspect: Aspect) -> Outcome:
    url = weeks.web.publish(aspect, weeks.web.sentences(aspect), weeks.clock.now)
    weeks.go_by(hours=5)
    return Outcome(url, Thought.objects.filter(pages__url=url).first())


def _react(weeks: Weeks, thought: Thought, valence: int) -> None:
    weeks.client.post(f"/thoughts/{thought.pk}/react/", {"valence": valence})


@pytest.mark.long
@pytest.mark.parametrize("weeks", CASES, indirect=True, ids=lambda case: f"{'model' if case[0] else 'none'}-{case[1]}")
def test_three_weeks(weeks: Weeks, model: ModelServer) -> None:
    for day in range(DAYS):
        weeks.web.price = CHEAP if day >= CHEAPER_ON else weeks.web.price
        weeks.day()
    thoughts = list(Thought.objects.filter(watch=None))
    weeks.print_report(len(thoughts))
    _each_sentence_has_its_span_though_pages_were_removed(weeks)
    _nothing_is_told_twice_and_nothing_that_is_disliked(weeks, thoughts)
    _it_pleases_and_what_does_not_counts_less(weeks)
    _the_watch_tells_once()
    _each_request_has_a_run_that_was_due(model)


def _each_sentence_has_its_span_though_pages_were_removed(weeks: Weeks) -> None:
    assert unsupported(Thought.objects.all()) == []
    assert weeks.web.opened_pages > Page.objects.count(), "pages that nothing cites were removed"


def _nothing_is_told_twice_and_nothing_that_is_disliked(weeks: Weeks, thoughts: list[Thought]) -> None:
    stories = [tales(thought, weeks.web) for thought in thoughts]
    again = [(one, other) for n, one in enumerate(stories) for other in stories[:n] if one == other]
    assert len(again) <= len(stories) / 50, again
    assert not [thought.title for thought in thoughts if DISLIKED in thought.text.lower()]


def _it_pleases_and_what_does_not_counts_less(weeks: Weeks) -> None:
    strengths = dict(Preference.objects.values_list("text", "strength"))
    assert strengths["celebrity cooking"] < strengths["night trains"]
    assert weeks.pleased_share(0, DAYS) > 0


def _the_watch_tells_once() -> None:
    assert [thought.title for thought in Thought.objects.exclude(watch=None)] == ["lever: now 880 €, below 900 €"]
    assert not Digest.objects.values("day").annotate(count=Count("pk")).filter(count__gt=1)


def _each_request_has_a_run_that_was_due(model: ModelServer) -> None:
    steps = Step.objects.filter(kind=Step.Kind.MODEL).exclude(name="extraction")
    # A step may need several requests: a refused or late one is repeated.
    assert sum(len(step.request["sent"]) for step in steps) == len(model.requests)
    assert not steps.exclude(run__schedule__kind="thinking")
