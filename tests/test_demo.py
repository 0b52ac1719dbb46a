"""The demonstration: its own web, a background browser, and real thinking."""

from pathlib import Path

from tests.demo.__main__ import furnished, think_about
from tests.demo.articles import DISLIKE, LIKES
from tests.demo.sites import HOSTS


def test_the_demonstration_needs_nothing_and_makes_a_feed(tmp_path: Path) -> None:
    with furnished(tmp_path) as (penny, browser, _):
        think_about(penny, LIKES[:1])
        feed = penny.http.get("/").text
        assert 'class="card"' in feed
        assert any(f"from {host.partition(':')[0]}" in feed for host in HOSTS)
        assert DISLIKE in penny.http.get("/interests/").text
        assert [url for url in browser.urls() if any(host in url for host in HOSTS)] == []
