"""Each job of an owner by keyboard alone: the admin, the feed, the panel and a routine."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.browser import Page, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.finds import store_finds
from tests.e2e.keyboard import Keyboard
from tests.stand_ins.sites import Sites

pytestmark = pytest.mark.one_browser("chromium", "pages of the site, and the same views of the panel")

SITE = "coffee.example"
NOTICE = "(document.querySelector('.notice.success')?.innerText ?? '')"
SETTLED = "!document.querySelector('.htmx-added')"
FOCUSED = "document.activeElement.closest('.card')?.querySelector('h2')?.innerText"
SKILL = """
from agents.skills import versions
from agents.skills.models import SkillVersion
fields = ["name: tea-forum", "description: Reads threads.", "metadata:", '  domains: "tea.example/*"']
document = "\\n".join(["---", *fields, "---", "Read all.", ""])
versions.write_version(document, SkillVersion.Source.IMPORTED)
"""


@pytest.fixture(name="tab")
def open_tab(desk: Desk) -> Iterator[Page]:
    page = desk.browser.page(f"{desk.penny.url}/admin/")
    page.evaluate("localStorage.clear()")
    visible(page, ".daily")
    yield page
    page.close()


def press_in_row(page: Page, row: str, button: str, says: str) -> None:
    """Press a button of a row of an admin list, by its words; wait for the message."""
    mark = f"""[...document.querySelectorAll('#result_list tbody tr')].find((e) => e.innerText.includes({row!r}))
      .querySelectorAll('button').forEach((e) => e.firstChild.data.trim() === {button!r} && (e.id = 'wanted'))"""
    page.evaluate(f"(() => {{ {mark} }})()")
    keyboard = Keyboard(page)
    keyboard.press("#wanted", f"{NOTICE}.includes({says!r})")


def test_a_site_is_allowed_and_blocked_in_the_admin_by_keyboard(tab: Page) -> None:
    keyboard = Keyboard(tab)
    keyboard.skip_to_content()
    keyboard.go(".daily a[href$='/devices/grant/add/']", "#id_host")
    keyboard.reach("#id_host")
    keyboard.write(SITE)
    keyboard.press("[name=_save]", f"{NOTICE}.includes({SITE!r})")
    keyboard.skip_to_content()
    press_in_row(tab, SITE, "Block", "no more")
    keyboard.reach(".notice button")
    keyboard.press(
        ".notice button", "!window.wasHere && !document.querySelector('#result_list').innerText.includes('blocked')"
    )
    assert SITE in text_of(tab, "#result_list")


def test_a_skill_is_switched_in_the_admin_by_keyboard(desk: Desk, tab: Page) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", SKILL)
    keyboard = Keyboard(tab)
    keyboard.skip_to_content()
    keyboard.go(".daily h2 a[href$='/agents/skill/']", "#result_list")
    press_in_row(tab, "tea-forum", "Approve", "Penny uses")
    keyboard.skip_to_content()
    press_in_row(tab, "tea-forum", "Turn off", "is off")


def test_thinking_is_scheduled_and_run_in_the_admin_by_keyboard(desk: Desk, tab: Page) -> None:
    keyboard = Keyboard(tab)
    keyboard.skip_to_content()
    keyboard.go(".daily a[href$='/agents/schedule/add/']", "#id_kind")
    keyboard.reach("#id_how")
    for _ in range(4):  # up to the first: every so many minutes
        tab.key("ArrowUp")
    shows(tab, "document.querySelector('#id_every').checkVisibility()", "the minutes")
    keyboard.reach("#id_every")
    tab.evaluate("document.activeElement.select()")
    keyboard.write("50")
    keyboard.press("[name=_save]", f"{NOTICE} !== ''")
    keyboard.skip_to_content()
    press_in_row(tab, "every 50 minutes", "Run now", "has started")
    keyboard.skip_to_content()
    press_in_row(tab, "every 50 minutes", "Pause", "is paused")
    for what in ("stop", "resume"):  # what was started searches in this browser
        desk.penny.post(f"/activity/{what}/")


def test_the_feed_is_read_and_judged_by_keyboard(desk: Desk) -> None:
    feed = desk.browser.page(store_finds(desk.penny))
    feed.goto(f"{desk.penny.url}/?order=newest")
    visible(feed, ".card")
    keyboard = Keyboard(feed)
    keyboard.skip_to_content()
    keyboard.press(
        ".card h2 a", "!!document.querySelector('#thought[open] h2') && !document.querySelector('.htmx-added')"
    )
    keyboard.focus()
    keyboard.reach("#thought .ref")
    feed.key("Escape")
    shows(feed, "!document.querySelector('#thought[open]') && document.activeElement.matches('.card h2 a')", "the card")
    title = str(feed.evaluate("document.activeElement.innerText"))
    keyboard.press(".card [data-key=d]", "document.activeElement.matches('.card.moved button')")
    keyboard.focus()
    feed.key("Enter")
    shows(
        feed,
        f"document.activeElement.closest('.card')?.querySelector('h2')?.innerText === {json.dumps(title)}",
        "it again",
    )
    keyboard.press(".card .acts > a.more", "document.activeElement.matches('details.more[open] > summary')")
    keyboard.reach("details.more[open] button")
    feed.key("Escape")
    shows(feed, "document.activeElement.matches('details.more:not([open]) > summary')", "the card without its menu")
    keyboard.focus()
    feed.close()


def test_a_question_is_asked_and_permission_given_in_the_panel_by_keyboard(desk: Desk, web: Sites) -> None:
    panel = desk.panel
    page, before = panel.page, panel.last_seq()
    keyboard = Keyboard(page)
    page.evaluate("document.querySelector('#composer').blur()")
    keyboard.reach("#composer")
    keyboard.write(f"How is espresso brewed? {web.url(SITE, '/water')}")
    page.key("Enter")
    assert panel.wait_ask() == SITE
    assert keyboard.is_on("#composer")  # the question took nothing from who writes
    keyboard.reach(".ask [data-decision=once]", 12, "Shift+Tab")
    page.key("Enter")
    panel.answer_after(before)
    keyboard.focus()


ASKING = """
from agents.models import Run
from devices.grants import asks
run = Run.objects.create(kind="task", task="Find concerts", state="parked")
asks.ask_grant(run.pk, "tickets.example", "read", "To read a page there.", is_background=True)
"""
FINISHED = """
from django.utils import timezone
from agents.models import Run
Run.objects.create(kind="task", task="Find trains", state="done", started_at=timezone.now(), ended_at=timezone.now())
"""


def test_a_page_that_refreshes_itself_takes_neither_the_focus_nor_an_open_menu(desk: Desk) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", ASKING)
    page = desk.browser.page(f"{desk.penny.url}/activity/")
    visible(page, "#now details summary")
    keyboard = Keyboard(page)
    keyboard.skip_to_content()
    keyboard.press("#now details summary", "!!document.querySelector('#now details[open]')")
    keyboard.reach("#now .menu button[value=allow-run]")
    desk.penny.manage("shell", "-v", "0", "-c", FINISHED)
    shows(page, f"document.querySelector('#now').innerText.includes('Find trains') && {SETTLED}", "what ended")
    assert keyboard.is_on("#now details[open] .menu button[value=allow-run]")
    keyboard.focus()
    keyboard.press("#now details[open] .menu button[value=allow-run]", f"{NOTICE}.includes('tickets.example')")
    page.close()
