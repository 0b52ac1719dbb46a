"""Decide whether a preference or a suggestion exists already in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from constance import config

from thoughts.index.meanings import preference_vectors
from thoughts.models import Preference
from thoughts.text.search_words import words_of

if TYPE_CHECKING:
    from thoughts.index.vectors import Vector

# Common words are not enough for "python" and "monty python", nor for Porto and Lisbon. Measured on such pairs: those
# that mean the same have a higher cosine.
MEANING_AT_LEAST = 0.75
_SMALL_WORDS = frozenset(["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])


@dataclass(frozen=True)
class Likeness:
    """The finding that two texts mean the same. `closeness` is from 0 to 1."""

    how: Literal["words", "meaning"]
    closeness: float


@dataclass(frozen=True)
class Same:
    """A preference that means the same."""

    preference: Preference
    likeness: Likeness


def same_preference(text: str, valence: int, model: str = "", vector: Vector | None = None) -> Same | None:
    """Return the closest preference of this valence that means the same as `text`, or None.

    With vectors: a cosine of 0.85, or 0.60 of the words with a high cosine. Without: the same words, or most of them on
    both sides.
    """
    rows = list(Preference.objects.filter(valence=valence))
    vectors = preference_vectors(model, rows) if vector is not None else {}
    matches = [Same(row, likeness) for row in rows if (likeness := alike(text, row.text, vector, vectors.get(row.pk)))]
    return max(matches, key=lambda same: same.likeness.closeness, default=None)


def note_same(model: str, new: Sequence[Preference]) -> None:
    """Record which other preference means the same as each newly embedded one.

    The owner is asked to merge them.
    """
    rows = list(Preference.objects.order_by("pk"))
    vectors = preference_vectors(model, rows)
    new_keys = {row.pk for row in new} & vectors.keys()
    for fresh in (row for row in rows if row.pk in new_keys):
        others = [
            row for row in rows if row.pk != fresh.pk and row.valence == fresh.valence and row.resembles != fresh.text
        ]
        matches = [
            (likeness.closeness, row.text) for row in others if (likeness := _alike_by_vectors(fresh, row, vectors))
        ]
        fresh.resembles = max(matches)[1] if matches else ""
        Preference.objects.filter(pk=fresh.pk, text=fresh.text).update(resembles=fresh.resembles)


def _alike_by_vectors(one: Preference, other: Preference, vectors: dict[int, Vector]) -> Likeness | None:
    return alike(one.text, other.text, vectors[one.pk], vectors[other.pk]) if other.pk in vectors else None


def alike(text: str, other: str, vector: Vector | None, other_vector: Vector | None) -> Likeness | None:
    """Return how two texts mean the same, by vectors or else by words; None if they differ."""
    text_words, other_words = _content_words(text), _content_words(other)
    if text_words == other_words:
        return Likeness("words", 1.0)
    shared = len(text_words & other_words)
    if vector is None or other_vector is None or vector.shape != other_vector.shape:
        share = shared / max(len(text_words), len(other_words), 1)
        return Likeness("words", share) if share >= config.PREFERENCE_MERGE_CONTAINMENT else None
    closeness, share = float(vector @ other_vector), shared / max(min(len(text_words), len(other_words)), 1)
    is_alike = share >= config.PREFERENCE_MERGE_CONTAINMENT and closeness >= MEANING_AT_LEAST
    return Likeness("meaning", closeness) if is_alike or closeness >= config.PREFERENCE_MERGE_COSINE else None


def _content_words(text: str) -> frozenset[str]:
    words = frozenset(words_of(text))
    return words - _SMALL_WORDS or words
