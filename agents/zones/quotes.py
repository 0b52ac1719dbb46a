"""Find the passage of a page that a model quotes, also where its typography, spaces or case differ.

What is returned is always a span of the page: a quote is never believed. Imports no Django.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from thoughts.text.moments import MARK
from thoughts.text.page_form import plain_view

QUOTE_CHARACTERS = 2_000
SPAN_MAX = 2 * QUOTE_CHARACTERS
LETTERS_MIN = 4  # of a quote of which only the letters and digits stand in the page
OCCURRENCES_MAX = 20  # of one quote that are looked at for one that begins and ends with a word
PIECE_LETTERS = 12  # of the part of a quote that stands for the whole of it, where the others are elsewhere
# What typography, keyboards and JSON write in several ways.
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_LEFT_OUT = dict.fromkeys(map(ord, "\"'`´‘’‚‛“”„‟«»‹›′″‵‶*_\u00ad\u200b\u200c\u200d\u2060\ufeff"), None)
_GAP = re.compile(r"\s*(?:\[\s*(?:\.{2,}|…)\s*\]|\(\s*(?:\.{2,}|…)\s*\)|\.{3,}|…)\s*")
_LINK_END = re.compile(r"\]\(l\d{1,3}\)")
_TIMES = re.compile(MARK)
_ESCAPED = re.compile(r"\\[nrt]|\\(?=[\"'\\/])")


class Span(NamedTuple):
    start: int
    end: int


class _Key(NamedTuple):
    """A text in the form in which it is compared, and the place in the text of each of its characters."""

    text: str
    places: list[int]


def find_span(quote: str, text: str) -> Span | None:
    """Return the first passage of a text that a quote means, or None.

    Tried in this order: letter by letter; without spaces, quotation marks and the form of dashes; letters and digits
    alone; the pieces between ellipses.
    """
    quote = quote[:QUOTE_CHARACTERS].strip()
    if not quote:
        return None
    for at in _occurrences(quote, text):
        span = Span(at, at + len(quote))
        if not (_is_within_number(text, span.start) or _is_within_number(text, span.end)):
            return span
    quote = html.unescape(_ESCAPED.sub(" ", quote))
    if not any(map(str.isalnum, quote)):
        return None
    without_times = _TIMES.sub(" ", quote)  # between two lines of a transcript, where the page's own are left out
    return (
        _find_whole(quote, text)
        or (_find_whole(without_times, text) if without_times != quote else None)
        or _find_pieces(without_times, text)
    )


def _find_whole(quote: str, text: str, after: int = 0) -> Span | None:
    for fold, letters_min in ((_typography, 1), (_letters, LETTERS_MIN)):
        wanted_key = _key(fold, quote).text
        if len(wanted_key) < letters_min:
            continue
        if span := _find_key(wanted_key, _page_key(fold, text), text, after):
            return span
    return None


def _find_key(wanted_key: str, page: _Key, text: str, after: int) -> Span | None:
    """Return the first span that begins and ends with a word."""
    for at in _occurrences(wanted_key, page.text):
        span = Span(page.places[at], page.places[at + len(wanted_key) - 1] + 1)
        is_whole = not (_joins(text, span.start) or _joins(text, span.end))
        if is_whole and span.start >= after and span.end - span.start <= SPAN_MAX:
            return _with_link_end(span, text)
    return None


def _with_link_end(span: Span, text: str) -> Span:
    """Return the span with the number of a link that begins in it and ends with it."""
    end = _LINK_END.match(text, span.end)
    return Span(span.start, end.end()) if end and "[" in text[span.start : span.end] else span


def _occurrences(words: str, text: str) -> Iterator[int]:
    at = text.find(words)
    for _ in range(OCCURRENCES_MAX):
        if at < 0:
            return
        yield at
        at = text.find(words, at + 1)


def _is_within_number(text: str, place: int) -> bool:
    return place > 0 and text[place - 1 : place].isdigit() and text[place : place + 1].isdigit()


def _is_within_word(text: str, place: int) -> bool:
    """Whether a place is within a word of a script that writes spaces."""
    pair = text[place - 1 : place + 1] if place else ""
    return len(pair) == 2 and pair.isalpha() and "Lo" not in map(unicodedata.category, pair)


def _joins(text: str, place: int) -> bool:
    return _is_within_number(text, place) or _is_within_word(text, place)


def _find_pieces(quote: str, text: str) -> Span | None:
    """Return the span from the first to the last piece of a quote with ellipses, else of its longest piece."""
    pieces = [piece for piece in _GAP.split(quote) if _key(_letters, piece).text]
    if not pieces or pieces == [quote]:
        return None
    spans: list[Span] = []
    for piece in pieces:
        span = _find_whole(piece, text, spans[-1].end if spans else 0)
        if span is None:
            break
        spans.append(span)
    if len(spans) == len(pieces) and spans[-1].end - spans[0].start <= SPAN_MAX:
        return Span(spans[0].start, spans[-1].end)
    longest = max(pieces, key=len)
    return _find_whole(longest, text) if len(_key(_letters, longest).text) >= PIECE_LETTERS else None


def _key(fold: Callable[[str], _Key], quote: str) -> _Key:
    return fold(unicodedata.normalize("NFKC", plain_view(quote).text))


@lru_cache(maxsize=2)
def _page_key(fold: Callable[[str], _Key], text: str) -> _Key:
    """Return the key of a page, without the marks of its form. Kept for the other quotes of the same reading."""
    words, places = plain_view(text)
    key = fold(words)
    return _Key(key.text, [places[place] for place in key.places])


def _typography(text: str) -> _Key:
    characters, places = list[str](), list[int]()
    for place, character in enumerate(text):
        for folded in _fold_character(character):
            characters.append(folded)
            places.append(place)
    return _Key("".join(characters), places)


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    """Return a character as it is compared: none of white space and of quotation marks."""
    folded = unicodedata.normalize("NFKC", character.translate(_LEFT_OUT).translate(_DASHES))
    return "".join(folded.casefold().translate(_LEFT_OUT).translate(_DASHES).split())


def _letters(text: str) -> _Key:
    """Return letters and digits alone, and the marks within a number: 1.299 is not 1,299."""
    characters, places = list[str](), list[int]()
    typography = _typography(text)
    for at, (character, place) in enumerate(zip(*typography, strict=True)):
        pair = typography.text[at - 1 : at + 2]
        if character.isalnum() or (character in ".,:/" and len(pair) == 3 and pair[0].isdigit() and pair[2].isdigit()):
            characters.append(character)
            places.append(place)
    return _Key("".join(characters), places)
