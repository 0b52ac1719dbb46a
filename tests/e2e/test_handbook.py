"""The handbook in real browsers: accessibility in both themes, and the search while typing."""

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import shows, visible
from tests.e2e.conftest import Desk
from tests.e2e.test_accessibility import open_page

pytestmark = pytest.mark.one_browser("firefox", "pages of the site alone")

SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize(
    "address", ["/help/", pytest.param("/help/settings/", marks=pytest.mark.long), "/help/?q=quiet+hours"]
)
def test_the_handbook_can_be_used_by_everybody_and_never_scrolls_sideways(desk: Desk, address: str) -> None:
    with open_page(desk, f"{desk.penny.url}{address}", "#handbook-page") as page:
        assert axe_violations(page) == []
        for width in (320, 400, 1280):
            with page.at_size(width, 800, "light"):
                assert page.evaluate(SIDEWAYS) is False, width


def test_the_search_answers_while_one_types_and_gives_the_contents_back(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/help/feed/", "#handbook-page") as page:
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
