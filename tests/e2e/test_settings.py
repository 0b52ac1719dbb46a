"""The settings in real browsers: saving, undo, defaults, search, the theme, and accessibility."""

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.test_accessibility import open_page

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

PAGES = ("you", "model", "notifications", "limits", "looks", "data", "signing-in", "machine", "expert")
SAVE = "form .acts .primary"


def value_of(page: Page, name: str) -> str:
    return str(page.evaluate(f"document.getElementById('id_{name}').value"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_settings_can_be_used_by_everybody_and_fits_every_width(desk: Desk, name: str) -> None:
    with open_page(desk, f"{desk.penny.url}/settings/{name}/", "h1") as page:
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        assert axe_violations(page) == []
        check_layout(page, f"{desk.browser.name}-settings-{name}", widths=(320, 400, 1280))


def test_wrong_fields_and_the_settings_of_the_admin_can_be_used_by_everybody(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/settings/limits/", "h1") as page:
        page.fill("#id_DAY_PAGES_MAX", "many")
        page.click(SAVE)
        visible(page, "#id_DAY_PAGES_MAX_wrong")
        assert axe_violations(page) == []
    with open_page(desk, f"{desk.penny.url}/admin/constance/config/", ".constance") as page:
        assert axe_violations(page, "'.constance'") == []


def test_a_setting_is_saved_by_enter_undone_and_goes_back_to_its_default(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/settings/limits/", "h1") as page:
        page.fill("#id_DAY_PAGES_MAX", "1,234")
        page.press("#id_DAY_PAGES_MAX", "Enter")
        visible(page, "#row-DAY_PAGES_MAX.changed")
        assert "Saved." in text_of(page, "#notices")
        page.click("#notices button")
        visible(page, "#row-DAY_PAGES_MAX:not(.changed)")
        page.fill("#id_DAY_PAGES_MAX", "1,234")
        page.click(SAVE)
        visible(page, "#row-DAY_PAGES_MAX.changed")
        page.fill("#id_DAY_MINUTES_MAX", "33")  # not saved yet
        page.click("#row-DAY_PAGES_MAX .back")
        visible(page, "#row-DAY_PAGES_MAX:not(.changed)")
        assert (value_of(page, "DAY_PAGES_MAX"), value_of(page, "DAY_MINUTES_MAX")) == ("400", "33")


def test_the_search_leads_to_the_field_of_a_setting(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/settings/expert/", "#words") as page:
        page.fill("#words", "quiet from")
        page.press("#words", "Enter")
        visible(page, ".links a.what")
        page.click(".links a.what")
        visible(page, "#row-QUIET_FROM:target")
        assert page.evaluate("document.title") == "Notifications · Settings · Penny"


def test_one_of_three_choices_is_enough_for_notifications(desk: Desk) -> None:
    with open_page(desk, f"{desk.penny.url}/settings/notifications/", "h1") as page:
        assert page.evaluate("document.querySelector('details.connect').open") is False
        page.click("[name=tell][value=watches]")
        page.click(SAVE)
        visible(page, "[name=reset][value=NOTIFY_FINDS_MAX]")
        assert page.evaluate("document.querySelector('[name=tell]:checked').value") == "watches"
        page.click("[name=reset][value=NOTIFY_FINDS_MAX]")
        shows(page, "document.querySelector('[name=tell]:checked').value === 'best'", "the default")


def test_a_theme_holds_from_the_first_paint_whatever_the_system_says(desk: Desk) -> None:
    surface = "getComputedStyle(document.body).backgroundColor"
    with open_page(desk, f"{desk.penny.url}/settings/looks/", "h1") as page:
        page.evaluate("document.getElementById('id_THEME').value = 'dark'")
        page.click(SAVE)
        visible(page, "#row-THEME.changed")
        with page.at_size(1280, 800, "light"):
            assert page.evaluate(surface) == "rgb(25, 23, 21)"
            assert page.evaluate("fetch('/').then((answer) => answer.text())").count('data-theme="dark"') == 1
        page.click("#row-THEME .back")
        visible(page, "#row-THEME:not(.changed)")
        with page.at_size(1280, 800, "light"):
            assert page.evaluate(surface) == "rgb(251, 250, 248)"
