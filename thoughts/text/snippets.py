"""Cut a text around the words of a query. Imports no Django."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import regex

from thoughts.text.search_words import fold_letters

SNIPPET_CHARACTERS = 180
_ENDING = 3  # the longest ending, in letters, that a form of a word may lack: pairing and pair
_STEM = 4
WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True)
class Part:
    """A piece of a snippet; `is_match` is true for a word of the query."""

    text: str
    is_match: bool


def snippet(text: str, words: list[str]) -> list[Part]:
    """Return the text around the first match, or its beginning, with all matches marked."""
    matches = _matches(text, words)
    first = next(matches, None)
    start = max(0, first[0] - SNIPPET_CHARACTERS // 3) if first else 0
    start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + SNIPPET_CHARACTERS)
    end = max(text.rfind(" ", start, end), start + 1) if end < len(text) else end
    parts, at = [Part("… " if start else "", False)], start
    for begin, stop in chain([first] if first else [], matches):
        if stop > end:
            break
        if at <= begin:
            parts += [Part(text[at:begin], False), Part(text[begin:stop], True)]
            at = stop
    parts.append(Part(text[at:end] + (" …" if end < len(text) else ""), False))
    return [part for part in parts if part.text]


def _matches(text: str, words: list[str]) -> Iterator[tuple[int, int]]:
    for match in WORD.finditer(text):
        folded = fold_letters(match[0])
        if any(_is_marked(folded, word) for word in words):
            yield match.span()


def _is_marked(candidate: str, word: str) -> bool:
    """Whether a word is marked for a query's word. A short one stands for itself: "on" does not begin "only"."""
    return candidate == word or (len(word) >= _STEM and is_form(candidate, word))


def is_form(candidate: str, word: str) -> bool:
    """Whether a word begins with the query's word, or is that without an ending."""
    return candidate.startswith(word) or (
        len(candidate) >= _STEM and word.startswith(candidate) and len(word) - len(candidate) <= _ENDING
    )
