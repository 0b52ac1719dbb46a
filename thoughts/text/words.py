"""Compare texts by their words. Imports no Django."""

from __future__ import annotations

import math
import re
from collections import Counter

import regex

# A word has two characters of Chinese or Japanese, three syllables of Korean with its space, and about four letters of
# the other scripts without spaces. Of Latin letters it has six with its space.
_IDEOGRAPHS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_SYLLABLES = regex.compile(r"\p{Hangul}")
_LETTERS = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def reading_length(text: str) -> float:
    """Return the length in Latin letters of a text that takes as long to read."""
    if text.isascii():
        return len(text)
    added = ((_IDEOGRAPHS, 2), (_SYLLABLES, 1), (_LETTERS, 0.5))
    return len(text) + sum(share * len(signs.findall(text)) for signs, share in added)


def containment(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of the smaller vocabulary that the other text contains, 0 to 1."""
    shorter = min(len(one), len(other))
    return len(one.keys() & other.keys()) / shorter if shorter else 0.0


def cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[word] for word, count in one.items())
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(counts: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in counts.values()))
