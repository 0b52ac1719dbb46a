"""The pages of watches: create, list, pause, change, and delete with an undo."""

import re
from datetime import time, timedelta
from decimal import Decimal
from html import unescape
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from constance.test import override_config
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.models import Run
from devices.grants import asks
from devices.models import Device
from tests.thoughts.watches.shop import NOW, URL, store_visit, stored_watches, submit_watch
from thoughts.models import Page, Preference, Thought, Watch
from thoughts.recurrence import next_occurrence

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def test_a_watch_is_made_of_an_address_and_a_price_as_it_is_written(owner_client: Client) -> None:
    html = submit_watch(
        owner_client, url="shop.example/lever#top", below="1.299,00 €", label="lever", every_minutes="180"
    )
    assert "Penny watches this page from now on." in html
    assert stored_watches() == [(URL, "shop.example", "price", Decimal("1299"), "EUR", False, 180)]
    assert "below 1,299 €" in html
    assert not Run.objects.exists()  # there is no browser yet


def test_a_card_leads_to_a_watch_of_its_page_that_came_of_its_preference(owner_client: Client) -> None:
    espresso = Preference.objects.create(text="espresso")
    page = Page.objects.create(url=f"{URL}?a=1&b=<2>", domain="shop.example", title="Lever", text="", sha256="")
    thought = Thought.objects.create(title="Levers", text="They hold.", preference=espresso)
    thought.pages.set([page])
    menu = owner_client.get(f"/thoughts/{thought.pk}/more/", headers={"HX-Request": "true"}).content.decode()
    [href] = re.findall(r'href="(/watches/\?[^"]*)"', menu)
    html = owner_client.get(unescape(href), follow=True).content.decode()
    assert 'value="https://shop.example/lever?a=1&amp;b=&lt;2&gt;"' in html
    assert f'<option value="{espresso.pk}" selected>espresso</option>' in html
    html_of_watch = submit_watch(owner_client, below="900 €", preference=str(espresso.pk))
    assert Watch.objects.get().preference == espresso
    assert f'part of “<a href="/interests/#interest-{espresso.pk}">espresso</a>”' in html_of_watch


def test_with_a_browser_the_first_visit_starts_at_once(owner_client: Client) -> None:
    Device.objects.create(
        label="Desk",
        kind="browser",
        connection=uuid4().hex,
        seen_at=NOW + timedelta(hours=1),
        tools=["browse_url"],
        tool_use=True,
    )
    html = submit_watch(owner_client, when="new")
    assert list(Run.objects.values_list("kind", "watch__kind")) == [("watch", "posts")]
    assert "looking now" in html
    assert 'hx-trigger="looking from:document, every 2s"' in html


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"url": ""}, "Write the address of the page"),
        ({"url": "ftp://shop.example/"}, "Penny opens only http and https addresses."),
        ({"url": "javascript:alert(1)"}, "That is not a web address."),
        ({"url": "https://user:word@shop.example/"}, "carries a user name"),
        ({"url": "not an address"}, "That is not a web address."),
        ({"below": "cheap"}, "Write a price above zero"),
        ({"below": "-5 €"}, "Write a price above zero"),
        ({"below": "9" * 30}, "Write a price above zero"),
        ({}, "Write below which price Penny tells you."),
        ({"when": "obey", "below": "5"}, "valid choice"),
        ({"when": ""}, "Choose what Penny tells you."),
        ({"every_minutes": "1", "below": "5"}, "valid choice"),
        ({"how": "rule", "rule": "now and then", "below": "5"}, "Write a recurrence rule"),
        ({"how": "rule", "rule": "FREQ=DAILY;UNTIL=20301231T000000", "below": "5"}, "leave UNTIL out"),
        ({"how": "days", "days": [], "at": "08:00", "below": "5"}, "Choose at least one day."),
        ({"label": "x" * 121, "below": "5"}, "120 characters"),
    ],
)
def test_what_cannot_be_watched_is_refused_with_a_sentence(
    owner_client: Client, fields: dict[str, Any], message: str
) -> None:
    assert message in submit_watch(owner_client, **fields)
    assert stored_watches() == []


def test_penny_s_own_pages_and_a_page_that_is_watched_already_are_refused(
    owner_client: Client, lever_watch: Watch, settings: Any
) -> None:
    assert "does not watch her own pages" in submit_watch(
        owner_client, url=f"{settings.PUBLIC_URL}/watches/", below="5"
    )
    assert "watches this page already" in submit_watch(owner_client, below="5")
    assert Watch.objects.count() == 1


def test_what_looks_like_a_secret_is_left_out_of_an_address_and_said(owner_client: Client) -> None:
    assert "What looked like a secret" in submit_watch(owner_client, url=f"{URL}?size=2&token=hunter2", below="5")
    assert stored_watches()[0][0] == f"{URL}?size=2"


def test_the_address_of_a_page_fills_the_form_in(owner_client: Client) -> None:
    html = owner_client.get("/watches/", {"url": f'{URL}?a="><script>'}, follow=True).content.decode()
    assert f'value="{URL}?a=&quot;&gt;&lt;script&gt;"' in html


def test_the_list_says_what_each_is_for_how_it_is_and_when_it_is_looked_at_next(
    owner_client: Client, lever_watch: Watch
) -> None:
    store_visit(lever_watch, "899.00")
    Thought.objects.create(title="lever: now 899 €", watch=lever_watch)
    html = owner_client.get("/watches/").content.decode()
    for words in ("below 900 €", "899 €", "in stock", "next look in 1 h", "1 new"):
        assert words in html


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"trouble_code": "needs_sign_in", "troubles": 2}, "I could not read shop.example: it asked for a sign-in."),
        ({"missing": 3}, "the page may have changed its shape"),
        ({"next_check_at": NOW - timedelta(hours=1)}, "waits for a browser"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(
    owner_client: Client, lever_watch: Watch, fields: dict[str, Any], message: str
) -> None:
    Watch.objects.update(**fields)
    assert message in owner_client.get("/watches/").content.decode()
    assert message in owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()


def test_in_quiet_hours_what_is_due_rests_and_says_until_when(owner_client: Client, lever_watch: Watch) -> None:
    connected = {
        "connection": uuid4().hex,
        "seen_at": NOW + timedelta(hours=1),
        "tools": ["browse_url"],
        "tool_use": True,
    }
    Device.objects.create(label="Desk", kind="browser", **connected)
    Watch.objects.update(next_check_at=NOW - timedelta(hours=1))
    assert "due, as soon as you are not chatting" in owner_client.get("/watches/").content.decode()
    with override_config(QUIET_FROM="00:00", QUIET_TO="23:59"):
        assert "rests in your quiet hours, until" in owner_client.get("/watches/").content.decode()


def test_a_visit_that_waits_for_a_grant_says_so(owner_client: Client, lever_watch: Watch) -> None:
    run = Run.objects.create(kind="watch", watch=lever_watch, state="parked")
    assert "looking now" in owner_client.get("/watches/").content.decode()  # its question was just answered
    asks.ask_grant(run.pk, "shop.example", "read", "to read it", is_background=True)
    assert "May Penny read pages on shop.example?" in owner_client.get("/watches/").content.decode()


def test_it_is_paused_and_resumed(owner_client: Client, lever_watch: Watch) -> None:
    html = owner_client.post(f"/watches/{lever_watch.pk}/pause/", follow=True).content.decode()
    assert "“lever” is paused." in html
    assert f'action="/watches/{lever_watch.pk}/resume/"' in html
    owner_client.post(f"/watches/{lever_watch.pk}/resume/")
    lever_watch.refresh_from_db()
    assert (lever_watch.is_paused, lever_watch.next_check_at <= timezone.now()) == (False, True)


def test_it_is_deleted_with_an_undo_that_brings_all_back(owner_client: Client, lever_watch: Watch) -> None:
    store_visit(lever_watch, "899")
    html = owner_client.post(f"/watches/{lever_watch.pk}/delete/", follow=True).content.decode()
    assert "“lever” is deleted." in html
    assert f'action="/watches/{lever_watch.pk}/restore/"' in html
    assert "Nothing is watched yet" in html
    assert "is deleted" in owner_client.get(f"/watches/{lever_watch.pk}/", follow=True).content.decode()
    owner_client.post(f"/watches/{lever_watch.pk}/restore/")
    assert "899 €" in owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()


def test_the_threshold_is_changed_and_compared_anew(owner_client: Client, lever_watch: Watch) -> None:
    Watch.objects.update(is_below=True)
    html = owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()
    assert 'value="900 €"' in html
    owner_client.post(
        f"/watches/{lever_watch.pk}/",
        {"below": "800 USD", "label": "machine", "every_minutes": "1440", "url": "https://other.example/"},
    )
    lever_watch.refresh_from_db()
    assert (
        lever_watch.below,
        lever_watch.currency,
        lever_watch.is_below,
        lever_watch.label,
        lever_watch.every_minutes,
    ) == (
        Decimal(800),
        "USD",
        False,
        "machine",
        1440,
    )
    assert lever_watch.url == URL
    assert (
        "Write a price, or tick"
        in owner_client.post(f"/watches/{lever_watch.pk}/", {"below": "", "label": ""}).content.decode()
    )


@pytest.mark.parametrize(
    ("repeat", "rule"),
    [
        ({"how": "daily", "at": "07:30"}, "FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0"),
        (
            {"how": "days", "at": "07:30", "days": ["MO", "FR"]},
            "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=7;BYMINUTE=30;BYSECOND=0",
        ),
        ({"how": "rule", "rule": "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"}, "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"),
    ],
)
def test_a_page_is_looked_at_by_the_clock_a_little_late(
    owner_client: Client, repeat: dict[str, Any], rule: str
) -> None:
    submit_watch(owner_client, url=URL, below="900 €", **repeat)
    watch = Watch.objects.get()
    assert watch.rrule == rule
    with override_config(TIMEZONE="Europe/Berlin"):
        next_visit = watch.next_visit(timezone.now()).astimezone(ZoneInfo("Europe/Berlin"))
    assert time(7, 30) <= next_visit.time() <= time(7, 36)
    html = owner_client.get(f"/watches/{watch.pk}/").content.decode()
    assert f'<option value="{repeat["how"]}" selected>' in html
    owner_client.post(f"/watches/{watch.pk}/", {"below": "900 €", "how": "often", "every_minutes": "60"})
    watch.refresh_from_db()
    assert (watch.rrule, watch.every_minutes) == ("", 60)


def test_the_next_visit_is_set_anew_with_the_times(owner_client: Client, lever_watch: Watch) -> None:
    owner_client.post(
        f"/watches/{lever_watch.pk}/", {"below": "900 €", "how": "rule", "rule": "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"}
    )
    lever_watch.refresh_from_db()
    due = next_occurrence(lever_watch.rrule, timezone.now())
    assert due is not None
    assert due <= lever_watch.next_check_at <= due + timedelta(minutes=5)


def test_a_card_names_the_watch_as_its_reason(owner_client: Client, lever_watch: Watch) -> None:
    Thought.objects.create(title="lever: now 899 €", watch=lever_watch, seed_text="lever")
    assert f'<a href="/watches/{lever_watch.pk}/">Your watch</a>: lever' in owner_client.get("/").content.decode()


def test_the_navigation_leads_to_the_watches(owner_client: Client) -> None:
    assert '<a href="/watches/"><svg' in owner_client.get("/").content.decode()
    assert '<a href="/watches/" aria-current="page"><svg' in owner_client.get("/watches/").content.decode()


def test_only_the_owner_sees_and_changes_them(client: Client, lever_watch: Watch) -> None:
    assert "lever" not in client.get("/watches/").content.decode()
    client.post(f"/watches/{lever_watch.pk}/delete/")
    lever_watch.refresh_from_db()
    assert lever_watch.deleted_at is None


def test_more_watches_need_no_more_queries(owner_client: Client, lever_watch: Watch) -> None:
    def queries(count: int) -> int:
        for number in range(count):
            watch = Watch.objects.create(url=f"{URL}/{count}/{number}", domain="shop.example", below=5, currency="EUR")
            for hours in range(3):
                store_visit(watch, str(9 + hours), hours)
        with CaptureQueriesContext(connection) as captured:
            owner_client.get("/watches/")
        return len(captured)

    owner_client.get("/watches/")
    assert queries(1) == queries(40)
