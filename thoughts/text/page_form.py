"""The words of a page without the marks of its form, and their places in it. Imports no Django.

The marks: `#` before headings, `-` and `>` before items and quotations, `|` between cells, fences around code and
`` ` `` around code within a line, `[text](l7)` for links, `[^1]` for notes, `![text]` for pictures, `[12:34]` before a
line of a transcript. A text without marks is returned as it is.
"""

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from thoughts.text.moments import MARK

_LINE_MARKS = re.compile(rf"{MARK}|(?: |>|- (?=\S)|#{{1,6}} (?=\S))*+")
_FENCE = re.compile(r"(?: |>|- |\d{1,9}\. )*+(`{3,}+)[a-z0-9+#]*+$")
_TABLE_RULE = re.compile(r"\|(?:---\|)+$")
_CODE = re.compile(r"`[^`]++`")
_MARKS = re.compile(r"\[\^[^\]\s]{1,12}\]|!\[[^\]\n]{0,80}\]|\[|\](?:\(l\d{1,3}\))?")
_NUMBERED = re.compile(r"!?\[([^\[\]\n]{0,300})\]\(l\d{1,3}\)|\[\^\w{1,12}\]")
_CELL_MARKS = re.compile(r"\\(?=\|)|(?<!\\)\| ?")


class PlainText(NamedTuple):
    """`places[n]` is the place in the form of `text[n]`."""

    text: str
    places: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the form for `text[start:end]`, which is not empty."""
        return self.places[start], self.places[end - 1] + 1

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the words for `form[start:end]`. It may be empty."""
        return bisect_left(self.places, start), bisect_left(self.places, end)

    def cut(self, start: int, end: int) -> tuple[str, str, str]:
        """Return the words before `form[start:end]`, those of it, and those behind it."""
        begin, stop = self.within(start, end)
        return self.text[:begin], self.text[begin:stop], self.text[stop:]


@lru_cache(maxsize=4)
def plain_view(form: str) -> PlainText:
    keeps = bytearray(b"\x01") * len(form)
    fence, at = "", 0
    for line in form.split("\n"):
        edge = _FENCE.match(line)
        if edge and (not fence or edge[1] == fence):
            _drop(keeps, at, at + len(line))
            fence = "" if fence else edge[1]
        elif not fence:
            _drop_marks(keeps, line, at)
        at += len(line) + 1
    return PlainText("".join(compress(form, keeps)), list(compress(range(len(form)), keeps)))


def without_numbers(text: str) -> str:
    """Return what a model copied of a page without the numbers of links and notes, which mean nothing elsewhere."""
    return _NUMBERED.sub(lambda link: link[1] or "", text)


def _drop(keeps: bytearray, start: int, end: int) -> None:
    keeps[start:end] = bytes(end - start)


def _drop_marks(keeps: bytearray, line: str, at: int) -> None:
    marks = _LINE_MARKS.match(line)
    begin = marks.end() if marks else 0
    _drop(keeps, at, at + begin)
    rest = line[begin:]
    if rest.startswith("|") and rest.endswith("|"):
        patterns = [_TABLE_RULE] if _TABLE_RULE.match(rest) else [_CELL_MARKS]
        for match in patterns[0].finditer(rest):
            _drop(keeps, at + begin + match.start(), at + begin + match.end())
    for match in _CODE.finditer(line, begin):
        _drop(keeps, at + match.start(), at + match.start() + 1)
        _drop(keeps, at + match.end() - 1, at + match.end())
    opens = list[int]()
    for match in _MARKS.finditer(line, begin):
        if match[0] == "[":
            opens.append(at + match.start())
        elif match[0][0] != "]":
            _drop(keeps, at + match.start(), at + match.end())
        elif opens:
            opening = opens.pop()
            if len(match[0]) > 1:
                _drop(keeps, opening, opening + 1)
                _drop(keeps, at + match.start(), at + match.end())
