"""The extension reports site and title of visits once the owner has switched that on."""

import pytest

from tests.e2e.browser import shows, visible
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

COFFEE, LAB = "coffee.example", "lab.example"
IS_ON = "document.querySelector('#share-history').checked"


def _titled_page(title: str) -> Answer:
    return Answer(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><p>Words of the page.</p></html>'
    )


@pytest.mark.one_browser("firefox", "Firefox asks for the permission")
def test_visits_are_reported_once_switched_on_and_without_excluded_ones(
    desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = {
        "/before": "Seen before",
        "/private/page": "Lever espresso",
        "/ill": "Living with diabetes",
        "/wool": "Knitting patterns",
    }
    for path, title in titles.items():
        monkeypatch.setitem(sites.ROUTES, (COFFEE, path), lambda *_, title=title: _titled_page(title))
    options = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(options, "#share-history")
    before = desk.browser.page(web.url(COFFEE, "/before"))
    options.fill("#own-list", "knitting")
    options.click("#own-save")
    shows(options, "document.querySelector('#own-outcome').innerText === 'Saved.'", "that the list is saved")
    options.click("#share-history")
    shows(options, IS_ON, "that it is shared")
    tabs = [desk.browser.page(web.url(COFFEE, path)) for path in ("/ill", "/wool", "/private/page")]

    def history_page() -> str:
        return desk.penny.http.get("/memory/history/").text

    until(lambda: "Lever espresso" in history_page(), "the visit is listed")
    history_html = history_page()
    assert [title for title in titles.values() if title in history_html] == ["Lever espresso"]
    assert COFFEE in history_html
    assert "private" not in history_html.partition('id="visits"')[2]
    options.click("#share-history")
    shows(options, f"!{IS_ON}", "that it is no longer shared")
    until(lambda: "No browser shares its history now" in history_page(), "the server knows")
    for page in (*tabs, before, options):
        page.close()
