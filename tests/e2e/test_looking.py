"""The first interest is looked for at once: the feed shows each step, asks in its line, and the card slides in."""

import pytest

from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

LINE = "document.querySelector('#looking').innerText"


def test_the_first_interest_brings_a_card_without_a_reload(desk: Desk) -> None:
    for rows in ("thoughts/thought", "thoughts/preference", "devices/grant"):
        desk.penny.admin_action(rows, "delete_selected")
    feed = desk.browser.page(f"{desk.penny.url}/")
    try:
        feed.fill("#first-preference", "espresso")
        feed.press("#first-preference", "Enter")
        shows(feed, f"{LINE}.includes('May Penny search with search.example?')", "the question about the engine", 30)
        check_layout(feed, f"{desk.browser.name}-looking", widths=(320, 400, 1280))
        feed.click("#looking button[value='allow-always']")
        visible(feed, "#looking button[value='allow-always']", 30)
        assert "May Penny read" in text_of(feed, "#looking")
        feed.click("#looking button[value='allow-always']")
        shows(feed, f"{LINE}.includes('Looking for espresso')", "the search goes on", 30)
        feed.evaluate("window.stays = true")
        visible(feed, "#newer .card", 60)
        moves = "getComputedStyle(document.querySelector('#newer .card')).animationName"
        assert feed.evaluate(f"{moves} === 'arrive' || matchMedia('(prefers-reduced-motion: reduce)').matches")
        assert feed.evaluate("window.stays === true")
        assert text_of(feed, "#unread [data-unread]") == "1"
    finally:
        feed.close()
