"""The feed in a browser: read by keyboard, while a new card comes and nothing that is being read moves."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.browser import Page, shows, text_of, visible
from tests.e2e.conftest import Desk

TITLES = ["Steam wand", "Lever", "Pump", "Boiler"]  # the newest first
STORE = f"""
from datetime import timedelta
from django.core.management import call_command
from django.utils import timezone
from thoughts.models import Thought
now = timezone.now()
Thought.objects.update(hidden_at=now)
for age, title in enumerate({TITLES}):
    times = {{"created_at": now - timedelta(minutes=age), "hidden_at": None if age else now}}
    made = Thought.objects.create(title=title, text=title, html=title, **times)
    print(made.pk)
call_command("sign_in_link")
"""
FOCUSED = "document.activeElement.closest('.card')?.querySelector('h2')?.textContent"
PLACE = "JSON.stringify(document.activeElement.closest('.card').getBoundingClientRect())"


def sees(feed: Page, expression: str, what: str) -> None:
    """Wait until something is so, and htmx has taken what it put there: a click before that would be a plain one."""
    shows(feed, f"({expression}) && !document.querySelector('.htmx-added')", what)


def reads(feed: Page, title: str, after: str) -> None:
    sees(feed, f"{FOCUSED} === {json.dumps(title)}", f"{title} has the focus after {after}")


def pressed(feed: Page, key: str, title: str) -> None:
    feed.key(key)
    reads(feed, title, key)


@contextmanager
def polling_each_second(desk: Desk) -> Iterator[None]:
    desk.penny.set("COUNT_POLL_S", 1)
    try:
        yield
    finally:
        desk.penny.set("COUNT_POLL_S", 300)


def test_the_feed_is_read_by_keyboard_and_what_comes_moves_nothing(desk: Desk) -> None:
    steam, *_, link = desk.penny.manage("shell", "-v", "0", "-c", STORE).split()
    with polling_each_second(desk):
        feed = desk.browser.page(link)
        feed.goto(f"{desk.penny.url}/?order=newest")
    for key, title in [("j", "Lever"), ("j", "Pump"), ("j", "Boiler"), ("k", "Pump")]:
        pressed(feed, key, title)
    before = feed.evaluate(PLACE)
    desk.penny.post(f"/thoughts/{steam}/unhide/")
    visible(feed, "#fresh a")
    assert (feed.evaluate(FOCUSED), feed.evaluate(PLACE)) == ("Pump", before)
    _keys_act(feed)
    feed.evaluate("document.querySelector('#fresh a').dataset.old = 'yes'")
    sees(feed, "document.querySelector('#fresh a').dataset.old !== 'yes'", "the line as it was just put there, which stays for a second")
    feed.click("#fresh a")
    reads(feed, "Steam wand", "it was asked for")
    pressed(feed, "j", "Lever")
    feed.close()


def _keys_act(feed: Page) -> None:
    """On the card that is being read: save, open, like and dislike with their undo, and the list of the keys."""
    feed.key("s")
    sees(feed, "document.activeElement.closest('.card')?.querySelector('[data-key=s]').ariaPressed === 'true'", "that it is saved")
    feed.key("o")
    sees(feed, "document.querySelector('#thought[open] h2')?.textContent === 'Pump'", "the thought in its dialog")
    feed.key("Escape")
    sees(feed, "!document.querySelector('#thought[open]')", "the feed again")
    for key, said in [("u", "You like this."), ("d", "You do not like this.")]:
        feed.key(key)
        sees(feed, "!!document.querySelector('.card.moved')", "what became of the card")
        assert said in text_of(feed, ".card.moved")
        feed.key("Enter")  # the focus is on Undo
        reads(feed, "Pump", "an undo")
    feed.key("?")
    visible(feed, "#keys[open]")
    feed.key("Escape")
    sees(feed, "!document.querySelector('#keys[open]')", "the feed again")
