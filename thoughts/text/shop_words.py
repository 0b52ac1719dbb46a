"""Find the words of shops in many languages, in one folding. Imports no Django.

The lists stand in price_words.txt and stock_words.txt and are read when the first page is. Every word is looked for at
the beginnings of words alone, or in scripts without spaces at every sign, so that a page costs time by its length.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "’": "'", "‘": "'", "‐": "-", "‑": "-", "：": ":", "\u00a0": " "}
)
_ACCENTS = re.compile("[\u0300-\u036f]")
# Scripts without spaces between words, and those that join short words to the next.
_RUN = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_IS_RUN = re.compile(f"[{_RUN}]")
_STARTS = re.compile(rf"[{_RUN}]|(?<![^\W_])[^\W_]")


@dataclass(frozen=True)
class Entry:
    """A word of a list: its section (a language or meaning), its key, and whether it counts only alone."""

    section: str
    key: str
    is_whole: bool


@dataclass(frozen=True)
class Match:
    """A word in a text, with all its entries. `number`: the number within, None if there is none."""

    start: int
    end: int
    entries: tuple[Entry, ...]
    number: int | None


def fold_shop(text: str) -> str:
    """Return text in small letters in their usual width and form, without accents, with one hyphen and one
    apostrophe.
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", letters)).translate(_LETTERS)


def read_sections(name: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the section, the key ("" if there is none) and the words of each line of a list."""
    section = ""
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line[1 : line.index("]")]
        elif line.strip() and not line.startswith("#"):
            key, colon, words = line.partition(": ")
            is_keyed = bool(colon) and key.isascii() and key.isalpha()
            yield section, key if is_keyed else "", (words if is_keyed else line).split("|")


class Words:
    """Words to find in folded texts, the longest first."""

    def __init__(self) -> None:
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._by_letter: dict[str, list[str]] = defaultdict(list)

    def add(self, word: str, section: str, key: str) -> None:
        """Add a word as it is written. # stands for a number, a final * for any ending, a first = for alone."""
        folded = fold_shop(word.strip())
        body = folded.removeprefix("=")
        if not body:
            return
        if body not in self._entries:
            self._by_letter[body[0]].append(body)
        self._entries[body].append(Entry(section, key, folded != body))

    def find(self, text: str) -> Iterator[Match]:
        """Yield the matches in a folded text, leftmost and longest, without overlaps."""
        end = 0
        for start in _STARTS.finditer(text):
            if start.start() < end:
                continue
            match = self.match(text, start.start())
            if match is not None:
                yield match
                end = match.end

    def match(self, text: str, start: int) -> Match | None:
        """Return the longest word that begins at a place."""
        letter = text[start : start + 1]
        pattern = self._pattern("#" if letter.isdigit() else letter)
        match = pattern.match(text, start) if pattern else None
        if match is None or match.lastindex is None:
            return None
        key = "#" if letter.isdigit() else letter
        word = self._sorted(key)[match.lastindex - 1]
        number = re.search(r"\d+", match.group()) if "#" in word else None
        return Match(start, match.end(), tuple(self._entries[word]), int(number.group()) if number else None)

    @lru_cache  # noqa: B019  its few instances live as long as the process
    def _sorted(self, letter: str) -> list[str]:
        return sorted(self._by_letter.get(letter, ()), key=len, reverse=True)

    @lru_cache  # noqa: B019  its few instances live as long as the process
    def _pattern(self, letter: str) -> re.Pattern[str] | None:
        words = self._sorted(letter)
        return re.compile("|".join(f"({_pattern_of(word)})" for word in words)) if words else None


def _pattern_of(word: str) -> str:
    body = word.removesuffix("*")
    is_run = _IS_RUN.search(body) is not None
    inner = "".join(_sign_pattern(sign, is_run) for sign in body)
    if is_run:
        return inner
    after = r"\w*" if word.endswith("*") else r"(?!\w)" if body[-1].isalnum() or body[-1] == "#" else ""
    return inner + after


def _sign_pattern(sign: str, is_run: bool) -> str:
    if sign == "#":
        return r"\d{1,6}" if not is_run else r" ?\d{1,6} ?"
    if sign in " -":
        return "[ –-]?" if is_run else "[ –-]"
    return re.escape(sign)
