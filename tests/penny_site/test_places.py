"""The places: each page is a tab of one, and addresses of earlier versions lead there."""

import re

import pytest
from django.test import Client

from agents.models import Run
from devices.grants import asks
from penny_site.frame.moved import MOVED
from penny_site.frame.places import PLACES, SETTINGS

pytestmark = pytest.mark.django_db
TABS = [(place, tab) for place in (*PLACES, SETTINGS) for tab in place.tabs]


@pytest.mark.parametrize(("place", "tab"), TABS, ids=[f"{place.label}, {tab.label}" for place, tab in TABS])
def test_each_tab_is_a_page_that_names_its_place_and_itself(owner_client: Client, place: object, tab: object) -> None:
    html = owner_client.get(tab.address).content.decode()  # type: ignore[attr-defined]
    places = re.search(r'<header class="top"[^>]*>.*?</header>', html, re.DOTALL)
    assert places
    assert re.search(rf'<a[^>]*href="{place.address}"[^>]*aria-current="page"', places[0])  # type: ignore[attr-defined]
    for other in place.tabs[1:]:  # type: ignore[attr-defined]
        assert f'href="{other.address}"' in html
    if len(place.tabs) > 1:  # type: ignore[attr-defined]
        rows = re.findall(r'<nav class="tabs".*?</nav>', html, re.DOTALL)
        assert [len(re.findall('aria-current="page"', row)) for row in rows] == [1]


@pytest.mark.parametrize("address", sorted(MOVED))
def test_an_address_of_an_earlier_version_leads_to_the_page(owner_client: Client, address: str) -> None:
    response = owner_client.get(f"/{address}?page=2")
    assert (response.status_code, response.headers["Location"]) == (301, f"/{MOVED[address]}?page=2")
    assert owner_client.get(f"/{MOVED[address]}").status_code == 200


def test_pages_below_moved_too_and_nothing_is_posted_to_an_old_address(owner_client: Client, client: Client) -> None:
    assert owner_client.get("/skills/of/shop/").headers["Location"] == "/permissions/skills/of/shop/"
    assert owner_client.post("/preferences/", {"text": "lever espresso"}).status_code == 405
    assert owner_client.get("/subscriptions/none/new.atom").status_code == 404
    assert Client().get("/preferences/").headers["Location"].startswith("/sign-in/")


def test_an_open_question_is_counted_in_the_header(owner_client: Client) -> None:
    assert '<span class="count" data-questions hidden>' in owner_client.get("/").content.decode()
    run = Run.objects.create(kind=Run.Kind.THINKING, task="find levers")
    asks.ask_grant(run.pk, "coffee.example", "read", "to read it", is_background=True)
    assert "<b>1</b>" in owner_client.get("/").content.decode().split("data-questions")[1][:40]
