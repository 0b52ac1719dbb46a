"""What a device sends is stored as a reader sees it, whatever the device did about it."""

import pytest

from agents.browsing import store_page
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
