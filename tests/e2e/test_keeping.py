"""Keep the page beside the panel: by button and key, with an undo that sends nothing."""

from collections.abc import Iterator

import pytest

from tests.e2e.browser import Page, check_layout, shows, text_of, visible
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

CLINIC = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Our team</title><body><main><h1>Our team</h1>
<p>Doctor Ada Byron sees patients of New Brunswick from Monday to Thursday, and answers in the evening.</p>
<p>For the door, the password: correcthorse99battery opens it. Please keep it to yourself, as everybody does here.</p>
<p>Come by at noon, when the waiting room is quiet, and bring the letter of your own doctor along with you.</p>
<p><a href="mailto:Ada.Byron@Practice.Example">Write to her</a> <a href="tel:+1-732-555-0142">Call her</a>
<a href="https://social.example/@ada">What she writes</a></p>
<p hidden><a href="mailto:hidden@evil.example">x</a></p>
<form style="visibility: hidden"><input type="password" name="password"></form></main></body></html>"""
SECRET = "correcthorse99battery"
SIGN_IN = CLINIC.replace("Our team", "Staff only").replace("visibility: hidden", "")


@pytest.fixture
def clinic(desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setitem(sites.ROUTES, ("lab.example", "/team"), lambda *_: Answer(CLINIC))
    monkeypatch.setitem(sites.ROUTES, ("lab.example", "/staff"), lambda *_: Answer(SIGN_IN))
    tab = desk.browser.page(web.url("lab.example", "/team?session_token=abcdef"))
    shows(
        desk.panel.page, "document.querySelector('#share-page')?.innerText.includes('Our team')", "the page beside it"
    )
    yield tab
    tab.close()


def _state(desk: Desk) -> str:
    return text_of(desk.panel.page, "#keep-state")


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_a_page_is_kept_after_an_undo_that_sent_nothing(desk: Desk, clinic: Page) -> None:
    browser, panel, penny = desk.browser, desk.panel.page, desk.penny
    assert isinstance(browser, Chromium)
    panel.click("#keep-page")
    visible(panel, "#keep-undo")
    assert _state(desk) == "Kept"
    check_layout(panel, f"{browser.name}-kept")
    panel.click("#keep-undo")
    until(lambda: _state(desk) == "", "nothing is kept any more")
    pressed = "chrome.commands.onCommand.dispatch('keep-page', tabs.find(({ url }) => url?.includes('/team')))"
    tab_ids = browser.in_background("chrome.tabs.query({}).then((tabs) => tabs.map(({ id }) => id))")
    browser.in_background(f"chrome.tabs.query({{}}).then((tabs) => void {pressed})")
    # The browser opens its own panel only on a user gesture, so a second panel opens as a tab, in front.
    until(lambda: browser.urls().count(browser.panel_url) == 2, "a panel beside the page")
    browser.in_background(
        f"chrome.tabs.query({{}}).then((tabs) => chrome.tabs.remove("
        f"tabs.map(({{ id }}) => id).filter((id) => !{tab_ids}.includes(id))))"
    )
    visible(panel, "#keep-undo")
    assert penny.keeps("New Brunswick") == []
    until(lambda: _state(desk) == "Kept today", "the server has it", deadline_s=30)
    [row] = [row for row in penny.keeps("New Brunswick") if row.startswith('INSERT INTO "thoughts_page"')]
    assert ("▮" in row, penny.keeps(SECRET), penny.keeps("hidden@evil.example")) == (True, [], [])
    [entry] = [
        row for row in penny.keeps("Ada.Byron@practice.example") if row.startswith('INSERT INTO "thoughts_kept"')
    ]
    assert [words for words in ("+17325550142", "https://social.example/@ada", "asked") if words not in entry] == []
    assert panel.evaluate("/\\/kept\\/[0-9a-f-]{36}\\/$/.test(document.querySelector('#keep-state a').href)")
    clinic.goto(clinic.evaluate("location.origin + '/other'"))
    until(lambda: _state(desk) == "", "another page is not kept")
    clinic.goto(clinic.evaluate("location.origin + '/staff'"))
    shows(panel, "document.querySelector('#share-page')?.innerText.includes('Staff only')", "the page beside it")
    panel.click("#keep-page")
    visible(panel, "#keep-problem", 30)
    assert "Such a page is not kept" in text_of(panel, "#keep-problem")
    assert penny.keeps("Staff only") == []
