"""The handbook shows strangers no data of the owner, no other file and no new markup."""

from collections.abc import Iterator
from html.parser import HTMLParser

import httpx2
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from devices.models import Device
from devices.owner.account import the_owner
from penny_site.help.handbook import FOLDER, handbook
from tests.attacks.payloads import payloads
from tests.penny import Penny
from thoughts.models import Preference

ADDRESSES = ["/help/", "/help/?q=signal", "/help/signal/", "/help/pictures/feed.png"]
OUTSIDE = [
    "..", ".", "../settings", "..%2fsettings", "%2e%2e/settings", "..%5csettings", "....//settings", "%2fetc%2fpasswd",
    "handbook", "views", "handbook.py", "index.md", "index", "signal.md", "SIGNAL", "signal%00", "signal%0a", "%00",
    "%ff", "signal;x", "signal%23", "pictures", "-", "a" * 5000, "con", "~root", "__init__", "signal%E2%80%AE",
]  # fmt: skip
NO_PICTURES = [
    "..", "../handbook.py", "..%2fhandbook.py", "%2e%2e%2fhandbook.py", "..%5c..%5csettings.py", "....//handbook.py",
    "feed.PNG", "feed.png%00.md", "feed.png/", "feed", "%2fetc%2fpasswd", "feed.png%0a", "%00", ".", "x" * 5000,
    "feed.png%E2%80%AE", "nothing.png",
]  # fmt: skip


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(" ".join([tag, *sorted(name for name, _ in attrs)]))


@pytest.fixture
def stranger(penny: Penny) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=penny.url, trust_env=False, timeout=30) as client:
        yield client


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_stranger_reads_the_handbook_without_a_database_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    the_owner()
    Preference.objects.create(text="secret taste")
    Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    with django_assert_num_queries(0):
        answer = client.get(address)
    assert answer.status_code == 200
    assert answer.cookies == {}
    for word in (b"secret taste", b"Desk", b"csrf", b"no browser", b'class="places"'):
        assert word not in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES[:3])
def test_a_forged_session_is_treated_as_a_stranger(client: Client, address: str) -> None:
    client.cookies["sessionid"] = client.cookies["penny_8787"] = "x" * 32
    answer = client.get(address)
    assert answer.status_code == 200
    assert b'class="places"' not in answer.content


@pytest.mark.django_db
@pytest.mark.parametrize("has_password", [True, False])
def test_off_loopback_the_frame_shows_nothing_before_a_password_is_set(
    owner_client: Client, settings: Settings, has_password: bool
) -> None:
    settings.IS_LOOPBACK = False
    if has_password:
        owner = the_owner()
        owner.set_password("nine bars of pressure")
        owner.save()
        owner_client.force_login(owner)
    answer = owner_client.get("/help/signing-in/")
    assert answer.status_code == 200
    assert (b'class="places"' in answer.content) is has_password


@pytest.mark.django_db
@pytest.mark.parametrize("name", OUTSIDE)
def test_an_unknown_page_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/help/{name}/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("name", NO_PICTURES)
def test_an_unknown_picture_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/help/pictures/{name}").status_code == 404


def test_over_the_wire_no_path_leads_to_another_file(penny: Penny, stranger: httpx2.Client) -> None:
    """Send paths unescaped, as no client library does."""
    secret = (FOLDER / "handbook.py").read_text().splitlines()[0]
    for name in [*OUTSIDE, *(f"pictures/{name}" for name in NO_PICTURES)]:
        answer = stranger.get(httpx2.URL(penny.url).copy_with(raw_path=f"/help/{name}".encode()))
        assert answer.status_code in (301, 302, 400, 404), name
        assert secret not in answer.text


@pytest.mark.django_db
def test_markup_in_a_query_adds_no_element_and_without_escaping_it_would(client: Client) -> None:
    plain_tags, result_tags = (
        Elements(client.get("/help/", {"q": query}).content.decode()).tags for query in ("zzzz", "signal")
    )
    allowed = {*plain_tags, *result_tags, "li", "ol class", "a href", "mark"}
    payloads_with_elements = 0
    for payload in [payload.text for payload in payloads()[::40]]:
        html = client.get("/help/", {"q": payload}).content.decode()
        tags = Elements(html).tags
        if "No page of the handbook has these words" in html:
            assert tags == plain_tags, payload
        else:
            assert set(tags) <= allowed, payload
        payloads_with_elements += Elements(payload[:100]).tags != []
    assert payloads_with_elements > 20


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        "x" * 1_000_000,
        "signal " * 100_000,
        "\0" * 1000,
        "ß" * 100_000,
        "é" * 100_000,
        "<" * 100_000,
        "\U0001f600" * 1000,
    ],
)
def test_a_huge_query_is_cut(client: Client, query: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.get("/help/", {"q": query}, headers=headers)
        assert answer.status_code == 200
        assert len(answer.content) < 30_000


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["q=signal&q=%00", "q[]=x", "q=%ff%fe", "q=%ED%A0%80", "q", "q=&q=", "%71=signal"])
def test_an_odd_query_is_answered(client: Client, query: str) -> None:
    assert client.get(f"/help/?{query}").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_only_get_and_head_are_allowed(client: Client, method: str, address: str) -> None:
    assert getattr(client, method)(address).status_code == 405
    assert client.head(address).content == b""


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES[:3])
def test_no_shared_cache_keeps_a_page_for_somebody_else(client: Client, owner_client: Client, address: str) -> None:
    for visitor in (client, owner_client):
        answer = visitor.get(address)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "HX-Request"} <= {name.strip() for name in answer.headers["Vary"].split(",")}
        assert answer.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.django_db
def test_an_unchanged_picture_is_not_sent_again(client: Client) -> None:
    first = client.get("/help/pictures/feed.png")
    again = client.get("/help/pictures/feed.png", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/help/pictures/feed.png", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_foreign_host_is_refused(stranger: httpx2.Client, address: str) -> None:
    for host in ("evil.example", "127.0.0.1:1@evil.example", "127.0.0.1.evil.example"):
        answer = stranger.get(address, headers={"Host": host})
        assert answer.status_code == 400
        assert "evil.example" not in answer.text


def test_nothing_in_the_folder_but_pages_and_pictures_is_served() -> None:
    assert {path.suffix for path in FOLDER.iterdir() if path.is_file()} == {".md", ".py"}
    assert sorted(handbook().pictures) == sorted(path.name for path in (FOLDER / "pictures").iterdir())
