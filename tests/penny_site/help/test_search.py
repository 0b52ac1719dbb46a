"""The search of the handbook: matching, order, snippets and the page of results."""

import pytest
from django.test import Client

from penny_site.help.handbook import CONTENTS, Handbook, Page, _page, handbook
from penny_site.help.search import HITS_MAX, QUERY_CHARACTERS, search
from tests.cpu_time import check_growth
from thoughts.text.snippets import snippet

TEXTS = {
    "contents": "# Contents\n\n- [Signal](signal.md)\n",
    "signal": "# Signal\n\nWrite from your phone.\n\n## Receipts\n\nA café in Zürich. Pairing a device.\n",
    "phone": "# Phone\n\nIt rings.\n\n## Signal on a phone\n\nNothing.\n",
    "other": "# Other\n\nIt says signal once, and *pairs*, or what will pair, browsers.\n"
    "\n| name | meaning |\n|---|---|\n| `QUIET_FROM` | quiet hours |\n",
}


def small_handbook() -> Handbook:
    pages: dict[str, Page] = {
        name: _page(CONTENTS if name == "contents" else name, text) for name, text in TEXTS.items()
    }
    return Handbook({page.name: page for page in pages.values()}, {})


def page_names(query: str) -> list[str]:
    return [hit.page.name for hit in search(small_handbook(), query).hits]


def test_a_title_comes_before_a_heading_and_that_before_the_text() -> None:
    assert page_names("signal") == ["signal", "phone", "other"]


@pytest.mark.parametrize("query", ["cafe zurich", "CAFÉ", "Cafe\u0301", "zür", "ＣＡＦＥ"])
def test_case_and_accents_do_not_matter(query: str) -> None:
    assert page_names(query) == ["signal"]


@pytest.mark.parametrize("query", ["pair", "pairs", "paired", "how do I pair?", "quiet_from"])
def test_forms_of_a_word_and_whole_questions_find_the_page(query: str) -> None:
    assert "other" in page_names(query)


def test_a_page_is_listed_once_with_its_best_section() -> None:
    (hit,) = search(small_handbook(), "zurich").hits
    assert (hit.page.name, hit.section.heading, hit.address) == ("signal", "Receipts", "/help/signal/#receipts")
    assert search(small_handbook(), "signal").hits[0].address == "/help/signal/"


def test_every_word_must_match_and_a_partial_match_is_marked() -> None:
    assert page_names("signal zurich") == ["signal"]
    some = search(small_handbook(), "signal zurich elephant")
    assert ([hit.page.name for hit in some.hits], some.has_all_words) == (["signal"], False)
    assert search(small_handbook(), "elephant").hits == []


def test_the_contents_page_is_not_searched() -> None:
    assert page_names("contents") == []


@pytest.mark.parametrize("query", ["", " ", "\0", "?!", "'\"<>", "\ud83d", "\u202e", "*", "%", "_"])
def test_a_query_without_words_finds_nothing(query: str) -> None:
    assert search(small_handbook(), query).hits == []


def test_a_snippet_shows_the_words_in_their_context() -> None:
    parts = snippet("word " * 60 + "The café is here. " + "more " * 60, ["cafe"])
    assert [part.text for part in parts if part.is_match] == ["café"]
    text = "".join(part.text for part in parts)
    assert text.startswith("… word")
    assert text.endswith(" …")
    assert len(text) < 200


def test_a_short_word_is_not_marked_in_longer_ones() -> None:
    parts = snippet("Only one is on.", ["on"])
    assert [part.text for part in parts if part.is_match] == ["on"]


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
def test_a_common_query_finds_its_page_among_the_first_three(query: str, first: str) -> None:
    assert first in [hit.page.name for hit in search(handbook(), query).hits][:3]


def test_the_longest_query_of_the_commonest_words_has_bounds() -> None:
    search(handbook(), "warm")
    check_growth(lambda count: search(handbook(), "p s a c w o t b " * count), 100, 400)
    results = search(handbook(), "p s a c w o t b " * 40)
    assert len(results.query) <= QUERY_CHARACTERS
    assert len(results.hits) <= HITS_MAX


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
    results, _, status = fragment.partition('<p id="handbook-said" hx-swap-oob="innerHTML">')
    assert results.strip() in page
    assert status.startswith("12 pages found</p>")


@pytest.mark.django_db
def test_no_query_shows_the_contents_and_no_result_says_so(client: Client) -> None:
    for query in ({}, {"q": ""}, {"q": "  "}):
        assert "Penny&#x27;s handbook</h1>" in client.get("/help/", query).content.decode().replace(
            "Penny's", "Penny&#x27;s"
        )
        assert "handbook</h1>" in client.get("/help/", query, headers={"HX-Request": "true"}).content.decode()
    assert "No page of the handbook has these words." in client.get("/help/", {"q": "xyzzy"}).content.decode()
