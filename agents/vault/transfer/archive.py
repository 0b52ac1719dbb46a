"""Write what is kept into a zip that is sent while it is made: a part of it is in memory at any moment.

`pages/` has a Markdown file for each page, `kept.jsonl` a line, `facts.json` what Penny remembers.
"""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from django.utils import timezone

from agents.memory.carry import facts_to_export
from agents.sandbox.vault_file import FACTS, FORMAT, PAGES, VERSION
from agents.vault.transfer.entries import listing_of, markdown_of, text_name
from devices.db import in_db
from thoughts.models import Kept

PAGES_AT_ONCE = 8
PIECE_BYTES = 64 * 1024


class _Pipe(io.RawIOBase):
    """What is written and not yet sent. It cannot seek, so that the zip needs nothing that was sent before."""

    def __init__(self) -> None:
        self._pieces, self.size_bytes = list[bytes](), 0

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._pieces.append(bytes(data))
        self.size_bytes += len(data)
        return len(data)

    def drain(self) -> bytes:
        data = b"".join(self._pieces)
        self._pieces, self.size_bytes = [], 0
        return data


async def stream_archive() -> AsyncIterator[bytes]:
    """Yield the pieces of the zip. What is forgotten meanwhile is not in its list of pages."""
    pipe = _Pipe()
    parts, written = await in_db(_key_parts)(), list[list[UUID]]()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        facts = {"format": FORMAT, "version": VERSION, "made_at": timezone.now().isoformat()}
        facts |= {"facts": await in_db(facts_to_export)()}
        archive.writestr(FACTS, json.dumps(facts, ensure_ascii=False, indent=1))
        for part in parts:
            rows = await in_db(_load_rows)(part, with_text=True)
            await asyncio.to_thread(_write_texts, archive, rows)
            written.append([row.pk for row in rows])
            if pipe.size_bytes >= PIECE_BYTES:
                yield pipe.drain()
        with archive.open(PAGES, "w", force_zip64=True) as lines:
            for part in written:
                for row in await in_db(_load_rows)(part, with_text=False):
                    lines.write(json.dumps(listing_of(row), ensure_ascii=False).encode() + b"\n")
                if pipe.size_bytes >= PIECE_BYTES:
                    yield pipe.drain()
    yield pipe.drain()


def _key_parts() -> list[list[UUID]]:
    keys = list(Kept.objects.kept().order_by("kept_at", "pk").values_list("pk", flat=True))
    return [keys[start : start + PAGES_AT_ONCE] for start in range(0, len(keys), PAGES_AT_ONCE)]


def _load_rows(keys: Sequence[UUID], *, with_text: bool) -> list[Kept]:
    rows = Kept.objects.kept().filter(pk__in=keys).select_related("page").order_by("kept_at", "pk")
    return list(rows if with_text else rows.defer("page__text"))


def _write_texts(archive: zipfile.ZipFile, rows: Sequence[Kept]) -> None:
    for row in rows:
        archive.writestr(text_name(row), markdown_of(row))
