"""Patterns and selectors that can match nothing are refused while they are written, with what to write instead."""

from contextlib import suppress

import pytest
from django.test import Client

from agents.models import SkillVersion
from agents.skills.css import SelectorInvalid, check_selector
from agents.skills.documents import DocumentInvalid, parse
from agents.skills.patterns import Pattern, PatternInvalid, place_of
from tests.agents.skills.skills import document
from tests.cpu_time import cpu_s

GOOD_PATTERNS = [
    ("coffee.example.", "https://coffee.example/", "coffee.example"),
    ("coffee.example/straße/*", "https://coffee.example/straße/1", "coffee.example/stra%C3%9Fe/*"),
    ("coffee.example/a<b>/*", "https://coffee.example/a<b>/1", "coffee.example/a%3Cb%3E/*"),
    ("127.1:80", "http://127.0.0.1/", "127.0.0.1:80"),
    ("[0:0::1]:8000", "http://[::1]:8000/", "[::1]:8000"),
    ("localhost:*", "http://localhost:3000/", "localhost:*"),
    ("*:8000", "http://127.0.0.1:8000/", "*:8000"),
    ("192.168.*", "http://192.168.3.4/", "192.168.*"),
    ("*.co.uk", "https://shop.co.uk/", "*.co.uk"),
    ("??.wiki.example", "https://de.wiki.example/", "??.wiki.example"),
    ("forum[0-9].a.example", "https://forum3.a.example/", "forum[0-9].a.example"),
    ("a.example/x/[!a]*", "https://a.example/x/b1", "a.example/x/[!a]*"),
    ("a.example/wiki/C++", "https://a.example/wiki/C++", "a.example/wiki/C++"),
    ("a.example/@me/*", "https://a.example/@me/1", "a.example/@me/*"),
]


@pytest.mark.parametrize(("text", "url", "text_kept"), GOOD_PATTERNS)
def test_a_pattern_with_one_plain_meaning_is_taken_and_fits_its_page(text: str, url: str, text_kept: str) -> None:
    pattern = Pattern.parse(text)
    assert str(pattern) == text_kept
    assert pattern.matches(*place_of(url))
    assert Pattern.stored(str(pattern)) == pattern


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("coffee.example:8080", "write coffee.example, without a port"),
        ("*.coffee.example:8080", r"write \*.coffee.example, without a port"),
        ("localhost", "write its port too, such as localhost:80"),
        ("127.0.0.1", "write its port too, such as 127.0.0.1:80 or 127.0.0.1:443"),
        ("[::1]", r"write its port too, such as \[::1\]:80"),
        (".coffee.example", r"write \*.coffee.example"),
        ("youtube", "names no host. Write the whole one, such as youtube.com"),
        ("co.uk", "is a public suffix"),
        ("a..b.example", "a part of the host is missing"),
        ("256.1.1.1:80", "that is no host"),
        ("[ab.example", "no host"),
        ("a.example/x?v=1", "a query is ignored. Write a.example/x instead"),
        ("a.example/index.php?*", "a query is ignored. Write a.example/index.php instead"),
        ("a.example/x#y", "Write a.example/x instead"),
        ("a.example/a\\b", "write a.example/a/b"),
        ("a.example/a/../b", "without . and .. in it"),
        ("a.example/%2E%2e/b", "without . and .. in it"),
        ("a.example/[z-a]", "no path looks like that"),
        ("https://a.example", "without http:// or https://"),
    ],
)
def test_a_pattern_that_fits_no_page_is_refused_with_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(PatternInvalid, match=advice):
        Pattern.parse(text)


GOOD_SELECTORS = [
    "h1 > a[href]", ".a, .b", "div:nth-child(2n+1 of .x)", "a:has(> img)", ".md\\:flex", ":is(h1,h2)", "*",
    'a[b="c" i]', "a:not(.b):nth-last-of-type(2)", ":scope > p", ":lang(en)", "td:nth-child(odd)", "#x .y", "html",
    "tr:nth-child(-n+3)", "img, .alt", "html body", 'a[href*="("]', "iframe, p", ".price:not(.old)", "body > *",
    "[title]", "[empty]", "a:-webkit-any-link", "input + label", "audio ~ p", "[data-root] > p", "p:where(.a, .b)",
    "article:not(:has(.sold))", "[data-id='a\\'b']",
]  # fmt: skip


@pytest.mark.parametrize("css", GOOD_SELECTORS)
def test_a_selector_that_browsers_take_is_taken(css: str) -> None:
    check_selector(css)


@pytest.mark.parametrize(
    ("css", "advice"),
    [
        ("#123", r'\[id="123"\]'),
        (".2col", "no class begins with a digit"),
        ("a::text", "leave it out, the text comes anyhow"),
        ("a::attr(href)", "leave it out"),
        ("h1::before", "leave it out"),
        ('p:contains("b")', "CSS finds no words"),
        ("li:eq(0)", "nth-child"),
        ("p:first", "the first match counts"),
        ("a:unknown", "browsers know no :unknown"),
        ("a:not(p:foo)", "browsers know no :foo"),
        ("//h1", "XPath"),
        ("x/text()", "XPath"),
        ("a >", "at its end"),
        ("a,", "at its end"),
        ("> a", "begins with a combinator"),
        ("[a", "has no partner"),
        ("a)", "has no partner"),
        (":not()", "at its end"),
        ("a{color: red}", "without rules"),
        ('"h1"', "leave out the quotes"),
        ("[foo=1]", "in quotes"),
        ("a /deep/ b", "another component"),
        (":has()", "hold no selector"),
        ('meta[property="og:title"]', "<meta> has no text"),
        ("title", "<title> has no text"),
        ("div img", "<img> has no text"),
        ("img span", "<img> holds no other elements"),
        ("iframe h1", "shows another page"),
        ("div html", "nothing stands around"),
        ("html + p", "nothing stands beside"),
        ("a:visited", "write :link"),
        ("#a#b", "two ids"),
        (".x:not(.x)", "leaves out"),
        ("p:not(*)", "leaves out"),
        ("p:empty", "has no text"),
        ('[a^=""]', r"write \[a\]"),
        ('[a~="b c"]', "one word"),
        ("[a=b][a=c]", "two values"),
        ("li:nth-child(0)", "counts from 1"),
        ("li:nth-last-of-type(-2)", "counts from 1"),
        ("li:nth-child(x)", "needs a number"),
        ("img, meta", "<img> has no text"),
        ("(" * 200, "no partner"),
    ],
)
def test_a_selector_that_finds_nothing_is_refused_with_what_to_write(css: str, advice: str) -> None:
    with pytest.raises(SelectorInvalid, match=advice):
        check_selector(css)


@pytest.mark.parametrize(
    "text", [":not(" * 60 + "a" + ")" * 60, "a " * 99 + "a", ",".join("a" * 99), "[a='" + "x" * 190]
)
def test_the_longest_selectors_are_read_in_no_time(text: str) -> None:
    def check() -> None:
        with suppress(SelectorInvalid):
            check_selector(text[:200])

    assert cpu_s(check) < 0.5


def test_a_document_names_the_selector_and_what_to_write() -> None:
    with pytest.raises(DocumentInvalid) as refusal:
        parse(document(selectors="title: h1\nprice: a::text"))
    assert str(refusal.value) == (
        "metadata: selectors: price: “a::text” finds nothing: “::text” names no element: leave it out, the text comes "
        "anyhow."
    )


@pytest.mark.django_db
@pytest.mark.parametrize("text", [document(domains="localhost"), document(selectors="price: p:contains(x)")])
def test_both_are_refused_in_the_editor_in_the_admin_and_on_import(owner_client: Client, text: str) -> None:
    from tests.agents.skills.test_skill_pages import upload

    says = "write its port too" if "localhost" in text else "CSS finds no words"
    assert says in owner_client.post("/permissions/skills/new/", {"document": text, "then": "keep"}).content.decode()
    fields = {"document": text, "is_on": "on"} | {
        f"versions-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL", "MIN_NUM", "MAX_NUM")
    }
    assert says in owner_client.post("/admin/agents/skill/add/", fields).content.decode()
    assert says in upload(owner_client, text.encode())
    assert not SkillVersion.objects.exists()
