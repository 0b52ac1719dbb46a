"""The feed in a browser: keyboard, new cards, printing, and thumbs."""

import json

import pytest

from tests.e2e.browser import Page, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.finds import INDEX
from tests.e2e.panel import Chat

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
    thought = Thought.objects.create(title=title, text=title, html=title, **times)
    print(thought.pk)
call_command("sign_in_link")
{INDEX}"""
ONE = """
from thoughts.models import Thought
print(Thought.objects.create(title="Grinder", text="Grinder", html="Grinder", saved_at="2026-01-01T00:00Z").pk)
"""
FOCUSED = "document.activeElement.closest('.card')?.querySelector('h2')?.innerText"
PLACE = "JSON.stringify(document.activeElement.closest('.card').getBoundingClientRect())"


def wait_settled(feed: Page, expression: str, what: str) -> None:
    """Wait until the expression is true and htmx has processed its new elements."""
    shows(feed, f"({expression}) && !document.querySelector('.htmx-added')", what)


def wait_focused(feed: Page, title: str, after: str) -> None:
    wait_settled(feed, f"{FOCUSED} === {json.dumps(title)}", f"{title} has the focus after {after}")


def press_key(feed: Page, key: str, title: str) -> None:
    feed.key(key)
    wait_focused(feed, title, key)


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_feed_is_read_by_keyboard_and_new_cards_move_nothing(desk: Desk) -> None:
    steam, *_, link = desk.penny.manage("shell", "-v", "0", "-c", STORE).split()
    feed = desk.browser.page(link)
    feed.goto(f"{desk.penny.url}/?order=newest")
    for key, title in [("j", "Lever"), ("j", "Pump"), ("j", "Boiler"), ("k", "Pump")]:
        press_key(feed, key, title)
    before = feed.evaluate(PLACE)
    desk.penny.post(f"/thoughts/{steam}/unhide/")
    visible(feed, "#fresh a")
    assert (feed.evaluate(FOCUSED), feed.evaluate(PLACE)) == ("Pump", before)
    _check_keys(feed)
    feed.click("#fresh a")
    wait_focused(feed, "Steam wand", "it was asked for")
    press_key(feed, "j", "Lever")
    _check_search(feed)
    feed.close()


def _check_search(feed: Page) -> None:
    """Check that letters in the search field are text, not keys."""
    feed.click("#narrow summary")
    feed.click("#id_q")
    for letter in "pump":
        feed.key(letter)
    wait_settled(
        feed,
        # finds that mean the same follow below, once the worker knows what these mean
        "[...document.querySelectorAll('#feed .card h2')].map(e => e.innerText).join() === 'Pump'",
        "what holds these letters",
    )
    assert feed.evaluate("document.activeElement.value") == "pump"
    assert not feed.evaluate("!!document.querySelector('.card.moved')")


def _check_keys(feed: Page) -> None:
    """Check the keys of the focused card: save, open, like, dislike, undo, and the list of keys."""
    feed.key("s")
    wait_settled(
        feed,
        "document.activeElement.closest('.card')?.querySelector('[data-key=s]').ariaPressed === 'true'",
        "that it is saved",
    )
    feed.key("o")
    wait_settled(feed, "document.querySelector('#thought[open] h2')?.innerText === 'Pump'", "the thought in its dialog")
    for is_pressed in ("false", "true"):
        feed.key("s")
        wait_settled(
            feed,
            f"document.querySelector('#thought[open] [data-key=s]').ariaPressed === '{is_pressed}'",
            "saving in the dialog",
        )
    assert feed.evaluate("document.activeElement.closest('#thought') !== null")
    feed.key("Escape")
    wait_settled(feed, "!document.querySelector('#thought[open]')", "the feed again")
    wait_focused(feed, "Pump", "the dialog was closed")
    feed.key("u")
    line = "document.activeElement.closest('.card')?.querySelector('.told')?.innerText"
    wait_settled(feed, f"{line}?.includes('You like this.')", "what a thumb up did")
    feed.click(".card .told button")
    wait_settled(feed, "!document.querySelector('.told, [data-key=u][aria-pressed=true]')", "an undo")
    wait_focused(feed, "Pump", "an undo")
    feed.key("d")
    wait_settled(feed, "!!document.querySelector('.card.moved')", "what became of the card")
    assert "You do not like this." in text_of(feed, ".card.moved")
    feed.key("Enter")  # the focus is on Undo
    wait_focused(feed, "Pump", "an undo")
    feed.key("?")
    visible(feed, "#keys[open]")
    feed.key("Escape")
    wait_settled(feed, "!document.querySelector('#keys[open]')", "the feed again")


SOURCED = """
from django.utils import timezone
from thoughts.models import Page, Thought
Thought.objects.update(hidden_at=timezone.now())  # those of other tests would stand above it
thought = Thought.objects.create(title="Kettle", text="Kettle", html="Kettle")
thought.pages.add(Page.objects.create(url="https://tea.example/kettle", domain="tea.example", title="Kettle", \
text="Kettle", sha256=""))
print(thought.pk)
"""
ON_PAPER = "document.querySelector('link[href*=print]').media = 'all'"
NOT_PRINTED = (".top", ".tabs", ".narrow", ".card .acts")


def computed_displays(page: Page, selector: str) -> list[str]:
    displays = page.evaluate(
        f"JSON.stringify([...document.querySelectorAll({json.dumps(selector)})].map(e => getComputedStyle(e).display))"
    )
    return list(json.loads(displays))


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_print_shows_texts_and_sources_without_buttons(desk: Desk) -> None:
    thought_id = desk.penny.manage("shell", "-v", "0", "-c", SOURCED).strip()
    feed = desk.browser.page(f"{desk.penny.url}/")
    displays = {selector: set(computed_displays(feed, selector)) for selector in NOT_PRINTED}
    assert all(values and values != {"none"} for values in displays.values()), displays
    feed.evaluate(ON_PAPER)
    assert {selector: set(computed_displays(feed, selector)) for selector in NOT_PRINTED} == {
        selector: {"none"} for selector in NOT_PRINTED
    }
    source = f"#card-{thought_id} .proof a"
    behind = feed.evaluate(f"getComputedStyle(document.querySelector('{source}'), '::after').content")
    assert behind in ('" (" attr(href) ")"', '" (" "https://tea.example/kettle" ")"', '" (https://tea.example/kettle)"')
    feed.click(f"#card-{thought_id} h2 a")
    wait_settled(
        feed, "document.querySelector('#thought[open] h2')?.innerText === 'Kettle'", "the thought in its dialog"
    )
    assert set(computed_displays(feed, "main > :not(#thought)")) == {"none"}
    assert computed_displays(feed, "#thought .acts") == ["none"]
    feed.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_thumb_of_the_feed_can_be_taken_back_in_the_web_chat(desk: Desk) -> None:
    thought = desk.penny.manage("shell", "-v", "0", "-c", ONE).strip()
    desk.penny.post(f"/thoughts/{thought}/react/", valence="1")
    chat = Chat(desk.browser, desk.penny).page
    thumbs = f".message[data-thought='{thought}'] .thumbs"
    pressed_states = f'[...document.querySelectorAll("{thumbs} [aria-pressed]")].map(e => e.ariaPressed).join()'
    shows(chat, f"{pressed_states} === 'true,false'", "what was said on the feed")
    for selector, after in [
        ("[data-thumb='down']", "false,true"),
        ("[data-thumb='undo']", "true,false"),
        ("[data-thumb='undo']", "false,false"),
    ]:
        chat.click(f"{thumbs} {selector}")
        shows(chat, f"{pressed_states} === '{after}'", f"{after} after {selector}")
    assert chat.evaluate("document.activeElement.dataset.thumb") == "up"
    chat.goto(f"{desk.penny.url}/thoughts/{thought}/")
    shows(
        chat,
        "document.querySelectorAll('.acts [data-key=u][aria-pressed=false]').length === 1",
        "the thought as it was",
    )
    chat.close()
