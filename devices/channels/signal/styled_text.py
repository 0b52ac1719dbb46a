"""Write and read the marks of `text_mode: styled`, by the rule of signal-cli-rest-api (src/utils/textstyleparser.go).

- `**`, `*`, `~`, `` ` `` and `||` each open a style, and close it if that was open_ones last.
- A backslash before one of them makes it text, `**` and `||` as a whole, and is left out itself; also before one bar.
- So no mark can directly follow a backslash, nor a star another star.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile

Run = tuple[str, frozenset[str]]  # a text and its marks

END_CHARACTERS = 32  # more than a backslash and all marks that can stand together
ORDER = ("**", "~", "*", "`")  # from the outermost
APART = "\u2060"  # a word joiner: invisible, keeps two signs from being read as one mark
_MARK = re.compile(r"\*\*|\*|~|`|\|\|")


def write_runs(runs: Iterable[Run]) -> str:
    """Return texts with their marks, properly nested."""
    pieces, end, open_ones = list[str](), "", list[str]()  # `end`: of the text so far; all of it would be read again
    for words, marks in _whole_runs(runs):
        staying = list(takewhile(marks.__contains__, open_ones))
        opening = [mark for mark in ORDER if mark in marks and mark not in staying]
        marked = _add_marks(end, [*reversed(open_ones[len(staying) :]), *opening])
        pieces.append((marked + escape(words, marked))[len(end) :])
        end = (end + pieces[-1])[-END_CHARACTERS:]
        open_ones = [*staying, *opening]
    pieces.append(_add_marks(end, open_ones[::-1])[len(end) :])
    return "".join(pieces)


def escape(text: str, before: str = "") -> str:
    """Return a text in which no sign is a mark."""
    signs = []
    for last, sign, following in zip((before or " ")[-1] + text, text, text[1:] + " ", strict=False):
        is_bar = sign == "|" and (last == "\\" or following == "|")
        signs.append(f"\\{sign}" if sign in "*~`" or is_bar else sign)
    return "".join(signs)


def open_marks(text: str) -> list[str]:
    """Return the marks that are open at the end of a text, the innermost last."""
    open_ones = list[str]()
    for mark in _marks_of(text):
        if open_ones and open_ones[-1] == mark:
            open_ones.pop()
        else:
            open_ones.append(mark)
    return open_ones


def close_parts(parts: list[str]) -> list[str]:
    """Close a style in which a part ends, and open it again in the next part."""
    whole_parts, open_ones = list[str](), list[str]()
    for part in parts:
        rest = part
        while open_ones and rest.startswith(open_ones[-1]) and not (open_ones[-1] == "*" and rest.startswith("**")):
            rest = rest[len(open_ones.pop()) :].lstrip()  # it closes at once, so nothing of it is here
        whole = _add_marks("", open_ones) + rest
        open_ones = open_marks(whole)
        visible, closing = _without_last_opening(whole, open_ones)
        whole_parts.append(_add_marks(visible, closing[::-1]))
    return whole_parts


def _whole_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield the runs without empty ones, neighbours of one style together.

    Code that ends with a backslash stays without its style: the closing mark would be text, and a sign between would be
    copied with the command.
    """
    full = (run for run in runs if run[0])
    for marks, group in groupby(full, key=lambda run: run[1]):
        text = "".join(words for words, _ in group)
        yield text, marks - {"`"} if text.endswith("\\") else marks


def _add_marks(text: str, marks: list[str]) -> str:
    for mark in marks:
        is_apart = text.endswith("\\") or (mark[0] == "*" and text.endswith("*") and not _ends_with_bold(text))
        text += f"{APART}{mark}" if is_apart else mark
    return text


def _ends_with_bold(text: str) -> bool:
    """Whether the last stars are a mark `**`, behind which any mark can stand."""
    run = re.search(r"(\\?)(\*+)$", text)
    return run is not None and not run[1] and len(run[2]) % 2 == 0


def _without_last_opening(text: str, open_ones: list[str]) -> tuple[str, list[str]]:
    """Drop marks that open at the very end: there is nothing to style in this part. Return the marks to close too."""
    left = list(open_ones)
    while left and text.endswith(left[-1]) and open_marks(shorter := text[: -len(left[-1])]) == left[:-1]:
        text = shorter.rstrip()
        left.pop()
    return text, left


def _marks_of(text: str) -> Iterator[str]:
    at = 0
    while mark := _MARK.search(text, at):
        if not text.endswith("\\", 0, mark.start()):
            yield mark[0]
        at = mark.end()
