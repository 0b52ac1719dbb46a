"""Subscriptions: the documents that a program gets with a token, and revocation."""

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from thoughts.models import Page, Subscription, Thought
from thoughts.rendering import render_safe
from thoughts.subscriptions.models import UNDO_FOR

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
ATOM = "{http://www.w3.org/2005/Atom}"
WORDS = "Nine bars <script>alert(1)</script> & **more**"


@pytest.fixture
def addresses(owner_client: Client) -> dict[str, str]:
    """The addresses of a new subscription, by their ends such as `new.atom`."""
    html = owner_client.post("/permissions/feeds/", {"name": "Reader"}).content.decode()
    paths = re.findall(r'data-copy="http://[^/"]+(/subscriptions/[^"]+)"', html)
    return {address.rpartition("/")[2]: address for address in paths}


def store_thought(title: str = "Espresso", **fields: object) -> Thought:
    thought = Thought.objects.create(
        title=title, text=WORDS, html=render_safe(WORDS, []), seed_text="espresso", **fields
    )
    for url in ("https://coffee.example/water?a=1&b=2", "javascript:alert(1)"):
        page = Page.objects.create(url=url, domain="coffee.example", title="<b>Water</b>", text="x", sha256="0")
        thought.pages.add(page)
    return thought


def entries(address: str) -> list[ElementTree.Element]:
    answer = Client().get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")


def items(address: str) -> list[dict[str, str]]:
    answer = Client().get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/feed+json")
    document = json.loads(answer.content)
    assert document["version"] == "https://jsonfeed.org/version/1.1"
    assert document["feed_url"].endswith(address)
    return list(document["items"])


def test_each_view_has_an_address_in_both_forms(addresses: dict[str, str]) -> None:
    assert sorted(addresses) == ["archive.atom", "archive.json", "new.atom", "new.json", "saved.atom", "saved.json"]
    store_thought("Unread")
    store_thought("Read", notified_at=timezone.now())
    store_thought("Kept", notified_at=timezone.now(), saved_at=timezone.now())
    store_thought("Hidden", hidden_at=timezone.now())
    titles = {
        end: [item["title"] for item in items(address)] for end, address in addresses.items() if end.endswith("json")
    }
    assert titles == {"new.json": ["Unread"], "archive.json": ["Kept", "Read"], "saved.json": ["Kept"]}
    of_atom = {
        end: [entry.findtext(f"{ATOM}title") for entry in entries(address)]
        for end, address in addresses.items()
        if "atom" in end
    }
    assert list(of_atom.values()) == list(titles.values())


def test_a_thought_without_a_title_is_listed_by_its_first_words(addresses: dict[str, str]) -> None:
    store_thought(" ")
    (entry,), (item,) = entries(addresses["new.atom"]), items(addresses["new.json"])
    assert entry.findtext(f"{ATOM}title") == item["title"]
    assert item["title"].startswith("Nine bars")


def test_what_a_program_gets_is_the_safe_text_with_its_sources(addresses: dict[str, str]) -> None:
    thought = store_thought("A \x0b strange <title>")
    (entry,), (item,) = entries(addresses["new.atom"]), items(addresses["new.json"])
    assert entry.findtext(f"{ATOM}id") == item["id"] == f"urn:uuid:{thought.pk}"
    assert entry.findtext(f"{ATOM}title") == "A  strange <title>"
    for html in (entry.findtext(f"{ATOM}summary") or "", item["content_html"]):
        assert "<script" not in html
        assert "<strong>more</strong>" in html
        assert (
            '<a href="https://coffee.example/water?a=1&amp;b=2">&lt;b&gt;Water&lt;/b&gt;</a> (coffee.example)' in html
        )
        assert "javascript:" not in html


def test_a_stranger_gets_nothing(addresses: dict[str, str]) -> None:
    store_thought("Unread")
    answer = Client().get(f"/subscriptions/{'a' * 43}/new.atom")
    assert (answer.status_code, b"Unread" in answer.content) == (404, False)
    assert Client().get("/permissions/feeds/").status_code == 302
    assert Client().post(addresses["new.atom"]).status_code == 405


def test_the_address_opens_no_other_page(addresses: dict[str, str]) -> None:
    program = Client()
    assert program.get(addresses["new.atom"]).status_code == 200
    assert program.get("/").status_code == 302


def test_one_that_is_revoked_is_over_at_once_and_another_goes_on(
    owner_client: Client, addresses: dict[str, str]
) -> None:
    other = Subscription.objects.open("Other")[1]
    subscription = Subscription.objects.get(name="Reader")
    assert (
        "can no longer read"
        in owner_client.post(f"/permissions/feeds/{subscription.pk}/revoke/", follow=True).content.decode()
    )
    assert Client().get(addresses["new.atom"]).status_code == 404
    assert Client().get(f"/subscriptions/{other}/new.atom").status_code == 200


def test_a_revocation_is_undone_within_the_hour_and_not_after(owner_client: Client, addresses: dict[str, str]) -> None:
    subscription = Subscription.objects.get(name="Reader")
    html = owner_client.post(f"/permissions/feeds/{subscription.pk}/revoke/", follow=True).content.decode()
    restore = f"/permissions/feeds/{subscription.pk}/restore/"
    assert f'action="{restore}"' in html
    owner_client.post(restore)
    assert Client().get(addresses["new.atom"]).status_code == 200
    over = timezone.now() - UNDO_FOR - timedelta(seconds=1)
    Subscription.objects.update(revoked_at=over)
    assert owner_client.post(restore).status_code == 404
    Subscription.objects.open("Other")[0].set_revoked(timezone.now())
    assert [row.name for row in Subscription.objects.all()] == ["Other"]


def test_each_address_has_a_copy_button_and_a_picture_that_holds_it(owner_client: Client) -> None:
    html = owner_client.post("/permissions/feeds/", {"name": "Reader"}).content.decode()
    assert html.count("data-copy=") == html.count("<svg ") - html.split("<main")[0].count("<svg ") == 6
    assert "style=" not in html.split("<main")[1]  # the Content-Security-Policy would drop it


def test_the_address_is_shown_once_and_stored_nowhere(owner_client: Client, addresses: dict[str, str]) -> None:
    token = addresses["new.atom"].split("/")[2]
    assert token not in owner_client.get("/permissions/feeds/").content.decode()
    assert token not in str(list(Subscription.objects.values()))


def test_what_did_not_change_is_not_sent_again_and_the_last_reading_is_shown(
    owner_client: Client, addresses: dict[str, str]
) -> None:
    store_thought("Unread")
    etag = Client().get(addresses["new.atom"]).headers["ETag"]
    assert Client().get(addresses["new.atom"], headers={"If-None-Match": etag}).status_code == 304
    store_thought("Another")
    assert Client().get(addresses["new.atom"], headers={"If-None-Match": etag}).status_code == 200
    assert "last read" in owner_client.get("/permissions/feeds/").content.decode()


def test_a_subscription_needs_a_name(owner_client: Client) -> None:
    assert "This field is required" in owner_client.post("/permissions/feeds/", {"name": " "}).content.decode()
    assert not Subscription.objects.exists()
