"""Whether a text repeats a page: the longest that it may share with one is twelve words in a row."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

SHARED_MAX = 12
# A letter of a script without spaces counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


class Span(NamedTuple):
    """Characters of a text, from `start` to before `end`."""

    start: int
    end: int


def shared(text: str, pages: Iterable[str], most: int = SHARED_MAX) -> list[Span]:
    """Return the passages of a text that stand in a page, of more than so many words. Case, accents and punctuation are
    no difference.
    """
    places = [(_normal(match[0]), match.span()) for match in _WORD.finditer(text)]
    length = most + 1
    grams = {tuple(word for word, _ in places[at : at + length]) for at in range(len(places) - most)}
    found = grams.intersection(_grams_in(pages, length, {gram[0] for gram in grams})) if grams else set()
    starts = [at for at in range(len(places) - most) if tuple(word for word, _ in places[at : at + length]) in found]
    return _joined([Span(places[at][1][0], places[at + most][1][1]) for at in starts])


def _grams_in(pages: Iterable[str], length: int, first: set[str]) -> Iterable[tuple[str, ...]]:
    """Return the runs of so many words in some pages that begin with one of these words."""
    for page in pages:
        words = [_normal(match[0]) for match in _WORD.finditer(page)]
        yield from (tuple(words[at : at + length]) for at in range(len(words) - length + 1) if words[at] in first)


def _normal(word: str) -> str:
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word).casefold() if not unicodedata.combining(c))


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined
