"""The theme of the extension, and the header of the site."""

from collections.abc import Iterator

import pytest

from tests.e2e.browser import Page, shows, visible
from tests.e2e.conftest import Desk

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
DARK, LIGHT = "rgb(25, 23, 21)", "rgb(251, 250, 248)"


@pytest.fixture
def options(desk: Desk) -> Iterator[Page]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(page, "#sites")
    yield page
    page.close()


def choose(options: Page, theme: str) -> None:
    options.click(f'input[name="theme"][value="{theme}"]')


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_chosen_theme_applies_to_the_options_page_and_the_panel(desk: Desk, options: Page) -> None:
    for theme, colour in (("dark", DARK), ("light", LIGHT)):
        choose(options, theme)
        for page in (options, desk.panel.page):
            shows(page, f"{BACKGROUND} === '{colour}'", f"the {theme} theme")
    choose(options, "system")
    for page in (options, desk.panel.page):
        shows(page, "document.documentElement.dataset.theme === 'system'", "the theme of the system")


PLACES = "[...document.querySelectorAll('.places > a')].map(place => place.getBoundingClientRect().x).join()"
COUNTS = "document.querySelectorAll('.places .count').forEach(count => { count.hidden = %s; count.textContent = '12' })"


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_places_stand_still_wherever_the_owner_is_and_whatever_they_count(desk: Desk) -> None:
    site = desk.browser.page(f"{desk.penny.url}/watches/")
    places = set()
    for path in ("/watches/", "/interests/"):
        site.goto(f"{desk.penny.url}{path}")
        visible(site, ".places [aria-current]")
        for is_hidden in ("true", "false"):
            site.evaluate(COUNTS % is_hidden)
            places.add(site.evaluate(PLACES))
    assert len(places) == 1
    site.close()
