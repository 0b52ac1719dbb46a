"""The handbook in real browsers: it can be used by everybody, in both themes, and its search answers while one
types.
"""

import pytest

from tests.e2e.axe import wrong_with
from tests.e2e.browser import shows, visible
from tests.e2e.conftest import Desk
from tests.e2e.test_accessibility import opened

SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize("address", ["/help/", "/help/settings/", "/help/?q=quiet+hours"])
def test_the_handbook_can_be_used_by_everybody_and_never_scrolls_sideways(desk: Desk, address: str) -> None:
    with opened(desk, f"{desk.penny.url}{address}", "#handbook-page") as page:
        assert wrong_with(page) == []
        for width in (320, 400, 1280):
            with page.seen_at(width, 800, "light"):
                assert page.evaluate(SIDEWAYS) is False, width


def test_the_search_answers_while_one_types_and_gives_the_contents_back(desk: Desk) -> None:
    with opened(desk, f"{desk.penny.url}/help/feed/", "#handbook-page") as page:
        page.fill("#handbook-q", "pairing")
        visible(page, "#found-title")
        shows(page, "document.querySelector('.hits a').textContent.includes('Pair it')", "the section about pairing")
        shows(
            page,
            "/pages? found/.test(document.querySelector('#handbook-said').textContent)",
            "what a screen reader says",
        )
        page.fill("#handbook-q", "")
        page.click(".seek button")
        shows(page, "document.querySelector('#handbook-page h1').textContent === \"Penny's handbook\"", "the contents")
