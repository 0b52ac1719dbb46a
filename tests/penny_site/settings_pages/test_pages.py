"""The settings pages: their fields, saving, errors, defaults and undo."""

import re

import pytest
from constance import config
from constance.models import Constance
from django.conf import settings
from django.test import Client

from penny_site.settings_pages.groups import GROUPS, SETTINGS
from penny_site.settings_pages.pages import LIMITS, LOOKS, PAGES, YOU
from penny_site.settings_pages.setting import Group
from tests.pages import visible_words
from tests.penny import form_fields
from tests.penny_site.settings_pages.undo import undo_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
SIMPLE = {"/settings/you/": YOU, "/settings/limits/": LIMITS, "/settings/looks/": LOOKS}


def settings_page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def save(client: Client, address: str, **changes: str) -> tuple[int, str]:
    """Change fields of a page and press Save; return the status and the page that follows."""
    response = client.post(address, form_fields(settings_page(client, address)) | changes, follow=True)
    return response.status_code, response.content.decode()


def test_every_setting_is_on_one_page_and_a_page_has_ten_at_most() -> None:
    assert list(SETTINGS) == list(settings.CONSTANCE_CONFIG)
    assert [group.title for group in PAGES if len(group.settings) > 10] == []
    assert sum(len(group.settings) for group in GROUPS) == len(SETTINGS)
    assert [name for name in SETTINGS if "MUTED" in name] == []


@pytest.mark.parametrize(("address", "group"), SIMPLE.items())
def test_each_setting_of_a_page_has_a_label_a_unit_and_a_line_of_help(
    owner_client: Client, address: str, group: Group
) -> None:
    html = settings_page(owner_client, address)
    for setting in group.settings:
        assert f'<label for="id_{setting.name}">{setting.label}</label>' in html
        assert f'<p class="help" id="id_{setting.name}_help">{setting.help}'.replace("'", "&#x27;") in html
        described = re.search(rf'<(?:input|select|textarea)[^>]*name="{setting.name}"[^>]*>', html)
        assert described is not None
        ids = re.findall(r'aria-describedby="([^"]*)"', described[0])[0].split()
        assert [part for part in ids if f'id="{part}"' not in html] == []
        assert (f"id_{setting.name}_unit" in ids) == bool(setting.unit)
        assert setting.name not in visible_words(html)


def test_settings_leads_to_the_first_page(owner_client: Client) -> None:
    assert owner_client.get("/settings/").headers["Location"] == "/settings/you/"


def test_a_change_is_saved_marked_and_undone(owner_client: Client) -> None:
    assert 'class="chip new"' not in settings_page(owner_client, "/settings/you/")
    status, html = save(owner_client, "/settings/you/", OWNER_NAME="Ada", TIMEZONE="Europe/Berlin")
    assert (status, config.OWNER_NAME, config.TIMEZONE) == (200, "Ada", "Europe/Berlin")
    assert "Saved." in html
    assert html.count('<span class="chip new">changed</span>') == 2
    html = owner_client.post(undo_address(html), follow=True).content.decode()
    assert (config.OWNER_NAME, "Undone." in html) == ("", True)
    owner_client.post(undo_address(html))  # which undoes the undo
    assert config.OWNER_NAME == "Ada"


def test_all_errors_are_at_their_fields_at_once_and_nothing_is_saved_or_lost(owner_client: Client) -> None:
    status, html = save(
        owner_client,
        "/settings/limits/",
        DAY_PAGES_MAX="many",
        DAY_TOKENS_MAX="0",
        DAY_MONEY_MAX="-1",
        API_CALLS_MINUTE="7",
    )
    assert status == 422
    assert "Correct 3 fields, then save again." in html
    for name, words in (
        ("PAGES", "Write a whole number."),
        ("TOKENS", "Write 1 or more."),
        ("MONEY", "Write 0 or more."),
    ):
        assert f'<p class="wrong" id="id_DAY_{name}_MAX_wrong">{words}</p>' in html
    assert html.count('aria-invalid="true"') == 3
    fields = form_fields(html)
    assert (fields["DAY_PAGES_MAX"], fields["API_CALLS_MINUTE"]) == ("many", "7")
    assert (config.DAY_PAGES_MAX, config.API_CALLS_MINUTE) == (400, 60)


def test_numbers_are_shown_and_taken_as_people_write_them(owner_client: Client) -> None:
    assert 'value="1,000,000"' in settings_page(owner_client, "/settings/limits/")
    for words in ("2,500,000", "2 500 000", "2500000"):
        config.DAY_TOKENS_MAX = 1
        save(owner_client, "/settings/limits/", DAY_TOKENS_MAX=words)
        assert config.DAY_TOKENS_MAX == 2_500_000
    assert save(owner_client, "/settings/limits/", DAY_TOKENS_MAX="2,5")[0] == 422


def test_saving_leaves_alone_what_changed_elsewhere_in_the_meantime(owner_client: Client) -> None:
    fields = form_fields(settings_page(owner_client, "/settings/limits/"))
    config.DAY_PAGES_MAX = 77  # by a command, while the page was open
    owner_client.post("/settings/limits/", fields | {"DAY_MINUTES_MAX": "60"})
    assert (config.DAY_PAGES_MAX, config.DAY_MINUTES_MAX) == (77, 60)


def test_an_undo_leaves_alone_what_changed_since(owner_client: Client) -> None:
    undo = undo_address(save(owner_client, "/settings/limits/", DAY_PAGES_MAX="50", DAY_MINUTES_MAX="60")[1])
    config.DAY_PAGES_MAX = 77
    owner_client.post(undo)
    assert (config.DAY_PAGES_MAX, config.DAY_MINUTES_MAX) == (77, 240)


def test_only_the_last_change_is_undone(owner_client: Client) -> None:
    first = undo_address(save(owner_client, "/settings/limits/", DAY_PAGES_MAX="50")[1])
    save(owner_client, "/settings/limits/", DAY_MINUTES_MAX="60")
    assert "Nothing was undone." in owner_client.post(first, follow=True).content.decode()
    assert (config.DAY_PAGES_MAX, config.DAY_MINUTES_MAX) == (50, 60)


def test_a_setting_goes_back_to_its_default_with_an_undo_and_other_edits_stay(owner_client: Client) -> None:
    _, html = save(owner_client, "/settings/you/", OWNER_NAME="Ada", OWNER_PLACE="Leipzig")
    assert '>Clear<span class="unseen">: Your name</span>' in html
    fields = form_fields(html) | {"OWNER_PLACE": "Halle", "LEARN_FROM_CHAT": "on", "reset": "OWNER_NAME"}
    html = owner_client.post("/settings/you/", fields).content.decode()
    assert (config.OWNER_NAME, config.OWNER_PLACE) == ("", "Leipzig")
    assert (form_fields(html)["OWNER_NAME"], form_fields(html)["OWNER_PLACE"]) == ("", "Halle")
    owner_client.post(undo_address(html))
    assert (config.OWNER_NAME, config.OWNER_PLACE) == ("Ada", "Leipzig")


def test_all_settings_of_a_page_go_back_to_their_defaults(owner_client: Client) -> None:
    config.DAY_PAGES_MAX, config.DAY_MONEY_MAX, config.OWNER_NAME = 5, 2.5, "Ada"
    html = settings_page(owner_client, "/settings/limits/")
    owner_client.post("/settings/limits/", form_fields(html) | {"reset": "all"})
    assert (config.DAY_PAGES_MAX, config.DAY_MONEY_MAX, config.DAY_INTERRUPTIONS_MAX) == (400, 0, 3)
    assert config.OWNER_NAME == "Ada"  # which is on another page
    assert 'value="all"' not in settings_page(owner_client, "/settings/limits/")


def test_a_switch_is_turned_off_and_back(owner_client: Client) -> None:
    fields = form_fields(settings_page(owner_client, "/settings/you/"))
    del fields["CANDIDATES"]
    html = owner_client.post("/settings/you/", fields, follow=True).content.decode()
    assert (config.CANDIDATES, config.HISTORY_TOPICS) == (False, True)
    assert "Back to on" in html
    owner_client.post("/settings/you/", form_fields(html) | {"reset": "CANDIDATES"})
    assert config.CANDIDATES is True


def test_limits_show_what_was_used_today(owner_client: Client) -> None:
    words = visible_words(settings_page(owner_client, "/settings/limits/"))
    assert "0 of 400 pages today" in words
    assert "0 of 1,000,000 tokens today" in words


@pytest.mark.parametrize(
    ("theme", "attribute"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ("auto", "")]
)
def test_the_theme_is_in_the_first_line_of_every_page(owner_client: Client, theme: str, attribute: str) -> None:
    save(owner_client, "/settings/looks/", THEME=theme)
    for address in ("/", "/chat/", "/settings/looks/"):
        assert f'<html lang="en" data-base=""{attribute}>' in settings_page(owner_client, address)


def test_a_stranger_sees_no_theme_and_no_settings(client: Client) -> None:
    config.THEME = "dark"
    assert "data-theme" not in client.get("/sign-in/").content.decode()
    for address in ("/settings/", "/settings/you/", "/settings/expert/", "/settings/machine/log/"):
        assert client.get(address).headers["Location"].startswith("/sign-in/")
    assert client.post("/settings/you/", {"OWNER_NAME": "Eve"}).headers["Location"].startswith("/sign-in/")
    assert config.OWNER_NAME == ""


def test_reading_a_setting_stores_nothing_and_what_was_set_is_read() -> None:
    Constance.objects.all().delete()
    assert SETTINGS["RATE_PER_HOST_MINUTE"].default == config.RATE_PER_HOST_MINUTE
    assert not Constance.objects.exists()
    config.RATE_PER_HOST_MINUTE = 3
    assert (config.RATE_PER_HOST_MINUTE, Constance.objects.count()) == (3, 1)
