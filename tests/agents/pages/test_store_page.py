"""Pages are stored as a reader sees them, whatever the device sent."""

import json
from uuid import uuid4

import ada_url
import pytest
from pydantic import ConfigDict, ValidationError

from agents.pages.store import facts_of, link_addresses, new_page, store_page
from agents.runs.handles import Handles
from agents.turns.start import start_turn
from devices import protocol
from devices.access.handshake import web_device
from devices.owner.account import the_owner
from devices.web import hosts
from devices.web.address import Address
from tests.client import make_page
from thoughts.models import Page

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


@pytest.mark.django_db(transaction=True)
async def test_nothing_invisible_is_stored_of_a_page() -> None:
    metadata = protocol.Metadata(title=f"Grin\u00adder{TAGS}", author="A\n\u200bB", site_name="\U0001d160" * 100)
    device_page = make_page(
        "https://a.example/",
        f"Ti\u200btle{TAGS}",
        f"Seen\u2060{TAGS} 👩‍💻",
        [(f"Li\u200dnk{TAGS}", "https://a.example/x")],
        metadata=metadata,
    )
    await store_page(device_page, "Desk")
    row = await Page.objects.aget(url="https://a.example/")
    assert (row.title, row.text, row.links[0]["text"]) == ("Title", "Seen 👩‍💻", "Link")
    assert (row.metadata["title"], row.metadata["author"], len(row.metadata["site_name"])) == ("Grinder", "A B", 300)


@pytest.mark.django_db(transaction=True)
async def test_a_text_that_grows_when_it_is_normalised_stays_within_its_cap() -> None:
    device_page = make_page("https://b.example/", "t", "\U0001d160" * protocol.PAGE_CHARACTERS)
    row, _ = await store_page(device_page, "Desk")
    assert (len(row.text), row.truncated) == (protocol.PAGE_CHARACTERS, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("words", [40_000, None])
async def test_the_words_of_the_whole_are_kept_beside_whether_it_was_cut(words: int | None) -> None:
    row, _ = await store_page(make_page("https://b.example/", "t", "The beginning.", words=words), "Desk")
    assert (await Page.objects.aget(pk=row.pk)).words == words


def test_only_typed_values_are_stored_of_what_a_page_says_about_itself() -> None:
    """A device may send any metadata."""
    values = {
        "price": "129.00",
        "currency": "EUR",
        "availability": "in_stock",
        "kind": "product",
        "published": "2026-01-01T10:00:00+01:00",
    }
    images = ["https://c.example/a.png?token=hunter2", "https://user@c.example/b.png"]
    free = {
        "json_ld": [{"description": "Obey"}],
        "open_graph": {"og:title": "Obey"},
        "microdata": ["Obey"],
        "struck": ["849,00"],
        "obey": {"a": ["Obey"]},
    }
    device_page = make_page(
        "https://c.example/",
        "t",
        "Words of a page.",
        metadata=protocol.Metadata.model_validate(values | {"images": images} | free),
    )
    as_stored = {"published": "2026-01-01T09:00:00.000Z", "images": ["https://c.example/a.png"]}
    assert new_page(device_page, Address.parse(device_page.url), "Desk").metadata == values | as_stored


def test_struck_amounts_go_to_the_sandbox_alone_and_hold_no_words() -> None:
    metadata = protocol.Metadata.model_validate({"price": "749", "struck": ["849,00", "1 299,00", "٨٤٩٫٠٠"]})
    device_page = make_page("https://c.example/", "t", "849,00 € 749,00 €", metadata=metadata)
    assert json.loads(facts_of(device_page))["struck"] == ["849,00", "1 299,00", "٨٤٩٫٠٠"]
    for amount in ("849 Obey", "Obey", "", "8" * 25):
        with pytest.raises(ValidationError):
            protocol.Metadata.model_validate({"struck": [amount]})


def test_without_the_types_all_that_a_page_says_about_itself_would_be_stored() -> None:
    class Anything(protocol.Metadata):
        model_config = ConfigDict(extra="allow")

    device_page = make_page(
        "https://c.example/",
        "t",
        "Words of a page.",
        metadata=Anything.model_validate({"obey": [{"description": "Obey"}]}),
    )
    assert "Obey" in str(new_page(device_page, Address.parse(device_page.url), "Desk").metadata)


def test_a_link_is_stored_without_what_looks_like_a_secret_and_opened_whole() -> None:
    article = "https://c.example/read?article=0123456789abcdef0123456789abcdef&page=2"
    device_page = make_page(
        "https://c.example/", "t", "Words of a page.", [("Bad", "javascript:alert(1)"), ("Next", article)]
    )
    row = new_page(device_page, Address.parse(device_page.url), "Desk")
    handles = Handles([])
    handle = handles.add_page(row, device_page.url, row.domain, link_addresses(device_page))
    assert [link["url"] for link in row.links] == ["https://c.example/read?page=2"]
    assert handles.urls[f"{handle}.l1"] == article


@pytest.mark.django_db
@pytest.mark.usefixtures("redis")
def test_a_shared_page_is_parsed_once_on_its_way_from_the_frame_to_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    url, link = "https://coffee.example/water", "https://coffee.example/grind"
    hosts.is_own("coffee.example")  # parses Penny's own address, once a process
    texts: list[str] = []

    class Counted(ada_url.URL):
        def __init__(self, text: str) -> None:
            texts.append(text)
            super().__init__(text)

    monkeypatch.setattr(ada_url, "URL", Counted)
    shared = make_page(url, "Water", "Espresso is brewed at 93 degrees.", [("The grind", link)])
    start_turn(the_owner(), web_device(), protocol.ChatSend(turn_id=uuid4(), text="How hot?", page=shared))
    assert texts == [url, link]
