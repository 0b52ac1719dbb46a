"""The browsing history: told to Penny once the owner has switched that on in the extension, site and title alone."""

import pytest

from tests.e2e.browser import shows, visible
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

COFFEE, LAB = "coffee.example", "lab.example"
IS_ON = "document.querySelector('#share-history').checked"


def _page(title: str) -> Answer:
    return Answer(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><p>Words of the page.</p></html>'
    )


def test_what_the_owner_visits_is_told_once_they_switch_that_on_and_never_what_is_left_out(
    desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = {
        "/before": "Seen before",
        "/private/page": "Lever espresso",
        "/ill": "Living with diabetes",
        "/wool": "Knitting patterns",
    }
    for path, title in titles.items():
        monkeypatch.setitem(sites.ROUTES, (COFFEE, path), lambda *_, title=title: _page(title))
    options = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(options, "#share-history")
    before = desk.browser.page(web.url(COFFEE, "/before"))
    options.fill("#own-list", "knitting")
    options.click("#own-save")
    shows(options, "document.querySelector('#own-outcome').innerText === 'Saved.'", "that the list is saved")
    options.click("#share-history")
    shows(options, IS_ON, "that it is shared")
    opened = [desk.browser.page(web.url(COFFEE, path)) for path in ("/ill", "/wool", "/private/page")]

    def told() -> str:
        return desk.penny.http.get("/history/").text

    until(lambda: "Lever espresso" in told(), "the visit is listed")
    listed = told()
    assert [title for title in titles.values() if title in listed] == ["Lever espresso"]
    assert COFFEE in listed
    assert "private" not in listed.partition('id="visits"')[2]
    options.click("#share-history")
    shows(options, f"!{IS_ON}", "that it is no longer shared")
    until(lambda: "No browser shares its history now" in told(), "the server knows")
    for page in (*opened, before, options):
        page.close()
