"""Rendering of text as HTML: no text by anybody may act."""

import html.parser
import random
import re
from collections.abc import Callable

import pytest

from tests.attacks.payloads import payloads
from thoughts import rendering
from thoughts.rendering import TAGS, render_safe
from thoughts.text.addresses import drop_addresses, has_address

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/track.png)",
    "![x](data:image/png;base64,AAAA)",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt:alert(1))",
    "[click](java\nscript:alert(1))",
    "[click](&#106;avascript:alert(1))",
    "[click](data:text/html,<script>alert(1)</script>)",
    "[click](vbscript:x)",
    "[click](//evil.example/)",
    "[click](/relative)",
    "<javascript:alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<svg/onload=alert(1)>",
    "<iframe src=https://evil.example></iframe>",
    "<style>*{display:none}</style>",
    "<p style='position:fixed' onclick=x class=y id=z>x</p>",
    "<form action=https://evil.example><input name=password></form>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<!-- --><script>x</script>",
    "[x]: javascript:alert(1)\n\n[x]",
    '[x](https://ok.example "onclick=alert(1)")',
    "`<img src=x onerror=alert(1)>`",
    "```html\n<script>alert(1)</script>\n```",
    "| a |\n|---|\n| <img src=x onerror=x> |",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\x00<script>x</script>",
    "<a\x0chref=javascript:x>",
]


class Elements(html.parser.HTMLParser):
    """Collect the elements that a browser would build from HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.items: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.items.append((tag, dict(attrs)))


def acts(text: str) -> list[tuple[str, dict[str, str | None]]]:
    """Return the elements that could act, load, or lead anywhere but to http(s) addresses."""
    web = ("https://", "http://")
    return [
        (tag, attributes)
        for tag, attributes in Elements(text).items
        if tag not in TAGS
        or not set(attributes) <= {"href", "rel", "start", "target"}
        or not as_a_browser(attributes.get("href") or "https://").startswith(web)
    ]


def as_a_browser(address: str) -> str:
    """Parse an address as a browser does: without tabs and line ends, with a lower-case scheme."""
    return re.sub(r"[\t\r\n]", "", address).lstrip().lower()


@pytest.mark.parametrize("links", [None, [], ["https://ok.example"]])
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_acts_and_nothing_is_loaded(attack: str, links: list[str] | None) -> None:
    assert acts(render_safe(attack, links)) == []


def test_the_owners_own_addresses_become_links_that_tell_nobody() -> None:
    assert render_safe("see https://example.com/a") == (
        '<p>see <a href="https://example.com/a" target="_blank" rel="noopener noreferrer '
        'nofollow">https://example.com/a</a></p>\n'
    )


def test_text_of_a_model_links_only_where_it_was_told_to() -> None:
    text = "[good](https://ok.example/p?a=1&b=2) [bad](https://evil.example/) https://evil.example/?q=secret"
    hrefs = [
        attributes.get("href")
        for tag, attributes in Elements(render_safe(text, ["https://ok.example/p?a=1&b=2"])).items
        if tag == "a"
    ]
    assert [href for href in hrefs if href] == ["https://ok.example/p?a=1&b=2"]


def test_markdown_that_is_allowed_survives() -> None:
    rendered = render_safe("# A\n\n- *b*\n- **c**\n\n1. d\n\n> e\n\n`f`\n\n| g |\n|---|\n| h |")
    assert {tag for tag, _ in Elements(rendered).items} >= {
        "h1",
        "ul",
        "li",
        "em",
        "strong",
        "ol",
        "blockquote",
        "code",
        "table",
        "td",
    }


def test_addresses_are_dropped_and_names_stay() -> None:
    assert drop_addresses("Read https://evil.example/?q=1 about example.com now") == "Read  about example.com now"


def test_a_long_text_is_rendered_quickly_enough_to_store() -> None:
    for text in ("*" * 20_000, "[" * 20_000, "> " * 5_000, "`" * 20_000, "a](" * 7_000, "<" * 20_000, "- " * 5_000):
        render_safe(text, [])


# Each gate is enough alone, and what came through them all is not changed by them again.
# ------------------------------------------

GATES: dict[str, Callable[[str], str]] = {
    "bleach": lambda text: rendering._clean(text, []),
    "bleach, any web link": lambda text: rendering._clean(text, None),
    "nh3": rendering._gate,
}
MANY = payloads()[::10]


@pytest.mark.parametrize("gate", GATES)
def test_one_gate_alone_lets_nothing_act(gate: str) -> None:
    assert {payload.text: elements for payload in MANY if (elements := acts(GATES[gate](payload.text)))} == {}


def test_markdown_alone_lets_nothing_act() -> None:
    """Later gates handle the title of a link, the language of a code block, and addresses without http(s)."""
    for payload in MANY:
        for tag, attributes in Elements(rendering._to_html(payload.text, breaks=False) or "").items:
            assert tag in TAGS
            assert set(attributes) <= {"href", "start", "title", "class", "style"}
            assert not as_a_browser(attributes.get("href") or "").startswith(
                ("javascript:", "vbscript:", "data:", "file:")
            )


def test_with_every_gate_off_the_same_payloads_act() -> None:
    assert len([payload for payload in MANY if acts(payload.text)]) > len(MANY) / 2


@pytest.mark.parametrize("links", [None, [], ["https://ok.example"]])
def test_of_the_many_nothing_acts(links: list[str] | None) -> None:
    assert {payload.text: elements for payload in MANY if (elements := acts(render_safe(payload.text, links)))} == {}


CHARACTERS = "<>\"'`*_[]()!#&;:/\\|~=-+.{}\n\t \x00\x0c\u200b\u202e\ud800\uffff"


def pieces(seed: int, count: int = 400) -> list[str]:
    """Return random texts for a seed, made of pieces of Markdown, HTML and addresses."""
    chance = random.Random(seed)
    parts = [payload.text for payload in payloads()[::97]]
    parts += [*CHARACTERS, "https://ok.example/", "a", "é", "😀", "\n\n", "](", "![", "&lt;", "<!--"]
    return ["".join(chance.choices(parts, k=chance.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("links", [None, [], ["https://ok.example/"]])
def test_whatever_the_text_nothing_acts(seed: int, links: list[str] | None) -> None:
    assert {text: elements for text in pieces(seed) if (elements := acts(render_safe(text, links)))} == {}


@pytest.mark.parametrize("links", [None, ["https://ok.example/"]])
def test_what_was_made_safe_stays_as_it_is(links: list[str] | None) -> None:
    """Checking the stored HTML again changes nothing, so a browser reads it as it was checked."""
    for text in [*pieces(7), *(payload.text for payload in MANY[::3])]:
        safe = render_safe(text, links)
        assert rendering._gate(safe) == safe


def test_every_link_opens_apart_and_tells_nobody() -> None:
    links = [
        attributes
        for tag, attributes in Elements(render_safe("[a](https://a.example) https://b.com <https://c.example>")).items
        if tag == "a"
    ]
    assert [attributes["href"] for attributes in links] == ["https://a.example", "https://b.com", "https://c.example"]
    assert all(
        attributes["rel"] == "noopener noreferrer nofollow" and attributes["target"] == "_blank" for attributes in links
    )


def test_text_that_no_database_can_hold_is_shown_without_it() -> None:
    assert render_safe("half \ud83d of a sign") == "<p>half ? of a sign</p>\n"


# Addresses
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_of_text_without_addresses_none_is_left(seed: int) -> None:
    assert [text for text in pieces(seed) if has_address(drop_addresses(text))] == []
