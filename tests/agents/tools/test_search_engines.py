"""Search engines that do not answer: the next one is asked, and the owner may open the search themselves."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from devices import protocol as p
from tests.client import allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, text, tool

COFFEE = "https://coffee.example/water"
PAGES = {COFFEE: make_page(COFFEE, WATER.title, WATER.text)}
DEFAULT = "https://html.duckduckgo.com/html/?q={query}"
FIRST, SECOND, THIRD = (f"https://{name}.example/?q={{query}}" for name in ("first", "second", "third"))
RESULT = p.SearchResult(title=WATER.title, url=COFFEE, snippet="")
WALLS = {
    "asks_consent": "asks for consent",
    "asks_human": "wants to see that a human asks",
    "blocked_by_site": "did not let me in",
    "needs_sign_in": "asks for a sign-in",
    "unreadable_results": "shows a page on which I can read no results",
}
Answers = Callable[[str], Any]


def refusal(code: str) -> p.ToolError:
    return p.ToolError.model_validate({"code": code, "message": "No."})


@pytest.fixture
def engines(penny: Penny) -> Iterator[Penny]:
    penny.admin_action("devices/grant", "delete_selected")
    yield penny
    penny.set(SEARCH_TEMPLATE=DEFAULT, SEARCH_MORE="")
    penny.admin_action("devices/grant", "delete_selected")


def search(
    penny: Penny, model: ModelServer, answers: Answers, allowed: tuple[str, ...], query: str = "espresso"
) -> tuple[list[str], dict[str, Any], str]:
    """Return the templates that the browser was asked for, what the planner got, and the reply."""
    templates: list[str] = []

    def answer(call: p.ToolCall) -> Any:
        assert isinstance(call.arguments, p.SearchWebArguments)
        templates.append(call.arguments.template)
        return answers(call.arguments.template)

    model.on(
        lambda r: bool(r.tools), lambda r: text("So it is.") if r.tool_results else tool("search_web", query=query)
    )
    with penny.client("Desk", tools={**browser_tools(PAGES), "search_web": answer}, answers=allow()) as client:
        for host in allowed:
            client.send(p.GrantSet(host=host, capability="read", state="allowed", scope="always"))
            client.expect(p.Ack, ref=host)
        reply = client.ask("Search for espresso", 30).text
    [planned] = max((r.tool_results for r in model.requests if r.tools), key=len)
    return templates, json.loads(planned), reply


@pytest.mark.parametrize("answer", [p.SearchResults(results=[]), *map(refusal, [*WALLS, "load_failed"])])
def test_another_engine_that_is_allowed_is_asked_when_the_first_cannot_answer(
    engines: Penny, model: ModelServer, answer: p.SearchResults | p.ToolError
) -> None:
    engines.set(SEARCH_TEMPLATE=FIRST, SEARCH_MORE=f"{SECOND}\n{THIRD}")
    results = p.SearchResults(results=[RESULT])
    templates, planned, reply = search(
        engines, model, lambda template: results if template == THIRD else answer, ("first.example", "third.example")
    )
    assert templates == [FIRST, THIRD]
    assert planned["results"] == [{"handle": "s1.r1", "domain": "coffee.example"}]
    code = answer.code if isinstance(answer, p.ToolError) else ""
    assert ("https://first.example/?q=espresso" in reply) == (code in WALLS)


@pytest.mark.parametrize(("code", "words"), WALLS.items())
def test_a_wall_is_told_with_a_link_that_opens_the_search(
    engines: Penny, model: ModelServer, code: str, words: str
) -> None:
    engines.set(SEARCH_TEMPLATE=FIRST)
    query = "milk) [x](javascript:alert(1)) & foam"
    _, planned, reply = search(engines, model, lambda _: refusal(code), ("first.example",), query)
    assert planned == {"error": code}
    assert f"first.example {words}" in reply
    link = "https://first.example/?q=milk%29%20%5Bx%5D%28javascript%3Aalert%281%29%29%20%26%20foam"
    assert f"[Open this search yourself]({link})" in reply


def test_a_page_that_says_so_has_no_results_and_is_no_wall(engines: Penny, model: ModelServer) -> None:
    engines.set(SEARCH_TEMPLATE=FIRST)
    nothing = p.SearchResults(results=[])
    _, planned, reply = search(engines, model, lambda _: nothing, ("first.example",))
    assert (planned["count"], "Open this search" in reply) == (0, False)


def test_an_own_searxng_is_named_by_its_address_alone(engines: Penny, model: ModelServer) -> None:
    engines.set(SEARCH_TEMPLATE="localhost:8888", SEARCH_MORE="searx.lan\nbrave")
    results = p.SearchResults(results=[RESULT])
    templates, planned, _ = search(engines, model, lambda _: results, ("localhost:8888",))
    assert templates == ["http://localhost:8888/search?q={query}"]
    assert planned["count"] == 1
    form = engines.http.get("/admin/constance/config/").text
    assert "http://searx.lan/search?q={query}\nhttps://search.brave.com/search?q={query}" in form


def test_an_own_searxng_is_named_in_the_conversation(engines: Penny) -> None:
    with engines.client("Desk") as client:
        answer = client.ask("/config SEARCH_TEMPLATE localhost:8888", 30).text
        assert "http://localhost:8888/search?q={query}" in answer
        assert "no address of a search engine" in client.ask("/config SEARCH_TEMPLATE ftp://x", 30).text


def test_a_thinking_run_says_which_wall_ended_it(engines: Penny) -> None:
    for rows in ("thoughts/preference", "thoughts/thought"):
        engines.admin_action(rows, "delete_selected")
    engines.set(SEARCH_TEMPLATE=FIRST)
    with engines.client(
        "Desk", tools={**browser_tools(PAGES), "search_web": lambda _: refusal("asks_consent")}
    ) as desk:
        desk.send(p.GrantSet(host="first.example", capability="read", state="allowed", scope="always"))
        desk.expect(p.Ack, ref="first.example")
        assert "asks for consent before it answers" in engines.manage("think", "--preference", "espresso")
