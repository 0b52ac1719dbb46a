"""The bar of an interest is moved by keyboard: a preview first, taught by Enter, undone by its button."""

import json

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import SIDEWAYS, Page, shows
from tests.e2e.conftest import Desk
from tests.e2e.finds import store_finds

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

# A find may have several bars, each with its line; one line speaks.
SAID = "[...document.querySelectorAll('.card .bars [role=status]')].map(line => line.innerText).join('')"
STRENGTH = "from thoughts.models import Preference; print(Preference.objects.get(text='mechanical keyboards').strength)"
# What the worker does some moments after finds are stored. Prints the key of the interest.
RANK = (
    "from agents.embeddings import store; store.catch_up(60); store.rank(); "
    "from thoughts.models import Preference; print(Preference.objects.get(text='mechanical keyboards').pk)"
)


def strength(desk: Desk) -> str:
    return desk.penny.manage("shell", "-v", "0", "-c", STRENGTH).strip()


def says(feed: Page, words: str) -> None:
    shows(feed, f"{SAID}?.includes({json.dumps(words)})", words)


def test_a_bar_is_moved_by_keyboard_taught_by_enter_and_undone(desk: Desk) -> None:
    feed = desk.browser.page(store_finds(desk.penny))
    key = desk.penny.manage("shell", "-v", "0", "-c", RANK).strip()
    bar = f'.card .bars input[id$="-{key}"]'  # a find that other interests match too has their bars besides
    feed.goto(f"{desk.penny.url}/")  # the best match stands first
    feed.evaluate("document.querySelector('.card .why summary').click()")
    shows(feed, f"!!document.querySelector('{bar}')", "the bars")
    before = strength(desk)
    feed.evaluate(f"document.querySelector('{bar}').focus()")
    feed.key("ArrowLeft")
    feed.key("ArrowLeft")
    shows(feed, SAID, "a preview")
    assert "lower; " in feed.evaluate(SAID)
    assert strength(desk) == before, "a preview teaches nothing"
    feed.key("Escape")
    shows(feed, f"{SAID} === '' && document.querySelector('{bar}').value === '1'", "Escape puts the bar back")
    feed.key("Home")
    says(feed, "lower; ")
    feed.key("Enter")
    says(feed, "counts less now. The cards follow in a moment.")
    assert strength(desk) == "0.0"
    shows(feed, f"document.activeElement === document.querySelector('{bar}')", "the focus stays on the bar")
    assert axe_violations(feed, widths=(320, 1280)) == []
    with feed.at_size(320):
        assert feed.evaluate(SIDEWAYS) == []
    feed.evaluate("document.querySelector('.card .bars form:not([data-preview]) button').click()")
    says(feed, "counts as before")
    assert strength(desk) == before
    feed.close()
