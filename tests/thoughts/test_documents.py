"""Documents that ship with Penny: only what code names passes the gates."""

import html.parser
from collections.abc import Callable

import pytest

from tests.attacks.payloads import payloads
from thoughts import rendering
from thoughts.rendering import DOCUMENT_ATTRIBUTES, DOCUMENT_TAGS, Picture, parse_document, render_document

LINKS = {"other.md": "/help/other/", "https://ok.example/": "https://ok.example/"}
PICTURES = {"pictures/a.png": Picture("/help/pictures/a.png", 640, 400)}
PERMITTED = {"/help/other/", "/help/pictures/a.png", "https://ok.example/", "a-title"}
MANY = payloads()[::10]


class Elements(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.items: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.items.append((tag, dict(attrs)))


def rendered(text: str) -> str:
    return render_document(text, LINKS.get, PICTURES.get)


def acts(text: str, permitted: set[str]) -> list[tuple[str, dict[str, str | None]]]:
    """Return the elements that could act, or whose address or id code did not name."""
    return [
        (tag, attributes)
        for tag, attributes in Elements(text).items
        if tag not in DOCUMENT_TAGS
        or not set(attributes) <= DOCUMENT_ATTRIBUTES.get(tag, set()) | {"rel"}
        or any(name in ("href", "src", "id") and value not in permitted for name, value in attributes.items())
    ]


def test_links_and_pictures_that_code_names_are_shown() -> None:
    assert rendered("[o](other.md) [w](https://ok.example/) ![A & B](pictures/a.png)") == (
        '<p><a href="/help/other/" rel="noopener noreferrer nofollow">o</a> '
        '<a href="https://ok.example/" rel="noopener noreferrer nofollow">w</a> '
        '<img src="/help/pictures/a.png" alt="A &amp; B" width="640" height="400"></p>\n'
    )


def test_any_other_link_loses_its_address_and_any_other_picture_leaves_its_words() -> None:
    html = rendered(
        "[o](third.md) [w](https://evil.example/) ![A <b>](https://evil.example/track.png) <https://evil.example/>"
    )
    assert "evil" not in html.replace(">https://evil.example/<", "")
    assert "<img" not in html
    assert "A &lt;b&gt;" in html
    assert [attributes.get("href") for tag, attributes in Elements(html).items if tag == "a"] == [None, None, None]


def test_headings_have_ids_as_a_repository_gives_them() -> None:
    tokens = parse_document("# A title\n\n## `x` & Y's?\n\n## A title\n\n### Über _uns_\n")
    ids = [token.attrs["id"] for token in tokens if "id" in token.attrs]
    assert ids == ["a-title", "x--ys", "a-title-1", "über-uns"]
    assert '<h1 id="a-title">A title</h1>' in rendered("# A title")


@pytest.mark.parametrize("around", ["{}", "# {}", "[x]({})", "![x]({})", "![{}](pictures/a.png)", "[{}](other.md)"])
def test_whatever_the_text_nothing_acts(around: str) -> None:
    for payload in MANY:
        text = around.format(payload.text)
        ids = {str(token.attrs["id"]) for token in parse_document(text) if "id" in token.attrs}
        assert acts(rendered(text), PERMITTED | ids) == [], text


GATES: dict[str, Callable[[str], str]] = {
    "bleach": lambda text: rendering._clean_document(text, PERMITTED),
    "nh3": lambda text: rendering._document_gate(text, PERMITTED),
}
ADDRESSES = [
    '<a href="/admin/">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<img src="https://evil.example/a.png">',
    '<img src="/pictures/x.webp">',
    '<img src="data:image/png;base64,AA">',
    '<img src="/help/pictures/a.png" onerror="x" srcset="https://evil.example" style="x" loading="lazy">',
    '<h1 id="other">x</h1>',
    '<p id="a-title">x</p>',
]


@pytest.mark.parametrize("gate", GATES)
def test_one_gate_alone_lets_nothing_through_that_code_did_not_name(gate: str) -> None:
    texts = [*ADDRESSES, *(payload.text for payload in MANY)]
    assert {text: elements for text in texts if (elements := acts(GATES[gate](text), PERMITTED))} == {}


def test_with_every_gate_off_the_same_texts_act() -> None:
    assert [text for text in ADDRESSES if not acts(text, PERMITTED)] == []


def test_elsewhere_an_image_stays_text_and_a_relative_link_none() -> None:
    html = rendering.render_safe("![x](pictures/a.png) [o](other.md)")
    assert "<img" not in html
    assert "href" not in html
