"""The cards of watches: price, change, small drawing, and trouble with the button that mends it."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from agents.models import Run
from devices.grants import asks
from devices.models import Ask, Device, Grant
from tests.page_client import page_words
from tests.pages import visible_words
from tests.thoughts.watches.shop import NOW, URL, store_visit, submit_watch
from thoughts.models import Watch

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def connect_browser() -> None:
    Device.objects.create(
        label="Desk",
        kind="browser",
        connection=uuid4().hex,
        seen_at=NOW + timedelta(hours=1),
        tools=["browse_url"],
        tool_use=True,
    )


def test_a_card_shows_the_price_its_change_and_a_drawing_with_the_same_in_words(
    owner_client: Client, lever_watch: Watch
) -> None:
    for hours, price in ((5, "950"), (4, "950"), (3, "899"), (1, "855")):
        store_visit(lever_watch, price, hours)
    store_visit(lever_watch, "5", currency="USD", hours=2)
    html = owner_client.get("/watches/").content.decode()
    assert '<b class="price">855 €</b>' in html
    assert "−10 % since you watch" in visible_words(html)
    [label] = html.split('role="img" aria-label="')[1:]
    assert label.partition('"')[0].endswith("from 855 € to 950 €")
    assert html.count("<polyline") == 1


@pytest.mark.parametrize(
    ("prices", "words"),
    [(("100", "112"), "+12 % since you watch"), (("100", "100"), "unchanged since you watch"), (("100",), "")],
)
def test_a_change_is_said_since_the_first_price(
    owner_client: Client, lever_watch: Watch, prices: tuple[str, ...], words: str
) -> None:
    for hours, price in enumerate(reversed(prices)):
        store_visit(lever_watch, price, hours)
    page = page_words(owner_client, "/watches/")
    assert words in page
    assert ("since" in page) is bool(words)


def test_where_the_first_visits_were_removed_the_change_names_its_day(owner_client: Client, lever_watch: Watch) -> None:
    Watch.objects.update(created_at=NOW - timedelta(days=400))
    for days, price in ((100, "100"), (1, "90")):
        store_visit(lever_watch, price, 24 * days)
    assert "since you watch" not in page_words(owner_client, "/watches/")
    assert "−10 % since" in page_words(owner_client, "/watches/")


@pytest.mark.parametrize(
    ("code", "button"),
    [
        ("not_granted", 'action="/watches/{pk}/allow/"'),
        ("blocked", 'action="/watches/{pk}/allow/"'),
        ("no_browser", 'href="/setup/#browsers">Connect a browser'),
        ("needs_sign_in", f'href="{URL}" target="_blank" rel="noopener noreferrer nofollow">Sign in there'),
        ("asks_consent", ">Open the page<"),
        ("day_pages", ">Change limits<"),
        ("stopped", 'action="/activity/resume/"'),
        ("muted_site", 'href="/interests/#sites"'),
        ("reader_slow", 'action="/watches/{pk}/visit/"'),
    ],
)
def test_trouble_ends_in_the_button_that_mends_it(
    owner_client: Client, lever_watch: Watch, code: str, button: str
) -> None:
    Watch.objects.update(trouble_code=code, troubles=1)
    for address in ("/watches/", f"/watches/{lever_watch.pk}/"):
        trouble = owner_client.get(address).content.decode().partition('class="trouble"')[2].partition("</article>")[0]
        assert button.format(pk=lever_watch.pk) in trouble


def test_a_site_is_allowed_from_the_trouble_of_its_watch_looked_at_and_the_undo_takes_it_back(
    owner_client: Client, lever_watch: Watch
) -> None:
    connect_browser()
    Watch.objects.update(trouble_code="blocked", troubles=1)
    Grant.objects.create(host="shop.example", capability="read", state="blocked")
    html = owner_client.post(f"/watches/{lever_watch.pk}/allow/", {"next": "/watches/"}, follow=True).content.decode()
    assert "Penny may read shop.example." in html
    assert "looking now" in html
    assert list(Grant.objects.values_list("host", "capability", "state")) == [("shop.example", "read", "allowed")]
    assert Run.objects.get().watch == lever_watch
    undo = html.partition('action="/permissions/sites/decide/')[2].partition('"')[0].replace("&amp;", "&")
    owner_client.post(f"/permissions/sites/decide/{undo}")
    assert Grant.objects.get().state == "blocked"


def test_only_the_owner_allows_a_site(client: Client, lever_watch: Watch) -> None:
    client.post(f"/watches/{lever_watch.pk}/allow/")
    assert not Grant.objects.exists()


def test_the_question_of_a_watch_is_answered_where_it_waits(owner_client: Client, lever_watch: Watch) -> None:
    run = Run.objects.create(kind="watch", watch=lever_watch, state="parked")
    asks.ask_grant(run.pk, "shop.example", "read", "to read it", is_background=True)
    prompt = Ask.objects.get().prompt
    for address in ("/watches/", f"/watches/{lever_watch.pk}/"):
        html = owner_client.get(address).content.decode()
        assert "May Penny read pages on shop.example?" in html
        assert f'action="/asks/{prompt}/"' in html
    assert "For your watch “lever”" in page_words(owner_client, "/activity/")
    answer = owner_client.post(f"/asks/{prompt}/", {"decision": "allow-always", "next": "/watches/"})
    assert answer.headers["Location"] == "/watches/"
    assert Grant.objects.get().state == "allowed"
    assert "May Penny read" not in owner_client.get("/watches/").content.decode()


def test_an_answer_leads_to_no_other_site(owner_client: Client, lever_watch: Watch) -> None:
    run = Run.objects.create(kind="watch", watch=lever_watch, state="parked")
    asks.ask_grant(run.pk, "shop.example", "read", "to read it", is_background=True)
    answer = owner_client.post(
        f"/asks/{Ask.objects.get().prompt}/", {"decision": "dismiss", "next": "https://evil.example/"}
    )
    assert answer.headers["Location"] == "/"


def test_paused_watches_have_a_tab_of_their_own(owner_client: Client, lever_watch: Watch) -> None:
    assert "Nothing is paused" in page_words(owner_client, "/watches/paused/")
    Watch.objects.update(is_paused=True)
    assert "lever" in page_words(owner_client, "/watches/paused/")
    assert f'action="/watches/{lever_watch.pk}/resume/"' in owner_client.get("/watches/paused/").content.decode()
    assert "See the paused ones" in page_words(owner_client, "/watches/")


# The form
# --------------------------------------------------------------------------------------------------------


def test_all_errors_stand_at_their_fields_at_once_and_nothing_is_lost(owner_client: Client) -> None:
    html = submit_watch(
        owner_client, url="ftp://shop.example/", below="cheap", label="x" * 121, how="daily", at="", every_minutes="60"
    )
    for name, value in (("url", "ftp://shop.example/"), ("below", "cheap"), ("label", "x" * 121)):
        field = html.partition(f'name="{name}"')[2].partition(">")[0]
        assert f'value="{value}"' in field
        assert 'aria-invalid="true"' in field
        assert f"id_{name}_error" in field
        assert html.count(f'id="id_{name}_error"') == 1
    assert 'id="id_at_error"' in html
    assert '<details class="further" open>' in html
    assert not Watch.objects.exists()


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        ({"when": "below", "below": "900 €"}, ("price", 900, False)),
        ({"when": "below", "below": "900 €", "when_back": "on"}, ("price", 900, True)),
        ({"when": "back", "below": "never mind"}, ("price", None, True)),
        ({"when": "new", "below": "900 €"}, ("posts", None, False)),
        ({"when": "new", "thread": "on"}, ("thread", None, False)),
        ({"when": "back", "thread": "on"}, ("price", None, True)),
    ],
)
def test_two_fields_say_what_penny_tells(owner_client: Client, fields: dict[str, Any], row: tuple[Any, ...]) -> None:
    submit_watch(owner_client, **fields)
    assert Watch.objects.values_list("kind", "below", "when_back").get() == row


def test_a_new_watch_is_taken_back_with_an_undo(owner_client: Client) -> None:
    notices = submit_watch(owner_client, below="900 €").partition('id="notices"')[2].partition("<main")[0]
    assert f'action="/watches/{Watch.objects.get().pk}/delete/"' in notices
