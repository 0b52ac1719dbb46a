"""Exports of what is kept: taken from Penny, written by hand, and read as a worker reads them."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from asgiref.sync import async_to_sync
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import Run, VaultImport
from agents.vault.transfer import imports

TEXT = "The boiler holds two litres, and its valve opens at eleven bar."
PAGE = "pages/2026-11-28-water-0123456789ab.md"
TIME = "2026-11-28T10:00:00+00:00"


def export_of(client: Client) -> bytes:
    @async_to_sync
    async def whole(pieces: Any) -> bytes:
        return b"".join([piece async for piece in pieces])

    answer: Any = client.get("/kept/export/")
    assert answer.status_code == 200
    return whole(answer.streaming_content)


def contents(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def send_file(client: Client, data: bytes) -> Any:
    return client.post("/kept/move/", {"file": SimpleUploadedFile("kept.zip", data)}, follow=True)


def read_waiting() -> None:
    """Do what a worker does with imports that wait."""
    for run in list(Run.objects.filter(kind=Run.Kind.VAULT, state=Run.State.QUEUED)):
        Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING, attempt=run.attempt + 1)
        run.refresh_from_db()
        async_to_sync(imports.read_import)(run)


def import_file(client: Client, data: bytes) -> VaultImport:
    """Bring a file, and have it read."""
    send_file(client, data)
    read_waiting()
    return VaultImport.objects.latest("pk")


def row_for(text: str = TEXT, **values: Any) -> dict[str, Any]:
    """Return the line of a page as Penny writes it."""
    row = {
        "file": PAGE,
        "url": "https://coffee.example/water",
        "title": "Water",
        "source": "asked",
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "contacts": {},
        "masked": 0,
        "kept_at": TIME,
        "last_seen_at": TIME,
        "keep_until": None,
        "extracted_with": "defuddle",
        "truncated": False,
    }
    return row | values


def markdown(text: str = TEXT) -> str:
    return f'---\nurl: "https://coffee.example/water"\n---\n\n{text}'


def fact_row(**values: Any) -> dict[str, Any]:
    return {"state": "confirmed", "source": "owner", "in_wording": "ask", "created_at": TIME} | values


def archive_of(
    rows: list[Any] | None = None,
    facts: list[Any] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    **head: Any,
) -> bytes:
    """Return a zip: the list of pages, the facts, and other files, which may replace these."""
    lines = "".join(json.dumps(row) + "\n" for row in ([row_for()] if rows is None else rows))
    facts_file = json.dumps({"format": "penny-memory", "version": 1, "facts": facts or []} | head)
    members: dict[str, str | bytes] = {PAGE: markdown(), "kept.jsonl": lines, "facts.json": facts_file}
    members.update(files or {})
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()
