from html import unescape

import pytest
from django.test import Client

from devices.owner.muted_sites import is_muted, mute_site
from devices.web.hosts import HostInvalid

pytestmark = pytest.mark.django_db


def test_a_site_is_muted_with_all_that_is_below_it() -> None:
    mute_site("https://www.News.example/today")
    addresses = [
        "https://news.example/",
        "http://news.example:8080/x",
        "https://www.news.example./",
        "https://m.news.example/a",
    ]
    assert [is_muted(url) for url in addresses] == [True] * 4
    assert [is_muted(url) for url in ("https://oldnews.example/", "https://example/", "https://news.example.org/")] == [
        False
    ] * 3


def test_muting_the_same_site_again_is_the_same() -> None:
    assert mute_site("news.example") == mute_site("www.news.example")


@pytest.mark.parametrize("site", ["com", "github.io", "", "a b", "http://127.0.0.1:8787/"])
def test_what_is_no_site_cannot_be_muted(site: str) -> None:
    with pytest.raises(HostInvalid):
        mute_site(site)


@pytest.mark.parametrize(
    ("site", "says"),
    [
        ("co.uk", "Mute one of those sites"),
        ("http://127.0.0.1:8787/", "her own pages"),
        ("https://me@news.example/", "without a user name"),
        ("ftp://news.example/", "Write the site alone"),
        ("a b", "That is no site."),
    ],
)
def test_what_cannot_be_muted_is_told_in_words_about_muting(owner_client: Client, site: str, says: str) -> None:
    page = unescape(owner_client.post("/sites/mute/", {"host": site}, follow=True).content.decode())
    assert says in page
    assert says in unescape(owner_client.post("/admin/thoughts/mutedsite/add/", {"host": site}).content.decode())
    assert "Grant one" not in page
    assert "be granted" not in page
