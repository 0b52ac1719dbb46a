"""The pages of watches: making one, its history as a drawing and a table, pausing, deleting with undo, changing what it
is for.
"""

import hashlib
import re
from datetime import time, timedelta
from decimal import Decimal
from html import unescape
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from constance.test import override_config
from django.test import Client
from django.utils import timezone

from agents.models import Run
from devices.models import Device
from thoughts.models import Observation, Page, Preference, SeenItem, Thought, Watch
from thoughts.recurrence import next_occurrence
from thoughts.watches.chart import chart_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

URL = "https://shop.example/lever"
NOW = timezone.now()


@pytest.fixture
def watch() -> Watch:
    return Watch.objects.create(
        url=URL, domain="shop.example", below=900, currency="EUR", label="lever", next_check_at=NOW + timedelta(hours=2)
    )


def visit(
    watch: Watch, price: object = None, hours: int = 0, text: str = "It costs 899,00 €.", **fields: Any
) -> Observation:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    page = Page.objects.create(
        url=URL, domain="shop.example", title="<i>Lever", text=text, sha256=sha256, device_label="Desk"
    )
    amount = Decimal(str(price)) if price is not None else None
    told = {"currency": "EUR", "stock": "in", "source": "json_ld", "field": "offers.price"}
    return Observation.objects.create(
        watch=watch, page=page, price=amount, at=NOW - timedelta(hours=hours), **(told | fields)
    )


def post(client: Client, **fields: Any) -> str:
    return client.post(
        "/watches/",
        {"url": URL, "kind": "price", "below": "", "label": "", "every_minutes": "60"} | fields,
        follow=True,
    ).content.decode()


def stored() -> list[tuple[Any, ...]]:
    return list(Watch.objects.values_list("url", "domain", "kind", "below", "currency", "when_back", "every_minutes"))


def test_a_watch_is_made_of_an_address_and_a_price_as_it_is_written(owner_client: Client) -> None:
    html = post(owner_client, url="shop.example/lever#top", below="1.299,00 €", label="lever", every_minutes="180")
    assert "Penny watches this page from now on." in html
    assert stored() == [(URL, "shop.example", "price", Decimal("1299"), "EUR", False, 180)]
    assert "below 1,299.00 EUR" in html
    assert not Run.objects.exists()  # there is no browser yet


def test_a_card_leads_to_a_watch_of_its_page_that_came_of_its_preference(owner_client: Client) -> None:
    espresso = Preference.objects.create(text="espresso")
    page = Page.objects.create(url=f"{URL}?a=1&b=<2>", domain="shop.example", title="Lever", text="", sha256="")
    Thought.objects.create(title="Levers", text="They hold.", preference=espresso).pages.set([page])
    [href] = re.findall(r'href="(/watches/\?[^"]*)"', owner_client.get("/").content.decode())
    html = owner_client.get(unescape(href)).content.decode()
    assert 'value="https://shop.example/lever?a=1&amp;b=&lt;2&gt;"' in html
    assert f'<option value="{espresso.pk}" selected>espresso</option>' in html
    shown = post(owner_client, below="900 €", preference=str(espresso.pk))
    assert Watch.objects.get().preference == espresso
    assert 'came of “<a href="/preferences/">espresso</a>”' in shown


def test_with_a_browser_the_first_visit_starts_at_once(owner_client: Client) -> None:
    Device.objects.create(
        label="Desk",
        kind="browser",
        connection=uuid4().hex,
        seen_at=NOW + timedelta(hours=1),
        tools=["browse_url"],
        tool_use=True,
    )
    html = post(owner_client, kind="posts")
    assert list(Run.objects.values_list("kind", "watch__kind")) == [("watch", "posts")]
    assert "looking now" in html
    assert 'hx-trigger="every 2s"' in html


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"url": ""}, "Write the address of the page"),
        ({"url": "ftp://shop.example/"}, "Penny opens only http and https addresses."),
        ({"url": "javascript:alert(1)"}, "That is not a web address."),
        ({"url": "https://user:word@shop.example/"}, "carries a user name"),
        ({"url": "not an address"}, "That is not a web address."),
        ({"below": "cheap"}, "Write a price above zero"),
        ({"below": "-5 €"}, "Write a price above zero"),
        ({"below": "9" * 30}, "Write a price above zero"),
        ({}, "Say below which price"),
        ({"kind": "obey", "below": "5"}, "valid choice"),
        ({"every_minutes": "1", "below": "5"}, "valid choice"),
        ({"how": "rule", "rule": "now and then", "below": "5"}, "Write a recurrence rule"),
        ({"how": "rule", "rule": "FREQ=DAILY;UNTIL=20301231T000000", "below": "5"}, "leave UNTIL out"),
        ({"how": "days", "days": [], "at": "08:00", "below": "5"}, "Choose at least one day."),
        ({"label": "x" * 121, "below": "5"}, "120 characters"),
    ],
)
def test_what_cannot_be_watched_is_refused_with_a_sentence(
    owner_client: Client, fields: dict[str, Any], said: str
) -> None:
    assert said in post(owner_client, **fields)
    assert stored() == []


def test_penny_s_own_pages_and_a_page_that_is_watched_already_are_refused(
    owner_client: Client, watch: Watch, settings: Any
) -> None:
    assert "does not watch her own pages" in post(owner_client, url=f"{settings.PUBLIC_URL}/watches/", below="5")
    assert "watches this page already" in post(owner_client, below="5")
    assert Watch.objects.count() == 1


def test_what_looks_like_a_secret_is_left_out_of_an_address_and_said(owner_client: Client) -> None:
    assert "What looked like a secret" in post(owner_client, url=f"{URL}?size=2&token=hunter2", below="5")
    assert stored()[0][0] == f"{URL}?size=2"


def test_the_address_of_a_page_fills_the_form_in(owner_client: Client) -> None:
    html = owner_client.get("/watches/", {"url": f'{URL}?a="><script>'}).content.decode()
    assert f'value="{URL}?a=&quot;&gt;&lt;script&gt;"' in html


def test_the_list_says_what_each_is_for_how_it_is_and_when_it_is_looked_at_next(
    owner_client: Client, watch: Watch
) -> None:
    visit(watch, "899.00")
    Thought.objects.create(title="lever: now 899.00 EUR", watch=watch)
    html = owner_client.get("/watches/").content.decode()
    for words in ("below 900.00 EUR", "899.00 EUR", "in stock", "next visit in 1 h", "1 new"):
        assert words in html


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"trouble_code": "needs_sign_in", "troubles": 2}, "I could not read shop.example: it asked for a sign-in."),
        ({"missing": 3}, "the page may have changed its shape"),
        ({"is_paused": True}, "paused"),
        ({"next_check_at": NOW - timedelta(hours=1)}, "waits for a browser"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(
    owner_client: Client, watch: Watch, fields: dict[str, Any], said: str
) -> None:
    Watch.objects.update(**fields)
    assert said in owner_client.get("/watches/").content.decode()
    assert said in owner_client.get(f"/watches/{watch.pk}/").content.decode()


def test_in_quiet_hours_what_is_due_rests_and_says_until_when(owner_client: Client, watch: Watch) -> None:
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


def test_a_visit_that_waits_for_a_grant_says_so(owner_client: Client, watch: Watch) -> None:
    Run.objects.create(kind="watch", watch=watch, state="parked")
    assert "waits for you to allow shop.example" in owner_client.get("/watches/").content.decode()


def test_the_history_is_a_drawing_without_scripts_and_a_table_that_says_the_same(
    owner_client: Client, watch: Watch
) -> None:
    for hours, price in ((3, "950"), (2, "899"), (1, "920")):
        visit(watch, price, hours)
    visit(watch, "5", currency="USD")
    html = owner_client.get(f"/watches/{watch.pk}/").content.decode()
    assert "3 visits, from 899.00 EUR to 950.00 EUR; now 920.00 EUR" in html
    assert html.count("<circle") == 3
    assert '<svg viewBox="0 0 640 180" role="img" aria-labelledby="chart-title chart-summary">' in html
    assert html.count("<script") == html.count("<script src=")
    table = re.findall(r"<td>([\d.,]+ [A-Z]{3})", html)
    assert table == ["5.00 USD", "920.00 EUR", "899.00 EUR", "950.00 EUR"]
    assert "another currency" in html
    assert "the page&#x27;s own data (JSON-LD) offers.price" in html


def test_prices_stand_higher_the_dearer_they_are_and_one_alone_draws_nothing(watch: Watch) -> None:
    first = visit(watch, "950", 2)
    assert chart_of(watch, [first]) is None
    chart = chart_of(watch, [visit(watch, "800", 1), first])
    assert chart is not None
    high, low = (float(dot.y) for dot in chart.dots)
    assert high < float(chart.threshold) < low
    assert [float(dot.x) for dot in chart.dots] == [8, 632]


def test_its_page_says_what_the_visits_of_a_month_cost(owner_client: Client, watch: Watch) -> None:
    assert "In 30 days" not in owner_client.get(f"/watches/{watch.pk}/").content.decode()
    for days, fields in (
        (1, {"spent_micros": 1500, "spent_tokens": 1200}),
        (2, {"state": "failed"}),
        (40, {"spent_tokens": 9}),
    ):
        told = {
            "kind": "watch",
            "state": "done",
            "watch": watch,
            "spent_pages": 1,
            "created_at": NOW - timedelta(days=days),
        }
        Run.objects.create(**(told | fields))
    said = "In 30 days: 2 visits, 1 of which failed, for 2 pages and 1,200 tokens, 0.0015 of money."
    assert said in owner_client.get(f"/watches/{watch.pk}/").content.decode()


def test_a_visit_shows_the_page_as_it_was_with_the_price_marked_as_text(owner_client: Client, watch: Watch) -> None:
    text = "<script>alert(1)</script> It costs 899,00 €."
    start = text.index("899")
    seen = visit(watch, "899", text=text, quote="899,00 €", start=start, end=start + 8)
    html = owner_client.get(f"/watches/{watch.pk}/visits/{seen.pk}/").content.decode()
    assert '&lt;script&gt;alert(1)&lt;/script&gt; It costs <mark id="quote">899,00 €</mark>.' in html
    assert "stored as it was read" in html
    Page.objects.update(text="Another text.")
    assert "not as it was read" in owner_client.get(f"/watches/{watch.pk}/visits/{seen.pk}/").content.decode()


def test_it_is_paused_and_resumed(owner_client: Client, watch: Watch) -> None:
    html = owner_client.post(f"/watches/{watch.pk}/pause/", follow=True).content.decode()
    assert "“lever” is paused." in html
    assert f'action="/watches/{watch.pk}/resume/"' in html
    owner_client.post(f"/watches/{watch.pk}/resume/")
    watch.refresh_from_db()
    assert (watch.is_paused, watch.next_check_at <= timezone.now()) == (False, True)


def test_it_is_deleted_with_an_undo_that_brings_all_back(owner_client: Client, watch: Watch) -> None:
    visit(watch, "899")
    html = owner_client.post(f"/watches/{watch.pk}/delete/", follow=True).content.decode()
    assert "“lever” is deleted." in html
    assert f'action="/watches/{watch.pk}/restore/"' in html
    assert "Nothing is watched yet" in html
    assert "is deleted" in owner_client.get(f"/watches/{watch.pk}/", follow=True).content.decode()
    owner_client.post(f"/watches/{watch.pk}/restore/")
    assert "899.00 EUR" in owner_client.get(f"/watches/{watch.pk}/").content.decode()


def test_what_nobody_brought_back_for_a_day_is_gone_and_its_alerts_stay(watch: Watch) -> None:
    visit(watch, "899")
    SeenItem.objects.create(watch=watch, key="k", text="t", first_seen_at=NOW, last_seen_at=NOW)
    Thought.objects.create(title="lever: now 899.00 EUR", watch=watch)
    watch.set_deleted(NOW)
    Watch.objects.forgotten(NOW + timedelta(hours=23)).delete()
    assert Watch.objects.exists()
    Watch.objects.forgotten(NOW + timedelta(hours=25)).delete()
    assert (Watch.objects.exists(), Observation.objects.exists(), SeenItem.objects.exists()) == (False, False, False)
    assert Thought.objects.get().watch is None


def test_the_threshold_is_changed_and_compared_anew(owner_client: Client, watch: Watch) -> None:
    Watch.objects.update(is_below=True)
    html = owner_client.get(f"/watches/{watch.pk}/").content.decode()
    assert 'value="900.00 EUR"' in html
    owner_client.post(
        f"/watches/{watch.pk}/",
        {"below": "800 USD", "label": "machine", "every_minutes": "1440", "url": "https://other.example/"},
    )
    watch.refresh_from_db()
    assert (watch.below, watch.currency, watch.is_below, watch.label, watch.every_minutes) == (
        Decimal(800),
        "USD",
        False,
        "machine",
        1440,
    )
    assert watch.url == URL
    assert (
        "Say below which price"
        in owner_client.post(f"/watches/{watch.pk}/", {"below": "", "label": ""}).content.decode()
    )


def test_new_posts_are_listed_with_links_that_tell_nothing_of_penny(owner_client: Client) -> None:
    forum = Watch.objects.create(url=URL, domain="shop.example", kind="posts")
    for key, state in (("a", "told"), ("b", "known")):
        SeenItem.objects.create(
            watch=forum,
            key=key,
            text=f"<b>{key}",
            url=f"https://f.example/{key}",
            state=state,
            first_seen_at=NOW,
            last_seen_at=NOW,
        )
    html = owner_client.get(f"/watches/{forum.pk}/").content.decode()
    assert '<a href="https://f.example/a" target="_blank" rel="noopener noreferrer nofollow">&lt;b&gt;a' in html
    assert "https://f.example/b" not in html


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7|add:7 }}'


@pytest.mark.parametrize("kind", ["price", "thread"])
def test_words_of_pages_are_text_wherever_a_watch_shows_them(owner_client: Client, kind: str) -> None:
    found = Watch.objects.create(url=URL, domain="shop.example", kind=kind, title=HOSTILE, below=5, trouble_code="obey")
    for hours in (1, 2):
        seen = visit(
            found,
            "9",
            hours,
            text=HOSTILE,
            field=HOSTILE[:60],
            source=HOSTILE[:10],
            currency="EUR",
            quote=HOSTILE[:20],
            end=20,
        )
    Page.objects.update(title=HOSTILE, device_label=HOSTILE[:64])
    SeenItem.objects.create(
        watch=found, key="k", text=HOSTILE, url=URL, state="told", first_seen_at=NOW, last_seen_at=NOW
    )
    Thought.objects.create(title="x", watch=found, seed_text=HOSTILE)
    pages = [
        "/watches/",
        f"/watches/{found.pk}/",
        f"/watches/{found.pk}/visits/{seen.pk}/",
        "/",
        f"/admin/thoughts/watch/{found.pk}/change/",
    ]
    for page in [*pages, "/admin/thoughts/watch/", "/admin/thoughts/observation/", "/admin/thoughts/seenitem/"]:
        html = owner_client.get(page).content.decode()
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "&lt;script&gt;" in html or "&quot;&gt;" in html


def test_what_is_longer_than_penny_reads_is_said(owner_client: Client) -> None:
    found = Watch.objects.create(url=URL, domain="shop.example", kind="thread", next_check_at=NOW + timedelta(hours=1))
    visit(found, "9", 1)
    assert "longer than I read" not in owner_client.get("/watches/").content.decode()
    Page.objects.update(truncated=True)
    assert "longer than I read" in owner_client.get("/watches/").content.decode()


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ({"how": "daily", "at": "07:30"}, "FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0"),
        (
            {"how": "days", "at": "07:30", "days": ["MO", "FR"]},
            "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=7;BYMINUTE=30;BYSECOND=0",
        ),
        ({"how": "rule", "rule": "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"}, "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"),
    ],
)
def test_a_page_is_looked_at_by_the_clock_a_little_late(owner_client: Client, said: dict[str, Any], rule: str) -> None:
    post(owner_client, url=URL, below="900 €", **said)
    watch = Watch.objects.get()
    assert watch.rrule == rule
    with override_config(TIMEZONE="Europe/Berlin"):
        next_visit = watch.next_visit(timezone.now()).astimezone(ZoneInfo("Europe/Berlin"))
    assert time(7, 30) <= next_visit.time() <= time(7, 36)
    html = owner_client.get(f"/watches/{watch.pk}/").content.decode()
    assert f'<option value="{said["how"]}" selected>' in html
    owner_client.post(f"/watches/{watch.pk}/", {"below": "900 €", "how": "often", "every_minutes": "60"})
    watch.refresh_from_db()
    assert (watch.rrule, watch.every_minutes) == ("", 60)


def test_the_next_visit_is_set_anew_with_the_times(owner_client: Client, watch: Watch) -> None:
    owner_client.post(
        f"/watches/{watch.pk}/", {"below": "900 €", "how": "rule", "rule": "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"}
    )
    watch.refresh_from_db()
    due = next_occurrence(watch.rrule, timezone.now())
    assert due is not None
    assert due <= watch.next_check_at <= due + timedelta(minutes=5)


def test_a_card_names_the_watch_as_its_reason(owner_client: Client, watch: Watch) -> None:
    Thought.objects.create(title="lever: now 899.00 EUR", watch=watch, seed_text="lever")
    assert f'<a href="/watches/{watch.pk}/">Your watch</a>: lever' in owner_client.get("/").content.decode()


def test_the_navigation_leads_to_the_watches(owner_client: Client) -> None:
    assert '<a href="/watches/">Watches</a>' in owner_client.get("/").content.decode()
    assert '<a href="/watches/" aria-current="page">Watches</a>' in owner_client.get("/watches/").content.decode()


def test_only_the_owner_sees_and_changes_them(client: Client, watch: Watch) -> None:
    assert "lever" not in client.get("/watches/").content.decode()
    client.post(f"/watches/{watch.pk}/delete/")
    watch.refresh_from_db()
    assert watch.deleted_at is None


def test_as_many_watches_need_no_more_queries(
    owner_client: Client, watch: Watch, django_assert_max_num_queries: Any
) -> None:
    for number in range(40):
        visit(Watch.objects.create(url=f"{URL}/{number}", domain="shop.example", below=5), "9")
    with django_assert_max_num_queries(24):
        owner_client.get("/watches/")


def test_the_admin_shows_watches_with_their_visits_and_acts_on_them(owner_client: Client, watch: Watch) -> None:
    seen = visit(watch, "899.00")
    other = visit(Watch.objects.create(url="https://b.example/", domain="b.example", kind="posts"), None)
    assert "offers.price" in owner_client.get(f"/admin/thoughts/watch/{watch.pk}/change/").content.decode()
    assert (
        f"/observation/{other.pk}/"
        not in owner_client.get(f"/admin/thoughts/watch/{watch.pk}/change/").content.decode()
    )
    for path in (
        "watch/?kind__exact=price&q=lever",
        f"observation/{seen.pk}/change/",
        "observation/?stock__exact=in",
        "seenitem/",
    ):
        assert owner_client.get(f"/admin/thoughts/{path}").status_code == 200
    for action, is_paused in (("pause", True), ("resume", False)):
        owner_client.post("/admin/thoughts/watch/", {"action": action, "_selected_action": [str(watch.pk)]})
        watch.refresh_from_db()
        assert watch.is_paused == is_paused
    watch.set_deleted(NOW)
    owner_client.post("/admin/thoughts/watch/", {"action": "restore", "_selected_action": [str(watch.pk)]})
    watch.refresh_from_db()
    assert watch.deleted_at is None
    said = owner_client.post(
        "/admin/thoughts/watch/", {"action": "visit_now", "_selected_action": [str(watch.pk)]}, follow=True
    )
    assert "No browser is connected" in said.content.decode()
    owner_client.post(
        "/admin/thoughts/watch/", {"action": "delete_selected", "_selected_action": [str(watch.pk)], "post": "yes"}
    )
    assert not Watch.objects.filter(pk=watch.pk).exists()
