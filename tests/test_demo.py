"""The demonstration: its own web, a background browser, and real thinking."""

from pathlib import Path

import pytest

from tests.demo.__main__ import furnished, think_about
from tests.demo.articles import DISLIKE, LIKES
from tests.demo.keeping import ask_with_proof, keep_pages
from tests.demo.sites import HOSTS


@pytest.mark.long
def test_the_demonstration_needs_nothing_and_makes_a_feed(tmp_path: Path) -> None:
    with furnished(tmp_path) as (penny, browser, sites):
        think_about(penny, LIKES[:1])
        feed = penny.http.get("/").text
        assert 'class="card"' in feed
        assert any(f"from {host.partition(':')[0]}" in feed for host in HOSTS)
        assert DISLIKE in penny.http.get("/interests/").text
        keep_pages(penny, browser, sites)
        addresses = ask_with_proof(penny)
        proofs = [penny.http.get(address).text for address in addresses]
        assert len({host for host in HOSTS for proof in proofs if f"from {host}" in proof}) >= 2
        assert all("<mark" in proof for proof in proofs)
        assert [url for url in browser.urls() if any(host in url for host in HOSTS)] == []
