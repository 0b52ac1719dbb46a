"""Compare texts by their words. Imports no Django."""

from __future__ import annotations

import math
import re
from collections import Counter


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def containment(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of the smaller vocabulary that the other text contains, 0 to 1."""
    shorter = min(len(one), len(other))
    return len(one.keys() & other.keys()) / shorter if shorter else 0.0


def cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[word] for word, count in one.items())
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(counts: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in counts.values()))
