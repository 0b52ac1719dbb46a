"""Parse JSON while it is read: one value, or one in each line.

Behind a damaged place it goes on with the next object.
"""

import re
from collections.abc import Iterator
from typing import Any

from thoughts.sources.entries import Entry, Problem
from thoughts.sources.json_values import VALUES_READ, JsonReader
from thoughts.sources.text_input import TextInput

PIECE = 1024  # what is lost at a damaged place is at most that
DAMAGES_MAX = 100
STRING_CHARACTERS = 64 * PIECE  # the parser copies what it has of a string with each piece
_IN_STRING = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_OPEN_STRING = re.compile(r'(?:[^"]++|"(?:[^"\\]++|\\.)*+")*+"', re.DOTALL)
_OPEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*+(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
DAMAGED = "the file is damaged there"


def parse_json(text: TextInput, kind: list[str]) -> Iterator[Entry | Problem]:
    """Yield the entries of a file, and the places that are none; put what wrote it into `kind`."""
    names = dict[int, str]()
    if '"children"' in text.head:  # folders of a browser: their names stand behind what is in them
        reader = JsonReader()
        for _ in _parse(text, reader):
            pass
        names = reader.names_found
        text.rewind()
    reader = JsonReader(names)
    for item in _parse(text, reader):
        kind[:] = [reader.kind] if reader.kind else []
        yield item


def _parse(text: TextInput, reader: JsonReader) -> Iterator[Entry | Problem]:
    from ijson import JSONError

    parser: Any = _start(reader)
    damages, count_before, strings = 0, -1, _Strings()
    for piece in text.pieces(PIECE):
        reader.line = text.line
        data = piece
        if parser is None:
            if (start := piece.find("{")) < 0:
                continue
            parser, data, strings = _start(reader), "[" + piece[start:], _Strings()
        if not (data := strings.cut(data)):  # nothing means the end to the parser
            continue
        try:
            parser.send(data.encode("utf-8", "ignore"))
        except (JSONError, ValueError):
            # At the end of a list that was entered in the middle a bracket is left over.
            if piece.strip(" \t\n]},") and reader.added != count_before:
                yield Problem(text.line, piece, DAMAGED)
            parser, damages, count_before = None, damages + 1, reader.added
            reader.forget_open()
        yield from reader.take()
        if reader.values > VALUES_READ or damages > DAMAGES_MAX:
            yield Problem(text.line, "", "the file holds too much, or is damaged too often: what follows was not read")
            return
    try:
        if parser is not None:
            parser.close()
    except (JSONError, ValueError):
        if not damages:
            yield Problem(text.line, "", "the file breaks off there")
    yield from reader.take()


class _Strings:
    """Cut the strings of a text in pieces to a length that a parser can hold."""

    def __init__(self) -> None:
        self._is_open, self._length, self._held = False, 0, ""

    def cut(self, piece: str) -> str:
        piece = self._held + piece
        self._held = ""
        if escape := _OPEN_ESCAPE.search(piece):
            piece, self._held = piece[: escape.start(1)], escape[1]
        if not self._is_open:
            self._is_open, self._length = bool(_OPEN_STRING.match(piece)), 0
            return piece
        end = _end_of_string(piece)
        start = end if self._length > STRING_CHARACTERS else 0
        self._length += end
        if end < len(piece):
            self._is_open, self._length = bool(_OPEN_STRING.match(piece, end + 1)), 0
        return piece[start:]


def _end_of_string(piece: str) -> int:
    inside = _IN_STRING.match(piece)
    return inside.end() if inside else 0


def _start(reader: JsonReader) -> Any:
    import ijson

    events = reader.events()
    next(events)
    return ijson.basic_parse_coro(events, multiple_values=True)
