"""One page of an export: how it is written, and how it is taken from a file that nobody vouches for.

What a file says of a page goes through the checks of a page that a browser sends.
"""

import hashlib
import json
from datetime import datetime
from typing import Annotated, Any, Literal

from django.utils import timezone
from django.utils.text import slugify
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from agents.memory.carry import past_moment
from agents.pages.store import new_page
from agents.sandbox.file_child import TEXT_CHARACTERS
from agents.vault.cover import cover_page, without_secrets
from agents.vault.keep import key_of
from devices import protocol
from devices.web.address import Address
from devices.web.hosts import HostInvalid
from thoughts.models import Kept, Page
from thoughts.text.cleaning import clean_line, clean_text
from thoughts.text.labels import ATTACHMENT
from thoughts.text.language import language_of
from thoughts.text.search_words import words_of

NAME_CHARACTERS, MIME_CHARACTERS, SLUG_CHARACTERS = 255, 100, 60
SIZE_MAX = 2**31 - 1
LAST_YEAR = 2200
UNREADABLE = "it is no page that Penny writes"
CHANGED = "its text is not the one that was exported"
OWN_PAGE = "it is a page of Penny's own"
NO_ADDRESS = "its address is none of the web"
NO_WORDS = "it has no text"
OVER = "its time to be kept is over"


class NotTaken(ValueError):
    """A page of a file that is left out, and why."""


class KeptEntry(BaseModel):
    """What the list of an export says of a page. Its text is in a file of its own."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: protocol.Url
    title: Annotated[protocol.Text, Field(max_length=1000)]
    source: Literal["auto", "asked", "file"]
    name: Annotated[protocol.Text, Field(max_length=NAME_CHARACTERS)] = ""
    mime: Annotated[protocol.Text, Field(max_length=MIME_CHARACTERS)] = ""
    size_bytes: Annotated[int, Field(ge=0, le=SIZE_MAX)] | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    contacts: protocol.Contacts = Field(default_factory=protocol.Contacts)
    masked: Annotated[int, Field(ge=0, le=SIZE_MAX)] = 0
    kept_at: AwareDatetime
    last_seen_at: AwareDatetime
    keep_until: AwareDatetime | None = None
    links: Annotated[list[protocol.Link], Field(max_length=protocol.PAGE_LINKS)] = Field(default_factory=list)
    metadata: protocol.Metadata | None = None
    left_out: Annotated[protocol.Text, Field(max_length=protocol.LEFT_OUT_CHARACTERS)] = ""
    changing: bool = False
    extracted_with: protocol.ExtractedWith
    truncated: bool = False
    words: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    device_label: Annotated[protocol.Text, Field(max_length=64)] = ""


# Writing
# ---------------------------------------------------------------------------------------------------------------------


def text_name(row: Kept) -> str:
    """Return the name in the zip: the day, words of the title, and a part of its key, which makes it unique."""
    words = slugify(row.page.title)[:SLUG_CHARACTERS].strip("-_").replace("_", "-")
    return f"pages/{row.kept_at:%Y-%m-%d}-{f'{words}-' if words else ''}{row.pk.hex[:12]}.md"


def markdown_of(row: Kept) -> str:
    """Return the text of a page below its front matter. Values are JSON, which YAML reads too."""
    page = row.page
    lines = {
        "url": page.url,
        "title": page.title,
        "kept": row.kept_at.isoformat(),
        "source": row.source,
        "sha256": page.sha256,
    }
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in lines.items())
    return f"---\n{head}---\n\n{page.text}"


def listing_of(row: Kept) -> dict[str, Any]:
    page = row.page
    values = {name: getattr(row, name) for name in ("source", "name", "mime", "size_bytes", "contacts", "masked")}
    times = {
        name: moment.isoformat() if (moment := getattr(row, name)) else None
        for name in ("kept_at", "last_seen_at", "keep_until")
    }
    names = ("url", "title", "sha256", "links", "left_out", "extracted_with", "truncated", "words", "device_label")
    read = {name: getattr(page, name) for name in names} | {"changing": page.is_changing}
    metadata = {"metadata": page.metadata} if page.metadata else {}
    return {"file": text_name(row)} | values | times | read | metadata


# Reading
# ---------------------------------------------------------------------------------------------------------------------


def row_of(values: dict[str, Any], text: str) -> tuple[Page, Kept]:
    """Return the rows of a page of a file, not saved and not yet joined. Raises NotTaken."""
    try:
        entry = KeptEntry.model_validate(_encodable(values))
        page = _file_page(entry, text) if entry.source == "file" else _web_page(entry, text)
    except ValidationError:
        raise NotTaken(UNREADABLE) from None
    if not page.text.strip():
        raise NotTaken(NO_WORDS)
    masked = cover_page(page) if entry.source != "file" else 0
    now = timezone.now()
    keep_until = _kept_until(entry, now)
    return page, Kept(
        source=entry.source,
        name=clean_line(entry.name),
        mime=clean_line(entry.mime),
        size_bytes=entry.size_bytes if entry.source == "file" else len(page.text.encode()),
        address_key=key_of(page.url),
        sha256=page.sha256,
        contacts=without_secrets(entry.contacts.model_dump()),
        masked=min(entry.masked + masked, SIZE_MAX),
        language=language_of(page.text),
        words=page.words or sum(1 for _ in words_of(page.text)),
        kept_at=past_moment(entry.kept_at),
        last_seen_at=past_moment(entry.last_seen_at),
        keep_until=keep_until,
    )


def _kept_until(entry: KeptEntry, now: datetime) -> datetime | None:
    if entry.source != "auto" or entry.keep_until is None or entry.keep_until.year > LAST_YEAR:
        return None
    if entry.keep_until <= now:
        raise NotTaken(OVER)
    return entry.keep_until


def _web_page(entry: KeptEntry, text: str) -> Page:
    try:
        address = Address.parse(entry.url)
    except HostInvalid:
        raise NotTaken(NO_ADDRESS) from None
    if address.is_own:
        raise NotTaken(OWN_PAGE)
    sent = protocol.Page(
        url=entry.url,
        title=entry.title,
        text=text,
        links=entry.links,
        metadata=entry.metadata,
        left_out=entry.left_out or None,
        changing=entry.changing or None,
        extracted_with=entry.extracted_with,
        truncated=entry.truncated,
        words=entry.words,
    )
    page = new_page(sent, address, clean_line(entry.device_label))
    return _with_text(page, entry, text)


def _file_page(entry: KeptEntry, text: str) -> Page:
    if len(text) > TEXT_CHARACTERS:
        raise NotTaken("its text is too long")
    page = Page(
        domain=ATTACHMENT,
        title=clean_line(entry.title),
        text=clean_text(text),
        extracted_with="text",
        truncated=entry.truncated,
        words=entry.words,
        device_label="",
    )
    page = _with_text(page, entry, text)
    page.url = f"file:{page.sha256}"
    return page


def _with_text(page: Page, entry: KeptEntry, text: str) -> Page:
    """Give a page the text of the file as it stands there, if it holds nothing that is left out of texts."""
    if hashlib.sha256(text.encode(errors="replace")).hexdigest() != entry.sha256:
        raise NotTaken(CHANGED)
    if page.text.rstrip() == text.rstrip():  # one that was cut may end with a blank
        page.text = text
    page.sha256 = hashlib.sha256(page.text.encode()).hexdigest()
    return page


def _encodable(value: Any) -> Any:
    """Return JSON without halves of signs, which no database stores."""
    if isinstance(value, str):
        return value.encode(errors="ignore").decode()
    if isinstance(value, list):
        return [_encodable(inner) for inner in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(inner) for name, inner in value.items()}
    return value
