"""One function turns text into HTML, on every surface: nothing that was written by anybody may act there."""

import html.parser

import pytest

from thoughts.addresses import drop_addresses
from thoughts.rendering import TAGS, render_safe

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
    """Collects what a browser would make of the HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("links", [None, [], ["https://ok.example"]])
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_acts_and_nothing_is_loaded(attack: str, links: list[str] | None) -> None:
    for tag, attributes in Elements(render_safe(attack, links)).found:
        assert tag in TAGS
        assert set(attributes) <= {"href", "rel", "start"}
        assert (attributes.get("href") or "https://").startswith(("https://", "http://"))


def test_the_owners_own_addresses_become_links_that_tell_nobody() -> None:
    assert render_safe("see https://example.com/a") == (
        '<p>see <a href="https://example.com/a" rel="noopener noreferrer nofollow">https://example.com/a</a></p>\n'
    )


def test_text_of_a_model_links_only_where_it_was_told_to() -> None:
    text = "[good](https://ok.example/p?a=1&b=2) [bad](https://evil.example/) https://evil.example/?q=secret"
    hrefs = [
        attributes.get("href") for tag, attributes in Elements(render_safe(text, ["https://ok.example/p?a=1&b=2"])).found if tag == "a"
    ]
    assert [href for href in hrefs if href] == ["https://ok.example/p?a=1&b=2"]


def test_markdown_that_is_allowed_survives() -> None:
    rendered = render_safe("# A\n\n- *b*\n- **c**\n\n1. d\n\n> e\n\n`f`\n\n| g |\n|---|\n| h |")
    assert {tag for tag, _ in Elements(rendered).found} >= {"h1", "ul", "li", "em", "strong", "ol", "blockquote", "code", "table", "td"}


def test_addresses_are_dropped_and_names_stay() -> None:
    assert drop_addresses("Read https://evil.example/?q=1 about example.com now") == "Read  about example.com now"


def test_a_long_text_is_rendered_quickly_enough_to_store() -> None:
    for text in ("*" * 20_000, "[" * 20_000, "> " * 5_000, "`" * 20_000, "a](" * 7_000, "<" * 20_000, "- " * 5_000):
        render_safe(text, [])
