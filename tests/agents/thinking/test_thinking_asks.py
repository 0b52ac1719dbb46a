"""Thinking that begins by itself has one open question at a time."""

from datetime import UTC, datetime, timedelta

import pytest
from constance import config
from constance.utils import get_values

from agents.model_choice.in_use import models_in_use
from agents.models import Day, Run, Schedule
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.schedules import start
from agents.thinking import search
from agents.thinking import start as thinking_start
from devices.grants import asks
from devices.models import Ask
from devices.owner import muting
from devices.web.hosts import grant_host
from tests.agents.background import carry_out_all, connect_browser, movable_clock
from thoughts.models import Preference

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def espresso(monkeypatch: pytest.MonkeyPatch) -> Preference:
    movable_clock(monkeypatch, NOON)
    config.SEARCH_TEMPLATE = "https://search.example/?q={query}"
    connect_browser(NOON)
    return Preference.objects.create(text="espresso")


def by_itself() -> Run:
    start.run_now(Schedule.objects.get(kind="thinking"))
    return carry_out_all()[-1]


def waiting_run(kind: Run.Kind = Run.Kind.THINKING) -> Ask:
    run = Run.objects.create(kind=kind, state=Run.State.PARKED)
    return asks.ask_grant(run.pk, "coffee.example", "read", "To read a page there.", is_background=True)


def test_a_second_run_asks_nothing_while_the_first_waits_and_says_so() -> None:
    first, second = by_itself(), by_itself()
    assert (first.state, second.state, Ask.objects.count()) == ("parked", "discarded", 1)
    assert second.outcome == (
        "The search engine is not allowed yet, and another question of thinking waits for you. "
        "Answer that one, in any browser of yours or under Schedules, and Penny asks again."
    )
    asks.answer_ask(Ask.objects.get().prompt, "dismiss")
    carry_out_all()
    third = by_itself()
    assert (third.state, Ask.objects.open().get().run_id) == ("parked", third.pk)


def test_what_the_owner_starts_asks_beside_it(espresso: Preference) -> None:
    waiting_run()
    thinking_start.start_thinking(espresso)
    [run] = carry_out_all()
    assert (run.state, Ask.objects.open().count()) == ("parked", 2)


def test_what_the_owner_starts_asks_at_night_and_when_the_day_s_questions_are_used_up(espresso: Preference) -> None:
    config.QUIET_FROM, config.QUIET_TO, config.DAY_INTERRUPTIONS_MAX = "11:00", "13:00", 0
    thinking_start.start_thinking(espresso)
    [run] = carry_out_all()
    assert (run.state, Ask.objects.open().get().held_until) == ("parked", None)
    assert not Day.objects.filter(interruptions__gt=0).exists()
    assert by_itself().state == "discarded"


def test_an_old_wish_waits_until_the_morning_and_a_muted_penny_asks_nothing(espresso: Preference) -> None:
    config.QUIET_FROM, config.QUIET_TO = "11:00", "13:00"
    run = thinking_start.start_thinking(espresso)
    Run.objects.filter(pk=run.pk).update(created_at=NOON - timedelta(hours=1))
    carry_out_all()
    assert Ask.objects.open().get().held_until == datetime(2026, 6, 1, 13, tzinfo=UTC)
    muting.mute_until(None)
    thinking_start.start_thinking(Preference.objects.create(text="levers"))
    assert carry_out_all()[-1].state == "discarded"


def test_a_question_of_a_task_or_one_whose_time_is_over_is_in_no_ones_way() -> None:
    waiting_run(Run.Kind.TASK)
    late = waiting_run()
    Ask.objects.filter(pk=late.pk).update(expires_at=NOON)
    assert by_itself().state == "parked"


def test_a_site_that_was_refused_to_another_run_comes_last_and_to_the_same_run_stays_first() -> None:
    first, other = Run.objects.create(kind="thinking"), Run.objects.create(kind="thinking")
    ask = asks.ask_grant(first.pk, "coffee.example", "read", "To read a page there.", is_background=True)
    Ask.objects.filter(pk=ask.pk).update(state="dismissed")
    places = [f"https://{host}.example/" for host in ("coffee", "lab")]
    for run, order in ((first, ["coffee.example", "lab.example"]), (other, ["lab.example", "coffee.example"])):
        context = Context(run, "thinking", Handles([]), "espresso", models_in_use(), get_values())
        handles = [context.handles.add_own(url, grant_host(url)) for url in places]
        openable, unknown = search._openable_and_unknown(context, handles, {})
        assert (openable, [context.handles.domains[handle] for handle in unknown]) == ([], order)


def test_a_run_that_is_tried_again_meets_its_own_question() -> None:
    run = by_itself()
    Run.objects.filter(pk=run.pk).update(state="queued")
    [again] = carry_out_all()
    assert (again.pk, again.state, Ask.objects.count()) == (run.pk, "parked", 1)
