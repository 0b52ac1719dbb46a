"""A call that acts is made once, whatever happens to its run in between."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from constance.utils import get_values
from django.utils import timezone

from agents.gateway import call as gateway_call
from agents.gateway.arguments import BrowseUrl
from agents.gateway.call import call_tool
from agents.gateway.catalog import TOOLS, Tool
from agents.llm.messages import ToolRequest
from agents.models import Run, Step
from agents.runs.context import Caller, Content, Context, ToolRefused
from agents.runs.handles import Handles
from tests.agents.background import SOME_MODELS

pytestmark = pytest.mark.django_db(transaction=True)
ARGUMENTS = '{"url": "https://shop.example/buy"}'


class Buyer:
    """A tool that acts, and a list of its acts."""

    def __init__(self) -> None:
        self.bought: list[str] = []
        self.fails: BaseException | None = None

    async def run(self, context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
        self.bought.append(arguments.url)
        if self.fails:
            raise self.fails
        return {"bought": len(self.bought)}


@pytest.fixture
def buyer(monkeypatch: pytest.MonkeyPatch) -> Buyer:
    tool = Buyer()
    callers: frozenset[Caller] = frozenset({"planner"})
    monkeypatch.setitem(TOOLS, "buy", Tool("buy", "Buys.", BrowseUrl, "browser", "act", callers, "TOOL_DEADLINE_S"))
    monkeypatch.setitem(gateway_call.RUNNERS, "buy", tool.run)
    return tool


@pytest.fixture
def turn_run() -> Run:
    return Run.objects.create(kind="turn", turn_id=uuid4())


def attempt(run: Run, *arguments: str) -> list[Content]:
    """Make these calls in another attempt of the run; return what the planner gets for each."""
    Run.objects.filter(pk=run.pk).update(state="queued")
    (claimed_run,) = Run.objects.claim([run.pk], timezone.now())

    async def nothing(_: str) -> None: ...

    async def calls() -> list[Content]:
        context = Context(
            claimed_run, "planner", Handles([]), "Buy it", SOME_MODELS, get_values_once, nothing, lambda: None
        )
        return [await call_tool(context, ToolRequest("1", "buy", call_arguments)) for call_arguments in arguments]

    get_values_once = get_values()
    return asyncio.run(calls())


def test_what_was_done_is_not_done_again_by_the_next_attempt(turn_run: Run, buyer: Buyer) -> None:
    assert attempt(turn_run, ARGUMENTS) == [{"bought": 1}]
    assert attempt(turn_run, ARGUMENTS) == [{"bought": 1}]
    assert len(buyer.bought) == 1


def test_what_is_asked_for_twice_in_one_attempt_is_done_twice(turn_run: Run, buyer: Buyer) -> None:
    assert attempt(turn_run, ARGUMENTS, ARGUMENTS) == [{"bought": 1}, {"bought": 2}]
    assert attempt(turn_run, ARGUMENTS, ARGUMENTS) == [{"bought": 1}, {"bought": 2}]


def test_an_act_that_a_crash_interrupted_is_not_repeated_and_nothing_else_is_done(turn_run: Run, buyer: Buyer) -> None:
    attempt(turn_run, ARGUMENTS)
    Step.objects.update(state="started", ended_at=None)  # as a killed worker leaves it
    assert attempt(turn_run, ARGUMENTS) == [{"error": "outcome_unknown"}]
    assert attempt(turn_run, ARGUMENTS.replace("buy", "buy?now")) == [{"error": "outcome_unknown"}]
    assert len(buyer.bought) == 1
    assert Step.objects.get().state == "unknown"


@pytest.mark.parametrize("code", ["timeout", "disconnected"])
def test_an_act_whose_answer_did_not_come_counts_as_unknown(turn_run: Run, buyer: Buyer, code: str) -> None:
    buyer.fails = ToolRefused(code)
    assert attempt(turn_run, ARGUMENTS, ARGUMENTS) == [{"error": code}, {"error": "outcome_unknown"}]


def test_an_act_that_was_refused_may_be_tried_again(turn_run: Run, buyer: Buyer) -> None:
    buyer.fails = ToolRefused("not_granted")
    attempt(turn_run, ARGUMENTS)
    assert Step.objects.get().state == "failed"
    buyer.fails = None
    assert attempt(turn_run, ARGUMENTS) == [{"bought": 2}]


def test_what_only_reads_is_simply_read_again(turn_run: Run, buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Tool("buy", "Reads.", BrowseUrl, "browser", "read", frozenset({"planner"}), "TOOL_DEADLINE_S")
    monkeypatch.setitem(TOOLS, "buy", reading)
    attempt(turn_run, ARGUMENTS)
    Step.objects.update(state="started")
    assert attempt(turn_run, ARGUMENTS) == [{"bought": 2}]
