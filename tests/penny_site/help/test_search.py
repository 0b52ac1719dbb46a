"""Searching the handbook: what people type, what they find first, and what they see of it."""

import time

import pytest
from django.test import Client

from penny_site.help.handbook import CONTENTS, Handbook, Page, _page, handbook
from penny_site.help.search import HITS_MAX, QUERY_CHARACTERS, search, snippet

TEXTS = {
    "contents": "# Contents\n\n- [Signal](signal.md)\n",
    "signal": "# Signal\n\nWrite from your phone.\n\n## Receipts\n\nA café in Zürich. Pairing a device.\n",
    "phone": "# Phone\n\nIt rings.\n\n## Signal on a phone\n\nNothing.\n",
    "other": "# Other\n\nIt says signal once, and *pairs*, or what will pair, browsers.\n"
    "\n| name | meaning |\n|---|---|\n| `QUIET_FROM` | quiet hours |\n",
}


def book() -> Handbook:
    pages: dict[str, Page] = {
        name: _page(CONTENTS if name == "contents" else name, text) for name, text in TEXTS.items()
    }
    return Handbook({page.name: page for page in pages.values()}, {})


def names(query: str) -> list[str]:
    return [hit.page.name for hit in search(book(), query).hits]


def test_a_title_comes_before_a_heading_and_that_before_the_text() -> None:
    assert names("signal") == ["signal", "phone", "other"]


@pytest.mark.parametrize("query", ["cafe zurich", "CAFÉ", "Cafe\u0301", "zür", "ＣＡＦＥ"])
def test_case_and_accents_do_not_matter(query: str) -> None:
    assert names(query) == ["signal"]


@pytest.mark.parametrize("query", ["pair", "pairs", "paired", "how do I pair?", "quiet_from"])
def test_forms_of_a_word_and_whole_questions_find_it(query: str) -> None:
    assert "other" in names(query)


def test_a_page_comes_once_with_the_section_that_fits_best() -> None:
    (hit,) = search(book(), "zurich").hits
    assert (hit.page.name, hit.section.heading, hit.address) == ("signal", "Receipts", "/help/signal/#receipts")
    assert search(book(), "signal").hits[0].address == "/help/signal/"


def test_every_word_has_to_be_there_and_where_none_has_all_that_is_said() -> None:
    assert names("signal zurich") == ["signal"]
    some = search(book(), "signal zurich elephant")
    assert ([hit.page.name for hit in some.hits], some.has_all_words) == (["signal"], False)
    assert search(book(), "elephant").hits == []


def test_the_contents_are_not_found() -> None:
    assert names("contents") == []


@pytest.mark.parametrize("query", ["", " ", "\0", "?!", "'\"<>", "\ud83d", "\u202e", "*", "%", "_"])
def test_what_has_no_words_finds_nothing(query: str) -> None:
    assert search(book(), query).hits == []


def test_a_snippet_shows_where_the_words_stand() -> None:
    parts = snippet("word " * 60 + "The café is here. " + "more " * 60, ["cafe"])
    assert [part.text for part in parts if part.is_match] == ["café"]
    text = "".join(part.text for part in parts)
    assert text.startswith("… word")
    assert text.endswith(" …")
    assert len(text) < 200


def test_a_snippet_without_the_words_is_the_beginning() -> None:
    assert [part.text for part in snippet("Short.", ["gone"])] == ["Short."]
    assert snippet("", ["gone"]) == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("signal", "signal"),
        ("pairing", "extension"),
        ("reverse proxy nginx", "elsewhere"),
        ("postgresql", "running"),
        ("how do I restore a backup", "backups"),
        ("forgotten password", "signing-in"),
        ("OPML", "sources"),
        ("price alert", "watches"),
        ("systemd", "running"),
        ("ollama", "models"),
        ("quiet hours", "settings"),
        ("shortcuts", "keyboard"),
        ("reminder", "routines"),
        ("block a site", "permissions"),
    ],
)
def test_what_people_look_for_is_on_the_first_page_or_the_second(query: str, first: str) -> None:
    assert first in [hit.page.name for hit in search(handbook(), query).hits][:3]


def test_the_longest_query_of_the_commonest_words_is_quick() -> None:
    search(handbook(), "warm")
    began = time.process_time()
    for _ in range(20):
        found = search(handbook(), "p s a c w o t b " * 40)
    assert (time.process_time() - began) / 20 < 0.1
    assert len(found.query) <= QUERY_CHARACTERS
    assert len(found.hits) <= HITS_MAX


# The page ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_page_of_results_works_without_scripts_and_the_fragment_is_the_same(client: Client) -> None:
    page = client.get("/help/", {"q": "Zurück signal"}).content.decode()
    fragment = client.get("/help/", {"q": "Zurück signal"}, headers={"HX-Request": "true"}).content.decode()
    assert '<h1 id="found-title">Search: Zurück signal</h1>' in page
    assert 'value="Zurück signal"' in page
    assert '<a href="/help/signal/">Signal</a>' in page
    assert "<mark>Signal</mark>" in page
    assert "No page has all of these words" in page
    assert "<html" not in fragment
    results, _, said = fragment.partition('<p id="handbook-said" hx-swap-oob="innerHTML">')
    assert results.strip() in page
    assert said.startswith("12 pages found</p>")


@pytest.mark.django_db
def test_without_words_the_contents_are_shown_and_without_results_a_way_on(client: Client) -> None:
    for query in ({}, {"q": ""}, {"q": "  "}):
        assert "Penny&#x27;s handbook</h1>" in client.get("/help/", query).content.decode().replace(
            "Penny's", "Penny&#x27;s"
        )
        assert "handbook</h1>" in client.get("/help/", query, headers={"HX-Request": "true"}).content.decode()
    assert "No page of the handbook has these words." in client.get("/help/", {"q": "xyzzy"}).content.decode()
