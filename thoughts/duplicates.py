"""Whether a find was there before, or is something that the owner dislikes. Code compares; no earlier thought enters a
request.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from constance import config

from thoughts.embeddings import preference_vectors, thought_vectors
from thoughts.models import Claim, Preference, Thought
from thoughts.rendering import plain
from thoughts.text.words import containment, cosine, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thoughts.embeddings import Matrix, Vector

CONTENT_COSINE = 0.70
RUN = 3  # words that follow each other
RUNS_SHARED = 0.28  # of those of the shorter text: two that tell the same in their own words share next to none
# One title within the other and so alike a meaning: two views of one page. Measured by tests/bench/duplicates.py, as
# the number above.
SAME_TITLE, SAME_TITLE_COSINE, TITLE_WORDS = 0.8, 0.65, 3
FOLD_AMONG = 200  # thoughts, the newest
QUOTE_TOLD = 0.5  # of a quote's runs: a sentence that was cut elsewhere, or got a word more, is the same sentence
How = Literal["words", "meaning"]
Runs = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Meant:
    """The vectors of a find, and the model that made them: of all of it, and of its title alone."""

    model: str
    whole: Vector
    title: Vector


@dataclass(frozen=True)
class Twin:
    """A recent thought that says the same. `how`: what told so."""

    thought: Thought
    how: How


@dataclass(frozen=True)
class Veto:
    """A dislike that a find is of. `how`: what told so."""

    preference: Preference
    how: How


def twin_of(title: str, text: str, meant: Meant | None = None) -> Twin | None:
    """Return a recent thought that says the same, newest first.

    Where both have a vector: by runs of the same words, or by what both mean. Where not: by an alike title (share of
    common words) and alike content (cosine of word counts) too.
    """
    recent = list(Thought.objects.order_by("-created_at")[: config.DUPLICATE_LOOKBACK])
    vectors = thought_vectors(meant.model, [thought.pk for thought in recent]) if meant else {}
    found = (
        Twin(thought, how) for thought in recent if (how := _same(title, text, thought, meant, vectors.get(thought.pk)))
    )
    return next(found, None)


def _same(title: str, text: str, thought: Thought, meant: Meant | None, vector: Vector | None) -> How | None:
    other = plain(thought.html) or thought.text
    if shared_runs(text, other) >= RUNS_SHARED:
        return "words"
    if meant is not None and vector is not None and vector.shape == meant.whole.shape:
        return "meaning" if is_same(float(meant.whole @ vector), title, thought.title) else None
    alike_title = containment(words(title), words(thought.title)) >= config.DUPLICATE_TITLE_CONTAINMENT
    return "words" if alike_title and cosine(words(text), words(other)) >= CONTENT_COSINE else None


def is_same(closeness: float, title: str, other: str) -> bool:
    """Whether two finds mean the same, by the cosine of their vectors and by their titles."""
    least: float = (
        min(SAME_TITLE_COSINE, config.DUPLICATE_COSINE) if has_same_title(title, other) else config.DUPLICATE_COSINE
    )
    return closeness >= least


def has_same_title(title: str, other: str) -> bool:
    """Whether one title holds nearly all words of the other, and these are enough to tell: "Espresso" stands in many
    titles.
    """
    here, there = words(title), words(other)
    tells = here == there or min(len(here), len(there)) >= TITLE_WORDS
    return tells and containment(here, there) >= SAME_TITLE


def is_disliked(title: str, text: str, meant: Meant | None = None) -> Veto | None:
    """Return the dislike whose words all stand in a find, or that means what the find or its title means."""
    found, dislikes = set(words(f"{title} {text}")), list(Preference.objects.filter(valence=Preference.Valence.DISLIKE))
    for dislike in dislikes:
        if (said := set(words(dislike.text))) and said <= found:
            return Veto(dislike, "words")
    vectors = preference_vectors(meant.model, dislikes) if meant else {}
    near = (row for row in dislikes if meant and (other := vectors.get(row.pk)) is not None and _is_near(meant, other))
    return next((Veto(row, "meaning") for row in near), None)


def _is_near(meant: Meant, other: Vector) -> bool:
    return (
        other.shape == meant.whole.shape
        and max(float(meant.title @ other), float(meant.whole @ other)) >= config.DISLIKE_COSINE
    )


def fold(model: str, thoughts: Sequence[Thought], vectors: Matrix) -> None:
    """Put each of these thoughts beside the nearest recent one that means nearly the same, if there is one: the feed
    shows one of them.

    What a watch tells is never folded: two alerts may differ in a number alone.
    """
    groups = dict(Thought.objects.filter(watch=None).order_by("-created_at").values_list("pk", "alike")[:FOLD_AMONG])
    known = thought_vectors(model, groups)
    for thought, vector in zip(thoughts, vectors, strict=True):
        others = [
            (float(vector @ other), key)
            for key, other in known.items()
            if key != thought.pk and other.shape == vector.shape
        ]
        if thought.pk not in groups or not others:
            continue
        closeness, nearest = max(others, key=lambda each: each[0])
        if closeness >= config.FOLD_COSINE:
            group = groups[nearest] or uuid.uuid4()
            groups[thought.pk] = groups[nearest] = group
            Thought.objects.filter(pk__in=[thought.pk, nearest]).update(alike=group)


def shared_runs(one: str, other: str) -> float:
    """Return the share of the shorter text's runs of three words that the other holds, 0 to 1 (Broder's containment of
    shingles).
    """
    here, there = _runs(one), _runs(other)
    shorter = min(len(here), len(there))
    return len(here & there) / shorter if shorter else 0.0


def told_quotes() -> list[Runs]:
    """Return the runs of words of each quote on which recent thoughts rest."""
    recent = list(Thought.objects.order_by("-created_at").values_list("pk", flat=True)[: config.DUPLICATE_LOOKBACK])
    quotes = Claim.objects.filter(thought__in=recent).values_list("quote", flat=True)
    return [_runs(quote) for quote in quotes]


def is_told(quote: str, told: Sequence[Runs]) -> bool:
    """Whether a quote is, nearly word for word, one of those that these runs are of."""
    here = _runs(quote)
    return bool(here) and any(len(here & runs) >= QUOTE_TOLD * len(here) for runs in told)


def _runs(text: str) -> Runs:
    found = re.findall(r"\w+", text.lower())
    return Runs(zip(*(found[first:] for first in range(RUN)), strict=False))
