"""Texts are compressed, and only where no page of another site can measure their length."""

import gzip

import pytest
from django.test import Client

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


def test_pictures_are_sent_as_they_are(unsqueezed: Client) -> None:
    assert asked_for(unsqueezed, "/static/penny/icons/penny-192.png", "same-origin")[0] == ""


def test_the_same_page_has_another_length_each_time(unsqueezed: Client) -> None:
    lengths = {len(asked_for(unsqueezed, "/static/penny/penny.css", "same-origin")[1]) for _ in range(20)}
    assert len(lengths) > 1
