"""Find words of a list in a text, whatever their case, accents and script. Costs grow as the text does."""

import json
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

import regex

_TOKEN = re.compile(r"[^ ]+")  # of a text from `fold`
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
    """A list of words and phrases. Most words of a text are no candidates: their first and last letters tell."""

    def __init__(self, list_of_words: Iterable[str]) -> None:
        starts, ends, self._inside = set[str](), set[str](), list[str]()
        for entry in list_of_words:
            word = " ".join(fold(entry.strip("*")).split())
            if _UNSPACED.search(word) or (entry[0] == entry[-1] == "*"):
                self._inside.append(word)
            elif entry.startswith("*"):
                ends.add(word)
            else:
                starts.add(word if entry.endswith("*") else f"{word} ")
        self._first, self._last = min(map(len, starts), default=0), min(map(len, ends), default=0)
        self._starts = _grouped(starts, lambda word: word[: self._first])
        self._ends = _grouped(ends, lambda word: word[-self._last :])

    def positions(self, folded: str) -> list[tuple[int, int]]:
        """Return where words of the list stand in a text from `fold`, in order."""
        padded = f"{folded} "
        spans = [*self._at_tokens(padded)]
        for word in self._inside:
            at = padded.find(word)
            while at >= 0:
                spans.append((at, at + len(word)))
                at = padded.find(word, at + len(word))
        return sorted(spans)

    def has_any(self, folded: str) -> bool:
        padded = f"{folded} "
        return any(word in padded for word in self._inside) or any(True for _ in self._at_tokens(padded))

    def _at_tokens(self, padded: str) -> Iterator[tuple[int, int]]:
        starts, ends, first, last = self._starts, self._ends, self._first, self._last
        for token in _TOKEN.finditer(padded):
            start, end = token.span()
            for word in starts.get(padded[start : start + first], ()):
                if padded.startswith(word, start):
                    yield start, start + len(word.rstrip())
            for word in ends.get(padded[end - last : end], ()):
                if end - len(word) >= start and padded.startswith(word, end - len(word)):
                    yield end - len(word), end


def _grouped(words: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups = dict[str, list[str]]()
    for word in words:
        groups.setdefault(key(word), []).append(word)
    return groups


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
