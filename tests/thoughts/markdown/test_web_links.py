"""Web addresses in the owner's own words."""

import re

import pytest

from thoughts.rendering import render_safe

LINKED = {
    "https://web.dev/articles/x": "https://web.dev/articles/x",
    "https://a.example/x_y_z": "https://a.example/x_y_z",
    "sub.example.shop": "https://sub.example.shop",
    "my.blog/x": "https://my.blog/x",
    "foo.app": "https://foo.app",
    "www.example.com": "https://www.example.com",
    "http://localhost:3000/x": "http://localhost:3000/x",
    "localhost:3000": "http://localhost:3000",
    "192.168.1.5:8123": "http://192.168.1.5:8123",
    "homeassistant.local:8123/lovelace": "http://homeassistant.local:8123/lovelace",
    "https://[::1]:8443/x": "https://[::1]:8443/x",
    "http://nas:5000/": "http://nas:5000/",
    "https://a.de/x?y=1&z=*2*#t": "https://a.de/x?y=1&amp;z=*2*#t",
    "müller.de": "https://xn--mller-kva.de",
}
WORDS = ["main.py", "README.md", "1.2.3.4", "10.0.0.0/8", "ann@example.com", "a.b", "e.g", "3.14", "foo.local", "x.zip"]


@pytest.mark.parametrize(("address", "href"), LINKED.items())
@pytest.mark.parametrize("around", ["{}", "see {}, please", "({}).", "见{}。", "- {}\n- b"])
def test_an_address_is_linked(address: str, href: str, around: str) -> None:
    assert re.findall(r'href="([^"]*)"', render_safe(around.format(address))) == [href]


@pytest.mark.parametrize("words", WORDS)
def test_what_only_looks_like_an_address_is_none(words: str) -> None:
    assert "<a" not in render_safe(f"the {words} here")
    assert "<a" not in render_safe(f"`https://{words}/`")


def test_a_model_links_no_address() -> None:
    assert "<a" not in render_safe("https://web.dev/x", [])


def test_a_word_behind_an_address_is_not_part_of_it() -> None:
    assert 'href="https://example.com"' in render_safe("example.com这个")


def test_a_footnote_stays_text() -> None:
    assert render_safe("a[^1]\n\n[^1]: the note", []) == "<p>a[^1]</p>\n<p>[^1]: the note</p>\n"
