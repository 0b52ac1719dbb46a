"""A turn whose budget is used up ends with what it has so far and names the budget.

The models here never stop. The budget of thinking is tested in test_thinking.py. A budget that is larger than what the
model asks for is the case without it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from constance.utils import get_values
from django.utils import timezone

from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.runs.steps import record_step
from agents.worker.tick import tick
from devices import protocol as p
from devices.db import in_db
from tests.agents.background import SOME_MODELS
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import MANY, Penny, with_model
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import is_planner
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, tool

URL = "https://coffee.example/water"
LINKS = [(f"Water {number}", f"https://coffee.example/water/{number}") for number in range(30)]
PAGES = {url: make_page(url, WATER.title, WATER.text, LINKS) for url in (URL, *(url for _, url in LINKS))}
RESULTS = [p.SearchResult(title=words, url=url, snippet=WATER.paragraphs[0]) for words, url in LINKS[:8]]
DEFAULTS = {
    "TURN_STEPS_MAX": 60,
    "TURN_TOKENS_MAX": 400_000,
    "TURN_PAGES_MAX": 16,
    "TURN_SECONDS_MAX": 900,
    "CHAT_STEPS_MAX": 8,
}

Start = Callable[..., Client]


@pytest.fixture
def start(penny: Penny) -> Iterator[Start]:
    """Set what a turn may use, and connect a browser that opens everything."""
    with ExitStack() as stack:

        def with_budget(**numbers: int) -> Client:
            penny.set(**(DEFAULTS | numbers))
            client = stack.enter_context(
                penny.client("Fake browser", tools=browser_tools(PAGES, RESULTS), answers=allow("always"))
            )
            client.allow_site("coffee.example")
            return client

        yield with_budget
    penny.set(**DEFAULTS)


def one_after_the_other(model: ModelServer) -> None:
    """Script a planner that opens page after page, without end."""
    urls = iter([url for _, url in LINKS] * 10)
    model.on(is_planner, lambda _: tool("browse_url", url=next(urls)))


def all_at_once(model: ModelServer, calls: int) -> None:
    """Script a planner that asks for many pages in one answer."""
    uses = tuple(ToolUse("browse_url", {"url": url}) for _, url in (LINKS * 10)[:calls])
    model.on(lambda r: is_planner(r) and not r.tool_results, Reply(tools=uses))


QUESTION = " ".join(["How is espresso brewed?", *(url for _, url in LINKS)])


# Steps
# ----------------------------------------------------------------------------------------------------------------------


def test_a_planner_that_never_stops_calling_is_stopped_and_the_turn_says_so(start: Start, model: ModelServer) -> None:
    client = start(CHAT_STEPS_MAX=3)
    one_after_the_other(model)
    answer = client.ask(QUESTION, 60)
    assert "the budget of 3 planning steps was used up" in answer.text
    assert WATER.paragraphs[0][:40] in answer.text
    assert len([r for r in model.requests if is_planner(r)]) == 2


def test_steps_that_are_used_up_end_the_turn_with_what_was_read(start: Start, model: ModelServer) -> None:
    client = start(TURN_STEPS_MAX=5)
    one_after_the_other(model)
    answer = client.ask(QUESTION, 60)
    assert "the budget of 5 steps was used up" in answer.text
    assert WATER.paragraphs[0][:40] in answer.text
    assert "coffee.example" in answer.origin
    assert len(client.frames_of(p.ToolCall)) <= 2


# Pages
# ----------------------------------------------------------------------------------------------------------------------


def test_page_after_page_ends_with_what_was_read_until_then(start: Start, model: ModelServer) -> None:
    client = start(TURN_PAGES_MAX=2)
    one_after_the_other(model)
    answer = client.ask(QUESTION, 60)
    assert "the budget of 2 pages was used up" in answer.text
    assert WATER.paragraphs[0][:40] in answer.text
    assert len(client.frames_of(p.ToolCall)) == 2


def test_many_pages_in_one_answer_are_no_way_around(start: Start, model: ModelServer) -> None:
    client = start(TURN_PAGES_MAX=2)
    all_at_once(model, 20)
    assert "the budget of 2 pages was used up" in client.ask(QUESTION, 60).text
    assert len(client.frames_of(p.ToolCall)) == 2


def test_with_more_to_spend_the_same_planner_opens_more(start: Start, model: ModelServer) -> None:
    client = start(TURN_PAGES_MAX=4)
    all_at_once(model, 4)
    assert "used up" not in client.ask(QUESTION, 60).text
    assert len(client.frames_of(p.ToolCall)) == 4


# Tokens
# ---------------------------------------------------------------------------------------------------------------------


def test_a_planner_that_writes_without_end_is_cut_and_what_it_wrote_is_kept(start: Start, model: ModelServer) -> None:
    client = start(TURN_TOKENS_MAX=500)
    model.on(is_planner, Reply(tokens=("and so on " for _ in range(20_000))))
    answer = client.ask("Tell me everything", 60)
    assert "the budget of 500 tokens was used up" in answer.text
    assert answer.text.startswith("and so on and so on")
    assert len(answer.text) < 4000


def test_what_comes_all_at_once_is_cut_where_the_budget_ends(start: Start, model: ModelServer) -> None:
    client = start(TURN_TOKENS_MAX=500)
    model.on(is_planner, Reply(tokens=("and so on " * 5_000,)))
    answer = client.ask("Tell me everything", 60)
    assert answer.text.startswith("and so on and so on")
    assert len(answer.text) < 4000


def test_a_writer_that_writes_without_end_is_cut_and_keeps_its_labels(start: Start, model: ModelServer) -> None:
    client = start(TURN_TOKENS_MAX=6000)
    model.on(lambda r: "Readings:" in r.last_user, Reply(tokens=("and so on " for _ in range(20_000))))
    answer = client.ask(f"How is espresso brewed? {URL}", 60)
    assert "the budget of 6,000 tokens was used up" in answer.text
    assert answer.text.startswith("and so on and so on")
    assert "coffee.example" in answer.origin


def test_arguments_without_end_are_cut_too(start: Start, model: ModelServer) -> None:
    client = start(TURN_TOKENS_MAX=500)
    model.on(is_planner, Reply(tools=(ToolUse("search_web", {"query": "x" * 50_000}),)))
    frame = client.expect(p.TurnFailed, 60, turn_id=client.say("Search"))
    assert frame.error.code == "budget_tokens"
    assert "the budget of 500 tokens was used up" in frame.message.text


# Seconds
# --------------------------------------------------------------------------------------------------------------------


def test_a_model_that_hangs_is_left_when_the_time_is_over(start: Start, model: ModelServer) -> None:
    client = start(TURN_SECONDS_MAX=4)  # on a busy machine the words come after seconds
    model.on(is_planner, Reply(tokens=("Half an answer",), hangs=True))
    answer = client.ask("Hello", 60)
    assert answer.text.startswith("Half an answer")
    assert "the budget of 4 seconds was used up" in answer.text


def test_a_browser_that_hangs_is_left_when_the_time_is_over(start: Start, model: ModelServer) -> None:
    client = start(TURN_SECONDS_MAX=6)  # on a busy machine the first page is read after seconds

    def hangs_on_url(call: p.ToolCall) -> p.Page | None:
        assert isinstance(call.arguments, p.BrowseUrlArguments)
        return None if call.arguments.url == URL else PAGES[call.arguments.url]

    client.tools["browse_url"] = hangs_on_url
    model.on(lambda r: is_planner(r) and not r.tool_results, tool("browse_url", url=LINKS[0][1]))
    model.on(lambda r: bool(r.tool_results), tool("browse_url", url=URL))
    answer = client.ask(f"{QUESTION} {URL}", 60)
    assert "the budget of 6 seconds was used up" in answer.text
    assert WATER.paragraphs[0][:40] in answer.text
    client.expect(p.ToolCancel)


def test_nothing_to_say_is_a_failure_that_names_the_budget(start: Start, model: ModelServer) -> None:
    client = start(TURN_SECONDS_MAX=1)
    model.on(is_planner, Reply(hangs=True))
    frame = client.expect(p.TurnFailed, 60, turn_id=client.say("Hello"))
    assert (frame.error.code, frame.message.kind) == ("budget_seconds", "failure")
    assert "the budget of 1 seconds was used up" in frame.message.text


# Attempts
# -------------------------------------------------------------------------------------------------------------------


async def _context(run: Run) -> Context:
    async def say(_: str) -> None:
        pass

    return Context(run, "planner", Handles([]), "espresso", SOME_MODELS, await in_db(get_values)(), say, lambda: None)


async def _claim_context(run: Run) -> Context:
    return await _context((await in_db(Run.objects.claim)([run.pk], timezone.now()))[0])


@pytest.mark.django_db(transaction=True)
async def test_an_attempt_goes_on_with_what_those_before_it_left() -> None:
    run = await Run.objects.acreate(kind="turn", turn_id=uuid4())
    first = await _claim_context(run)
    step = partial(
        record_step, first, kind="tool", zone="planner", name="browse_url", origin=frozenset({"owner"}), request={}
    )
    async with step(pages=1):
        first.budget.add_tokens(700)
    unfinished = step(pages=2, tokens=50)
    await unfinished.__aenter__()  # and there the process hangs
    now = timezone.now()
    await Run.objects.aupdate(started_at=now - timedelta(seconds=61), lease_until=now - timedelta(seconds=1))
    await in_db(tick)()
    budget = (await _claim_context(run)).budget
    assert (budget.steps, budget.pages, budget.tokens) == (2, 3, 750)
    assert budget.ends_at - time.monotonic() == pytest.approx(budget.seconds_max - 60, abs=5)
    first.budget.pages = 0
    await unfinished.__aexit__(None, None, None)  # an old attempt: what it writes does not count
    await run.arefresh_from_db()
    assert run.spent_pages == 3


@pytest.mark.django_db(transaction=True)
async def test_the_time_for_which_a_run_is_parked_or_queued_is_not_used_up() -> None:
    run = await Run.objects.acreate(kind="turn", turn_id=uuid4())
    await _claim_context(run)
    await Run.objects.aupdate(state="queued", started_at=timezone.now() - timedelta(hours=5))
    budget = (await _claim_context(run)).budget
    assert budget.ends_at - time.monotonic() == pytest.approx(budget.seconds_max, abs=5)


@pytest.mark.long
def test_crash_after_crash_opens_no_more_pages_than_one_turn_may(
    start_penny: Callable[..., Penny], model: ModelServer
) -> None:
    """Every process dies while a page is being opened, twice."""
    model.on(is_planner, lambda r: tool("browse_url", url=LINKS[len(r.tool_results)][1]))
    penny = start_penny(**with_model(model.url))
    penny.set(TURN_PAGES_MAX=2)
    with penny.client("Fake browser", tools={"browse_url": lambda _: None}) as client:
        client.allow_site("coffee.example")
        pairing, turn = client.pairing, client.say(QUESTION)
        client.expect(p.ToolCall)
        penny.kill()
    penny.start()
    with Client(pairing, tools={"browse_url": lambda _: None}, cursor=0) as client:
        client.expect(p.ToolCall, 40)
        penny.kill()
    penny.start()
    with Client(pairing, tools={"browse_url": lambda _: None}, cursor=0) as client:
        frame = client.expect(p.TurnFailed, 40, turn_id=turn)
        assert "the budget of 2 pages was used up" in frame.message.text
        assert client.frames_of(p.ToolCall) == []


# The writer that has the last word
# ------------------------------------------------------------------------------------------


def test_when_the_writer_fails_at_the_end_the_claims_speak_for_themselves(start: Start, model: ModelServer) -> None:
    client = start(TURN_PAGES_MAX=1)
    one_after_the_other(model)
    model.on(lambda r: "Readings:" in r.last_user, Reply(status=500))
    answer = client.ask(QUESTION, 60)
    assert WATER.paragraphs[0][:40] in answer.text
    assert "the budget of 1 pages was used up" in answer.text


# Rates
# ----------------------------------------------------------------------------------------------------------------------


def test_a_domain_that_is_asked_too_often_is_refused_by_a_code_and_said_to_the_owner(
    start: Start, penny: Penny, model: ModelServer
) -> None:
    client = start()
    client.send(p.GrantSet(host="rates.example", capability="read", state="allowed", scope="always"))
    penny.set(RATE_PER_HOST_MINUTE=2)
    urls = [f"https://{name}.rates.example/" for name in "abc"]
    client.tools |= browser_tools({url: make_page(url, WATER.title, WATER.text) for url in urls})
    model.on(
        lambda r: is_planner(r) and not r.tool_results,
        Reply(tools=tuple(ToolUse("browse_url", {"url": url}) for url in urls)),
    )
    try:
        client.ask(f"How is espresso brewed? {' '.join(urls)}", 60)
    finally:
        penny.set(RATE_PER_HOST_MINUTE=MANY)
    assert len(client.frames_of(p.ToolCall)) == 2
    results = next(r.tool_results for r in model.requests if r.tool_results)
    assert [result for result in results if "error" in result] == ['{"error":"rate_limited"}']
    assert "that would be too often in one minute" in " ".join(status.text for status in client.frames_of(p.TurnStatus))


def test_over_all_domains_there_is_a_limit_that_is_said_too(start: Start, penny: Penny, model: ModelServer) -> None:
    client = start()
    penny.set(RATE_MINUTE=1)
    model.on(
        lambda r: is_planner(r) and not r.tool_results,
        Reply(tools=tuple(ToolUse("browse_url", {"url": url}) for _, url in LINKS[:2])),
    )
    try:
        client.ask(QUESTION, 60)
    finally:
        penny.set(RATE_MINUTE=MANY)
    assert len(client.frames_of(p.ToolCall)) <= 1
    assert "rate_limited_overall" in " ".join(result for r in model.requests for result in r.tool_results)
