"""A page on its way into the database: its address and its text in their normal forms, without what looks like a
secret.
"""

import hashlib
import json
from typing import Any

from agents.pages.pictures import encode_picture
from agents.runs.context import ToolRefused
from devices import protocol
from devices.web.hosts import HostInvalid, clean_url, grant_host, is_own, url_to_store
from devices.web.links import link_to
from thoughts.models import Page
from thoughts.text.cleaning import clean_line, clean_text
from thoughts.text.labels import of_host

LINE_CHARACTERS = 300
FIELDS_CHARACTERS = 12_000


class PageRefused(ValueError):
    """A page that cannot be shared; the text says why, for people."""


def new_page(page: protocol.Page, device_label: str) -> Page:
    """Return the row of what was extracted, not yet saved. Raises HostInvalid for an address that Penny does not
    open.
    """
    whole = clean_text(_with_fields(page))  # one character may have become many
    text = whole[: protocol.PAGE_CHARACTERS]
    return Page(
        url=url_to_store(page.url),
        domain=of_host(grant_host(page.url)),
        title=clean_line(page.title),
        text=text,
        links=[{"text": clean_line(link.text), "url": address} for link in page.links if (address := _kept(link.url))],
        metadata=_facts(page.metadata) if page.metadata else {},
        extracted_with=page.extracted_with,
        truncated=page.truncated or text != whole,
        words=page.words,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        device_label=device_label,
    )


def _with_fields(page: protocol.Page) -> str:
    """Return a page's text with what a skill's selectors found before it, by the names that the skill gives it."""
    found = [(field.name, [line for text in field.texts if (line := clean_line(text))]) for field in page.fields or []]
    said = [
        f"{name}: {texts[0]}" if len(texts) == 1 else "\n- ".join([f"{name}:", *texts])
        for name, texts in found
        if texts
    ]
    return "\n".join(said)[:FIELDS_CHARACTERS] + "\n\n" + page.text if said else page.text


def link_addresses(page: protocol.Page) -> list[str]:
    """Return where the links of a page lead, in the order of its row's links: what is opened is whole, what is stored
    is not.
    """
    return [clean_url(link.url) for link in page.links if _kept(link.url)]


def shared_page(page: protocol.Page, device_label: str) -> Page:
    """Return the row of a tab that the owner shared, not yet saved and without its picture. Raises PageRefused."""
    try:
        row = new_page(page, device_label)
    except HostInvalid as error:
        raise PageRefused(f"This page cannot be included: {error} Send the message without it.") from None
    if is_own(grant_host(page.url)):
        raise PageRefused("Penny's own pages cannot be included. Send the message without it.")
    if not row.text.strip():
        raise PageRefused("That page has no text to read. Send the message without it.")
    return row


def _facts(metadata: protocol.Metadata) -> dict[str, Any]:
    """Return the typed values as they are stored: texts on one line without invisible characters, addresses without
    secrets.
    """
    found = metadata.model_dump(mode="json", exclude={"json_ld", "microdata", "open_graph"})
    images = [address for url in found.pop("images") if (address := _kept(url))]
    lines = {
        name: clean_line(found[name])[:LINE_CHARACTERS] for name in ("title", "site_name", "author") if name in found
    }
    return found | lines | ({"images": images} if images else {})


def facts_of(page: protocol.Page) -> str:
    """Return what a page says about what it sells, as JSON text for the sandbox: typed values, and what nobody has
    looked at yet.
    """
    if page.metadata is None:
        return ""
    named = {"price", "currency", "availability", "json_ld", "microdata", "open_graph"}
    return json.dumps(page.metadata.model_dump(include=named))


def header(page: Page) -> dict[str, str]:
    """Return what a message shows of the page that it is about (protocol.PageHeader); a picture is one that we encoded
    and serve.
    """
    shown = {"url": page.url, "title": page.title}
    return shown | ({"image": link_to("picture", page.picture.sha256)} if page.picture else {})


def _kept(url: str) -> str:
    try:
        return url_to_store(url)
    except HostInvalid:
        return ""


async def store_page(page: protocol.Page, device_label: str) -> tuple[Page, str]:
    """Store what was extracted, with its label. Raises ToolRefused for an address that Penny does not open."""
    try:
        row = new_page(page, device_label)
    except HostInvalid:
        raise ToolRefused("bad_url") from None
    row.picture = await encode_picture(page.image) if page.image else None
    await row.asave()
    return row, row.domain
