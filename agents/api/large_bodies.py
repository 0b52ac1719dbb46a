"""Bound a large body of a call before it is parsed: its pictures stay on disk, texts and structure are limited.

A parser makes up to fifty bytes of each byte of structure, and holds up everybody else while it runs.
"""

import json
import mmap
import re
from collections.abc import Iterator
from typing import BinaryIO, Protocol

SMALL_BYTES = 512 * 1024  # a body of this size is parsed as it is
STRUCTURE_BYTES, TEXT_BYTES, PICTURE_BYTES = SMALL_BYTES, 8 * 1024 * 1024, 64 * 1024
PIECE_BYTES = 1024 * 1024
# An end is not required: looking for it from each quote of a text without one would take for ever.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_PICTURE = re.compile(rb'"data:image\\?/[a-z.+-]{1,40};base64,')
_PLACE = re.compile(r"\A[0-9]{5}\Z")  # no base64 has five characters


class TooLarge(Exception):
    """A body with more than a call may hold beside pictures. The message says what to send instead."""


class LargeBody:
    """A body on disk. `rest` is its JSON, where a number stands for the words of each large picture."""

    def __init__(self, body: BinaryIO) -> None:
        """Raises TooLarge."""
        self._file, self._pictures, self.rest = body, list[tuple[int, int]](), bytearray()
        with mmap.mmap(body.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for part in self._parts(data):
                self.rest += part

    def size_of(self, words: str) -> int:
        place = self._place_of(words)
        return place[1] - place[0] if place else len(words)

    def read_picture(self, words: str) -> bytes:
        """Return the base64 of a picture that stands as `words` in the parsed rest. Raises ValueError."""
        if (place := self._place_of(words)) is None:
            return words.encode()
        self._file.seek(place[0])
        read = self._file.read(place[1] - place[0])
        return json.loads(b'"%b"' % read).encode() if b"\\" in read else read  # some programs escape / + and =

    def _place_of(self, words: str) -> tuple[int, int] | None:
        number = int(words) if _PLACE.match(words) else len(self._pictures)
        return self._pictures[number] if number < len(self._pictures) else None

    def _parts(self, data: mmap.mmap) -> Iterator[bytes]:
        at, structure, text = 0, 0, 0
        for match in _STRING.finditer(data):
            start, end = match.span()
            structure += start - at + 2
            _check_bounds(structure, text)
            yield data[at:start]
            at, picture = end, _PICTURE.match(data, start) if end - start > PICTURE_BYTES else None
            if picture:
                yield data[start : picture.end()] + b'%05d"' % len(self._pictures)
                self._pictures.append((picture.end(), end - 1))
                continue
            text += end - start
            _check_bounds(structure, text)
            yield data[start:end]
        _check_bounds(structure + len(data) - at, text)
        yield data[at:]


def _check_bounds(structure: int, text: int) -> None:
    if structure > STRUCTURE_BYTES:
        raise TooLarge(f"There are more than {STRUCTURE_BYTES // 1024} kB beside texts and pictures. Send less.")
    if text > TEXT_BYTES:
        raise TooLarge(f"There are more than {TEXT_BYTES // 1024**2} MB of text. Send fewer messages, or shorter ones.")


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def copy_body(source: Source, file: BinaryIO, most_bytes: int) -> int:
    """Copy a body, and stop above `most_bytes`. Return how many bytes were copied."""
    size = 0
    while size <= most_bytes and (piece := source.read(PIECE_BYTES)):
        size += file.write(piece)
    file.flush()
    return size
