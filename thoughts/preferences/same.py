"""Whether what the owner said, or what is suggested to them, is known already in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from constance import config

from thoughts.embeddings import preference_vectors
from thoughts.feed.word_index import words_of
from thoughts.models import Preference

if TYPE_CHECKING:
    from thoughts.embeddings import Vector

# Words alone do not make "python" of "monty python", nor Porto of Lisbon: measured on such pairs, those that mean the
# same are above it.
MEANING_AT_LEAST = 0.75
_SMALL_WORDS = frozenset(["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])


@dataclass(frozen=True)
class Likeness:
    """That two texts mean the same. `how`: what told so; `closeness` from 0 to 1."""

    how: Literal["words", "meaning"]
    closeness: float


@dataclass(frozen=True)
class Same:
    """The preference that means the same."""

    preference: Preference
    likeness: Likeness


def same_preference(text: str, valence: int, model: str = "", vector: Vector | None = None) -> Same | None:
    """Return the closest preference of this valence that means the same as `text`, or None.

    With the text's vector and the model that made it: a cosine of 0.85, or 0.60 of the words and an alike meaning.
    Where there is no vector: the same words, or most of them on both sides.
    """
    rows = list(Preference.objects.filter(valence=valence))
    vectors = preference_vectors(model, rows) if vector is not None else {}
    found = [Same(row, likeness) for row in rows if (likeness := alike(text, row.text, vector, vectors.get(row.pk)))]
    return max(found, key=lambda same: same.likeness.closeness, default=None)


def note_same(model: str, new: Sequence[Preference]) -> None:
    """Note of preferences that have vectors now which earlier one means the same: the owner is asked whether they are
    one.
    """
    rows = list(Preference.objects.order_by("pk"))
    vectors = preference_vectors(model, rows)
    asked = {row.pk for row in new} & vectors.keys()
    for each in (row for row in rows if row.pk in asked):
        others = [
            row for row in rows if row.pk != each.pk and row.valence == each.valence and row.resembles != each.text
        ]
        found = [
            (likeness.closeness, row.text) for row in others if (likeness := _alike_by_vectors(each, row, vectors))
        ]
        each.resembles = max(found)[1] if found else ""
        Preference.objects.filter(pk=each.pk, text=each.text).update(resembles=each.resembles)


def _alike_by_vectors(one: Preference, other: Preference, vectors: dict[int, Vector]) -> Likeness | None:
    return alike(one.text, other.text, vectors[one.pk], vectors[other.pk]) if other.pk in vectors else None


def alike(text: str, other: str, vector: Vector | None, other_vector: Vector | None) -> Likeness | None:
    """Return how two texts mean the same, by their vectors or, where one has none, by their words; None where they do
    not.
    """
    said, known = _words(text), _words(other)
    if said == known:
        return Likeness("words", 1.0)
    shared = len(said & known)
    if vector is None or other_vector is None or vector.shape != other_vector.shape:
        share = shared / max(len(said), len(known), 1)
        return Likeness("words", share) if share >= config.PREFERENCE_MERGE_CONTAINMENT else None
    closeness, share = float(vector @ other_vector), shared / max(min(len(said), len(known)), 1)
    is_alike = share >= config.PREFERENCE_MERGE_CONTAINMENT and closeness >= MEANING_AT_LEAST
    return Likeness("meaning", closeness) if is_alike or closeness >= config.PREFERENCE_MERGE_COSINE else None


def _words(text: str) -> frozenset[str]:
    words = frozenset(words_of(text))
    return words - _SMALL_WORDS or words
