"""Defences of runs and of their stored steps, switched off in the process of the test."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from constance.utils import get_values
from django.db import connections
from django.utils import timezone

from agents.gateway.catalog import BROWSE_URL
from agents.gateway.decisions import recheck
from agents.models import Day, Run, Step
from agents.runs import steps
from agents.runs.budget import Budget
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Caller, Context, ToolRefused
from agents.runs.day_budget import DayBudget
from agents.runs.handles import Handles
from agents.runs.steps import record_step
from devices.db import in_db
from devices.models import Grant
from devices.owner import clock, muted_sites
from tests.agents.background import SOME_MODELS

pytestmark = pytest.mark.django_db(transaction=True)

Patch = pytest.MonkeyPatch
SECRET = "hunter2"
ADDRESS = f"https://a.example/?cup=2&session_id={SECRET}"


@pytest.fixture(autouse=True)
async def nobody_stays_connected() -> AsyncIterator[None]:
    """PostgreSQL drops no database while the thread of an event loop is connected to it."""
    yield
    await in_db(connections.close_all)()


async def _attempt(run: Run, caller: Caller = "planner") -> Context:
    async def say(_: str) -> None:
        pass

    await Run.objects.filter(pk=run.pk).aupdate(state=Run.State.QUEUED)
    [claimed] = await in_db(Run.objects.claim)([run.pk], timezone.now())
    return Context(claimed, caller, Handles([]), "espresso", SOME_MODELS, await in_db(get_values)(), say, lambda: None)


async def _record_call(context: Context, *, pages: int = 0, **request: Any) -> None:
    """Record a call that returns the address in its request."""
    origin = frozenset({"owner"})
    async with record_step(
        context, kind="tool", zone="planner", name="browse_url", origin=origin, request=request, pages=pages
    ) as step:
        step.result = {"landed": ADDRESS}


async def _refusal_code(url: str) -> str:
    """Return the refusal code when a page redirects a thinking run to this URL; empty if none."""
    run = await Run.objects.acreate(kind="thinking")
    context = await _attempt(run, "thinking")
    try:
        await recheck(context, BROWSE_URL, url, "redirect_not_granted")
    except ToolRefused as refusal:
        return refusal.code
    return ""


async def test_thinking_keeps_away_from_a_muted_site_and_without_that_rule_it_reads_it(monkeypatch: Patch) -> None:
    await Grant.objects.acreate(host="news.example")
    await in_db(muted_sites.mute_site)("news.example")
    assert await _refusal_code("https://m.news.example/today") == "muted_site"
    monkeypatch.setattr(muted_sites, "is_muted", lambda _: False)
    assert not await _refusal_code("https://m.news.example/today")


async def _step_text() -> str:
    """Return the stored step of a call with a secret in its URL, also inside nested JSON."""
    run = await Run.objects.acreate(kind="turn", turn_id=uuid4())
    await _record_call(await _attempt(run), url=ADDRESS, arguments=f'{{"url": "{ADDRESS}"}}')
    [row] = [row async for row in Step.objects.filter(run=run).values("request", "result")]
    return str(row)


async def test_a_step_keeps_no_secret_of_an_address_and_without_that_rule_it_does(monkeypatch: Patch) -> None:
    text = await _step_text()
    assert text.count("https://a.example/?cup=2") == 3
    assert SECRET not in text
    monkeypatch.setattr(steps, "json_to_store", lambda value: value)
    assert (await _step_text()).count(SECRET) == 3


async def _opens_more_at_the_second_attempt() -> bool:
    """Whether a run that has used all its pages may open another at its next attempt."""
    run = await Run.objects.acreate(kind="turn", turn_id=uuid4())
    first = await _attempt(run)
    await _record_call(first, pages=first.budget.pages_max)
    try:
        await _record_call(await _attempt(run), pages=1)
    except BudgetSpent:
        return False
    return True


async def test_attempts_share_a_budget_and_without_what_is_written_down_each_has_its_own(monkeypatch: Patch) -> None:
    assert not await _opens_more_at_the_second_attempt()
    monkeypatch.setattr(Budget, "store", lambda *_: None)
    assert await _opens_more_at_the_second_attempt()


async def _two_runs_open_what_one_day_allows_one() -> bool:
    """Whether a second background run opens pages after the first used those of the day."""
    await Day.objects.all().adelete()
    first, second = [await _attempt(await Run.objects.acreate(kind="thinking"), "thinking") for _ in range(2)]
    assert first.budget.day is not None
    await Day.objects.acreate(day=await in_db(clock.today)(timezone.now()), pages=first.budget.day.limits.pages - 1)
    await _record_call(first, pages=1)
    try:
        await _record_call(second, pages=1)
    except BudgetSpent:
        return False
    return True


async def test_runs_share_a_day_and_without_that_check_each_has_its_own(monkeypatch: Patch) -> None:
    assert not await _two_runs_open_what_one_day_allows_one()
    monkeypatch.setattr(DayBudget, "check", lambda *_, **__: None)
    assert await _two_runs_open_what_one_day_allows_one()
