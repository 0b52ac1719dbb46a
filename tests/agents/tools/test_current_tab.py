"""The current tab: the planner gets a handle and a domain, only if the site is allowed."""

import json
from typing import Any

import pytest

from devices import protocol as p
from tests.client import browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Request, text, tool

URL = "https://coffee.example/water?session_id=abc#top"
PAGES = {
    "https://coffee.example/water?session_id=abc": make_page("https://coffee.example/water", WATER.title, WATER.text)
}


@pytest.fixture(autouse=True)
def _no_grants(penny: Penny) -> None:
    penny.admin_action("devices/grant", "delete_selected")


def tools(tab: Any) -> dict[str, Any]:
    return {**browser_tools(PAGES, []), "get_current_tab": lambda _: tab}


def first(request: Request) -> bool:
    return bool(request.tools) and not request.tool_results


def planner_result(model: ModelServer) -> dict[str, Any]:
    """Return the result that the planner got."""
    results = [request.tool_results for request in model.requests if request.tool_results]
    return dict(json.loads(results[0][0]))


def allow(client: Any) -> None:
    client.allow_site("coffee.example")


def test_a_page_on_an_allowed_site_is_a_handle_that_can_be_read(penny: Penny, model: ModelServer) -> None:
    model.on(first, tool("get_current_tab"))
    model.on(lambda r: bool(r.tools) and len(r.tool_results) == 1, tool("browse_url", url="b1"))
    model.on(lambda r: bool(r.tools) and len(r.tool_results) == 2, text("Say what is on it."))
    with penny.client(tools=tools(p.CurrentTab(url=URL))) as client:
        allow(client)
        assert WATER.paragraphs[0] in client.ask("How is espresso brewed, according to this page?", 30).text
    assert planner_result(model) == {"handle": "b1", "domain": "coffee.example"}
    assert not any("session_id" in request.everything for request in model.requests)


def test_a_page_on_another_site_is_not_named_even_by_a_browser_that_does(penny: Penny, model: ModelServer) -> None:
    model.on(first, tool("get_current_tab"))
    model.on(lambda r: bool(r.tool_results), text("I may not look there."))
    with penny.client(tools=tools(p.CurrentTab(url="https://bank.example/account/4711"))) as client:
        allow(client)
        sites = f"[See your sites]({penny.url}/permissions/)"
        assert client.ask("What is on this page?", 30).text == f"I may not look there.\n\n{sites}"
        assert not client.frames_of(p.GrantAsk)
    assert planner_result(model) == {"error": "not_granted"}
    assert not any("bank.example" in request.everything for request in model.requests)


def test_an_answer_that_is_no_address_is_refused(penny: Penny, model: ModelServer) -> None:
    model.on(first, tool("get_current_tab"))
    model.on(lambda r: bool(r.tool_results), text("That did not work."))
    with penny.client(tools=tools(make_page("https://coffee.example/", "A title", "Words of a page. " * 20))) as client:
        allow(client)
        client.ask("What is on this page?", 30)
    assert planner_result(model) == {"error": "bad_result"}


def test_it_is_not_offered_to_whom_no_browser_can_answer(penny: Penny, model: ModelServer) -> None:
    with penny.client(tools=browser_tools(PAGES, [])) as client:
        client.ask("What is on this page?", 30)
    assert "get_current_tab" not in model.requests[0].tools
