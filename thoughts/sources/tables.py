"""Parse lists of saved pages as CSV or JSON.

Supports Pocket, Instapaper, Raindrop, Wallabag, Omnivore, and any other file with such column names.
"""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from thoughts.sources.entries import Entry, Unreadable

URL, TITLE, FOLDER, TAGS = ("url", "link", "href"), ("title", "name"), ("folder",), ("tags", "labels")
# Columns that only one kind of file has.
KINDS = {
    "raindrop": {"excerpt", "folder"},
    "instapaper": {"selection", "timestamp"},
    "pocket": {"time_added"},
    "omnivore": {"savedat", "labels"},
    "wallabag": {"is_archived"},
}
# Folders that these services create themselves.
ROOTS = {"unread", "archive", "starred", "unsorted"}
NO_COLUMN = "This file names no addresses. Its first line has to name a column “url”, and one “title” if there is one."


def parse_table(text: str) -> tuple[str, list[Entry]]:
    """Return the kind of the file and its entries. Raises Unreadable."""
    rows = _objects(text) if text.lstrip().startswith(("{", "[")) else _lines(text)
    kind = next((name for name, columns in KINDS.items() if rows and columns <= rows[0].keys()), "table")
    return kind, [_entry(row) for row in rows]


def _lines(text: str) -> list[Mapping[str, Any]]:
    first = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        lines = csv.reader(io.StringIO(text.lstrip()), delimiter=delimiter)
        columns = [name.strip().lower() for name in next(lines)]
        if not set(columns) & set(URL):
            raise Unreadable(NO_COLUMN)
        return [dict(zip(columns, line, strict=False)) for line in lines]
    except csv.Error as error:
        raise Unreadable(f"This CSV file is damaged ({error}). Export it again.") from None


def _objects(text: str) -> list[Mapping[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("This JSON file is damaged. Export it again.") from None
    if isinstance(value, dict) and {"children", "roots"} & value.keys():
        raise Unreadable(
            "This is a browser's own backup of its bookmarks. Export them as HTML instead: the bookmarks manager "
            "does that."
        )
    rows = (
        value if isinstance(value, list) else next((entry for entry in value.values() if isinstance(entry, list)), [])
    )
    objects = [{str(name).lower(): entry for name, entry in row.items()} for row in rows if isinstance(row, dict)]
    if not any(row.keys() & set(URL) for row in objects):
        raise Unreadable(
            "This JSON file is no list of pages: each needs a “url”. Export it again, or choose another form."
        )
    return list(objects)


def _entry(row: Mapping[str, Any]) -> Entry:
    folders = tuple(part for part in _column(row, FOLDER).split("/") if part.strip().lower() not in ROOTS)
    return Entry(_column(row, URL), _column(row, TITLE), "", folders, tuple(_tags(row)))


def _column(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = next((row[name] for name in names if row.get(name)), "")
    return value if isinstance(value, str) else ""


def _tags(row: Mapping[str, Any]) -> list[str]:
    """Return the tags of a row: a list, a list as JSON, or words separated by commas or bars."""
    value = next((row[name] for name in TAGS if row.get(name)), "")
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    if isinstance(value, str):
        return value.replace("|", ",").split(",")
    return [name for tag in value if isinstance(name := _tag(tag), str)] if isinstance(value, list) else []


def _tag(value: Any) -> Any:
    return (value.get("label") or value.get("name")) if isinstance(value, dict) else value
