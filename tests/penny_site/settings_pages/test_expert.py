"""The page Expert: all other settings, and the search over all pages."""

import re

import pytest
from constance import config
from django.test import Client

from penny_site.settings_pages import expert
from penny_site.settings_pages.pages import PAGES
from tests.penny import form_fields
from tests.penny_site.settings_pages.undo import undo_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def settings_and_links(client: Client, words: str = "") -> tuple[list[str], list[str]]:
    """Return the settings that can be edited, and the addresses of those on other pages."""
    html = client.get("/settings/expert/", {"q": words} if words else {}).content.decode()
    rows = re.findall(r'<div class="setting[^"]*" id="row-(\w+)">', html)
    return rows, re.findall(r'<a class="what" href="([^"]+)">', html)


def test_without_words_everything_without_a_page_of_its_own_is_settings_and_links(owner_client: Client) -> None:
    names = [setting.name for group in expert.GROUPS for setting in group.settings]
    assert settings_and_links(owner_client) == (names, [])


@pytest.mark.parametrize(
    ("words", "rows", "links"),
    [
        ("silent model", ["MODEL_SILENCE_S"], []),
        ("MODEL_SILENCE_S", ["MODEL_SILENCE_S"], []),
        ("quiet", [], ["/settings/notifications/#row-QUIET_FROM", "/settings/notifications/#row-QUIET_TO",
                       "/settings/notifications/#now-title"]),
        ("passkey", [], ["/settings/signing-in/"]),
        ("no such thing", [], []),
    ],
)  # fmt: skip
def test_the_search_finds_settings_on_every_page(
    owner_client: Client, words: str, rows: list[str], links: list[str]
) -> None:
    assert settings_and_links(owner_client, words) == (rows, links)


def test_every_setting_of_every_page_is_found_by_its_label_and_leads_to_its_row(owner_client: Client) -> None:
    wrong = []
    for group in PAGES:
        for setting in group.settings:
            links = settings_and_links(owner_client, setting.label)[1]
            address = next((link for link in links if link.endswith(f"#row-{setting.name}")), "")
            page, _, anchor = address.partition("#")
            if not page or f'id="{anchor}"' not in owner_client.get(page).content.decode():
                wrong.append(setting.name)
    assert wrong == []


def test_a_search_without_a_match_says_so(owner_client: Client) -> None:
    html = owner_client.get("/settings/expert/", {"q": "<b>nothing"}).content.decode()
    assert "No setting contains all of these words." in html
    assert "<b>nothing" not in html


def test_a_found_setting_is_saved_and_the_search_stays(owner_client: Client) -> None:
    address = "/settings/expert/?q=silent+model"
    fields = form_fields(owner_client.get(address).content.decode())
    answer = owner_client.post(address, fields | {"MODEL_SILENCE_S": "120"})
    assert (answer.headers["Location"], config.MODEL_SILENCE_S) == (address, 120)
    html = owner_client.get(address).content.decode()
    assert owner_client.post(undo_address(html)).headers["Location"] == address
    assert config.MODEL_SILENCE_S == 60
