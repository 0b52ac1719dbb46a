"""The palette, the list of keys, and j and k on the lists of the site: by keyboard alone."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Error

from tests.e2e.axe import axe_violations
from tests.e2e.browser import SIDEWAYS, Page, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.finds import INDEX
from tests.waiting import until

pytestmark = pytest.mark.one_browser("firefox", "pages of the site alone")

OPEN = "document.querySelector('#palette')?.open"
FOCUS = "document.activeElement.id || document.activeElement.tagName"
CHOSEN = "document.getElementById(document.querySelector('#palette-q').getAttribute('aria-activedescendant'))"
MARKUP = "<img src=x onerror=window.ran=1> zebra"
STORE_MARKUP = f"""
from thoughts.models import Thought
Thought.objects.create(title={MARKUP!r}, text="zebra", html="<p>zebra</p>")
"""


@pytest.fixture(name="feed")
def open_feed(desk: Desk, finds: None) -> Iterator[Page]:
    page = desk.browser.page(f"{desk.penny.url}/?order=newest")
    visible(page, ".card")
    yield page
    page.goto(f"{desk.penny.url}/help/")
    page.evaluate("localStorage.clear()")  # keys that are off would be off for the next test too
    page.close()


def type_words(page: Page, words: str) -> None:
    for letter in words:
        page.key(letter)


def wait_opened(desk: Desk, path: str) -> None:
    """Wait until a tab shows a page below the path. A script cannot be evaluated while its page goes."""
    address = f"{desk.penny.url}{path}"
    until(lambda: any(url.startswith(address) for url in desk.browser.urls()), f"{path} is open")


def is_loaded(page: Page) -> bool:
    try:
        return bool(page.evaluate("!!document.querySelector('.composer textarea')"))
    except Error:  # the page before it just went
        return False


def open_palette(page: Page, key: str = "/") -> None:
    page.key(key)
    shows(page, f"{OPEN} && document.activeElement.id === 'palette-q' && !!{CHOSEN}", "the palette with the caret")


def test_a_page_is_opened_by_keyboard_from_the_palette(desk: Desk, feed: Page) -> None:
    open_palette(feed)
    assert texts_of(feed, "#palette .group")[0] == "New finds"
    type_words(feed, "interests")
    shows(feed, f"{CHOSEN}?.innerText.startsWith('Interests')", "the place")
    feed.key("Enter")
    wait_opened(desk, "/interests/")


def test_words_that_were_just_typed_are_searched_before_enter_opens(desk: Desk, feed: Page) -> None:
    open_palette(feed)
    type_words(feed, "memory")
    feed.key("Enter")
    wait_opened(desk, "/memory/")


def test_arrows_choose_and_escape_gives_the_focus_back(feed: Page) -> None:
    feed.key("j")
    before = feed.evaluate("document.activeElement.href")
    open_palette(feed)
    first = feed.evaluate(f"{CHOSEN}.id")
    feed.key("ArrowDown")
    second = feed.evaluate(f"{CHOSEN}.id")
    feed.key("ArrowUp")
    assert first != second
    assert feed.evaluate(f"{CHOSEN}.id") == first
    assert feed.evaluate("document.querySelectorAll('#palette [aria-selected=true]').length") == 1
    feed.key("Escape")
    shows(feed, f"!{OPEN}", "the feed")
    assert feed.evaluate("document.activeElement.href") == before


def test_a_find_with_markup_is_text_and_opens(desk: Desk, feed: Page) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", STORE_MARKUP + INDEX)
    open_palette(feed)
    type_words(feed, "zebra")
    shows(feed, f"{CHOSEN}?.querySelector('.label').textContent === {json.dumps(MARKUP)}", "the find")
    assert feed.evaluate("[window.ran ?? 0, document.querySelectorAll('#palette img').length]") == [0, 0]
    feed.key("Enter")
    wait_opened(desk, "/thoughts/")
    visible(feed, "main .reader h1")
    assert text_of(feed, ".reader h1") == MARKUP


def test_a_command_is_written_into_the_message_and_not_sent(desk: Desk, feed: Page) -> None:
    before = desk.panel.last_seq()
    open_palette(feed)
    type_words(feed, "/dev")
    shows(feed, f"{CHOSEN}?.innerText.startsWith('/devices')", "the command")
    feed.key("Enter")
    wait_opened(desk, "/chat/")
    until(lambda: is_loaded(feed), "the chat is loaded")
    visible(feed, ".composer textarea")
    shows(feed, "document.querySelector('.composer textarea').value === '/devices '", "the command in the box")
    assert desk.panel.last_seq() == before
    feed.evaluate("localStorage.clear()")


def test_keys_that_are_off_leave_the_palette_to_its_shortcut(feed: Page) -> None:
    feed.key("?")
    visible(feed, "#keys[open]")
    assert "thumbs up" in text_of(feed, "#keys")
    feed.evaluate("document.querySelector('#keys-on').click()")
    feed.key("Escape")
    shows(feed, "!document.querySelector('#keys').open", "the feed")
    for key in ("j", "/"):
        feed.key(key)
    assert feed.evaluate(f"[!!document.activeElement.closest('main .card'), !!{OPEN}]") == [False, False]
    press_shortcut(feed)
    shows(feed, OPEN, "the palette")
    feed.key("Escape")
    shows(feed, f"!{OPEN}", "the feed again")
    feed.evaluate("localStorage.clear()")
    press_on_layout(feed, ".", "Slash")  # where a Cyrillic layout has its full stop
    shows(feed, OPEN, "the palette, by the place of the key")
    feed.evaluate("localStorage.removeItem('penny-keys-off')")


def press_shortcut(page: Page) -> None:
    event = "new KeyboardEvent('keydown', {key: 'k', ctrlKey: true, bubbles: true})"
    page.evaluate(f"document.activeElement.dispatchEvent({event})")


def press_on_layout(page: Page, key: str, code: str) -> None:
    event = f"new KeyboardEvent('keydown', {{key: '{key}', code: '{code}', bubbles: true}})"
    page.evaluate(f"document.activeElement.dispatchEvent({event})")


@pytest.mark.parametrize(
    "place",
    ["/permissions/", "/watches/paused/"]
    + [pytest.param(place, marks=pytest.mark.long) for place in ("/activity/routine/", "/interests/")],
)
def test_j_and_k_move_through_the_lists_of_other_pages(desk: Desk, feed: Page, place: str) -> None:
    for host in ("one.example", "two.example"):
        desk.penny.post("/permissions/", host=host, how="owner")
    desk.penny.post("/interests/", text=f"reading {place}", valence="-1", next="/")
    feed.goto(f"{desk.penny.url}{place}")
    visible(feed, "main")
    feed.key("j")
    rows = "[...document.querySelectorAll('main :is(.rows, .watches) > li')]"
    row = f"{rows}.findIndex((row) => row.contains(document.activeElement))"
    shows(feed, f"{row} === 0", "the first row")
    feed.key("j")
    shows(feed, f"{row} > 0", "a later row")
    feed.key("k")
    shows(feed, f"{row} === 0", "the first row again")
    press_on_layout(feed, "о", "KeyJ")  # Cyrillic
    shows(feed, f"{row} > 0", "a later row, by the place of the key")
    press_on_layout(feed, "л", "KeyK")
    shows(feed, f"{row} === 0", "the first row, by the place of the key")
    feed.key("?")
    visible(feed, "#keys[open]")
    assert "thumbs up" not in text_of(feed, "#keys")


def test_the_palette_can_be_used_by_everybody(desk: Desk, feed: Page) -> None:
    open_palette(feed)
    type_words(feed, "keyboard")
    visible(feed, "#palette mark")
    wrong = axe_violations(feed)
    with feed.at_size(320):
        assert feed.evaluate(SIDEWAYS) == []
    feed.goto(f"{desk.penny.url}/search/?q=keyboard")
    visible(feed, "main .rows")
    wrong += axe_violations(feed)
    with feed.at_size(320):
        assert feed.evaluate(SIDEWAYS) == []
    assert wrong == []
