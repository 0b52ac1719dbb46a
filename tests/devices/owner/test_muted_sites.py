import pytest

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
