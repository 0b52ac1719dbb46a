"""Read the rows of a table while it is read. A quote that never closes costs its own row alone."""

import csv
from collections import deque
from collections.abc import Iterator, Sequence

from thoughts.sources.entries import FIELD_CHARACTERS, Problem
from thoughts.sources.text_input import TextInput

PIECE = 65_536
ROWS_READ, COLUMNS_MAX = 300_000, 200
# What spans more than that is no row, but a quote that opens and never closes.
ROW_LINES, ROW_CHARACTERS, MENDED_MAX = 20_000, 4 * 1024 * 1024, 20
UNCLOSED = "a quote that opens there never closes"
TOO_LONG = f"a row there is longer than {ROW_CHARACTERS // 1024 // 1024} million characters"


class _Endless(Exception):
    """A row has more lines or characters than rows have."""


class CsvRows:
    """The rows of a text with their lines, as far as they can be read, and the places where they cannot.

    `width` is the number of columns, 0 if it is not known.
    """

    def __init__(self, text: TextInput, delimiter: str, width: int) -> None:
        self._text, self._delimiter, self._width = text, delimiter, width
        self._pieces = text.pieces(PIECE)
        self._again = deque[tuple[int, str]]()  # lines that belonged to no field after all
        self._row = list[tuple[int, str]]()  # the lines of the current row
        self._mended, self._is_over = 0, False

    def __iter__(self) -> Iterator[tuple[int, Sequence[str]] | Problem]:
        csv.field_size_limit(2 * ROW_CHARACTERS)
        reader = self._reader()
        for _ in range(ROWS_READ):
            self._row = []
            try:
                row = next(reader)
            except StopIteration:
                return
            except (_Endless, csv.Error):
                yield self._leave_row()
                reader = self._reader()
                continue
            if len(self._row) > 1 and self._is_wrong(row):
                yield self._mend()
                reader = self._reader()
                continue
            yield self._line, [cell[:FIELD_CHARACTERS] for cell in row[:COLUMNS_MAX]]
        yield Problem(self._text.line, "", f"more than {ROWS_READ} rows: what follows was not read")

    @property
    def _line(self) -> int:
        return self._row[0][0] if self._row else self._text.line

    def _reader(self) -> Iterator[list[str]]:
        lines = self._lines()
        if self._mended > MENDED_MAX:
            return csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True, quoting=csv.QUOTE_NONE)
        return csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True)

    def _lines(self) -> Iterator[str]:
        length = 0
        while (item := self._next()) is not None:
            self._row.append(item)
            length = length + len(item[1]) if len(self._row) > 1 else len(item[1])
            if length > ROW_CHARACTERS or len(self._row) > ROW_LINES:
                raise _Endless
            yield item[1]

    def _next(self) -> tuple[int, str] | None:
        if self._again:
            return self._again.popleft()
        if (piece := next(self._pieces, None)) is None:
            self._is_over = True
            return None
        return self._text.line, piece  # counted on when the next piece is asked for

    def _is_wrong(self, row: Sequence[str]) -> bool:
        """Whether a row of several lines took other rows into a field."""
        is_odd = self._is_over and not self._again and sum(piece.count('"') for _, piece in self._row) % 2 == 1
        is_other = bool(self._width) and len(row) != self._width and self._row[0][1].endswith("\n")
        return is_odd or is_other

    def _leave_row(self) -> tuple[int, Sequence[str]] | Problem:
        """Leave a row that is too long; one of many lines is mended."""
        if sum(piece.endswith("\n") for _, piece in self._row) > 1:
            return self._mend()
        line, text = self._row[0] if self._row else (self._text.line, "")
        while (item := self._next()) is not None and not item[1].endswith("\n"):
            pass
        return Problem(line, text, TOO_LONG)

    def _mend(self) -> tuple[int, Sequence[str]] | Problem:
        """Read the first line of a row for itself, without quotes, and those behind it again."""
        (line, text), *others = self._row
        self._mended += 1
        self._again.extendleft(reversed(others))
        row = [cell.strip(' "\n') for cell in text.split(self._delimiter)]
        return (line, row) if len(row) == self._width else Problem(line, text, UNCLOSED)
