"""Parse files of other programs into entries with addresses.

All of them are untrusted. Imports no Django.
"""

import re
from dataclasses import dataclass

from thoughts.sources import bookmarks, opml, tables
from thoughts.sources.entries import FOLDER_CHARACTERS, NAME_CHARACTERS, TAGS_MAX, TITLE_CHARACTERS, Entry, Unreadable
from thoughts.text.cleaning import clean_line

SIZE_MAX = 10 * 1024 * 1024
_LIST_OF_FEEDS = re.compile(rb"<opml[\s>]", re.IGNORECASE)
_FEED = re.compile(rb"<(rss|feed|rdf:rdf)[\s>]", re.IGNORECASE)
_HTML = re.compile(rb"netscape-bookmark-file|<html[\s>]|<dl[\s>]|<ul[\s>]", re.IGNORECASE)
HOW = "Penny reads OPML, bookmarks as HTML, and the CSV or JSON files of read-later services."


@dataclass(frozen=True)
class Listing:
    """A parsed file: its kind, and its entries in order."""

    kind: str
    entries: list[Entry]


def read_file(data: bytes) -> Listing:
    """Parse a file by its content, not its name. Raises Unreadable."""
    if not data.strip():
        raise Unreadable("This file is empty. Export it again.")
    if len(data) > SIZE_MAX:
        raise Unreadable(
            f"This file is larger than {SIZE_MAX // 1024 // 1024} MB. Export it in parts, such as one folder at a time."
        )
    kind, entries = _parse(data)
    entries = [clean(entry) for entry in entries if entry.url or entry.feed_url]
    if not entries:
        raise Unreadable(f"There is no address in this file. Choose the file that you exported. {HOW}")
    return Listing(kind, entries)


def _parse(data: bytes) -> tuple[str, list[Entry]]:
    head = data.removeprefix(b"\xef\xbb\xbf")[:65_536]
    if data.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        raise Unreadable(
            "This is an archive. Unpack it, and choose a file from it that ends with .csv, .json, .html or .opml."
        )
    if _LIST_OF_FEEDS.search(head):
        return "opml", opml.parse_opml(data)
    if _FEED.search(head):
        raise Unreadable("This is one feed, not a list of them. In your feed reader, export the subscriptions as OPML.")
    if head.lstrip().startswith(b"<"):
        if not _HTML.search(head):
            raise Unreadable(f"This is XML that Penny does not know. {HOW}")
        return bookmarks.parse_bookmarks(data)
    return tables.parse_table(decode_text(data))


def decode_text(data: bytes) -> str:
    """Decode the text of a file. Raises Unreadable."""
    try:
        return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"This is no text in UTF-8. Export it again, as text. {HOW}") from None


def clean(entry: Entry) -> Entry:
    """Return an entry fit to store.

    Names are on one line, have visible characters only, and are limited in length and number.
    """
    folders = [name for folder in entry.folders if (name := _line(folder).replace(" / ", "/")[:NAME_CHARACTERS])]
    while len(" / ".join(folders)) > FOLDER_CHARACTERS:
        folders.pop()
    tags = list(dict.fromkeys(name for tag in entry.tags if (name := _line(tag.replace(",", " "))[:NAME_CHARACTERS])))
    return Entry(
        entry.url.strip(),
        _line(entry.title)[:TITLE_CHARACTERS],
        entry.feed_url.strip(),
        tuple(folders),
        tuple(tags[:TAGS_MAX]),
    )


def _line(text: str) -> str:
    return clean_line(text.encode(errors="ignore").decode())
