"""Threads in the panel and on the chat page: begin, name, list, resume, rename, delete with undo, and what is new."""

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, check_layout, shows, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat
from tests.stand_ins.model_server import ModelServer
from tests.waiting import until

pytestmark = pytest.mark.one_browser("chromium", "the server decides it")

NAMES = "[...document.querySelectorAll('.thread-open .thread-name')].map(name => name.innerText)"
NEWS = "!!document.querySelector('#threads .news')"


def open_threads(page: Page) -> None:
    page.click("#threads")
    shows(page, "document.activeElement.id === 'thread-search'", "the list with the caret in its search")


def open_thread(page: Page, name: str) -> None:
    open_threads(page)
    page.evaluate(f"[...document.querySelectorAll('.thread-open')].find(e => e.innerText.includes({name!r})).click()")
    wait_name(page, name)


def wait_name(page: Page, name: str) -> None:
    shows(page, f"document.querySelector('#threads .thread-name')?.innerText === {name!r}", f"the thread {name}")


def act_on(page: Page, name: str, act: str) -> None:
    row = f"[...document.querySelectorAll('.thread')].find(e => e.innerText.includes({name!r}))"
    page.evaluate(f"{row}.querySelector('.thread-more').click()")
    visible(page, f'[data-thread-act="{act}"]')
    page.click(f'[data-thread-act="{act}"]')


def test_a_thread_is_begun_renamed_and_deleted_on_both_surfaces(desk: Desk, model: ModelServer) -> None:
    panel = desk.panel
    panel.ask("Words of the main conversation")
    open_threads(panel.page)
    panel.page.click("#thread-new")
    visible(panel.page, ".log .empty h2")
    panel.ask("Which quernstone?")
    wait_name(panel.page, "Which quernstone?")
    assert len(panel.messages()) == 2
    assert "Words of the main conversation" not in model.requests[-1].everything
    open_threads(panel.page)
    shows(panel.page, f"{NAMES}[0] === 'Main conversation' && {NAMES}[1] === 'Which quernstone?'", "both names")
    check_layout(panel.page, f"{desk.browser.name}-threads")
    assert axe_violations(panel.page) == []
    panel.page.press("#thread-search", "Escape")

    chat = Chat(desk.browser, desk.penny)
    chat.wait_message("Words of the main conversation")
    assert not any("quernstone" in text for text in chat.messages())
    open_thread(chat.page, "Which quernstone?")
    chat.wait_message("Which quernstone?")
    assert "?thread=" in chat.page.evaluate("location.search")
    open_threads(chat.page)
    act_on(chat.page, "Which quernstone?", "rename")
    chat.page.fill(".thread-rename input", "Mills")
    chat.page.press(".thread-rename input", "Enter")
    wait_name(panel.page, "Mills")
    assert axe_violations(chat.page, widths=(320, 1280)) == []
    act_on(chat.page, "Mills", "delete")
    visible(chat.page, "#thread-undo")
    wait_name(panel.page, "Main conversation")
    panel.wait_message("Words of the main conversation")
    chat.page.click("#thread-undo")
    shows(chat.page, f"{NAMES}.includes('Mills')", "the name again")
    chat.page.press("#thread-search", "Escape")
    open_thread(chat.page, "Mills")
    chat.wait_message("Which quernstone?")
    chat.page.evaluate("history.back()")
    wait_name(chat.page, "Main conversation")
    chat.close()


def test_what_is_new_in_another_thread_is_marked_and_a_match_leads_there(desk: Desk) -> None:
    panel = desk.panel
    chat = Chat(desk.browser, desk.penny)
    open_threads(chat.page)
    chat.page.click("#thread-new")
    chat.ask("About passports")
    shows(panel.page, NEWS, "the mark")
    assert not any("passports" in text for text in panel.messages())
    panel.page.click("#search")
    panel.page.fill("#search-words", "passports")
    shows(panel.page, "document.querySelector('.hit')", "what was found")
    panel.page.click("#search-here")
    shows(panel.page, "!document.querySelector('.hit')", "nothing here")
    panel.page.click("#search-here")
    shows(panel.page, "document.querySelector('.hit')", "what was found")
    panel.page.evaluate("[...document.querySelectorAll('.hit')].at(-1).click()")
    wait_name(panel.page, "About passports")
    shows(panel.page, f"!({NEWS})", "no mark")
    panel.page.goto(desk.browser.panel_url)
    wait_name(panel.page, "About passports")
    open_thread(panel.page, "Main conversation")
    chat.close()


def test_a_message_is_deleted_and_comes_back(desk: Desk) -> None:
    panel = desk.panel
    panel.ask("To be deleted")
    before = panel.last_seq()
    page = panel.page
    page.evaluate(f"document.querySelector('[data-seq=\"{before - 1}\"] [data-act=delete]').click()")
    shows(page, "document.activeElement.id === 'message-undo'", "the way back, with the focus")
    until(lambda: panel.last_seq() < before - 1, "question and answer are gone")
    check_layout(page, f"{desk.browser.name}-deleted")
    page.click("#message-undo")
    until(lambda: panel.last_seq() == before, "both are back")
    assert "brings it back" in panel.ask("/delete")
    until(lambda: "To be deleted" not in panel.messages(), "it is gone again")
