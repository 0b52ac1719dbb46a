"""Parse files of other programs into entries with addresses, while they are read.

All of them are untrusted. Imports no Django.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import BinaryIO

from thoughts.sources.entries import (
    FOLDER_CHARACTERS,
    NAME_CHARACTERS,
    SHOWN_CHARACTERS,
    TAGS_MAX,
    TITLE_CHARACTERS,
    Entry,
    Problem,
    Unreadable,
)
from thoughts.sources.json_files import parse_json
from thoughts.sources.markup import parse_markup
from thoughts.sources.tables import parse_table
from thoughts.sources.text_input import HEAD_BYTES, NOT_TEXT, TextInput
from thoughts.text.cleaning import clean_line

SIZE_MAX = 64 * 1024 * 1024
HOW = "Penny reads OPML, bookmarks as HTML or JSON, and the CSV, JSON or XML files of read-later services."
NOTHING = f"There is no address in this file. Choose the file that you exported. {HOW}"
_LIST_OF_FEEDS = re.compile(r"<(?:[a-z]{1,20}:)?(opml|outline)[\s>]", re.IGNORECASE)
_FEED = re.compile(r"<(rss|feed|rdf:rdf)[\s>]", re.IGNORECASE)
_HTML = re.compile(r"netscape-bookmark-file|<(?:html|dl|ul|ol|body|dt|li|a|posts|xbel)[\s>]", re.IGNORECASE)
_PROGRAMS = (
    ("pocket", re.compile(r"<title>\s{0,9}pocket export", re.IGNORECASE)),
    ("instapaper", re.compile(r"<title>\s{0,9}instapaper", re.IGNORECASE)),
    ("pinboard", re.compile(r"<posts\s", re.IGNORECASE)),
)
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")
_OTHERS = {
    b"SQLite format 3": "This is a database of a browser. Export the bookmarks from the browser, as HTML.",
    b"bplist": "This is a settings file of macOS. In Safari, choose File, Export, Bookmarks.",
    b"%PDF": NOT_TEXT,
    b"\x89PNG": NOT_TEXT,
}


@dataclass(frozen=True)
class Listing:
    """A parsed file: its kind, its entries in order, and the places that are none."""

    kind: str
    entries: list[Entry]
    problems: list[Problem] = field(default_factory=list)


class FileReader:
    """The entries of a file. `kind` is known as soon as the first entry is. Raises Unreadable."""

    def __init__(self, file: BinaryIO) -> None:
        check_beginning(file.read(16))
        file.seek(0)
        self._text, self._kind = TextInput(file), ["table"]

    @property
    def kind(self) -> str:
        return self._kind[0] if self._kind else "table"

    @property
    def position(self) -> int:
        """The bytes that were read so far."""
        return self._text.position

    def __iter__(self) -> Iterator[Entry | Problem]:
        has_entries = False
        try:
            for item in self._parse(self._text.head.lstrip()):
                if isinstance(item, Problem):
                    yield Problem(item.line, _line(item.text[: 2 * SHOWN_CHARACTERS])[:SHOWN_CHARACTERS], item.reason)
                else:
                    has_entries = True
                    yield clean(item)
        finally:
            self._text.detach()
        if not has_entries:
            raise Unreadable(NOTHING)

    def _parse(self, head: str) -> Iterator[Entry | Problem]:
        if head.startswith("<"):
            return parse_markup(self._text, is_opml=self._look_at_markup(head))
        if re.match(r"\{|\[\s*[\[{\"\]]|\[\s*\Z", head):
            return parse_json(self._text, self._kind)
        return parse_table(self._text, self._kind)

    def _look_at_markup(self, head: str) -> bool:
        """Note the program that wrote it, and return whether it is OPML. Raises Unreadable."""
        if _LIST_OF_FEEDS.search(head):
            self._kind[:] = ["opml"]
            return True
        if _FEED.search(head):
            raise Unreadable(
                "This is one feed, not a list of them. In your feed reader, export the subscriptions as OPML."
            )
        if not _HTML.search(head):
            raise Unreadable(f"This is XML that Penny does not know. {HOW}")
        self._kind[:] = [next((name for name, mark in _PROGRAMS if mark.search(head)), "bookmarks")]
        return False


def check_beginning(data: bytes) -> None:
    """Raise Unreadable for a file that is none of text."""
    if data.startswith(_ARCHIVES):
        raise Unreadable(
            "This is an archive. Unpack it, and choose a file from it that ends with .csv, .json, .html or .opml."
        )
    for mark, advice in _OTHERS.items():
        if data.startswith(mark):
            raise Unreadable(advice)


def check_head(data: bytes) -> None:
    """Raise Unreadable if the beginning of a file tells that it is none of those that Penny reads."""
    try:
        any(isinstance(item, Entry) for item in FileReader(io.BytesIO(data)))
    except Unreadable as error:
        if len(data) < HEAD_BYTES or str(error) != NOTHING:  # the entries may begin later
            raise


def read_file(data: bytes) -> Listing:
    """Parse a small file at once. Raises Unreadable."""
    if len(data) > SIZE_MAX:
        raise Unreadable(too_large())
    reader = FileReader(io.BytesIO(data))
    items = list(reader)
    return Listing(
        reader.kind,
        [item for item in items if isinstance(item, Entry)],
        [item for item in items if isinstance(item, Problem)],
    )


def too_large() -> str:
    return f"This file is larger than {SIZE_MAX // 1024 // 1024} MB. Export it in parts, such as one folder at a time."


def clean(entry: Entry) -> Entry:
    """Return an entry fit to store.

    Names are on one line, have visible characters only, and are limited in length and number.
    """
    folders, room = list[str](), FOLDER_CHARACTERS
    for folder in entry.folders:
        name = _line(folder[: 2 * NAME_CHARACTERS]).replace(" / ", "/")[:NAME_CHARACTERS]
        room -= len(name) + 3 * bool(folders)
        if room < 0:
            break
        folders += [name] if name else []
    names = (_line(tag[: 2 * NAME_CHARACTERS].replace(",", " "))[:NAME_CHARACTERS] for tag in entry.tags)
    return Entry(
        entry.url.strip(),
        _line(entry.title[: 2 * TITLE_CHARACTERS])[:TITLE_CHARACTERS],
        entry.feed_url.strip(),
        tuple(folders),
        tuple(dict.fromkeys(name for name in names if name))[:TAGS_MAX],
        entry.line,
    )


@lru_cache(maxsize=2048)
def _line(text: str) -> str:
    return clean_line(text.encode(errors="ignore").decode())
