"""Decide whether a find repeats a recent thought, or matches a dislike.

Code compares; no earlier thought enters a model request.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from constance import config

from thoughts.index.meanings import preference_vectors, thought_vectors
from thoughts.models import Claim, Preference, Thought
from thoughts.rendering import plain
from thoughts.text.page_form import plain_view
from thoughts.text.words import containment, cosine, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thoughts.index.vectors import Matrix, Vector

CONTENT_COSINE = 0.70
RUN = 3  # consecutive words
RUNS_SHARED = 0.28  # of the shorter text's runs; two texts on the same subject in their own words share almost none
# One title within the other, and a cosine this high: two views of one page. tests/bench/duplicates.py measured these
# numbers and the one above.
SAME_TITLE, SAME_TITLE_COSINE, TITLE_WORDS = 0.8, 0.65, 3
FOLD_AMONG = 200  # thoughts, the newest
QUOTE_OVERLAP = 0.5  # of a quote's runs: a sentence with a word more, or with other ends, is the same sentence
How = Literal["words", "meaning"]
Runs = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class FindVectors:
    """The vectors of a find, of all of it and of its title alone, and the model that made them."""

    model: str
    whole: Vector
    title: Vector


@dataclass(frozen=True)
class Twin:
    """A recent thought that says the same, and how the comparison decided."""

    thought: Thought
    how: How


@dataclass(frozen=True)
class Veto:
    """A dislike that a find matches, and how the comparison decided."""

    preference: Preference
    how: How


def twin_of(title: str, text: str, find_vectors: FindVectors | None = None) -> Twin | None:
    """Return the newest recent thought that says the same, or None.

    With vectors on both sides, shared runs of words or the cosine decide. Without, shared runs decide, or the title
    (share of common words) together with the content (cosine of word counts).
    """
    recent = list(Thought.objects.order_by("-created_at")[: config.DUPLICATE_LOOKBACK])
    vectors = thought_vectors(find_vectors.model, [thought.pk for thought in recent]) if find_vectors else {}
    twins = (
        Twin(thought, how)
        for thought in recent
        if (how := _same(title, text, thought, find_vectors, vectors.get(thought.pk)))
    )
    return next(twins, None)


def _same(
    title: str, text: str, thought: Thought, find_vectors: FindVectors | None, vector: Vector | None
) -> How | None:
    other = plain(thought.html) or thought.text
    if shared_runs(text, other) >= RUNS_SHARED:
        return "words"
    if find_vectors is not None and vector is not None and vector.shape == find_vectors.whole.shape:
        return "meaning" if is_same(float(find_vectors.whole @ vector), title, thought.title) else None
    alike_title = containment(words(title), words(thought.title)) >= config.DUPLICATE_TITLE_CONTAINMENT
    return "words" if alike_title and cosine(words(text), words(other)) >= CONTENT_COSINE else None


def is_same(closeness: float, title: str, other: str) -> bool:
    """Whether two finds mean the same, by the cosine of their vectors and by their titles."""
    least: float = (
        min(SAME_TITLE_COSINE, config.DUPLICATE_COSINE) if has_same_title(title, other) else config.DUPLICATE_COSINE
    )
    return closeness >= least


def has_same_title(title: str, other: str) -> bool:
    """Whether one title holds nearly all words of the other.

    Short titles must be equal: "Espresso" stands in many titles.
    """
    here, there = words(title), words(other)
    tells = here == there or min(len(here), len(there)) >= TITLE_WORDS
    return tells and containment(here, there) >= SAME_TITLE


def is_disliked(title: str, text: str, find_vectors: FindVectors | None = None) -> Veto | None:
    """Return a dislike that the find matches, by all its words or by a vector."""
    find_words, dislikes = (
        set(words(f"{title} {text}")),
        list(Preference.objects.filter(valence=Preference.Valence.DISLIKE)),
    )
    for dislike in dislikes:
        if (dislike_words := set(words(dislike.text))) and dislike_words <= find_words:
            return Veto(dislike, "words")
    vectors = preference_vectors(find_vectors.model, dislikes) if find_vectors else {}
    near = (
        row
        for row in dislikes
        if find_vectors and (other := vectors.get(row.pk)) is not None and _is_near(find_vectors, other)
    )
    return next((Veto(row, "meaning") for row in near), None)


def _is_near(find_vectors: FindVectors, other: Vector) -> bool:
    return (
        other.shape == find_vectors.whole.shape
        and max(float(find_vectors.title @ other), float(find_vectors.whole @ other)) >= config.DISLIKE_COSINE
    )


def fold(model: str, thoughts: Sequence[Thought], vectors: Matrix) -> None:
    """Group each of these thoughts with the nearest recent one of nearly the same meaning.

    The feed shows one thought of a group. Alerts of watches are never folded: two alerts may differ in a number alone.
    """
    groups = dict(Thought.objects.filter(watch=None).order_by("-created_at").values_list("pk", "alike")[:FOLD_AMONG])
    recent_vectors = thought_vectors(model, groups)
    for thought, vector in zip(thoughts, vectors, strict=True):
        others = [
            (float(vector @ other), key)
            for key, other in recent_vectors.items()
            if key != thought.pk and other.shape == vector.shape
        ]
        if thought.pk not in groups or not others:
            continue
        closeness, nearest = max(others, key=lambda pair: pair[0])
        if closeness >= config.FOLD_COSINE:
            group = groups[nearest] or uuid.uuid4()
            groups[thought.pk] = groups[nearest] = group
            Thought.objects.filter(pk__in=[thought.pk, nearest]).update(alike=group)


def shared_runs(one: str, other: str) -> float:
    """Return the share of the shorter text's runs that the other holds, 0 to 1.

    This is Broder's containment of shingles.
    """
    here, there = _runs(one), _runs(other)
    shorter = min(len(here), len(there))
    return len(here & there) / shorter if shorter else 0.0


def recent_quotes() -> list[Runs]:
    recent = list(Thought.objects.order_by("-created_at").values_list("pk", flat=True)[: config.DUPLICATE_LOOKBACK])
    quotes = Claim.objects.filter(thought__in=recent).values_list("quote", flat=True)
    return [_runs(quote) for quote in quotes]


def is_repeated_quote(quote: str, quotes: Sequence[Runs]) -> bool:
    here = _runs(quote)
    return bool(here) and any(len(here & runs) >= QUOTE_OVERLAP * len(here) for runs in quotes)


def _runs(text: str) -> Runs:
    words_in_order = re.findall(r"\w+", plain_view(text).text.lower())
    return Runs(zip(*(words_in_order[first:] for first in range(RUN)), strict=False))
