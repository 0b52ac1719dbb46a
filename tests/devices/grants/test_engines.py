"""A question about a search engine goes by the engine's name, and says its host."""

import json
import re

import pytest
from constance import config
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone

from devices.grants import ask_texts, asks, engines
from devices.models import Ask
from tests.pages import squeeze
from tests.penny import ROOT

pytestmark = pytest.mark.django_db


def question_about(host: str, capability: str = "read") -> Ask:
    now = timezone.now()
    return Ask(host=host, capability=capability, text="To search there.", prompt_until=now, expires_at=now)


@pytest.mark.parametrize(
    ("host", "capability", "question", "engine"),
    [
        ("html.duckduckgo.com", "read", "May Penny search with DuckDuckGo?", "DuckDuckGo"),
        ("search.example", "read", "May Penny search with search.example?", "search.example"),
        ("html.duckduckgo.com", "act", "May Penny act on html.duckduckgo.com?", ""),
        ("www.bing.com", "read", "May Penny read pages on www.bing.com?", ""),
        ("coffee.example", "read", "May Penny read pages on coffee.example?", ""),
    ],
)
def test_an_engine_of_the_settings_is_asked_for_by_its_name(
    host: str, capability: str, question: str, engine: str
) -> None:
    config.SEARCH_TEMPLATE = "https://html.duckduckgo.com/html/?q={query}"
    config.SEARCH_MORE = "https://search.example/?q={query} not-an-address"
    grant_ask = question_about(host, capability)
    assert (ask_texts.short_question(grant_ask), asks.ask_frame(grant_ask).model_dump()["engine"]) == (question, engine)
    page = squeeze(render_to_string("devices/_question.html", {"ask": grant_ask}))
    assert question in page
    assert host in page


@pytest.mark.parametrize(
    ("key", "host", "capability"),
    [
        ("ask_read", "coffee.example", "read"),
        ("ask_act", "coffee.example", "act"),
        ("ask_search", "html.duckduckgo.com", "read"),
    ],
)
def test_the_sidebar_asks_with_the_words_of_the_site(key: str, host: str, capability: str) -> None:
    config.SEARCH_TEMPLATE = "https://html.duckduckgo.com/html/?q={query}"
    ask = question_about(host, capability)
    words = json.loads((ROOT / "browser_ext/src/locales/en.json").read_text())[key]
    assert words.replace("$1", engines.known_name(host) if key == "ask_search" else host) == (
        ask_texts.short_question(ask)
    )


@pytest.mark.parametrize(
    ("key", "capability", "is_background"),
    [
        ("ask_with_login", "read", False),
        ("ask_without_login", "read", True),
        ("ask_act_means", "act", False),
    ],
)
def test_the_sidebar_and_the_site_say_alike_which_login_is_used(key: str, capability: str, is_background: bool) -> None:
    ask = question_about("coffee.example", capability)
    ask.is_background = is_background
    words = json.loads((ROOT / "browser_ext/src/locales/en.json").read_text())[key]
    assert words in squeeze(render_to_string("devices/_question.html", {"ask": ask}))
    ask.state = Ask.State.ALLOWED
    assert words not in squeeze(render_to_string("devices/_question.html", {"ask": ask}))


ANSWERED = {"Allow": "ask_always", "Just once": "ask_once", "No": "ask_not_now", "For an hour": "ask_hour"}
ANSWERED |= {"For this task": "ask_run", "Without my logins": "ask_always_clean", "Block": "ask_block"}


def test_the_sidebar_and_the_site_offer_the_same_answers(rf: RequestFactory) -> None:
    words = json.loads((ROOT / "browser_ext/src/locales/en.json").read_text())
    page = render_to_string(
        "agents/activity/_answers.html", {"ask": question_about("coffee.example", "read")}, request=rf.get("/")
    )
    labels = [squeeze(label) for label in re.findall(r"<button[^>]*>([^<]+)</button>", page)]
    assert labels == [words[key] for key in ANSWERED.values()] == list(ANSWERED)
    assert re.findall(r'value="([a-z-]+)" data-answer="(.)"', page) == [
        ("allow-always", "a"),
        ("allow-once", "o"),
        ("dismiss", "n"),
    ]


def test_a_channel_says_what_acting_means() -> None:
    act = question_about("shop.example", "act")
    text = ask_texts.question_text(act)
    assert text == f"May I act on shop.example and what is below it? To search there. {ask_texts.ACT_MEANS}"
    assert ask_texts.answer_text(act, "allow", "hour") == "I may act on shop.example for an hour."
    assert (
        ask_texts.answer_text(act, "block", "") == "I never act on shop.example. You can change that under Permissions."
    )


def test_a_channel_says_name_and_host() -> None:
    text = ask_texts.question_text(question_about("html.duckduckgo.com"))
    assert text == "May I search with DuckDuckGo (html.duckduckgo.com and what is below it)? To search there."
