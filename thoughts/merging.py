"""Whether what the owner said is a preference that is known already, in other words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from constance import config

from thoughts.meanings import preference_vectors
from thoughts.models import Preference
from thoughts.searching import words_of

if TYPE_CHECKING:
    from thoughts.meanings import Vector

# Words alone do not make "python" of "monty python", nor Porto of Lisbon: measured on such pairs, those that mean the same are above it.
MEANING_AT_LEAST = 0.75
_SMALL_WORDS = frozenset(["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"])


@dataclass(frozen=True)
class Same:
    """The preference that means the same. `how`: what told so; `closeness` from 0 to 1."""

    preference: Preference
    how: Literal["words", "meaning"]
    closeness: float


def same_preference(text: str, valence: int, model: str = "", vector: Vector | None = None) -> Same | None:
    """Return the closest preference of this valence that means the same as `text`, or None.

    With the text's vector and the model that made it: a cosine of 0.85, or 0.60 of the words and an alike meaning. Where there is no
    vector: the same words, or most of them on both sides.
    """
    rows = list(Preference.objects.filter(valence=valence))
    vectors = preference_vectors(model, rows) if vector is not None else {}
    found = [same for row in rows if (same := _same(text, row, vector, vectors.get(row.pk)))]
    return max(found, key=lambda same: same.closeness, default=None)


def _same(text: str, row: Preference, vector: Vector | None, other: Vector | None) -> Same | None:
    said, known = _words(text), _words(row.text)
    if said == known:
        return Same(row, "words", 1.0)
    shared = len(said & known)
    if vector is None or other is None or vector.shape != other.shape:
        share = shared / max(len(said), len(known), 1)
        return Same(row, "words", share) if share >= config.PREFERENCE_MERGE_CONTAINMENT else None
    closeness, share = float(vector @ other), shared / max(min(len(said), len(known)), 1)
    alike = share >= config.PREFERENCE_MERGE_CONTAINMENT and closeness >= MEANING_AT_LEAST
    return Same(row, "meaning", closeness) if alike or closeness >= config.PREFERENCE_MERGE_COSINE else None


def _words(text: str) -> frozenset[str]:
    words = frozenset(words_of(text))
    return words - _SMALL_WORDS or words
