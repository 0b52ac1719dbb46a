"""Take a file of what was kept elsewhere: a process of its own reads it, and its pages are stored some at a time.

The file lies in the data folder until it is read. What is interrupted goes on where it was: the count of the pages that
were looked at is stored with the pages themselves.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import structlog
from django.conf import settings
from django.db import transaction

from agents.memory.carry import UNREADABLE, add_fact, parse_fact
from agents.memory.remember import NotRemembered
from agents.models import Run, VaultImport
from agents.runs import queue
from agents.sandbox.children import start_child
from agents.sandbox.vault_file import DAMAGED
from agents.vault.keep import room_left
from agents.vault.transfer.entries import NotTaken, row_of
from devices import disk
from devices.db import in_db, one_at_a_time
from thoughts.models import Kept, Page
from thoughts.text.cleaning import clean_line

NAME_CHARACTERS, TITLE_SHOWN = 120, 80
ENTRIES_AT_ONCE, CHARACTERS_AT_ONCE, LINE_BYTES = 20, 2_000_000, 32 * 1024 * 1024
READ_S, PROBLEMS_MAX = 3600, 100
STAYS_FOR = timedelta(days=1)  # a file that no worker came to, and facts that wait for the owner's word
GONE = "This file is not there any more. Choose it again."
TOO_SLOW = "Reading this file took too long. What was read of it is kept. Import it again: that goes on from there."
FULL = "there is no more room for pages: forget some, then import again"
log = structlog.get_logger("penny.vault")


def take_export(upload: BinaryIO, name: str, size_bytes: int) -> VaultImport:
    """Keep a file, and have a worker read it. Raises DiskFull."""
    copy = disk.keep_upload(upload)
    with transaction.atomic():
        run = Run.objects.create(kind=Run.Kind.VAULT)
        row = VaultImport.objects.create(
            name=clean_line(name)[:NAME_CHARACTERS] or "a file", size_bytes=size_bytes, run=run
        )
        copy.rename(_path_of(row))
        queue.enqueue_on_commit(run)
    return row


def drop_left_imports(now: datetime) -> None:
    """Delete files that no worker came to, and facts that the owner said nothing about."""
    rows = VaultImport.objects.filter(created_at__lt=now - STAYS_FOR)
    for row in rows.filter(is_waiting=True):
        _path_of(row).unlink(missing_ok=True)
    rows.filter(is_waiting=True).update(is_waiting=False, refusal=GONE)
    rows.exclude(facts=[]).update(facts=[])


def _path_of(row: VaultImport) -> Path:
    return Path(settings.DATA) / "imports" / f"kept-{row.pk}"


# Reading
# ---------------------------------------------------------------------------------------------------------------------


async def read_import(run: Run) -> None:
    """Read the file of a run, and store its pages. What it says of facts waits for the owner's word."""
    row = await VaultImport.objects.filter(run=run, is_waiting=True).afirst()
    if row is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome="There is nothing to import.")
        return
    reader = _Reader(row)
    try:
        async with asyncio.timeout(READ_S), aclosing(_messages_of(_path_of(row))) as messages:
            async for message in messages:
                await reader.take(message)
            await reader.store()
    except TimeoutError:
        log.warning("vault.import_too_slow", file=row.pk)
        reader.refusal = TOO_SLOW
    except FileNotFoundError:
        reader.refusal = GONE
    await in_db(reader.finish)(run)
    _path_of(row).unlink(missing_ok=True)


class _Reader:
    """What was read of a file and is not stored yet."""

    def __init__(self, row: VaultImport) -> None:
        self.row, self.refusal, self.is_whole = row, "", False
        self._entries, self._characters = list[list[Any]](), 0

    async def take(self, message: list[Any]) -> None:
        match message:
            case ["facts", list(facts)]:
                await in_db(_note)(self.row, facts=_facts_of(facts) if not self.row.done else self.row.facts)
            case ["count", int(count)]:
                await in_db(_note)(self.row, pages=count)
            case ["entry", int(number), dict(), str(text)] if number > self.row.done:
                await self._add(message, len(text))
            case ["left_out", int(number), str(), str()] if number > self.row.done:
                await self._add(message, 0)
            case ["refused", str(reason)]:
                self.refusal = reason
            case ["end"]:
                self.is_whole = True

    async def _add(self, message: list[Any], characters: int) -> None:
        self._entries.append(message)
        self._characters += characters
        if len(self._entries) >= ENTRIES_AT_ONCE or self._characters >= CHARACTERS_AT_ONCE:
            await self.store()

    async def store(self) -> None:
        if self._entries:
            await in_db(_store_entries)(self.row, self._entries)
            self._entries, self._characters = [], 0

    def finish(self, run: Run) -> None:
        refusal = self.refusal or ("" if self.is_whole else DAMAGED)
        with transaction.atomic():
            _note(self.row, is_waiting=False, refusal=refusal[:500])
            count = f"{self.row.added} new, {self.row.present} here already, {self.row.left_out_count} left out."
            if not run.end(Run.State.FAILED if refusal else Run.State.DONE, outcome=refusal or f"Kept pages: {count}"):
                transaction.set_rollback(True)  # another attempt has the run


async def _messages_of(path: Path) -> AsyncGenerator[list[Any], None]:
    """Yield the messages of the process that reads a file."""
    with path.open("rb") as source:
        async with start_child("agents.sandbox.vault_file", source=source, line_bytes=LINE_BYTES) as process:
            assert process.stdout is not None
            try:
                async for line in process.stdout:
                    message = json.loads(line)
                    if isinstance(message, list):
                        yield message
            except ValueError:  # a line that is too long, or none of ours
                log.warning("vault.import_broken_off", file=path.name)


def _note(row: VaultImport, **columns: Any) -> None:
    VaultImport.objects.filter(pk=row.pk).update(**columns)
    for name, value in columns.items():
        setattr(row, name, value)


def _facts_of(rows: Sequence[object]) -> list[dict[str, Any]]:
    """Return the facts as they wait for the owner's word. What is none is left out when they say it."""
    facts = [parse_fact(row) for row in rows if isinstance(row, dict)]
    return [fact.model_dump(mode="json") if fact else {} for fact in facts]


# Storing
# ---------------------------------------------------------------------------------------------------------------------


class _Overtaken(Exception):
    """Another attempt stored these pages."""


def _store_entries(row: VaultImport, messages: Sequence[list[Any]]) -> None:
    """Store some pages, with the count of those that were looked at, in one transaction."""
    added, present, left_out, problems = 0, 0, dict(row.left_out), list(row.problems)
    entries = [_parse_entry(*message) for message in messages]  # before the transaction, which other writers wait for
    with transaction.atomic():
        one_at_a_time("kept")
        room = _Room()
        for number, title, entry in entries:
            try:
                if isinstance(entry, NotTaken):
                    raise entry
                is_new = _store_page(*entry, room)
                added, present = added + is_new, present + (not is_new)
            except NotTaken as reason:
                left_out[str(reason)] = left_out.get(str(reason), 0) + 1
                problems.append([number, title, str(reason)])
        columns: dict[str, Any] = {
            "done": messages[-1][1],
            "added": row.added + added,
            "present": row.present + present,
            "left_out": left_out,
            "problems": problems[:PROBLEMS_MAX],
        }
        if not VaultImport.objects.filter(pk=row.pk, done=row.done, is_waiting=True).update(**columns):
            raise _Overtaken
    for name, value in columns.items():
        setattr(row, name, value)


def _parse_entry(kind: str, number: int, values: Any, text: str) -> tuple[int, str, tuple[Page, Kept] | NotTaken]:
    """Return the number, the title and the rows of an entry, or why it is left out."""
    title = values if kind == "left_out" else str(values.get("title", ""))
    title = clean_line(_storable(title))[:TITLE_SHOWN]
    if kind == "left_out":
        return number, title, NotTaken(text)
    try:
        return number, title, row_of(values, text)
    except NotTaken as reason:
        return number, title, reason


class _Room:
    """How much more may be kept. An import takes no page away that is kept by itself."""

    def __init__(self) -> None:
        self._entries, self._bytes = room_left()

    def take(self, size_bytes: int) -> None:
        """Raises NotTaken."""
        if self._entries < 1 or self._bytes < size_bytes:
            raise NotTaken(FULL)
        self._entries, self._bytes = self._entries - 1, self._bytes - size_bytes


def _store_page(page: Page, row: Kept, room: _Room) -> bool:
    """Store a page; return whether it is new. What is here stays as it is; what was forgotten just now comes back."""
    earlier = Kept.objects.filter(address_key=row.address_key, sha256=row.sha256).first()
    if earlier is not None:
        return bool(Kept.objects.filter(pk=earlier.pk, deleted_at__isnull=False).set_deleted(None))
    room.take(row.size_bytes or 0)
    page.save()
    Page.objects.filter(pk=page.pk).update(fetched_at=row.kept_at)
    row.page = page
    row.save(force_insert=True)
    return True


def _storable(text: str) -> str:
    return text.encode(errors="ignore").decode()


# Facts
# ---------------------------------------------------------------------------------------------------------------------


def decide_facts(row: VaultImport, chosen: Sequence[int]) -> None:
    """Take the chosen facts of a file as the owner's, and drop the others. Raises DiskFull."""
    disk.check_room()
    with transaction.atomic():
        locked = VaultImport.objects.select_for_update().get(pk=row.pk)
        added, present, left_out = 0, 0, list[list[str]]()
        for number, values in enumerate(locked.facts):
            fact = parse_fact(values) if number in chosen else None
            if number in chosen and fact is None:
                left_out.append(["a line", UNREADABLE])
            if fact is None:
                continue
            try:
                is_new = add_fact(fact) == "added"
                added, present = added + is_new, present + (not is_new)
            except NotRemembered as reason:
                left_out.append([f"your {fact.name}" if fact.name else fact.text[:TITLE_SHOWN], str(reason)])
        _note(
            row,
            facts=[],
            facts_added=locked.facts_added + added,
            facts_present=locked.facts_present + present,
            facts_left_out=[*locked.facts_left_out, *left_out],
        )
