"""Cut a text around the words of a query. Imports no Django."""

from dataclasses import dataclass

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
    candidates = [(match.span(), fold_letters(match[0])) for match in WORD.finditer(text)]
    matches = [span for span, candidate in candidates if any(_is_marked(candidate, word) for word in words)]
    start = max(0, matches[0][0] - SNIPPET_CHARACTERS // 3) if matches else 0
    start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + SNIPPET_CHARACTERS)
    end = max(text.rfind(" ", start, end), start + 1) if end < len(text) else end
    parts, at = [Part("… " if start else "", False)], start
    for first, last in matches:
        if at <= first and last <= end:
            parts += [Part(text[at:first], False), Part(text[first:last], True)]
            at = last
    parts.append(Part(text[at:end] + (" …" if end < len(text) else ""), False))
    return [part for part in parts if part.text]


def _is_marked(candidate: str, word: str) -> bool:
    """Whether a word is marked for a query's word. A short one stands for itself: "on" is not the begin of "only"."""
    return candidate == word or (len(word) >= _STEM and is_form(candidate, word))


def is_form(candidate: str, word: str) -> bool:
    """Whether a word begins with the query's word, or is that without an ending."""
    return candidate.startswith(word) or (
        len(candidate) >= _STEM and word.startswith(candidate) and len(word) - len(candidate) <= _ENDING
    )
