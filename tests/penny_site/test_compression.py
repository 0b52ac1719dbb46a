"""Texts are compressed, and only where no page of another site can measure their length."""

import gzip
from urllib.parse import urlsplit

import pytest
from django.test import Client

from devices.owner.account import new_sign_in_link

pytestmark = pytest.mark.django_db

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def unsqueezed(owner_client: Client) -> Client:
    """A client that leaves bodies as they come."""
    client = Client()
    client.cookies = owner_client.cookies
    return client


def asked_for(client: Client, address: str, site: str | None, **headers: str) -> tuple[str, bytes]:
    """Return the encoding and the body of an answer to a request that comes from this site."""
    sent = GZIP | headers | ({"Sec-Fetch-Site": site} if site else {})
    answer = client.get(address, headers=sent)
    assert answer.status_code == 200
    return answer.get("Content-Encoding", ""), answer.getvalue()


@pytest.mark.parametrize("address", ["/", "/settings/you/", "/static/penny/penny.css", "/admin/"])
@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_a_text_that_a_page_of_penny_or_the_owner_asks_for_is_compressed(
    unsqueezed: Client, address: str, site: str
) -> None:
    plain = asked_for(unsqueezed, address, site, **{"Accept-Encoding": "identity"})
    encoding, body = asked_for(unsqueezed, address, site)
    assert (plain[0], encoding) == ("", "gzip")
    assert len(body) < len(plain[1]) / 2
    assert gzip.decompress(body)[:100] == plain[1][:100]


@pytest.mark.parametrize("site", ["cross-site", "same-site", "own", None])
def test_nothing_is_compressed_that_another_site_may_have_asked_for(unsqueezed: Client, site: str | None) -> None:
    navigation = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    encoding, body = asked_for(unsqueezed, "/?q=guess", site, **navigation)
    assert encoding == ""
    assert b"<html" in body


@pytest.mark.parametrize(
    ("address", "fields", "secret"),
    [
        ("/setup/code/", {}, b"data-pairing-offer"),
        ("/permissions/programs/", {"label": "Desk"}, b"shown this once"),
        ("/permissions/feeds/", {"name": "Reader"}, b"/subscriptions/"),
    ],
)
def test_what_is_shown_once_is_sent_as_it_is(
    unsqueezed: Client, address: str, fields: dict[str, str], secret: bytes
) -> None:
    answer = unsqueezed.post(address, fields, headers=GZIP | {"Sec-Fetch-Site": "same-origin"}, follow=True)
    assert (answer.status_code, answer.get("Content-Encoding")) == (200, None)
    assert secret in answer.getvalue()


@pytest.mark.parametrize("is_good", [True, False])
def test_the_answer_to_the_link_that_signs_in_is_sent_as_it_is(is_good: bool) -> None:
    address = urlsplit(new_sign_in_link()).path if is_good else "/sign-in/used/"
    answer = Client().get(address, headers=GZIP | {"Sec-Fetch-Site": "none"})
    assert (answer.status_code, answer.get("Content-Encoding")) == (302 if is_good else 403, None)


def test_pictures_are_sent_as_they_are(unsqueezed: Client) -> None:
    assert asked_for(unsqueezed, "/static/penny/icons/penny-192.png", "same-origin")[0] == ""


def test_the_same_page_has_another_length_each_time(unsqueezed: Client) -> None:
    lengths = {len(asked_for(unsqueezed, "/static/penny/penny.css", "same-origin")[1]) for _ in range(20)}
    assert len(lengths) > 1
