"""The feed's first screen, and the reader of a find over it: address, margin, keys."""

import json
from collections.abc import Iterator

import pytest

from tests.demo.articles import ARTICLES
from tests.e2e.axe import WRONG, axe_violations
from tests.e2e.browser import SIDEWAYS, Page, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

CARD = "document.querySelector('.card').getBoundingClientRect()"
# Titles above the bar of a phone, or above the end of a screen of 800 pixels.
TITLES = """[...document.querySelectorAll('.card h2')].map((title) => title.getBoundingClientRect()).filter((box) =>
  box.top >= 0 && box.bottom <= (innerWidth > 720 ? 800 : 744)).length"""
PASSAGE = "document.querySelector('.sentence.current + .passage').getBoundingClientRect()"
SENTENCE = "document.querySelector('.sentence.current').getBoundingClientRect()"
CURRENT = "document.querySelector('.sentence.current')?.id"
SETTLED = "!document.querySelector('.htmx-request, .htmx-added, .htmx-settling')"


@pytest.fixture(name="feed")
def open_feed(desk: Desk, finds: None) -> Iterator[Page]:
    page = desk.browser.page(f"{desk.penny.url}/?order=newest")  # "best first" may reorder them
    visible(page, ".card")
    yield page
    page.close()


def path_of(page: Page) -> str:
    return str(page.evaluate("location.pathname"))


def open_first(feed: Page) -> str:
    """Open the first find by keyboard; return its title."""
    feed.key("j")
    title = text_of(feed, ".card h2")
    feed.key("o")
    shows(feed, f"document.querySelector('#thought[open] h2')?.innerText === {json.dumps(title)} && {SETTLED}", title)
    return title


@pytest.mark.parametrize(("width", "most_y", "least_titles"), [(1280, 130, 6), (400, 130, 2)])
def test_the_first_screen_of_the_feed_shows_finds(feed: Page, width: int, most_y: int, least_titles: int) -> None:
    with feed.at_size(width, 900):  # Firefox's own bars are within the height of its window
        shows(feed, "!!document.querySelector('.grid.packed .card[style]')", "the cards in their places")
        assert feed.evaluate(f"{CARD}.top") <= most_y
        assert feed.evaluate(TITLES) >= least_titles
        assert feed.evaluate(SIDEWAYS) == []


def test_a_find_opens_over_the_feed_with_an_address_that_back_leaves(feed: Page) -> None:
    feed.evaluate("document.querySelectorAll('.card')[5].scrollIntoView()")
    before = feed.evaluate("Math.round(scrollY)")
    title = texts_of(feed, ".card h2")[5]
    feed.evaluate("document.querySelectorAll('.card h2 a')[5].click()")
    shows(feed, "location.pathname.startsWith('/thoughts/')", "the address of the find")
    address = path_of(feed)
    feed.evaluate("history.back()")
    shows(feed, "!document.querySelector('#thought').open && location.pathname === '/'", "the feed again")
    assert feed.evaluate("Math.round(scrollY)") == before
    feed.evaluate("history.forward()")
    shows(feed, f"document.querySelector('#thought[open] h2')?.innerText === {json.dumps(title)}", "the find again")
    assert path_of(feed) == address
    words = text_of(feed, "#thought .text")
    feed.key("Escape")
    shows(feed, "!document.querySelector('#thought').open && location.pathname === '/'", "the feed after Escape")
    feed.goto(str(feed.evaluate("location.origin")) + address)
    assert text_of(feed, "main .reader h1") == title
    assert text_of(feed, "main .reader .text") == words


def test_buttons_in_the_reader_act_on_the_view_below_it(desk: Desk, feed: Page) -> None:
    desk.penny.post(f"{feed.evaluate('document.querySelector(`.card h2 a`).pathname')}save/")
    feed.goto(f"{desk.penny.url}/saved/")
    open_first(feed)
    feed.key("s")
    visible(feed, ".card.moved")
    shows(feed, "!document.querySelector('#thought').open && location.pathname === '/saved/'", "the saved finds")
    assert "No longer saved." in text_of(feed, ".card.moved")


def test_the_passage_stands_in_the_margin_and_on_a_phone_below_its_sentence(feed: Page) -> None:
    with feed.at_size(1280):
        open_first(feed)
        shows(feed, f"{CURRENT} === 's1'", "the first sentence")
        for key, sentence in [("n", "s2"), ("n", "s3"), ("p", "s2")]:
            feed.key(key)
            shows(feed, f"{CURRENT} === '{sentence}'", f"{sentence} after {key}")
        assert feed.evaluate(f"{PASSAGE}.left > {SENTENCE}.right && {PASSAGE}.top <= {SENTENCE}.bottom")
        assert texts_of(feed, ".sentence.current + .passage mark") == [ARTICLES[0].article.paragraphs[1]]
        assert feed.evaluate("getComputedStyle(document.querySelector('.reader .text')).fontSize") == "17px"
        assert 55 <= feed.evaluate(CHARACTERS) <= 75
        assert feed.evaluate(ACTS) <= 800
    with feed.at_size(400):
        assert feed.evaluate(f"{PASSAGE}.top >= {SENTENCE}.bottom - 1 && {PASSAGE}.left < 60")
        feed.evaluate("document.querySelector('.sentence.current .ref').click()")
        shows(feed, f"{CURRENT} === undefined", "no passage after a second touch")
        feed.evaluate("document.querySelector('#s1').click()")
        shows(feed, f"{CURRENT} === 's1'", "the passage that was touched")
        assert feed.evaluate(SIDEWAYS) == []


# The characters of the longest full line of the first paragraph.
CHARACTERS = """(() => {
  const paragraph = document.querySelector('.reader .text p'), lines = new Map(), range = document.createRange()
  for (const sentence of paragraph.querySelectorAll('.sentence')) {
    const text = sentence.firstChild
    for (let at = 0; at < text.length; at++) {
      range.setStart(text, at), range.setEnd(text, at + 1)
      const top = Math.round(range.getBoundingClientRect().top / 10)
      lines.set(top, (lines.get(top) ?? 0) + 1)
    }
  }
  return Math.max(...lines.values())
})()"""
ACTS = "document.querySelector('.reader > .acts').getBoundingClientRect().bottom"


def test_a_number_on_a_card_opens_the_reader_at_its_sentence(feed: Page) -> None:
    feed.evaluate("document.querySelectorAll('.card .ref')[1].click()")
    shows(
        feed,
        f"document.querySelector('#thought').open && {CURRENT} === 's2' && location.hash === '#s2'",
        "the second sentence",
    )
    feed.evaluate("document.querySelector('.sentence.current + .passage [data-open]').click()")
    visible(feed, "#thought[open] #quote")
    assert path_of(feed).endswith("/evidence/2/")
    feed.evaluate("history.back()")
    shows(feed, f"{CURRENT} === 's2'", "the sentence again")
    feed.key("Escape")
    shows(feed, "location.pathname === '/' && !location.hash", "the feed")


def test_the_menu_of_a_card_opens_and_closes_by_keyboard(feed: Page) -> None:
    open_first(feed)
    feed.evaluate("document.querySelector('#thought a.more').focus()")
    feed.key("Enter")
    visible(feed, "#thought .more .menu")
    shows(feed, "document.activeElement.matches('#thought summary')", "the focus on the button of the menu")
    feed.key("Escape")
    shows(feed, "!document.querySelector('#thought .more[open]')", "the menu closed")
    assert feed.evaluate("document.querySelector('#thought').open")


def test_the_reader_can_be_used_by_everybody(desk: Desk, feed: Page) -> None:
    open_first(feed)
    feed.key("n")
    wrong = axe_violations(feed)
    with feed.at_size(1280):
        wrong += feed.evaluate(f"axe.run(document, {{resultTypes: ['violations']}}).then({WRONG})")
    feed.goto(str(feed.evaluate("location.origin")) + path_of(feed))
    assert wrong + axe_violations(feed) == []
