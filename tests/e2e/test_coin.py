"""The coin shows how Penny is, in the sidebar, on the toolbar and on the tab of the chat page."""

import pytest

from tests.e2e.browser import Page, shows, visible
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.options import COFFEE, another_device, send_grant
from tests.e2e.panel import Chat
from tests.stand_ins.model_server import ModelServer, text, tool
from tests.stand_ins.sites import Sites
from tests.waiting import until

SLOW = "word " * 200


def _coin_says(page: Page, name: str) -> None:
    shows(page, f"document.querySelector('.coin').getAttribute('aria-label') === {name!r}", f"the coin: {name}")


def _toolbar(desk: Desk) -> list[str]:
    assert isinstance(desk.browser, Chromium)
    titles = "Promise.all(tabs.map(({ id: tabId }) => chrome.action.getTitle({ tabId })))"
    return list(desk.browser.in_background(f"chrome.tabs.query({{ active: true }}).then((tabs) => {titles})"))


def _toolbar_says(desk: Desk, name: str) -> None:
    """Only Chromium lets a test look at the toolbar."""
    if isinstance(desk.browser, Chromium):
        until(lambda: name in _toolbar(desk), f"the toolbar says {name} (it says {_toolbar(desk)})")


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_the_coin_says_whether_penny_may_read_works_waits_or_is_off_the_record(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    page = desk.panel.page
    article = desk.browser.page(web.url(COFFEE, "/water"))
    visible(page, "#include-page")
    _coin_says(page, "Penny")
    _toolbar_says(desk, "Penny")
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
    _coin_says(page, "Penny · may read this site")
    _toolbar_says(desk, "Penny · may read this site")
    page.click("#temporary")
    _coin_says(page, "Penny · may read this site · off the record")
    _toolbar_says(desk, "Penny · may read this site · off the record")
    page.click("#temporary")
    article.goto(web.url("museum.example", "/gaggia"))
    _coin_says(page, "Penny")
    _toolbar_says(desk, "Penny")
    model.on(lambda _: True, text(SLOW, every_s=0.05))
    desk.panel.say("Say many words")
    _coin_says(page, "Penny · working")
    _toolbar_says(desk, "Penny · working")
    desk.panel.stop()
    _coin_says(page, "Penny")
    article.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_question_halves_the_coin_of_sidebar_toolbar_and_tab(desk: Desk, model: ModelServer, web: Sites) -> None:
    icon = "document.querySelector('link[rel=icon]').href.split('/').at(-1)"
    chat = Chat(desk.browser, desk.penny).page
    model.on(lambda request: bool(request.tools), tool("browse_url", url=web.url("museum.example", "/gaggia")))
    desk.panel.say(f"Read {web.url('museum.example', '/gaggia')}")
    desk.panel.wait_ask()
    _coin_says(desk.panel.page, "Penny asks you something · working")
    _toolbar_says(desk, "Penny asks you something · working")
    shows(chat, f"{icon} === 'penny-waits.svg'", "half a coin on the tab")
    assert chat.evaluate("document.title") == "Penny asks you something · working · Chat · Penny"
    desk.panel.decide("dismiss")
    _coin_says(desk.panel.page, "Penny")
    shows(chat, f"{icon} === 'penny.svg' && document.title === 'Chat · Penny'", "the coin at rest")
    for state in ("waits", "working", "off-record"):
        assert desk.penny.http.get(f"/static/penny/penny-{state}.svg").headers["content-type"] == "image/svg+xml"
    chat.close()
