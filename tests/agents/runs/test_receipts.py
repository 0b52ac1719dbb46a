"""The receipt under an answer: what was read for it, and what left this machine."""

import pytest
from constance import config

from agents.models import Run, Step
from agents.runs.receipt import receipt_of
from devices.protocol.conversation import Receipt
from tests.client import Client, allow, browser_tools, make_page
from tests.stand_ins.articles import WATER

URL = "https://coffee.example/water"
DESK_TOOLS = browser_tools({URL: make_page(URL, WATER.title, WATER.text)}, [])
DESK_ANSWERS = allow("once")


HERE, ELSEWHERE = "127.0.0.1", "api.example"


def run_with(*steps: tuple[str, str, str, str | None, list[str]]) -> Run:
    run = Run.objects.create(kind="turn", state="running")
    for kind, name, state, host, origin in steps:
        Step.objects.create(run=run, kind=kind, zone="planner", name=name, state=state, host=host, origin=origin)
    return run


def test_an_answer_from_a_page_says_how_many_sites_were_read_and_that_nothing_was_sent(desk: Client) -> None:
    receipt = desk.ask(f"How is espresso brewed? {URL}", 30).receipt
    assert receipt is not None
    # The tests before this one may have made the conversation longer than a model sees; that stands on it too.
    assert receipt.model_copy(update={"unseen_before": None}) == Receipt(sites=1, searches=0, sent_to=[], cost="")


def test_what_a_command_answers_has_no_receipt(desk: Client) -> None:
    assert desk.ask("/help").receipt is None


@pytest.mark.django_db
def test_models_elsewhere_searches_and_the_cost_stand_on_it() -> None:
    run = run_with(
        ("model", "openai:large", "done", ELSEWHERE, ["owner"]),
        ("tool", "search_web", "done", "", ["owner", "search.example"]),
        ("tool", "browse_url", "done", "", ["owner", "coffee.example"]),
        ("tool", "browse_url", "done", "", ["owner", "coffee.example"]),
        ("tool", "browse_url", "failed", "", ["owner", "shop.example"]),
        ("model", "ollama:small", "done", HERE, ["coffee.example"]),
    )
    run.spent_micros = 4000
    assert receipt_of(run) == {"sites": 1, "searches": 1, "acts": 0, "sent_to": [ELSEWHERE], "cost": "0.0040"}


@pytest.mark.django_db
def test_a_search_engine_is_a_site_read_only_where_one_of_its_pages_was_opened() -> None:
    config.SEARCH_TEMPLATE = "https://search.example/?q={query}"
    searched = [
        ("tool", "search_web", "done", "", ["owner"]),
        ("model", "reader", "done", "", ["owner", "search.example"]),
        ("model", "writer", "done", "", ["coffee.example", "search.example"]),
    ]
    with_page = run_with(*searched, ("tool", "browse_url", "done", "", ["owner"]))
    with_page.steps.filter(name="browse_url").update(result={"domain": "search.example"})
    assert [(receipt_of(run) or {})["sites"] for run in (run_with(*searched), with_page)] == [1, 2]


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["failed", "started", "unknown"])
def test_what_may_have_been_sent_counts_as_sent(state: str) -> None:
    receipt = receipt_of(
        run_with(("model", "openai:large", state, ELSEWHERE, ["owner"]), ("tool", "search_web", state, "", ["owner"]))
    )
    assert receipt == {"sites": 0, "searches": 1, "acts": 0, "sent_to": [ELSEWHERE], "cost": ""}


@pytest.mark.django_db
def test_an_act_that_was_done_or_may_have_been_counts() -> None:
    run = run_with(
        ("tool", "act_on_page", "done", "", ["owner"]),
        ("tool", "act_on_page", "done", "", ["owner"]),
        ("tool", "act_on_page", "unknown", "", ["owner"]),
        ("tool", "act_on_page", "failed", "", ["owner"]),
    )
    run.steps.filter(pk=run.steps.earliest("pk").pk).update(result={"state": "done"})
    assert receipt_of(run) == {"sites": 0, "searches": 0, "acts": 2, "sent_to": [], "cost": ""}


@pytest.mark.django_db
def test_a_run_of_an_earlier_version_or_without_steps_has_none() -> None:
    assert receipt_of(run_with(("model", "openai:large", "done", None, ["owner"]))) is None
    assert receipt_of(run_with()) is None
