"""A browser keeps pages by itself where its owner switched that on, and nowhere else."""

import time
from collections.abc import Iterator

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, check_layout, shows, visible
from tests.e2e.conftest import Desk
from tests.stand_ins.articles import PRESSURE, WATER
from tests.stand_ins.sites import Sites
from tests.waiting import until

CHOSEN, OTHER = "museum.example", "coffee.example"
LONG_ENOUGH_S = 4.0  # a page is read after three seconds in front


@pytest.fixture
def settings_page(desk: Desk) -> Iterator[Page]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(page, "#keeping-off")
    yield page
    page.click("#keeping-off")
    shows(page, "document.querySelector('#keeping-off').checked", "it is off again")
    page.close()
    desk.penny.post("/kept/forget/", everything="on", sure="on")


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_pages_of_a_chosen_site_are_kept_and_others_are_not(desk: Desk, settings_page: Page, web: Sites) -> None:
    settings_page.click("#keeping-sites")
    visible(settings_page, "#keeping-meaning")
    check_layout(settings_page, f"{desk.browser.name}-keeping")
    assert axe_violations(settings_page) == []
    settings_page.click("#keeping-yes")
    visible(settings_page, "#keep-host")
    settings_page.fill("#keep-host", CHOSEN)
    settings_page.click("#keep-add-site")
    visible(settings_page, f"#keep-sites [data-host='{CHOSEN}']")

    tab = desk.browser.page(web.url(OTHER, "/water"))
    time.sleep(LONG_ENOUGH_S)
    tab.goto(web.url(CHOSEN, "/gaggia"))
    visible(desk.panel.page, "#keep-undo", 30)
    desk.panel.page.click("#keep-undo")
    tab.goto(web.url(CHOSEN, "/gaggia?again"))
    visible(desk.panel.page, "#keep-not-here", 30)
    until(lambda: PRESSURE.title in kept_pages(desk), "it is kept", 40)
    assert WATER.title not in kept_pages(desk)
    assert kept_pages(desk).count(f"{PRESSURE.title}</a>") == 1  # what was undone was not sent
    tab.close()


def kept_pages(desk: Desk) -> str:
    return desk.penny.http.get("/kept/").text
