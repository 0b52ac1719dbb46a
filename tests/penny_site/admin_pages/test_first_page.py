"""The admin's first page, and the words and the frame of its lists."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client

from penny_site.admin_pages.groups import DAILY, GROUPS, RETENTION
from tests.e2e.admin_rows import fill
from tests.pages import visible_words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
OTHER_CODE = {"constance.Config"}  # no model of the registry
CODE = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-|FREQ=|\b[A-Z]+_[A-Z]+\b|\b(?:True|False|None)\b|\b[Tt]hought|\b[Gg]rant")
GROUP_NAMES = ["Conversation", "Finds &amp; interests", "Permissions", "Activity", "Machine"]


@pytest.fixture
def furnished(owner_client: Client) -> Client:
    fill()
    return owner_client


def addresses(client: Client) -> list[str]:
    html = client.get("/admin/").content.decode()
    return [
        address
        for address in dict.fromkeys(re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', html))
        if "/constance/" not in address
    ]


def test_the_first_page_has_the_lists_of_every_day_and_then_five_groups(owner_client: Client) -> None:
    html = owner_client.get("/admin/").content.decode()
    main = html.partition("<main")[2]
    assert re.findall(r"<h2>(?:<a[^>]*>)?([^<]+)", main) == ["Sites", "Skills", "Routine", *GROUP_NAMES]
    for group in GROUPS:
        assert group.line in main
    assert '<header class="top"' in html
    assert [name for name in DAILY if f'href="/admin/{name.lower().replace(".", "/")}/add/"' in main] == list(DAILY)


def test_every_list_is_in_a_group(owner_client: Client) -> None:
    grouped = {name for group in GROUPS for name in group.models} - OTHER_CODE - {RETENTION}
    ours = {"agents", "devices", "thoughts", "auth"}
    admin.autodiscover()
    registered = {model._meta.label for model in admin.site._registry if model._meta.app_label in ours}
    assert grouped == registered
    assert all(apps.get_model(name) for name in grouped)


def test_the_page_of_an_app_leads_to_the_first_page(owner_client: Client) -> None:
    assert owner_client.get("/admin/devices/").headers["Location"] == "/admin/"


def test_every_list_has_a_sentence_as_its_title_and_words_for_its_columns(furnished: Client) -> None:
    for address in addresses(furnished):
        html = furnished.get(address).content.decode()
        title = re.search(r"<h1>(.+?)</h1>", html)
        assert title, address
        assert "Select" not in title[1], address
        assert len(title[1].split()) > 1, address
        words = visible_words(html.partition("<main")[2])
        assert not CODE.findall(words), address


def test_every_form_is_free_of_ids_constants_and_rules(furnished: Client) -> None:
    for address in addresses(furnished):
        row = re.search(r'<th[^>]*><a href="([^"]+/change/)[^"]*"', furnished.get(address).content.decode())
        assert row, address
        html = re.sub(r"<(textarea|pre).*?</\1>", "", furnished.get(row[1]).content.decode(), flags=re.DOTALL)
        words = visible_words(html.partition("<main")[2])
        assert not CODE.findall(words), row[1]


def test_a_box_in_the_head_ticks_all_rows(furnished: Client) -> None:
    head = furnished.get("/admin/devices/grant/").content.decode().partition("<thead>")[2].partition("</thead>")[0]
    assert '<input type="checkbox" id="action-toggle"' in head
    assert "&lt;" not in head


def test_each_cell_names_its_column_for_narrow_screens(furnished: Client) -> None:
    html = furnished.get("/admin/devices/grant/").content.decode()
    row = html.partition("<tbody>")[2].partition("</tr>")[0]
    assert re.findall(r'data-label="([^"]+)"', row) == ["Site", "Decision", "Until", "Last used", "Actions"]


def test_a_value_of_yes_or_no_is_a_word_and_text_of_a_page_stays_text(furnished: Client) -> None:
    from thoughts.models import Thought

    picture = '<img src="/static/admin/img/icon-yes.svg" alt="True">'
    Thought.objects.update(title=picture)
    html = furnished.get("/admin/thoughts/thought/").content.decode()
    row = html.partition("<tbody>")[2].partition("</tr>")[0]
    assert "&lt;img src=" in row
    assert "<img" not in row
    assert ">no</td>" in row


def test_filters_speak_in_words(furnished: Client) -> None:
    filters = furnished.get("/admin/thoughts/thought/").content.decode().partition('aria-label="Filter"')[2]
    words = visible_words(filters.partition("</nav>")[0])
    assert "Saved all not saved saved" in words
    assert "Empty" not in words
