"""Find the passages of a text that repeat a page: more than twelve words in a row."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

SHARED_MAX = 12
# A letter of a script without spaces counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


class Span(NamedTuple):
    """A range of characters, `end` excluded."""

    start: int
    end: int


def shared_passages(text: str, pages: Iterable[str], most: int = SHARED_MAX) -> list[Span]:
    """Return the passages with more than `most` words in a row from a page.

    Ignores case, accents and punctuation.
    """
    places = [(_normal_word(match[0]), match.span()) for match in _WORD.finditer(text)]
    length = most + 1
    grams = {tuple(word for word, _ in places[at : at + length]) for at in range(len(places) - most)}
    grams_in_pages = grams.intersection(_grams_in(pages, length, {gram[0] for gram in grams})) if grams else set()
    starts = [
        at for at in range(len(places) - most) if tuple(word for word, _ in places[at : at + length]) in grams_in_pages
    ]
    return _join_spans([Span(places[at][1][0], places[at + most][1][1]) for at in starts])


def _grams_in(pages: Iterable[str], length: int, first: set[str]) -> Iterable[tuple[str, ...]]:
    """Yield the runs of `length` words in the pages that begin with one of these words."""
    for page in pages:
        words = [_normal_word(match[0]) for match in _WORD.finditer(page)]
        yield from (tuple(words[at : at + length]) for at in range(len(words) - length + 1) if words[at] in first)


def _normal_word(word: str) -> str:
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word).casefold() if not unicodedata.combining(c))


def _join_spans(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined
