"""Find words of a list in a text, whatever their case, accents and script. Costs grow as the text does."""

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

import regex

_TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_MARKS = regex.compile(r"[\u0300-\u036f]")
_WORD_CHARACTER = regex.compile(r"[\p{L}\p{N}\p{M}]")
# Scripts without spaces between words: a word of these may stand anywhere.
_UNSPACED = regex.compile(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]")


@lru_cache
def data(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((files("thoughts.text.private") / f"{name}.json").read_text("utf-8"))
    return content


def entries(lines: Iterable[str]) -> list[str]:
    return [entry for line in lines for part in line.split(",") if (entry := part.strip())]


class _Folds(dict[int, str]):
    """Lower case without accents, one character for one; a space for what belongs to no word."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = _MARKS.sub("", unicodedata.normalize("NFKD", character))
        lower = (plain if len(plain) == 1 else character).lower()
        lower = data("secrets")["folds"].get(lower, lower)
        fold = lower if len(lower) == 1 and _WORD_CHARACTER.match(lower) else " "
        self[code] = fold
        return fold


_folds = _Folds()


def fold(text: str) -> str:
    """Return a text of the same length without case, accents and punctuation."""
    return text.translate(_folds)


class Words:
    """A list of words and phrases."""

    def __init__(self, list_of_words: Iterable[str]) -> None:
        self._starts, self._ends, self._inside = set[str](), set[str](), list[str]()
        for entry in list_of_words:
            word = " ".join(fold(entry.strip("*")).split())
            if _UNSPACED.search(word) or (entry[0] == entry[-1] == "*"):
                self._inside.append(word)
            elif entry.startswith("*"):
                self._ends.add(word)
            else:
                self._starts.add(word if entry.endswith("*") else f"{word} ")
        self._start_lengths = sorted({len(word) for word in self._starts})
        self._end_lengths = sorted({len(word) for word in self._ends})

    def positions(self, folded: str) -> list[tuple[int, int]]:
        """Return where words of the list stand in a text from `fold`, in order."""
        padded = f"{folded} "
        spans = [span for token in _TOKEN.finditer(padded) for span in self._at(padded, *token.span())]
        for word in self._inside:
            at = padded.find(word)
            while at >= 0:
                spans.append((at, at + len(word)))
                at = padded.find(word, at + len(word))
        return sorted(spans)

    def has_any(self, folded: str) -> bool:
        padded = f"{folded} "
        if any(word in padded for word in self._inside):
            return True
        return any(True for token in _TOKEN.finditer(padded) for _ in self._at(padded, *token.span()))

    def _at(self, padded: str, start: int, end: int) -> Iterable[tuple[int, int]]:
        for length in self._start_lengths:
            if padded[start : start + length] in self._starts:
                yield start, start + len(padded[start : start + length].rstrip())
        for length in self._end_lengths:
            if end - start >= length and padded[end - length : end] in self._ends:
                yield end - length, end


class Nearness:
    """Where words stand, to ask whether one is near a place."""

    def __init__(self, positions: Iterable[tuple[int, int]]) -> None:
        spans = list(positions)
        self._starts, self._ends = sorted(start for start, _ in spans), sorted(end for _, end in spans)

    def end_before(self, place: int) -> int | None:
        at = bisect_left(self._ends, place + 1)
        return self._ends[at - 1] if at else None

    def start_after(self, place: int) -> int | None:
        at = bisect_left(self._starts, place)
        return self._starts[at] if at < len(self._starts) else None


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with spaces instead of these parts. They are in order."""
    pieces, place = list[str](), 0
    for start, end in spans:
        if end > place:
            start = max(start, place)
            pieces += [text[place:start], " " * (end - start)]
            place = end
    return "".join([*pieces, text[place:]])


def on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
