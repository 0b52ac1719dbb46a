"""Read a page through the browser: ask for the grant, open it hidden, read it, cite it."""

import json
from functools import partial

import pytest

from devices.protocol import GrantSet, GrantsSync
from tests.client import Client
from tests.e2e.browser import check_layout, text_of, visible
from tests.e2e.conftest import Desk
from tests.stand_ins.articles import GRIND, INJECTION, LATE, WATER
from tests.stand_ins.model_server import ModelServer, tool
from tests.stand_ins.sites import Sites
from tests.waiting import until

QUESTION = "At how many degrees is espresso brewed? Look at {url}"


def _is_granted(helper: Client, session: str) -> bool:
    return {grant.session for sync in helper.frames_of(GrantsSync)[-1:] for grant in sync.grants} == {session}


def _ask(desk: Desk, url: str) -> int:
    before = desk.panel.last_seq()
    desk.panel.say(QUESTION.format(url=url))
    return before


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_page_is_read_after_the_owner_allowed_it_once_and_is_asked_for_again(desk: Desk, web: Sites) -> None:
    url = web.url("coffee.example", "/water")
    web.agents.clear()
    before = _ask(desk, url)
    assert desk.panel.wait_ask() == "coffee.example"
    assert web.visits == []
    desk.panel.decide("once")
    answer = desk.panel.answer_after(before)
    assert WATER.paragraphs[0] in answer
    assert "coffee.example" in answer
    check_layout(desk.panel.page, f"{desk.browser.name}-answer")
    before = _ask(desk, url)
    assert desk.panel.wait_ask() == "coffee.example"
    desk.panel.decide("dismiss")
    desk.panel.answer_after(before)
    assert web.visited("coffee.example", "/water") == 1
    assert {agent for host, agent in web.agents if host == "coffee.example"} == {
        desk.panel.page.evaluate("navigator.userAgent")
    }


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_site_that_is_always_allowed_is_asked_for_once(desk: Desk, web: Sites) -> None:
    before = _ask(desk, web.url("coffee.example", "/water"))
    desk.panel.wait_ask()
    desk.panel.decide("always")
    desk.panel.answer_after(before)
    before = _ask(desk, web.url("coffee.example", "/grind"))
    assert "espresso" in desk.panel.answer_after(before)
    assert web.visited("coffee.example", "/grind") == 1


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_a_site_that_is_allowed_without_logins_does_not_know_the_owner(desk: Desk, web: Sites) -> None:
    tab = desk.browser.page(web.url("coffee.example", "/sign-in"))
    try:
        with desk.penny.client("Helper") as helper:
            for session in ("owner", "clean", "owner"):
                web.visits.clear()
                web.with_cookie.clear()
                helper.send(
                    GrantSet(host="coffee.example", capability="read", state="allowed", scope="always", session=session)
                )
                until(partial(_is_granted, helper, session), "it is granted")
                desk.panel.answer_after(_ask(desk, web.url("coffee.example", "/grind")))
                assert web.visited("coffee.example", "/grind") == 1
                assert (("coffee.example", "/grind") in web.with_cookie) is (session == "owner")
    finally:
        tab.close()


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_blocked_site_is_never_opened(desk: Desk, web: Sites) -> None:
    url = web.url("coffee.example", "/water")
    before = _ask(desk, url)
    desk.panel.wait_ask()
    desk.panel.decide("block")
    desk.panel.answer_after(before)
    before = _ask(desk, url)
    desk.panel.answer_after(before)
    assert web.visits == []


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_a_redirect_within_the_grant_is_followed(desk: Desk, web: Sites) -> None:
    before = _ask(desk, web.url("coffee.example", "/moved"))
    desk.panel.wait_ask()
    desk.panel.decide("always")
    assert GRIND.paragraphs[0] in desk.panel.answer_after(before)


def test_a_redirect_to_another_site_is_asked_about_and_brings_nothing_back_after_a_no(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    before = _ask(desk, web.url("coffee.example", "/away"))
    desk.panel.wait_ask()
    desk.panel.decide("always")
    assert desk.panel.wait_ask() == "lab.example"
    assert web.visited("lab.example", "/late") == 0
    desk.panel.decide("block")
    assert "lighthouse" not in desk.panel.answer_after(before)
    assert web.visited("lab.example", "/late") == 0
    assert not any("lighthouse" in request.everything for request in model.requests)


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_a_redirect_to_another_site_is_followed_after_a_yes(desk: Desk, web: Sites) -> None:
    before = desk.panel.last_seq()
    desk.panel.say(f"How tall is the lighthouse? Read {web.url('coffee.example', '/away')}")
    desk.panel.wait_ask()
    desk.panel.decide("always")
    assert desk.panel.wait_ask() == "lab.example"
    desk.panel.decide("always")
    assert "37 metres" in desk.panel.answer_after(before)


@pytest.mark.one_browser("chromium", "shared code reads the page")
def test_a_page_that_is_rendered_late_is_read_whole(desk: Desk, web: Sites) -> None:
    before = desk.panel.last_seq()
    desk.panel.say(f"How tall is the lighthouse? Read {web.url('lab.example', '/late')}")
    desk.panel.wait_ask()
    desk.panel.decide("once")
    assert LATE.paragraphs[1] in desk.panel.answer_after(before)


@pytest.mark.one_browser("chromium", "shared code reads the page")
def test_hidden_text_of_a_page_never_reaches_the_model(desk: Desk, model: ModelServer, web: Sites) -> None:
    before = desk.panel.last_seq()
    desk.panel.say(f"Who built the first lever machine? Read {web.url('coffee.example', '/hidden')}")
    desk.panel.wait_ask()
    desk.panel.decide("once")
    assert "Gaggia" in desk.panel.answer_after(before)
    assert not any(INJECTION[:40] in request.everything for request in model.requests)


@pytest.mark.one_browser("chromium", "the server decides it")
def test_no_request_with_tools_holds_a_word_of_the_page(desk: Desk, model: ModelServer, web: Sites) -> None:
    before = _ask(desk, web.url("coffee.example", "/water"))
    desk.panel.wait_ask()
    desk.panel.decide("once")
    desk.panel.answer_after(before)
    desk.panel.ask("And what did you read just now?")
    with_tools = [request for request in model.requests if request.tools]
    assert with_tools
    assert not any(
        sentence[:40] in request.everything for request in with_tools for sentence in (WATER.title, *WATER.paragraphs)
    )


@pytest.mark.one_browser("chromium", "both end the tab by the same code")
def test_the_tab_is_closed_when_the_turn_is_stopped(desk: Desk, web: Sites) -> None:
    before = _ask(desk, web.url("lab.example", "/slow"))
    desk.panel.wait_ask()
    desk.panel.decide("once")
    until(lambda: web.visited("lab.example", "/slow"), "the slow page is being loaded")
    desk.panel.stop()
    desk.panel.answer_after(before)
    until(lambda: not any("/slow" in url for url in desk.browser.urls()), "the tab is closed")


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_search_is_followed_to_a_page_by_its_handle(desk: Desk, model: ModelServer, web: Sites) -> None:
    before = desk.panel.last_seq()
    desk.panel.say("Please search for how espresso is brewed")
    assert desk.panel.wait_ask() == "search.example"
    desk.panel.decide("always")
    assert desk.panel.wait_ask() == "coffee.example"
    desk.panel.decide("always")
    assert WATER.paragraphs[0] in desk.panel.answer_after(before)
    assert not any(WATER.title in request.everything for request in model.requests if request.tools)


@pytest.mark.one_browser("chromium", "the server decides it")
def test_an_address_that_the_owner_did_not_write_is_asked_about(desk: Desk, model: ModelServer, web: Sites) -> None:
    made_up = web.url("coffee.example", "/water?word=heron")
    model.on(lambda request: bool(request.tools) and not request.tool_results, tool("browse_url", url=made_up))
    before = desk.panel.last_seq()
    desk.panel.say("Tell me something")
    visible(desk.panel.page, '.ask button[data-decision="dismiss"]:enabled')
    assert made_up in text_of(desk.panel.page, ".ask .question")
    desk.panel.decide("dismiss")
    desk.panel.answer_after(before)
    assert web.visits == []


def test_the_page_in_front_of_the_owner_is_read_only_where_its_site_is_allowed(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    model.on(lambda request: bool(request.tools) and not request.tool_results, tool("get_current_tab"))
    model.on(
        lambda request: len(request.tool_results) == 1 and "b1" in request.tool_results[0], tool("browse_url", url="b1")
    )
    tab = desk.browser.page(web.url("coffee.example", "/water"))
    try:
        with desk.penny.client("Helper") as helper:
            helper.ask("How is espresso brewed, according to this page?")
            helper.allow_site("coffee.example")
            answer = helper.ask("And now: how is espresso brewed, according to this page?")
    finally:
        tab.close()
    results = [json.loads(request.tool_results[0]) for request in model.requests if request.tool_results]
    assert results[0] == {"error": "not_granted"}
    assert {"handle": "b1", "domain": "coffee.example"} in results
    assert WATER.paragraphs[0] in answer.text
