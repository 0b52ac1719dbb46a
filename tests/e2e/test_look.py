"""The theme of the extension."""

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


def test_a_chosen_theme_applies_to_the_options_page_and_the_panel(desk: Desk, options: Page) -> None:
    for theme, colour in (("dark", DARK), ("light", LIGHT)):
        choose(options, theme)
        for page in (options, desk.panel.page):
            shows(page, f"{BACKGROUND} === '{colour}'", f"the {theme} theme")
    choose(options, "system")
    for page in (options, desk.panel.page):
        shows(page, "document.documentElement.dataset.theme === 'system'", "the theme of the system")
