"""The pages of what is kept, in a real browser: usable by everybody, at every width, and led to by the sidebar."""

from urllib.parse import urlsplit

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.panel import Panel
from tests.e2e.test_accessibility import open_page
from tests.waiting import until

WIDTHS = (320, 400, 1280)
KEEP = """
from agents.models import VaultImport
from agents.vault.keep import keep_page
from devices.models import Device
from tests.client import make_page
device = Device.objects.active().filter(kind="browser").latest("created_at")
contacts = {"emails": ["ada.byron.of.the.long.name@a-very-long-domain-of-a-shop.example"], "phones": ["+41790000000"]}
text = "Espresso wants soft water.\\n\\n| degrees | grind |\\n|---|---|\\n| 93 | fine |"
keep_page(make_page("https://coffee.example/water", "Water for espresso, " + "verylongword" * 9, text), device, "asked",
    contacts, 2)
fact = {"state": "confirmed", "source": "owner", "in_wording": "ask", "created_at": "2026-11-28T10:00:00Z", "sites": []}
VaultImport.objects.create(name="penny-kept-2026-11-28.zip", is_waiting=False, pages=3, done=3, added=1, present=1,
    left_out={"its text is not the one that was exported": 1}, problems=[[2, "A title", "its text is not the one"]],
    facts=[fact | {"name": "email", "value": "ada@mail.example", "text": ""}, fact | {"text": "I like tea."}])
"""
LINKS = {
    "entry": ".kept .title",
    "forgetting": ".acts .button.stop",
}


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_the_pages_of_what_is_kept_can_be_used_by_everybody_and_fit_every_width(desk: Desk) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", KEEP)
    wrong = list[object]()
    with open_page(desk, f"{desk.penny.url}/kept/", ".kept .title") as page:

        def look(name: str) -> None:
            page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
            wrong.extend(axe_violations(page))
            check_layout(page, f"{desk.browser.name}-kept-{name}", widths=WIDTHS)

        look("list")
        for name, link in LINKS.items():
            page.goto(str(page.evaluate(f"document.querySelector('{link}').href")))
            visible(page, "h1")
            look(name)
        assert text_of(page, "h1") == "Forget 1 kept page?"
        page.goto(f"{desk.penny.url}/kept/move/")
        visible(page, "#export-secrets")
        look("move")
        page.goto(str(page.evaluate("document.querySelector('.rows.links a').href")))
        visible(page, "input[name=fact]")
        look("import")
        page.goto(f"{desk.penny.url}/permissions/browsers/")
        page.goto(str(page.evaluate("[...document.querySelectorAll('a[href*=\"/left/\"]')][0].href")))
        visible(page, "input[name=unpair]")
        look("left")
    assert wrong == []
    desk.panel.page.click("#search")
    desk.panel.page.fill("#search-words", "soft water")
    shows(
        desk.panel.page,
        f"document.querySelector('#search-kept')?.href === '{desk.penny.url}/kept/?q=soft%20water'",
        "the way to the search of kept pages",
    )
    desk.panel.page.press("#search-words", "Escape")
    desk.penny.post("/kept/forget/", everything="on", sure="on")


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_removing_the_extension_opens_the_page_of_what_that_browser_brought(desk: Desk) -> None:
    """It asks for the owner's session first: this browser has none."""
    leaving = Chromium()
    try:
        Panel(leaving).pair(desk.penny, "Leaving")
        options = leaving.page(f"{leaving.origin}/options.html")
        visible(options, "#left-page")
        address = urlsplit(str(options.evaluate("document.querySelector('#left-page').href")))
        removal = "chrome.management.uninstallSelf({ showConfirmDialog: false })"
        options.evaluate(f"void setTimeout(() => {removal}, 200)")  # the page is closed with it
        asking = f"{desk.penny.url}/sign-in/?next={address.path}"
        until(lambda: asking in leaving.urls(), f"the page of {address.path} asks to sign in")
    finally:
        leaving.quit()
    assert "What Leaving brought" in desk.penny.http.get(address.path).text
