"""Have the words of a file read by a process of its own, which is closed in as the sandbox is.

The process starts with the file and ends with it: a reading for an answer waits for none.
"""

import asyncio
from contextlib import suppress
from pathlib import PurePath

from pydantic import ValidationError

from agents.sandbox.children import start_child
from agents.zones.sandbox_messages import FileReply

WAIT_S = 90.0
REPLY_BYTES = 8 * 1024 * 1024
_ENDINGS = {".html": "html", ".htm": "html", ".xhtml": "html", ".json": "json", ".jsonl": "json"}
_HTML_STARTS = (b"<!doctype html", b"<html")
PDF_MARK, PDF_MARK_WITHIN = b"%PDF-", 1024  # some programs write other bytes before it


class FileUnread(Exception):
    """The words of a file cannot be had. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def is_pdf(data: bytes) -> bool:
    return PDF_MARK in data[:PDF_MARK_WITHIN]


def kind_of(name: str, data: bytes) -> str:
    """Return `pdf`, `html`, `json` or `text`. The sender's MIME type does not count."""
    if is_pdf(data):
        return "pdf"
    if data[:64].lstrip().lower().startswith(_HTML_STARTS):
        return "html"
    return _ENDINGS.get(PurePath(name).suffix.lower(), "text")


async def file_words(name: str, data: bytes) -> FileReply:
    """Return the words of a file. Raises FileUnread."""
    async with start_child("agents.sandbox.file_child", kind_of(name, data)) as process:
        try:
            async with asyncio.timeout(WAIT_S):
                answer = await _answer_of(process, data)
        except TimeoutError:
            raise FileUnread("file_slow") from None
    if len(answer) > REPLY_BYTES:
        raise FileUnread("file_large")
    try:
        reply = FileReply.model_validate_json(answer)
    except ValidationError:  # the kernel ended it: for its time, or for its memory
        raise FileUnread("file_slow") from None
    if reply.error_code:
        raise FileUnread(reply.error_code)
    return reply


async def _answer_of(process: asyncio.subprocess.Process, data: bytes) -> bytes:
    """Return what the process writes, at most one byte more than REPLY_BYTES: a file may have taken it over."""
    assert process.stdin is not None
    assert process.stdout is not None
    feeding = asyncio.create_task(_feed(process.stdin, data))
    try:
        return await process.stdout.readexactly(REPLY_BYTES + 1)
    except asyncio.IncompleteReadError as end:
        return end.partial
    finally:
        feeding.cancel()


async def _feed(pipe: asyncio.StreamWriter, data: bytes) -> None:
    with suppress(ConnectionError):
        pipe.write(data)
        await pipe.drain()
        pipe.close()
