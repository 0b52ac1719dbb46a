"""Penny without a model: she reads and answers by extraction, and says so everywhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests import penny as pennies
from tests.agents.acting.shop import Shop
from tests.agents.acting.test_errands import ask_to_act
from tests.client import Client, allow, browser_tools, make_page
from tests.commands import ROOT
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, PRESSURE, WATER

pytestmark = pytest.mark.processes("its Penny has no model")

ARTICLES = {
    "https://coffee.example/water": WATER,
    "https://lab.example/grind": GRIND,
    "https://museum.example/gaggia": PRESSURE,
}
FURTHER = "https://archive.example/levers"
LONG = "https://annals.example/long"
DUG = "The first lever espresso machine stood in Milan."
PAGES = {
    url: make_page(url, article.title, article.text, [("More about espresso", FURTHER)])
    for url, article in ARTICLES.items()
}
EXAMPLE = "This domain is for use in documentation examples without needing permission."
PAGES |= {url: make_page(url, "Example Domain", EXAMPLE) for url in ("https://example.com", "https://example.com/")}
PAGES |= {LONG: make_page(LONG, WATER.title, WATER.text, words=90_000).model_copy(update={"truncated": True})}
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
    for what in ("stop", "resume"):  # a look that goes on would use the browser of the next test
        fresh.post(f"/activity/{what}/")


def test_pages_are_read_by_extraction_and_it_is_said(fresh_desk: Client) -> None:
    read = fresh_desk.ask("At what temperature is espresso brewed? https://coffee.example/water", 60)
    assert any(sentence in read.text for sentence in WATER.paragraphs)
    assert "No model yet · [Add one]" in read.text
    assert "coffee.example" in read.origin
    assert "I read the first" not in read.text
    cut = fresh_desk.ask(f"At what temperature is espresso brewed? {LONG}", 60)
    assert re.search(r"I read the first \d+ of about \d+ kB of annals\.example\.", cut.text)
    results = fresh_desk.ask("Search for espresso temperature", 60)
    assert any(sentence in results.text for sentence in WATER.paragraphs)


def test_a_shared_page_is_answered_from_by_extraction_and_it_is_said(fresh_desk: Client) -> None:
    shared = make_page("https://museum.example/", PRESSURE.title, PRESSURE.text)
    fresh_desk.send(frame := p.ChatSend(turn_id=uuid4(), text="Who built it?", page=shared))
    answer = fresh_desk.expect(p.TurnDone, 60, turn_id=frame.turn_id).message
    assert any(sentence[:40] in answer.text for sentence in PRESSURE.paragraphs)
    assert ("No model yet · [Add one]" in answer.text, answer.origin) == (True, ["museum.example", "owner", "penny"])


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_a_question_is_searched_for_at_once_and_answered_with_quotes(
    fresh: Penny, fresh_desk: Client, decision: Literal["allow", "deny"]
) -> None:
    """The engine is asked for by its name, then the sites of the best results in one question."""
    fresh.admin_action("devices/grant", "delete_selected")
    turn = fresh_desk.say("At what temperature is espresso brewed?")
    ask = fresh_desk.expect(p.ApprovalAsk, 60)
    assert ask.text == "May Penny read pages on coffee.example, lab.example and museum.example for this answer?"
    fresh_desk.send(p.ApprovalAnswer(request_id=ask.request_id, decision=decision))
    answer = fresh_desk.expect(p.TurnDone, 60, turn_id=turn).message
    is_read = decision == "allow"
    assert any(sentence in answer.text for sentence in WATER.paragraphs) is is_read
    assert ("/evidence/" in answer.html) is is_read
    assert ("coffee.example, lab.example and museum.example" in answer.text) is not is_read
    assert f"{fresh.url}/settings/model/" in answer.html
    assert [(ask.host, ask.engine) for ask in fresh_desk.frames_of(p.GrantAsk)] == [
        ("html.duckduckgo.com", "DuckDuckGo")
    ]


def test_results_that_do_not_answer_are_not_quoted(fresh: Penny, fresh_desk: Client) -> None:
    for host in SITES:
        fresh_desk.allow_site(host)
    answer = fresh_desk.ask("How many kilograms does a tame elephant weigh in espresso?", 60)
    assert "and found no answer there" in answer.text
    assert not any(sentence in answer.text for article in ARTICLES.values() for sentence in article.paragraphs)


@pytest.mark.parametrize("example", ["search", "read", "like"])
def test_what_a_newcomer_is_offered_to_ask_works_as_it_is_shown(fresh_desk: Client, example: str) -> None:
    texts = json.loads((ROOT / "browser_ext/src/locales/en.json").read_text())
    turn = fresh_desk.say(texts[f"example_{example}"])
    for host in SITES:
        fresh_desk.allow_site(host)
    answer = fresh_desk.expect(p.TurnDone, 60, turn_id=turn).message.text
    assert {"search": WATER.paragraphs[0], "read": EXAMPLE, "like": "It is one of your [interests]("}[example] in answer


def test_a_site_named_without_a_scheme_is_read_and_said_to_be_about(fresh_desk: Client) -> None:
    answer = fresh_desk.ask("Read example.com, and tell me what it is about", 60)
    assert "From [example.com]" in answer.text
    assert EXAMPLE in answer.text
    assert [call.arguments for call in fresh_desk.frames_of(p.ToolCall)] == [
        p.BrowseUrlArguments(url="https://example.com/", session="owner")
    ]


@pytest.mark.parametrize(
    "message", ["Search for example.com and its water", "I bought my grinder on example.com yesterday"]
)
def test_a_site_that_a_search_or_a_story_names_is_not_read(fresh_desk: Client, message: str) -> None:
    turn = fresh_desk.say(message)
    for host in SITES:
        fresh_desk.allow_site(host)
    fresh_desk.expect(p.TurnDone, 60, turn_id=turn)
    assert not any(url.startswith("https://example.com") for url in fresh_desk.opened_urls())


def test_an_earlier_question_is_no_knowledge(fresh: Penny) -> None:
    with fresh.client("Asking", tools={}) as asking:
        asking.ask("My grinder is a Mignon from Florence")
        asking.ask("Which grinder is made in Florence?")
        answer = asking.ask("grinder Florence")
    assert "You said on" in answer.text
    assert "Mignon" in answer.text
    assert "Which grinder" not in answer.text


@pytest.mark.parametrize("words", ["Hello there", "What can you do for me?", "My sister lives in Leipzig"])
def test_what_asks_nothing_of_the_web_goes_to_no_engine(fresh: Penny, fresh_desk: Client, words: str) -> None:
    answer = fresh_desk.ask(words)
    assert "Ask me something and I search the web for it" in answer.text
    assert f"{fresh.url}/settings/model/" in answer.html
    assert not fresh_desk.frames_of(p.ToolCall)


def test_without_a_browser_the_question_is_not_lost(fresh: Penny) -> None:
    with fresh.client("Telling", tools={}) as telling:
        assert "No browser is connected, so I could not open DuckDuckGo." in telling.ask("Who built the Gaggia?").text


@pytest.fixture(scope="module", autouse=True)
def printed(fresh: Penny) -> str:
    """What a look for espresso printed, before any other: no page is found twice. Its find is on the feed."""
    with fresh.client("Looking", tools=browser_tools(PAGES, RESULTS)) as browser:
        for host in SITES:
            browser.allow_site(host)
        return fresh.manage("think", "--preference", "espresso")


@pytest.fixture
def find(fresh: Penny, printed: str) -> UUID:
    match = re.search(r"/thoughts/([0-9a-f-]{36})/", fresh.http.get("/").text)
    assert match is not None, printed
    return UUID(match[1])


def test_a_thought_is_made_of_the_pages_own_sentences(fresh: Penny, printed: str) -> None:
    assert sum(sentence in printed for article in ARTICLES.values() for sentence in article.paragraphs) >= 2
    assert "made without a model" in fresh.http.get("/").text


def test_digging_deeper_reads_where_the_pages_of_a_thought_lead(fresh: Penny, fresh_desk: Client, find: UUID) -> None:
    for host in SITES:
        fresh_desk.allow_site(host)
    fresh.post(f"/thoughts/{find}/dig/")
    answer = fresh_desk.expect(p.TurnDone, 60).message
    assert [ask.host for ask in fresh_desk.frames_of(p.GrantAsk)] == ["archive.example"]
    assert DUG in answer.text
    assert any(sentence in answer.text for article in ARTICLES.values() for sentence in article.paragraphs)
    assert {"archive.example", "coffee.example"} <= set(answer.origin)


def test_a_question_about_a_thought_is_answered_from_its_pages(fresh_desk: Client, find: UUID) -> None:
    fresh_desk.send(frame := p.ChatSend(turn_id=uuid4(), text="At what temperature is it brewed?", thought_id=find))
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
