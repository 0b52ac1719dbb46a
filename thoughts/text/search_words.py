"""Split texts into the words that every search compares: finds, conversation, sources. Imports no Django.

The words are without case, accents and forms of one letter. Scripts without spaces, and Korean, yield pairs of
neighbours, so that a part of a compound is found.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import regex

WORD_CHARACTERS = 40
QUERY_WORDS = 12
_RUN = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー]"
# Signs that databases do not index are written as letters of the private use area.
_SHARP, _PLUS, _PICTURE = "\ue001", "\ue002", "\ue003"
_FINDER = regex.compile(
    rf"(?P<run>{_RUN}+)"
    r"|(?P<name>(?<![\p{L}\p{M}\p{N}])[a-z]{1,2}(?:\#|\+\+))(?![\p{L}\p{M}\p{N}])"
    rf"|(?P<word>[[\p{{L}}\p{{M}}\p{{N}}]--{_RUN}]+)"
    r"|(?P<picture>[\p{Extended_Pictographic}--[©®™]])",
    regex.V1,
)
_ONE_HYPHEN = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}\-‐‑])([\p{L}\p{M}\p{N}]+)[-‐‑]([\p{L}\p{M}\p{N}]+)(?![\p{L}\p{M}\p{N}\-‐‑])"
)
_MARKS_WITHIN = regex.compile(r"(?<=\p{L})(?:\*{1,3}|`|~~)(?=\p{L})")  # "mid**dle**word"
_NASAL = regex.compile(r"[ङञणनम]\u094d(?=[क-ह])")
# Accents that a search passes over. The marks of other scripts (Thai, Devanagari, kana) make other words.
_ACCENTS = regex.compile(
    r"[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0"
    r"\ufe00-\ufe0f\ufe20-\ufe2f\u0640\u200b-\u200f\u00ad]"
)
_ONE_LETTER = str.maketrans(
    {"ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ٱ": "ا", "ı": "i", "ς": "σ"}
    # Letters with a stroke, which no Unicode form takes apart.
    | {"đ": "d", "ł": "l", "ø": "o", "ħ": "h", "ŧ": "t"}
)


def words_of(text: str, *, to_find: bool = True) -> Iterator[str]:
    """Yield the words of a text.

    `to_find` is True for a query. What is searched also yields the last sign of a run, which starts no pair, and
    "email" for "e-mail".
    """
    folded = fold_letters(text)
    for match in _FINDER.finditer(folded):
        if match["run"]:
            yield from _neighbours(match["run"], to_find=to_find)
        elif match["name"]:
            yield match["name"].replace("#", _SHARP).replace("+", _PLUS)
        elif match["picture"]:
            yield f"{_PICTURE}{ord(match['picture']):x}"
        else:
            yield match["word"][:WORD_CHARACTERS]
    if not to_find:
        yield from (f"{match[1]}{match[2]}"[:WORD_CHARACTERS] for match in _ONE_HYPHEN.finditer(folded))


def all_words(*texts: str) -> Iterator[str]:
    """Yield the words of texts that are searched, each as often as it stands there."""
    for text in texts:
        yield from words_of(text, to_find=False)


def fold_letters(text: str) -> str:
    """Return a text without case, accents and forms of one letter."""
    if text.isascii():  # four times as fast
        return str(_MARKS_WITHIN.sub("", text.lower()))
    letters = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    letters = _MARKS_WITHIN.sub("", unicodedata.normalize("NFC", letters))
    return str(_NASAL.sub("\u0902", letters)).translate(_ONE_LETTER)


def _neighbours(run: str, *, to_find: bool) -> Iterator[str]:
    return (run[at : at + 2] for at in range(max(1, len(run) - 1) if to_find else len(run)))


def query_words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words_of(text)))[:QUERY_WORDS]


def may_go_on(word: str) -> bool:
    """Whether a word of a query also matches longer words.

    A single Latin letter starts half of all words. A single character of a script without spaces is a word.
    """
    return len(word) > 1 or not word.isascii()
