"""Parse lists of pages as CSV, and plain lists of addresses, while they are read."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from thoughts.sources import columns
from thoughts.sources.csv_rows import COLUMNS_MAX, ROWS_READ, CsvRows
from thoughts.sources.entries import FIELD_CHARACTERS, NAME_CHARACTERS, Entry, Problem, Unreadable
from thoughts.sources.own_folders import is_own_folder
from thoughts.sources.text_input import TextInput

HEADER_ROWS, SHAPE_ROWS = 12, 50
DELIMITERS = ",;\t|"
NO_ADDRESS = "no address stands there"
NO_COLUMN = "This file names no addresses. Its first line has to name a column “url”, and one “title” if there is one."
_URL = re.compile(r"(?:https?|feed)://[^\s<>\"|]+", re.IGNORECASE)
_MARKDOWN = re.compile(r"\]\(((?:https?|feed)://[^\s)]+)\)", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6} +(.{1,200})")
_NUMBER = re.compile(r"[\d\s.,:/TZ+-]*")


def parse_table(text: TextInput, kind: list[str]) -> Iterator[Entry | Problem]:
    """Yield the entries of a file, and the lines that are none; put what wrote it into `kind`. Raises Unreadable."""
    delimiter, names = _header(text.head)
    if names is not None:
        kind[:] = [columns.kind_of(names)]
        yield from _rows_of_table(text, delimiter, names)
    elif _URL.search(text.head) or _MARKDOWN.search(text.head):
        yield from _lines(text, _shape(text.head))
    else:
        raise Unreadable(NO_COLUMN)


def _header(head: str) -> tuple[str, list[str] | None]:
    """Return the delimiter and the names of the columns, or None if no line of the beginning names an address."""
    lines = [line for line in head.split("\n") if line.strip()][:HEADER_ROWS]
    for line in lines:
        if len(line) > FIELD_CHARACTERS:
            break
        for delimiter in DELIMITERS:
            names = _names(line, delimiter)
            if any(name in names for name in (*columns.URL, *columns.FEED, *columns.VIDEO, *columns.ACCOUNT)):
                return delimiter, names
    return "", None


def _names(line: str, delimiter: str) -> list[str]:
    row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    return _small(row[:COLUMNS_MAX])


def _small(row: Sequence[str]) -> list[str]:
    return [name.strip(' "\n').lower()[:NAME_CHARACTERS] for name in row]


def _rows_of_table(text: TextInput, delimiter: str, names: Sequence[str]) -> Iterator[Entry | Problem]:
    kind, is_behind_header = columns.kind_of(names), False
    for item in CsvRows(text, delimiter, len(names)):
        if isinstance(item, Problem):
            yield item
            continue
        line, row = item
        if not is_behind_header:
            is_behind_header = _small(row) == list(names)
        elif any(cell.strip() for cell in row):
            yield _entry_of(dict(zip(names, row, strict=False)), row, names, kind, line)


def _entry_of(row: dict[str, str], cells: Sequence[str], names: Sequence[str], kind: str, line: int) -> Entry | Problem:
    url, feed_url = columns.first_text(row, columns.URL), columns.first_text(row, columns.FEED)
    if video := columns.first_text(row, columns.VIDEO):
        url = url or f"https://www.youtube.com/watch?v={video.strip()}"
    name, _, host = columns.first_text(row, columns.ACCOUNT).strip().lstrip("@").partition("@")
    if name and host:
        url, feed_url = f"https://{host}/@{name}", f"https://{host}/@{name}.rss"
    if not columns.is_address(url) and len(others := [cell for cell in cells if columns.is_address(cell)]) == 1:
        url = others[0].strip()
    if not url.strip() and not feed_url.strip():
        return Problem(line, " ".join(cell for cell in cells if cell.strip()), NO_ADDRESS)
    title = columns.title_of(row, names) or (f"@{name}@{host}" if host else "")
    folders = tuple(part for part in columns.first_text(row, columns.FOLDER).split("/") if not is_own_folder(part))
    tags = tuple(columns.split_tags(columns.first_text(row, columns.TAGS), kind))
    return Entry(url.strip(), title, feed_url.strip(), folders, tags, line)


# Tables without names of columns, and lists
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shape:
    """Where addresses and titles stand in a table without names of columns; -1: nowhere."""

    delimiter: str
    width: int
    url: int
    title: int

    def entry(self, line: int, row: Sequence[str]) -> Entry | Problem:
        if len(row) <= self.url or not row[self.url].strip():
            return Problem(line, " ".join(row), NO_ADDRESS)
        return Entry(row[self.url].strip(), row[self.title] if 0 <= self.title < len(row) else "", line=line)


def _shape(head: str) -> _Shape | None:
    """Return the shape of a table whose rows are alike, or None."""
    lines = [line for line in head.split("\n") if line.strip() and len(line) < FIELD_CHARACTERS][:SHAPE_ROWS]
    for delimiter in DELIMITERS:
        rows = [row for line in lines if (row := next(csv.reader([line], delimiter=delimiter), []))]
        widths = {len(row) for row in rows}
        if len(widths) != 1 or (width := widths.pop()) < 2:
            continue
        with_url = [column for column in range(width) if _column_share(rows, column, _is_bare_address) > 0.6]
        if with_url:
            words = [column for column in range(width) if column not in with_url]
            title = max(words, key=lambda column: _words_in(rows, column), default=-1)
            return _Shape(delimiter, width, with_url[0], title)
    return None


def _column_share(rows: Sequence[Sequence[str]], column: int, test: Callable[[str], bool]) -> float:
    return sum(test(row[column]) for row in rows) / len(rows)


def _is_bare_address(cell: str) -> bool:
    return bool(_URL.fullmatch(cell.strip()))


def _words_in(rows: Iterable[Sequence[str]], column: int) -> int:
    cells = [row[column].strip() for row in rows]
    return sum(len(cell) for cell in cells if cell and not _NUMBER.fullmatch(cell) and not columns.is_address(cell))


def _lines(text: TextInput, shape: "_Shape | None") -> Iterator[Entry | Problem]:
    if shape is not None:
        for item in CsvRows(text, shape.delimiter, shape.width):
            if isinstance(item, Problem):
                yield item
            elif any(cell.strip() for cell in item[1]):
                yield shape.entry(*item)
        return
    folder = ""
    for count, piece in enumerate(text.pieces(FIELD_CHARACTERS)):
        if count > ROWS_READ:
            yield Problem(text.line, "", f"more than {ROWS_READ} lines: what follows was not read")
            return
        if heading := _HEADING.match(piece):
            folder = heading[1].strip()
        elif piece.strip():
            yield _link_in(piece, folder, text.line)


def _link_in(piece: str, folder: str, line: int) -> Entry | Problem:
    """Return the entry of a line: an address with words around it, or a link in Markdown."""
    folders = (folder,) if folder and not is_own_folder(folder) else ()
    if link := _MARKDOWN.search(piece):
        return Entry(link[1], piece[: link.start()].partition("[")[2], folders=folders, line=line)
    if not (match := _URL.search(piece)):
        return Problem(line, piece, NO_ADDRESS)
    rest = f"{piece[: match.start()]} {piece[match.end() :]}"
    return Entry(match[0].rstrip(".,;)"), rest.strip(" \t\n|-–—*•>:,;<\"'()"), folders=folders, line=line)
