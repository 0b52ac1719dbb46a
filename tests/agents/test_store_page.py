"""What a device sends is stored as a reader sees it, whatever the device did about it."""

import pytest

from agents.browsing import store_page
from agents.handles import Handles
from agents.pages import link_addresses, new_page
from devices import protocol
from tests.client import page
from thoughts.models import Page

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


@pytest.mark.django_db(transaction=True)
async def test_nothing_invisible_is_stored_of_a_page() -> None:
    metadata = protocol.Metadata(json_ld=[{"name": f"Grin\u00adder{TAGS}"}])
    sent = page(
        "https://a.example/",
        f"Ti\u200btle{TAGS}",
        f"Seen\u2060{TAGS} 👩‍💻",
        [(f"Li\u200dnk{TAGS}", "https://a.example/x")],
        metadata=metadata,
    )
    await store_page(sent, "Desk")
    row = await Page.objects.aget(url="https://a.example/")
    assert (row.title, row.text, row.links[0]["text"]) == ("Title", "Seen 👩‍💻", "Link")
    assert row.metadata["json_ld"] == [{"name": "Grinder"}]


@pytest.mark.django_db(transaction=True)
async def test_a_text_that_grows_when_it_is_normalised_stays_within_its_cap() -> None:
    sent = page("https://b.example/", "t", "\ufdfa" * protocol.PAGE_CHARACTERS)
    row, _ = await store_page(sent, "Desk")
    assert (len(row.text), row.truncated) == (protocol.PAGE_CHARACTERS, True)


def test_a_link_is_stored_without_what_looks_like_a_secret_and_opened_whole() -> None:
    article = "https://c.example/read?article=0123456789abcdef0123456789abcdef&page=2"
    sent = page("https://c.example/", "t", "Words of a page.", [("Bad", "javascript:alert(1)"), ("Next", article)])
    row = new_page(sent, "Desk")
    handles = Handles([])
    handle = handles.add_page(row, sent.url, row.domain, link_addresses(sent))
    assert [link["url"] for link in row.links] == ["https://c.example/read?page=2"]
    assert handles.urls[f"{handle}.l1"] == article
