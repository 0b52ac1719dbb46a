"""The server stops and starts again while a browser is connected."""

from collections.abc import Iterator

import pytest

from tests.e2e.browser import check_layout, show_people, shows
from tests.e2e.conftest import Desk

UNREACHABLE = "document.querySelector('h1')?.innerText === 'Penny cannot be reached'"


@pytest.fixture(autouse=True)
def _running_again(desk: Desk) -> Iterator[None]:
    """Start Penny again after a test that failed while she was stopped."""
    yield
    if not desk.penny.runs:
        desk.penny.start()


@pytest.mark.one_browser("chromium", "the server decides it")
def test_the_browser_reconnects_and_messages_from_meanwhile_arrive_once(desk: Desk) -> None:
    desk.panel.ask("Before the restart")
    page = desk.browser.page(f"{desk.penny.url}/sign-in/")
    shows(page, "!!navigator.serviceWorker.controller", "that it can stand in for Penny")
    desk.penny.stop()
    page.click("a.home")
    shows(page, UNREACHABLE, "that Penny is away")
    if desk.browser.name == "chromium":  # Firefox shows its own page for an address that was typed
        page.goto(f"{desk.penny.url}/watches/")
        shows(page, UNREACHABLE, "that Penny is away")
    show_people(page, f"{desk.browser.name}-offline", 400)
    page.close()
    desk.panel.wait_state("reconnecting")
    before = desk.panel.last_seq()
    desk.panel.say("Said while Penny was away")
    shows(
        desk.panel.page,
        "document.querySelector('.message.unsent .text')?.innerText === 'Said while Penny was away'",
        "what waits to be sent",
    )
    check_layout(desk.panel.page, f"{desk.browser.name}-reconnecting")
    desk.penny.start()
    desk.panel.wait_connected(60)
    desk.panel.answer_after(before)
    assert desk.panel.messages().count("Said while Penny was away") == 1
    shows(desk.panel.page, "!document.querySelector('.message.unsent')", "nothing that waits to be sent")


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_power_cut_in_the_middle_of_an_answer_loses_nothing(desk: Desk) -> None:
    before = desk.panel.last_seq()
    desk.panel.say("Answer me in any case")
    desk.panel.wait_message("Answer me in any case")
    desk.penny.kill()
    desk.panel.wait_state("reconnecting")
    desk.penny.start()
    desk.panel.wait_connected(60)
    desk.panel.answer_after(before, 60)
    assert desk.panel.messages().count("Answer me in any case") == 1
