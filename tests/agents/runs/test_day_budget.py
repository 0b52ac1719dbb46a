"""The day budget of all background runs, checked before each model request and browser call.

A limit that is larger than what is used is the case without it.
"""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from constance import config
from constance.utils import get_values
from django.db import connections
from django.test import Client
from django.utils import timezone

from agents.models import Day, Price, Run, Schedule
from agents.runs import day_budget
from agents.runs.context import Context
from agents.runs.day_budget import DaySpent
from agents.runs.handles import Handles
from agents.runs.steps import record_step
from agents.schedules import start
from agents.watches import start as watches_start
from devices.db import in_db
from devices.models import Ask, Grant
from devices.owner.account import the_owner
from tests.agents.background import SOME_MODELS, carry_out_all, connect_browser, movable_clock
from thoughts.models import Preference, Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
TODAY = date(2026, 6, 1)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    config.TIMEZONE = "Europe/Berlin"
    movable_clock(monkeypatch, NOON)


@pytest.fixture(autouse=True)
async def nobody_stays_connected() -> AsyncIterator[None]:
    """PostgreSQL drops no database to which a loop's database thread is still connected."""
    yield
    await in_db(connections.close_all)()


async def attempt(kind: str = "thinking") -> Context:
    """Return the context of an attempt at a new run."""
    run = await Run.objects.acreate(kind=kind, turn_id=uuid4() if kind == "turn" else None)
    [claimed_run] = await in_db(Run.objects.claim)([run.pk], timezone.now())
    return Context(
        claimed_run,
        "planner" if kind == "turn" else "thinking",
        Handles([]),
        "espresso",
        SOME_MODELS,
        await in_db(get_values)(),
    )


async def browse(context: Context) -> None:
    async with record_step(
        context, kind="tool", zone="thinking", name="browse_url", origin=frozenset({"owner"}), request={}, pages=1
    ):
        pass


async def use_tokens(context: Context, tokens: int, model: str = "ollama:qwen") -> None:
    """Use what a request uses whose endpoint counts `tokens` in and as many out."""
    async with record_step(
        context, kind="model", zone="writer", name=model, origin=frozenset({"owner"}), request={}, tokens=10
    ):
        context.budget.add_tokens(2 * tokens)
        context.budget.add_use(model, tokens, tokens, "", "")


Use = Callable[[Context], Any]


async def one_more(limit: str, number: float, use: Use) -> str:
    """Return why the second of two runs may not do what the first did, or ""."""
    await in_db(setattr)(config, limit, number)
    await use(await attempt())
    second = await attempt()
    try:
        await use(second)
    except DaySpent as spent:
        return str(spent)
    return ""


@pytest.mark.parametrize(
    ("limit", "number", "use", "words"),
    [
        ("DAY_PAGES_MAX", 1, browse, "1 pages"),
        ("DAY_TOKENS_MAX", 600, lambda context: use_tokens(context, 300), "600 tokens"),
        ("DAY_MONEY_MAX", 0.5, lambda context: use_tokens(context, 300_000, "openai:dear"), "0.50 of money"),
    ],
)
async def test_what_one_run_uses_another_lacks(limit: str, number: float, use: Use, words: str) -> None:
    await Price.objects.acreate(model="openai:dear", input_per_million="0.5", output_per_million="1.5")
    until = "Paused until tomorrow, 00:00: today's"
    assert (
        await one_more(limit, number, use)
        == f"{until} {words} for background work are used up. You can raise that in the settings."
    )


@pytest.mark.parametrize(("limit", "number"), [("DAY_PAGES_MAX", 2), ("DAY_TOKENS_MAX", 10**6), ("DAY_MONEY_MAX", 0.0)])
async def test_with_more_to_spend_both_do_it(limit: str, number: float) -> None:
    async def use(context: Context) -> None:
        await browse(context)
        await use_tokens(context, 300_000 if limit == "DAY_MONEY_MAX" else 300)

    assert not await one_more(limit, number, use)


async def test_minutes_are_those_of_all_runs() -> None:
    await Day.objects.acreate(day=TODAY, seconds=240 * 60 - 1)
    context = await attempt()
    assert context.budget.day is not None
    context.budget.day.counted_at -= 2  # it has run for 2 s
    await browse(context)
    with pytest.raises(DaySpent, match="240 minutes"):
        await browse(context)


async def test_each_is_looked_at_only_where_it_is_used() -> None:
    await Day.objects.acreate(day=TODAY, pages=400)
    context = await attempt()
    await use_tokens(context, 10)
    with pytest.raises(DaySpent):
        await browse(context)


async def test_a_chat_is_never_held_back_and_never_counted() -> None:
    await Day.objects.acreate(day=TODAY, pages=400, tokens=10**6, seconds=10**6)
    context = await attempt("turn")
    await browse(context)
    await use_tokens(context, 100)
    assert (await Day.objects.aget()).pages == 400


async def test_a_request_is_counted_before_it_is_answered_and_corrected_after() -> None:
    context = await attempt()
    step = record_step(
        context, kind="model", zone="writer", name="m", origin=frozenset({"owner"}), request={}, tokens=50
    )
    async with step:
        assert (await Day.objects.aget()).tokens == 50
        context.budget.add_tokens(30)
    assert (await Day.objects.aget()).tokens == 30


async def test_a_run_keeps_what_its_requests_cost_where_their_model_has_a_price() -> None:
    await Price.objects.acreate(model="openai:dear", input_per_million="0.5", output_per_million="1.5")
    context, other = await attempt(), await attempt()
    for tokens, model in ((1000, "openai:dear"), (500, "openai:dear"), (9000, "ollama:qwen")):
        await use_tokens(context, tokens, model)
    await use_tokens(other, 9000)
    assert [(await Run.objects.aget(pk=run_context.run.pk)).spent_micros for run_context in (context, other)] == [
        3000,
        None,
    ]
    assert (await Day.objects.aget()).micros == 3000


async def test_the_next_day_begins_at_midnight_on_the_owners_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = movable_clock(monkeypatch, datetime(2026, 6, 1, 21, 59, tzinfo=UTC))
    await Day.objects.acreate(day=TODAY, pages=400)
    context = await attempt()
    with pytest.raises(DaySpent):
        await browse(context)
    clock.move(minutes=1)
    await browse(context)
    assert [(day.day, day.pages) async for day in Day.objects.order_by("day")] == [
        (TODAY, 400),
        (TODAY + timedelta(days=1), 1),
    ]


def test_while_it_is_spent_nothing_starts_and_it_goes_on_the_next_day() -> None:
    Schedule.objects.update(next_run_at=NOON)
    Day.objects.create(day=TODAY, tokens=0, pages=400)
    for hours in range(9):
        start.start_due(NOON + timedelta(hours=hours))
    assert not Run.objects.exclude(kind="digest").exists()
    start.start_due(NOON + timedelta(hours=10))
    assert Run.objects.filter(kind="thinking").count() == 1


def test_watches_are_not_visited_in_quiet_hours_nor_when_the_day_is_used_up() -> None:
    Watch.objects.create(url="https://shop.example/", domain="shop.example", label="lever", next_check_at=NOON)
    connect_browser(NOON)

    def visits() -> int:
        watches_start.start_due_visits(NOON)
        return Run.objects.filter(kind="watch").count()

    config.QUIET_FROM, config.QUIET_TO = "13:00", "15:00"
    assert visits() == 0
    config.QUIET_FROM = ""
    Day.objects.create(day=TODAY, pages=400)
    assert visits() == 0
    Day.objects.update(pages=0, tokens=10**6)  # a visit may do without a model
    assert visits() == 1


def test_a_run_that_is_started_by_hand_then_says_until_when_it_is_paused() -> None:
    Day.objects.create(day=TODAY, pages=400)
    connect_browser(NOON)
    Preference.objects.create(text="espresso")
    start.run_now(Schedule.objects.get(kind="thinking"))
    [run] = carry_out_all()
    assert (run.state, run.error_code) == ("discarded", "day_pages")
    assert run.outcome.startswith("Paused until tomorrow, 00:00")


def test_when_little_is_left_the_strongest_preference_has_it() -> None:
    Preference.objects.create(text="weak", strength=0.5)
    Preference.objects.create(text="strong", strength=3, used_at=NOON - timedelta(days=2))
    Preference.objects.create(text="strongest, but had its turn", strength=4, used_at=NOON - timedelta(hours=1))
    connect_browser(NOON)

    def seed() -> str:
        start.run_now(Schedule.objects.get(kind="thinking"))
        return str(carry_out_all()[0].preference)

    assert seed() == "weak"
    Preference.objects.filter(text="weak").update(used_at=None)
    Day.objects.update_or_create(day=TODAY, defaults={"pages": 330})
    assert seed() == "strong"


def test_questions_of_background_work_are_interruptions_and_are_not_asked_when_those_are_used_up() -> None:
    connect_browser(NOON)
    Preference.objects.create(text="espresso")
    config.DAY_INTERRUPTIONS_MAX = 1
    start.run_now(Schedule.objects.get(kind="thinking"))
    [run] = carry_out_all()
    assert (run.state, Day.objects.get().interruptions, Ask.objects.count()) == ("parked", 1, 1)
    Ask.objects.update(state="dismissed")
    Run.objects.update(state="discarded")
    start.run_now(Schedule.objects.get(kind="thinking"))
    [run] = carry_out_all()
    assert (run.state, Ask.objects.count()) == ("discarded", 1)
    assert "asked as much as your settings let me" in run.outcome
    assert not Grant.objects.exists()


# Where it shows
# ---------------------------------------------------------------------------------------------------------------


def test_a_meter_says_what_is_used_and_the_feed_until_when_work_is_paused(client: Client) -> None:
    client.force_login(the_owner())
    Day.objects.create(day=TODAY, pages=100, tokens=12_345)
    html = client.get("/activity/routine/").content.decode()
    assert "100 of 400 pages" in html
    assert "<meter" in html
    assert "Paused until" not in html + client.get("/").content.decode()
    Day.objects.update(pages=400)
    for page in ("/", "/activity/routine/"):
        assert "Paused until tomorrow, 00:00: today&#x27;s 400 pages" in client.get(page).content.decode()


def test_a_model_without_a_price_is_named_where_money_is_a_limit(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(the_owner())
    monkeypatch.setattr(day_budget, "unpriced", lambda: ["openai:dear"])
    assert "openai:dear" not in client.get("/activity/routine/").content.decode()
    config.DAY_MONEY_MAX = 2.0
    html = client.get("/activity/routine/").content.decode()
    assert "The price table knows no openai:dear" in html
    assert "0.00 of 2.00" in html
