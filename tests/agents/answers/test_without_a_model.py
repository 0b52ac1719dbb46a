"""Penny without a model: she reads and answers by extraction, and says so everywhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests import penny as pennies
from tests.agents.acting.shop import Shop
from tests.agents.acting.test_errands import ask_to_act
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, PRESSURE, WATER
from tests.waiting import until

ARTICLES = {
    "https://coffee.example/water": WATER,
    "https://lab.example/grind": GRIND,
    "https://museum.example/gaggia": PRESSURE,
}
FURTHER = "https://archive.example/levers"
DUG = "The first lever espresso machine stood in Milan."
PAGES = {
    url: make_page(url, article.title, article.text, [("More about espresso", FURTHER)])
    for url, article in ARTICLES.items()
}
PAGES |= {FURTHER: make_page(FURTHER, "Levers", f"{DUG} Espresso was brewed with it for forty years.")}
RESULTS = [
    p.SearchResult(title=article.title, url=url, snippet=article.paragraphs[0]) for url, article in ARTICLES.items()
]
SITES = ["coffee.example", "lab.example", "museum.example", "html.duckduckgo.com"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Penny]:
    with pennies.run_penny(Path(tmp_path_factory.mktemp("data"))) as penny:
        yield penny


@pytest.fixture
def fresh_desk(fresh: Penny) -> Iterator[Client]:
    with fresh.client("Fake browser", tools=browser_tools(PAGES, RESULTS), answers=allow()) as fresh_desk:
        yield fresh_desk


def test_pages_are_read_by_extraction_and_it_is_said(fresh_desk: Client) -> None:
    read = fresh_desk.ask("At what temperature is espresso brewed? https://coffee.example/water", 60)
    assert any(sentence in read.text for sentence in WATER.paragraphs)
    assert "No model yet · [Add one]" in read.text
    assert "coffee.example" in read.origin
    results = fresh_desk.ask("Search for espresso temperature", 60)
    assert any(sentence in results.text for sentence in WATER.paragraphs)


def test_a_shared_page_is_answered_from_by_extraction_and_it_is_said(fresh_desk: Client) -> None:
    shared = make_page("https://museum.example/", PRESSURE.title, PRESSURE.text)
    fresh_desk.send(frame := p.ChatSend(turn_id=uuid4(), text="Who built it?", page=shared))
    answer = fresh_desk.expect(p.TurnDone, 60, turn_id=frame.turn_id).message
    assert any(sentence[:40] in answer.text for sentence in PRESSURE.paragraphs)
    assert ("No model yet · [Add one]" in answer.text, answer.origin) == (True, ["museum.example", "owner", "penny"])


def test_a_question_is_searched_for_at_once_and_answered_with_quotes(fresh: Penny, fresh_desk: Client) -> None:
    """The engine is asked for by its name, then the page by its host."""
    fresh.admin_action("devices/grant", "delete_selected")
    before = len(fresh_desk.frames_of(p.GrantAsk))
    answer = fresh_desk.ask("At what temperature is espresso brewed?", 60)
    assert any(sentence in answer.text for sentence in WATER.paragraphs)
    assert "/evidence/" in answer.html
    assert f"{fresh.url}/settings/model/" in answer.html
    asks = [(ask.host, ask.engine) for ask in fresh_desk.frames_of(p.GrantAsk)[before:]]
    assert asks[0] == ("html.duckduckgo.com", "DuckDuckGo")
    assert {engine for _, engine in asks[1:]} == {""}


@pytest.mark.parametrize("words", ["Hello there", "My sister lives in Leipzig"])
def test_what_asks_nothing_of_the_web_goes_to_no_engine(fresh: Penny, fresh_desk: Client, words: str) -> None:
    answer = fresh_desk.ask(words)
    assert "Ask me something and I search the web for it" in answer.text
    assert f"{fresh.url}/settings/model/" in answer.html
    assert not fresh_desk.frames_of(p.ToolCall)


def test_without_a_browser_the_question_is_not_lost(fresh: Penny) -> None:
    with fresh.client("Telling", tools={}) as telling:
        assert "No browser is connected, so I could not open DuckDuckGo." in telling.ask("Who built the Gaggia?").text


def test_a_thought_is_made_of_the_pages_own_sentences(fresh: Penny, fresh_desk: Client) -> None:
    for host in SITES:
        fresh_desk.send(p.GrantSet(host=host, capability="read", state="allowed", scope="always"))
    until(
        lambda: {grant.host for sync in fresh_desk.frames_of(p.GrantsSync) for grant in sync.grants} >= set(SITES),
        "every site is granted",
    )
    printed = fresh.manage("think", "--preference", "espresso")
    assert sum(sentence in printed for article in ARTICLES.values() for sentence in article.paragraphs) >= 2
    assert "made without a model" in fresh.http.get("/").text


def test_digging_deeper_reads_where_the_pages_of_a_thought_lead(fresh: Penny, fresh_desk: Client) -> None:
    """Needs the thought of the test before it."""
    match = re.search(r"/thoughts/([0-9a-f-]{36})/", fresh.http.get("/").text)
    assert match is not None
    fresh.post(f"/thoughts/{match[1]}/dig/")
    answer = fresh_desk.expect(p.TurnDone, 60).message
    assert [ask.host for ask in fresh_desk.frames_of(p.GrantAsk)] == ["archive.example"]
    assert DUG in answer.text
    assert any(sentence in answer.text for article in ARTICLES.values() for sentence in article.paragraphs)
    assert {"archive.example", "coffee.example"} <= set(answer.origin)


def test_a_question_about_a_thought_is_answered_from_its_pages(fresh: Penny, fresh_desk: Client) -> None:
    match = re.search(r"/thoughts/([0-9a-f-]{36})/", fresh.http.get("/").text)
    assert match is not None
    fresh_desk.send(
        frame := p.ChatSend(turn_id=uuid4(), text="At what temperature is it brewed?", thought_id=UUID(match[1]))
    )
    answer = fresh_desk.expect(p.TurnDone, 60, turn_id=frame.turn_id).message
    assert "From [" in answer.text
    assert not fresh_desk.frames_of(p.ToolCall)


def test_what_the_owner_says_to_like_becomes_an_interest(fresh: Penny, fresh_desk: Client) -> None:
    assert "I know now that you like “quiet grinders”" in fresh_desk.ask("I like quiet grinders.").text
    assert "quiet grinders" in fresh.http.get("/interests/").text


def test_without_a_model_acting_says_that_it_needs_one(fresh: Penny) -> None:
    with fresh.client("Desk", tools=Shop().tools) as client:
        answer = ask_to_act(client)
    assert "Acting on pages needs a model." in answer.text
    assert "[Choose a model](" in answer.text
