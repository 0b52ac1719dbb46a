"""Complete commands by keyboard in the panel and on the chat page."""

import pytest

from tests.e2e.browser import check_layout, shows
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat

OPEN = "!document.querySelector('#commands').hidden"
CHOSEN = (
    "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    "?.querySelector('b').textContent"
)


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_commands_are_listed_and_completed_by_keyboard_on_both_surfaces(desk: Desk) -> None:
    chat = Chat(desk.browser, desk.penny)
    field = "#composer"
    for page in (desk.panel.page, chat.page):
        page.click(field)
        page.fill(field, "/re")
        shows(page, f"{OPEN} && {CHOSEN} === '/remind'", "the first command that goes on so is chosen")
        page.key("ArrowDown")
        shows(page, f"{CHOSEN} === '/restore'", "the next one is")
        page.key("Tab")
        shows(page, f"document.querySelector('{field}').value === '/restore ' && !({OPEN})", "it is completed")
        page.fill(field, "/")
        shows(page, f"{OPEN} && document.querySelectorAll('#commands li').length > 20", "all of them")
        check_layout(page, f"{desk.browser.name}-commands-{'chat' if page is chat.page else 'panel'}")
        page.key("Escape")
        shows(page, f"!({OPEN})", "it is closed")
        page.fill(field, "")
    chat.close()
