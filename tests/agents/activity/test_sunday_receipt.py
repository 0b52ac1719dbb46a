"""The Sunday receipt on Activity adds up the last whole week from the counts of what left this machine."""

import re
from datetime import UTC, datetime

import pytest
from constance.test import override_config
from django.test import Client

from agents.models import Run
from devices.models import Delivery, Device, HostCount, PutAwayReceipt
from tests.agents.background import Clock, movable_clock
from tests.page_client import page_words

pytestmark = pytest.mark.django_db
ADD = HostCount.objects.add
SUNDAY = datetime(2026, 10, 25, 10, tzinfo=UTC)  # the week before it: 18 to 24 October
NOTHING_ELSE = "Nothing else stands in the record of what left this machine."
AWAY = "/activity/receipt/2026-10-18/away/"


@pytest.fixture(autouse=True)
def sunday_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return movable_clock(monkeypatch, SUNDAY)


def add(clock: Clock, day: int, way: str, *hosts: str, hour: int = 12) -> None:
    """Count something as it is counted on that day of October."""
    now, clock.now = clock.now, datetime(2026, 10, day, hour, tzinfo=UTC)
    for host in hosts:
        ADD(way, host)
    clock.now = now


def receipt(client: Client) -> str:
    """Return the words of the receipt, "" where none is shown."""
    words = page_words(client, "/activity/")
    slip = re.search(r"Your week, .*?Put away", words)
    return slip[0] if slip else ""


def test_each_kind_is_added_up_with_its_hosts_and_nothing_else_is_claimed(
    owner_client: Client, sunday_clock: Clock
) -> None:
    add(sunday_clock, 18, "search", "html.duckduckgo.com", "html.duckduckgo.com")
    add(sunday_clock, 20, "page", "shop.example", "shop.example", "keys.example")
    add(sunday_clock, 24, "model", "ai.example")
    phone = Device.objects.create(label="D", kind="signal", address="+49151")
    sunday_clock.now = datetime(2026, 10, 21, 9, tzinfo=UTC)
    Delivery.objects.create(device=phone, key="one", reason="find").settle(Delivery.State.ACCEPTED)
    Run.objects.create(kind="turn", state="done", spent_micros=1_250_000, created_at=sunday_clock.now)
    sunday_clock.now = SUNDAY
    Run.objects.create(kind="turn", state="done", spent_micros=9_000_000, created_at=sunday_clock.now)
    assert receipt(owner_client) == (
        "Your week, 18 Oct to 24 Oct 2 searches through DuckDuckGo 3 pages opened on 2 sites "
        "1 question to a model at ai.example 1 message to you over Signal 1.25 spent by your price table "
        f"{NOTHING_ELSE} Open the record Put away"
    )


def test_a_week_has_seven_days_from_sunday_to_saturday(owner_client: Client, sunday_clock: Clock) -> None:
    for day in (17, 25):
        add(sunday_clock, day, "page", "before-or-after.example")
    assert receipt(owner_client) == ""
    add(sunday_clock, 18, "page", "first.example", hour=0)
    add(sunday_clock, 24, "page", "last.example", hour=23)
    assert "2 pages opened on 2 sites" in receipt(owner_client)


def test_it_comes_on_sunday_by_the_owner_s_clock_and_stays_until_the_next(
    owner_client: Client, sunday_clock: Clock
) -> None:
    add(sunday_clock, 21, "page", "shop.example")
    sunday_clock.now = datetime(2026, 10, 24, 12, tzinfo=UTC)  # Saturday in London, Sunday in Auckland
    assert receipt(owner_client) == ""
    with override_config(TIMEZONE="Pacific/Auckland"):
        assert "18 Oct to 24 Oct 1 page opened on 1 site" in receipt(owner_client)
    sunday_clock.now = datetime(2026, 10, 31, 12, tzinfo=UTC)
    assert "18 Oct to 24 Oct" in receipt(owner_client)
    sunday_clock.now = datetime(2026, 11, 1, 12, tzinfo=UTC)
    assert receipt(owner_client) == ""  # the next week is empty


def test_what_leaves_at_night_counts_on_the_owner_s_day(owner_client: Client, sunday_clock: Clock) -> None:
    """A worker has no request and so no active time zone: the count itself knows the owner's day."""
    with override_config(TIMEZONE="Pacific/Auckland"):
        add(sunday_clock, 24, "page", "sunday-there.example", hour=12)
        assert receipt(owner_client) == ""
        add(sunday_clock, 17, "page", "sunday-there.example", hour=12)
        assert "1 page opened on 1 site" in receipt(owner_client)


def test_the_owner_puts_it_away_and_takes_it_back(owner_client: Client, sunday_clock: Clock) -> None:
    add(sunday_clock, 21, "page", "shop.example")
    html = owner_client.post(AWAY, follow=True).content.decode()
    assert "The receipt is put away." in html
    assert receipt(owner_client) == ""
    [undo] = re.findall(r'action="(/activity/receipt/[^"]*/back/)"', html)
    owner_client.post(undo)
    assert "1 page opened" in receipt(owner_client)
    owner_client.post(AWAY)
    add(sunday_clock, 26, "page", "shop.example")
    sunday_clock.now = datetime(2026, 11, 2, 12, tzinfo=UTC)
    assert "25 Oct to 31 Oct" in receipt(owner_client)  # the next one comes all the same
    owner_client.post("/activity/receipt/2026-10-25/away/")
    assert PutAwayReceipt.objects.count() == 1


@pytest.mark.parametrize("week", ["2026-10-19", "x", "9999-12-26", "2026-13-01"])
def test_what_is_no_sunday_is_no_receipt(owner_client: Client, week: str) -> None:
    assert owner_client.post(f"/activity/receipt/{week}/away/").status_code == 404
    assert not PutAwayReceipt.objects.exists()


def test_only_the_owner_s_own_page_puts_it_away(owner_client: Client) -> None:
    assert owner_client.get(AWAY).status_code == 405
    assert Client().post(AWAY).status_code == 302
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert owner_client.post(AWAY, headers=elsewhere).status_code == 403
    assert not PutAwayReceipt.objects.exists()


def test_no_receipt_where_counts_of_the_week_are_gone(owner_client: Client, sunday_clock: Clock) -> None:
    add(sunday_clock, 23, "page", "shop.example")
    with override_config(KEEP_RECORD_DAYS=6):
        assert receipt(owner_client) == ""
    with override_config(KEEP_RECORD_DAYS=7):
        assert "1 page opened" in receipt(owner_client)


def test_many_hosts_are_counted_and_the_first_named(owner_client: Client, sunday_clock: Clock) -> None:
    add(sunday_clock, 19, "model", *(f"ai{number}.example" for number in range(1, 7)))
    assert "6 questions to models at ai1.example, ai2.example, ai3.example, ai4.example and 2 more" in receipt(
        owner_client
    )


def test_its_link_opens_the_record_of_that_week(owner_client: Client, sunday_clock: Clock) -> None:
    add(sunday_clock, 18, "page", "first.example")
    add(sunday_clock, 25, "page", "today.example")
    [link] = re.findall(r'href="(/permissions/record/\?week=[^"]*)"', owner_client.get("/activity/").content.decode())
    words = page_words(owner_client, link)
    assert "From 18 October to 24 October: 1 page opened." in words
    assert "today.example" not in words
    lines = owner_client.get(link.replace("?", "penny-record.csv?")).content.decode().splitlines()
    assert lines == ["day,what,host,count", "2026-10-18,page,first.example,1"]


def test_the_page_that_polls_hears_that_the_receipt_is_gone(owner_client: Client, sunday_clock: Clock) -> None:
    add(sunday_clock, 21, "page", "shop.example")
    [mark] = re.findall(r"mark=([0-9a-f]+)", owner_client.get("/activity/").content.decode())
    poll = {"mark": mark}
    assert owner_client.get("/activity/", poll, headers={"HX-Request": "true"}).status_code == 204
    owner_client.post(AWAY)
    assert "Your week" not in page_words(owner_client, "/activity/", **poll)
