"""Turn an extracted page into a row: normalized text and address, without secrets."""

import hashlib
import json
import re
from typing import Any

from agents.pages.pictures import encode_picture
from agents.runs.context import ToolRefused
from devices import protocol
from devices.web.address import Address
from devices.web.hosts import HostInvalid
from devices.web.links import link_to
from thoughts.models import Page
from thoughts.text.cleaning import clean_line, clean_text
from thoughts.text.labels import of_host

LINE_CHARACTERS = 300
FIELDS_CHARACTERS = 12_000
_NUMBER = re.compile(r"\]\(l(\d{1,3})\)")  # of a link, behind its words


class PageRefused(ValueError):
    """A page that cannot be shared. The text tells the owner why."""


def new_page(page: protocol.Page, address: Address, device_label: str) -> Page:
    """Return the row of an extracted page, not yet saved. `address` is that of the page."""
    links = _links(page)
    whole = _with_numbers(clean_text(_with_fields(page)), [number for number, *_ in links])
    text = whole[: protocol.PAGE_CHARACTERS]
    return Page(
        url=address.stored,
        domain=of_host(address.host),
        title=clean_line(page.title),
        text=text,
        links=[{"text": clean_line(link.text), "url": target.stored} for _, link, target in links],
        metadata=_facts(page.metadata) if page.metadata else {},
        left_out=clean_text(page.left_out or "")[: protocol.LEFT_OUT_CHARACTERS],
        is_changing=bool(page.changing),
        extracted_with=page.extracted_with,
        truncated=page.truncated or text != whole,
        words=page.words,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        device_label=device_label,
    )


def _with_numbers(text: str, numbers: list[int]) -> str:
    """Return text with the numbers of links by their places in `numbers`. A link that is left out has none."""
    if numbers == list(range(1, len(numbers) + 1)):
        return text
    places = {number: place for place, number in enumerate(numbers, 1)}
    return _NUMBER.sub(lambda end: f"](l{places[int(end[1])]})" if int(end[1]) in places else "]", text)


def _with_fields(page: protocol.Page) -> str:
    """Return the text of a page below what a skill's selectors found, under the skill's names."""
    fields = [(field.name, [line for text in field.texts if (line := clean_line(text))]) for field in page.fields or []]
    lines = [
        f"{name}: {texts[0]}" if len(texts) == 1 else "\n- ".join([f"{name}:", *texts])
        for name, texts in fields
        if texts
    ]
    return "\n".join(lines)[:FIELDS_CHARACTERS] + "\n\n" + page.text if lines else page.text


def link_addresses(page: protocol.Page) -> list[str]:
    """Return the full addresses of the page's links, in the order of the row's links.

    The row holds them without secrets.
    """
    return [target.href for *_, target in _links(page)]


def _links(page: protocol.Page) -> list[tuple[int, protocol.Link, Address]]:
    """Return the links that can be followed, with their numbers in the text of the page."""
    return [(number, link, target) for number, link in enumerate(page.links, 1) if (target := _address(link.url))]


def shared_page(page: protocol.Page, device_label: str) -> Page:
    """Return the row of a tab that the owner shared, not saved, without picture.

    Raises PageRefused.
    """
    try:
        address = Address.parse(page.url)
    except HostInvalid as error:
        raise PageRefused(f"This page cannot be included: {error} Send the message without it.") from None
    if address.is_own:
        raise PageRefused("Penny's own pages cannot be included. Send the message without it.")
    row = new_page(page, address, device_label)
    if not row.text.strip():
        raise PageRefused("That page has no text to read. Send the message without it.")
    return row


def _facts(metadata: protocol.Metadata) -> dict[str, Any]:
    """Return the typed values as they are stored: texts on one line without invisible characters, addresses without
    secrets.
    """
    values = metadata.model_dump(mode="json", exclude={"struck", "json_ld", "microdata", "open_graph"})
    images = [address.stored for url in values.pop("images") if (address := _address(url))]
    lines = {
        name: clean_line(values[name])[:LINE_CHARACTERS] for name in ("title", "site_name", "author") if name in values
    }
    return values | lines | ({"images": images} if images else {})


def facts_of(page: protocol.Page) -> str:
    """Return what a page says about its offer, as JSON text for the sandbox, unchecked."""
    if page.metadata is None:
        return ""
    names = {"price", "currency", "availability", "struck", "json_ld", "microdata", "open_graph"}
    return json.dumps(page.metadata.model_dump(include=names))


def page_header(page: Page) -> dict[str, str]:
    fields = {"url": page.url, "title": page.title}
    if page.pk:
        fields["read"] = link_to("page_read", page.pk)
    return fields | ({"image": link_to("picture", page.picture.sha256)} if page.picture else {})


def _address(url: str) -> Address | None:
    try:
        return Address.parse(url)
    except HostInvalid:
        return None


async def store_page(page: protocol.Page, device_label: str) -> tuple[Page, str]:
    """Store an extracted page; return the row and its label. Raises ToolRefused."""
    try:
        address = Address.parse(page.url)
    except HostInvalid:
        raise ToolRefused("bad_url") from None
    row = new_page(page, address, device_label)
    row.picture = await encode_picture(page.image) if page.image else None
    await row.asave()
    return row, row.domain
