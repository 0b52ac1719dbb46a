"""No transaction is open while Penny waits for a model, the reader, a browser or the owner."""

from typing import Any

import pytest

from devices import protocol as p
from tests.client import Tool, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import reply, zone
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.transactions import hold_transaction, stays_open

URL = "https://coffee.example/water"
PAGES = {URL: make_page(URL, WATER.title, WATER.text)}
RESULTS = [p.SearchResult(title=WATER.title, url=URL, snippet=WATER.paragraphs[0])]


class Waits:
    """Record each wait, and which of them had an open transaction."""

    def __init__(self, penny: Penny, model: ModelServer) -> None:
        self._penny = penny
        self.seen: list[str] = []
        self.held: list[str] = []
        model.on(lambda _: True, self._reply)
        real = browser_tools(PAGES, RESULTS)
        self.tools = {name: self._watched(name, real[name]) for name in real}

    def note(self, who: str) -> None:
        self.seen.append(who)
        if stays_open(self._penny):
            self.held.append(who)

    def allow(self, ask: p.GrantAsk) -> p.GrantAnswer:
        self.note("owner")
        return p.GrantAnswer(request_id=ask.request_id, decision="allow", scope="once")

    def _reply(self, request: Request) -> Reply:
        self.note(zone(request))
        return reply(request)

    def _watched(self, name: str, tool: Tool) -> Tool:
        def run_tool(call: p.ToolCall) -> Any:
            self.note(name)
            return tool(call)

        return run_tool


@pytest.fixture
def waits(penny: Penny, model: ModelServer) -> Waits:
    for rows in (
        "devices/grant",
        "thoughts/thought",
        "thoughts/preference",
    ):  # a thought of another test would count as known
        penny.admin_action(rows, "delete_selected")
    return Waits(penny, model)


def test_a_turn_waits_for_nobody_in_a_transaction(penny: Penny, waits: Waits) -> None:
    with penny.client("Fake browser", tools=waits.tools, answers=waits.allow) as client:
        assert WATER.paragraphs[0] in client.ask(f"How is espresso brewed? {URL}", 60).text
    assert set(waits.seen) == {"planner", "owner", "browse_url", "reader", "writer"}
    assert waits.held == []


def test_a_thinking_run_waits_for_nobody_in_a_transaction(penny: Penny, waits: Waits) -> None:
    with penny.client("Fake browser", tools=waits.tools) as client:
        for host in ("html.duckduckgo.com", "coffee.example"):
            client.allow_site(host)
        penny.manage("think", "--preference", "how espresso is brewed")
    assert set(waits.seen) == {"queries", "search_web", "chooser", "browse_url", "reader", "drafter"}
    assert waits.held == []


def test_a_transaction_that_somebody_holds_is_seen(penny: Penny) -> None:
    assert not stays_open(penny)
    with hold_transaction(penny):
        assert stays_open(penny)
