"""Keep a page that a browser sent, or a file: the text, never the HTML and never the bytes."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from constance import config
from django.db import transaction
from django.db.models import Count, Sum
from django.utils import timezone

from agents.pages.files import FileUnread, file_words, kind_of
from agents.pages.store import new_page
from agents.runs import failure_texts
from agents.vault import index
from agents.vault.cover import cover_page, without_secrets
from agents.vault.forget import traces
from devices import disk, protocol
from devices.db import one_at_a_time
from devices.models import Device
from devices.web.address import Address
from devices.web.hosts import HostInvalid
from thoughts.models import Kept, Page
from thoughts.text.cleaning import clean_line, clean_text
from thoughts.text.labels import ATTACHMENT
from thoughts.text.language import language_of
from thoughts.text.search_words import words_of

Source = Literal["auto", "asked", "file"]
FILE_BYTES = protocol.FILE_BYTES
NAME_CHARACTERS = 120
MIME = {"pdf": "application/pdf", "html": "text/html", "json": "application/json", "text": "text/plain"}


class NotKept(Exception):
    """A page that is not kept. `code` is that of the error frame; the text says what the owner can do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def keep_page(
    page: protocol.Page,
    device: Device,
    source: Literal["auto", "asked"],
    contacts: Mapping[str, list[str]] | None = None,
    masked: int = 0,
) -> Kept:
    """Store a page without its secrets, and have it indexed. Raises NotKept.

    `masked`: how many secrets its browser covered.
    The same text at the same address is stored once: its time is that of the last visit.
    """
    try:
        address = Address.parse(page.url)
    except HostInvalid as error:
        raise NotKept("bad_url", f"This page cannot be kept: {error}") from None
    if address.is_own:
        raise NotKept("left_out", "Penny's own pages are not kept.")
    row = new_page(page, address, device.label)
    masked += cover_page(row)
    if not row.text.strip():
        raise NotKept("no_words", "That page has no text to keep.")
    return _store_new(row, source, contacts=without_secrets(contacts or {}), masked=masked, device=device.pk.hex)


def keep_file(name: str, data: bytes) -> Kept:
    """Read a file and store its words, not its bytes. The same words are stored once. Raises NotKept, DiskFull."""
    disk.check_room()
    name = clean_line(name)[:NAME_CHARACTERS] or "a file"
    if len(data) > FILE_BYTES:
        raise NotKept("file_large", f"“{name}” is larger than {FILE_BYTES // 1024**2} MB. Keep a part of it.")
    try:
        reply = asyncio.run(file_words(name, data))  # on the loop of web, it would wait for ever when web ends
    except FileUnread as unread:
        raise NotKept(unread.code, failure_texts.file_failure(unread.code, f"“{name}”")) from None
    text = clean_text(reply.text)
    if not text.strip():
        raise NotKept("file_empty", failure_texts.file_failure("file_empty", f"“{name}”"))
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    page = Page(
        url=f"file:{sha256}",
        domain=ATTACHMENT,
        title=name,
        text=text,
        extracted_with="text",
        truncated=reply.is_cut,
        sha256=sha256,
        device_label="",
    )
    return _store_new(page, "file", name=name, mime=MIME[kind_of(name, data)], size_bytes=len(data))


def _store_new(page: Page, source: Source, **columns: Any) -> Kept:
    now, key = timezone.now(), key_of(page.url)
    with transaction.atomic():
        one_at_a_time("kept")
        earlier = Kept.objects.filter(address_key=key, sha256=page.sha256).first()
        if earlier is not None:
            return _seen_again(earlier, source, now)
        columns = {"size_bytes": len(page.text.encode())} | columns
        while _is_full(columns["size_bytes"]):
            if not _make_room():
                raise NotKept("kept_full", "No more pages can be kept. Forget some under Memory › Kept pages.")
        page.save()
        row = Kept.objects.create(
            page=page,
            source=source,
            address_key=key,
            sha256=page.sha256,
            language=language_of(page.text),
            words=page.words or sum(1 for _ in words_of(page.text)),
            kept_at=now,
            last_seen_at=now,
            keep_until=_keep_until(source, now),
            **columns,
        )
        transaction.on_commit(lambda: index.index_soon(row.pk))
    return row


def _seen_again(row: Kept, source: Source, now: datetime) -> Kept:
    """Note another visit of a kept page. What the owner asks for stays for ever, also if it was forgotten before."""
    if source != "auto":
        row.source, row.keep_until, row.deleted_at, row.has_undo = source, None, None, True
    elif row.deleted_at is not None:
        raise NotKept("left_out", "You forgot this page a moment ago.")
    elif row.keep_until is not None:
        row.keep_until = _keep_until(source, now)
    row.last_seen_at = now
    row.save(update_fields=["source", "keep_until", "deleted_at", "has_undo", "last_seen_at"])
    return row


def room_left() -> tuple[int, int]:
    """Return how many more entries may be kept, and how many bytes of them."""
    total = Kept.objects.kept().order_by().aggregate(count=Count("pk"), size=Sum("size_bytes"))
    most = config.KEPT_MEGABYTES_MAX * 1_000_000
    return config.KEPT_PAGES_MAX - total["count"], most - (total["size"] or 0)


def _is_full(size_bytes: int) -> bool:
    """Whether one more entry of this size is too much, by number or by bytes."""
    entries, room_bytes = room_left()
    return entries < 1 or room_bytes < size_bytes


def _make_room() -> bool:
    """Forget the oldest page that was kept by itself and is not cited; return whether there was one."""
    oldest = (
        traces.uncited(Kept.objects.kept().filter(source=Kept.Source.AUTO)).order_by("last_seen_at").values("pk")[:1]
    )
    return bool(Kept.objects.filter(pk__in=oldest).set_deleted(timezone.now()))


def _keep_until(source: str, now: datetime) -> datetime | None:
    return now + timedelta(days=config.KEPT_DAYS) if source == "auto" and config.KEPT_DAYS else None


def key_of(stored_address: str) -> str:
    """Return the key under which the versions of a page stand."""
    return hashlib.sha256(stored_address.partition("#")[0].encode()).hexdigest()
