"""Keep a file of another program, have a process of its own read it, and store what it lists.

The file lies in the data folder until it is read.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import structlog
from constance import config
from django.conf import settings
from django.db import transaction

from agents.learning import from_files
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.sandbox.children import start_child
from devices import disk
from devices.db import in_db
from devices.web.hosts import HostInvalid
from thoughts.models import ImportedFile, Source
from thoughts.sources.entries import SHOWN_CHARACTERS, TAGS_MAX, Entry

ENTRIES_MAX = 10_000
READ_S, LINE_BYTES, LINES_AT_ONCE, PROBLEMS_MAX = 300, 1024 * 1024, 200, 100
KEPT_FOR = timedelta(days=1)  # a file that no worker came to
GONE = "This file is not there any more. Choose it again."
NO_ADDRESS, OWN, TWICE, SECRET, TOO_MANY, BROKEN_OFF = (
    "no address of the web",
    "Penny's own pages",
    "twice in the file",
    "a user name or password in the address",
    f"more than {ENTRIES_MAX}",
    "reading the file took too long: what follows is not there",
)
_USER = re.compile(r"//[^/\s]*@")
log = structlog.get_logger("penny.imports")


def take_file(upload: BinaryIO, name: str, size_bytes: int) -> ImportedFile:
    """Keep a file, and have a worker read it and look through it. Raises DiskFull."""
    copy = disk.keep_upload(upload)
    with transaction.atomic():
        file = ImportedFile.objects.create(
            name=name, kind=ImportedFile.Kind.TABLE, size_bytes=size_bytes, is_waiting=True
        )
        copy.rename(_path_of(file))
        from_files.start_looking(file)
    return file


async def read_and_look_through(run: Run) -> None:
    """Read the file of a run, if that is not done, and look through what it lists. Raises ModelFailed."""
    file = await ImportedFile.objects.filter(pk=run.imported_id or 0).afirst()
    if file is not None and file.is_waiting and file.undone_at is None:
        await _read(file)
    if not await in_db(_may_suggest)():
        await in_db(run.end)(Run.State.DISCARDED, outcome="Suggestions from files are switched off.")
    elif (await in_db(models_in_use)()).main is None:
        await in_db(from_files.suggest_names)(run)
    else:
        await from_files.look_through(run)


def delete_left_files(now: datetime) -> None:
    """Delete files that no worker came to."""
    for path in _folder().glob("*"):
        if path.stat().st_mtime < (now - KEPT_FOR).timestamp():
            path.unlink(missing_ok=True)
    ImportedFile.objects.filter(is_waiting=True, created_at__lt=now - KEPT_FOR).update(is_waiting=False, refusal=GONE)


def _may_suggest() -> bool:
    return bool(config.CANDIDATES)


def _folder() -> Path:
    return Path(settings.DATA) / "imports"


def _path_of(file: ImportedFile) -> Path:
    return _folder() / str(file.pk)


# Reading
# ---------------------------------------------------------------------------------------------------------------------


class _Taken:
    """What was read so far: distinct sources, and what was left out."""

    def __init__(self) -> None:
        self.sources = dict[str, Source]()
        self.left_out, self.problems = Counter[str](), list[tuple[int, str, str]]()
        self.kind, self.refusal, self.at, self.count, self.is_whole = "table", "", 0, 0, False

    def take(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            what, *values = json.loads(line)
            if what == "entry":
                url, title, feed_url, folders, tags, number = values
                self._take_entry(Entry(url, title, feed_url, tuple(folders), tuple(tags), number))
            elif what == "problem":
                self._note(*values)
            elif what == "at":
                self.at, self.kind = values
            elif what == "refused":
                self.refusal, self.is_whole = values[0], True
            elif what == "end":
                self.left_out.update(values[0])
                self.count, self.is_whole = self.count + sum(values[0].values()), True

    def _take_entry(self, entry: Entry) -> None:
        self.count += 1
        try:
            row = from_files.source_of(entry)
        except HostInvalid as error:
            reason = {"own": OWN, "userinfo": SECRET}.get(error.code, NO_ADDRESS)
            self.left_out[reason] += 1
            self._note(entry.line, entry.title or _USER.sub("//…@", entry.url)[:SHOWN_CHARACTERS], reason)
            return
        if (other := self.sources.get(row.key)) is not None:
            self.left_out[TWICE] += 1
            _join(other, row)
        elif len(self.sources) >= ENTRIES_MAX:
            self.left_out[TOO_MANY] += 1
        else:
            self.sources[row.key] = row

    def _note(self, line: int, text: str, reason: str) -> None:
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append((line, text, reason))


def _join(row: Source, other: Source) -> None:
    """Keep of an entry that stands twice what each place says; a second folder becomes a tag."""
    row.title, names = row.title or other.title, [*row.topics, *other.topics]
    if not row.folder:
        row.folder = other.folder
    elif other.folder and other.folder != row.folder:
        names.append(other.folders[-1].replace(",", " "))
    row.tags = ", ".join(list(dict.fromkeys(names))[:TAGS_MAX])


async def _read(file: ImportedFile) -> None:
    """Read a file, store what it lists, and delete it."""
    listing = _Taken()
    try:
        async with asyncio.timeout(READ_S):
            async for lines in _messages(_path_of(file)):
                await asyncio.to_thread(listing.take, lines)
                await in_db(_note_progress)(file, listing.at)
    except TimeoutError:
        log.warning("import.too_slow", file=file.pk)
    except FileNotFoundError:
        listing.refusal, listing.is_whole = GONE, True
    if not listing.is_whole:
        listing.left_out[BROKEN_OFF] += 1
    if await in_db(_store)(file, listing):
        _path_of(file).unlink(missing_ok=True)


async def _messages(path: Path) -> AsyncIterator[list[bytes]]:
    """Yield the messages of the process that reads a file, some at once."""
    with path.open("rb") as source:
        async with start_child("thoughts.sources.child", source=source, line_bytes=LINE_BYTES) as process:
            assert process.stdout is not None
            lines = list[bytes]()
            async for line in process.stdout:
                lines.append(line)
                if len(lines) == LINES_AT_ONCE:
                    yield lines
                    lines = []
            yield lines


def _note_progress(file: ImportedFile, at: int) -> None:
    if at > file.read_bytes:
        ImportedFile.objects.filter(pk=file.pk).update(read_bytes=at)


def _store(file: ImportedFile, listing: _Taken) -> bool:
    """Store what was read; return whether the import stands.

    One that was undone meanwhile is read again if it is redone.
    """
    known_kind = listing.kind if listing.kind in ImportedFile.Kind.values else ImportedFile.Kind.TABLE
    rows = list(listing.sources.values())
    for start in range(0, len(rows), from_files.AT_ONCE):
        if not from_files.store_sources(file, rows[start : start + from_files.AT_ONCE]):
            return False
    ImportedFile.objects.filter(pk=file.pk).update(
        kind=known_kind,
        found=listing.count,
        left_out=dict(listing.left_out),
        problems=listing.problems,
        refusal=listing.refusal[:500],
        is_waiting=False,
        read_bytes=file.size_bytes,
    )
    return True


def percent_read(file: ImportedFile) -> int:
    return int(min(99, 100 * file.read_bytes // max(1, file.size_bytes)))
