"""Find passages by their words: BM25 over those that hold the rarest words of the question.

Python computes the points, so that both databases give the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import F, Lookup, Max, Q

from thoughts.models import Chunk, ChunkWords
from thoughts.text.search_words import words_of

ENOUGH = 500  # passages: those that hold more common words only add nothing
CANDIDATES_MAX = 1_500
QUESTION_WORDS = 40
K1, B = 1.2, 0.75
AVERAGE_WORDS = 80  # of a passage, which has 500 characters

Scores = dict[int, float]


@dataclass(frozen=True)
class AnyOf:
    """Words to look up, and how many of the newest passages that hold one are enough; None: all."""

    words: Sequence[str]
    most: int | None


class HoldsOne(Lookup):
    """Whether a passage holds one of some words. Both databases answer from their index."""

    lookup_name = "holds_one"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[str]]:
        table = "thoughts_chunkwords_index"
        some = f"SELECT rowid FROM {table} WHERE {table} MATCH %s{self._bound('rowid')}"  # noqa: S608
        return self._within(some), [" OR ".join(f'"{word}"' for word in self.rhs.words)]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[str]]:
        table, bound = "thoughts_chunkwords", self._bound("chunk_id")
        some = f"SELECT chunk_id FROM {table} WHERE lexemes @@ %s::tsquery{bound}"  # noqa: S608
        return self._within(some), [" | ".join(f"'{word}'" for word in self.rhs.words)]

    def _bound(self, key: str) -> str:
        return f" ORDER BY {key} DESC LIMIT {self.rhs.most:d}" if self.rhs.most else ""

    def _within(self, some: str) -> str:
        return f'"{self.lhs.alias}"."chunk_id" IN ({some})'


def by_words(question: str, allowed: Q, most: int, *, is_narrowed: bool = False) -> Scores:
    """Return the points of the `allowed` passages that hold words of the question, at most `most`, best first.

    `is_narrowed`: `allowed` leaves out more than what is forgotten, so that the newest of all may not be among them.
    """
    counts = {word: count for word in _question_words(question) if (count := _count(word))}
    if not counts:
        return {}
    total = max(_total(Chunk.objects.aggregate(last=Max("pk"))["last"]), *counts.values())
    weights = {word: math.log(1 + (total - count + 0.5) / (count + 0.5)) for word, count in counts.items()}
    looked_up = AnyOf(_rarest(counts), None if is_narrowed else CANDIDATES_MAX)
    rows = ChunkWords.objects.filter(HoldsOne(F("text"), looked_up), allowed).order_by("-chunk")
    points = {key: _points(text, weights) for key, text in rows.values_list("chunk", "text")[:CANDIDATES_MAX]}
    return dict(sorted(points.items(), key=lambda pair: (-pair[1], -pair[0]))[:most])


@lru_cache(maxsize=1)
def _total(last: int | None) -> int:
    """Return how many passages there are, counted again with each new one, whose key is `last`."""
    return Chunk.objects.count()


def _question_words(question: str) -> list[str]:
    """Return the words of a question. One in sentences has more than a search in a few words."""
    return list(dict.fromkeys(words_of(question)))[:QUESTION_WORDS]


def _rarest(counts: dict[str, int]) -> list[str]:
    """Return the rarest words that are together in ENOUGH passages, one at least."""
    chosen, total = list[str](), 0
    for word in sorted(counts, key=lambda word: (counts[word], word)):
        if chosen and total >= ENOUGH:
            break
        chosen.append(word)
        total += counts[word]
    return chosen


def _points(text: str, weights: dict[str, float]) -> float:
    framed = f" {text} "
    norm = K1 * (1 - B + B * framed.count(" ") / AVERAGE_WORDS)
    return sum(
        weight * count * (K1 + 1) / (count + norm)
        for word, weight in weights.items()
        if (count := framed.count(f" {word} "))
    )


def _count(word: str) -> int:
    """Return how many passages hold a word."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT doc FROM thoughts_chunkwords_counts WHERE term = %s", [word])
        else:
            cursor.execute("SELECT count(*) FROM thoughts_chunkwords WHERE lexemes @@ %s::tsquery", [f"'{word}'"])
        row = cursor.fetchone()
    return int(row[0]) if row else 0
