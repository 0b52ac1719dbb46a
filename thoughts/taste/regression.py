"""Model the owner's taste: the points of a find as a sum of parts that a card can show.

This is ridge regression in its dual form, a Gaussian process, over named features and over similarity to thoughts with
a reaction: Rasmussen and Williams, Gaussian Processes for Machine Learning, chapter 2. It is solved again from the
newest outcomes on every change, so that an undo leaves no trace. This module knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

POINTS = 3.0  # of a find that the owner certainly likes
# Prior deviation of a weight, by the kind of the feature: its name before the colon.
SCALES = {"preference": 0.5, "source": 0.3, "novelty": 0.2, "exploration": 0.2, "watch": 0.3}
# Cosines: below the first two finds are unrelated, above the second they are the same.
LIKENESS_FROM, LIKENESS_TO = 0.2, 0.8
UNSURE = 0.1  # share of the points for a find that Penny knows nothing of
DOUBT = 0.6  # deviations by which a find must be disliked before it is discarded
LEAST = 0.01
SPREAD, CROWD = 100, 0.5  # thoughts on top that are spread; points that a copy of a higher one loses

Vector = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Find:
    """The input of the model for one thought. Without a vector only the features count."""

    key: str
    title: str
    features: Mapping[str, float]
    vector: Vector | None = None


@dataclass(frozen=True)
class Outcome:
    """The owner's judgement of a find: `worth` from -1 to 1, `noise` its variance."""

    find: Find
    worth: float
    noise: float = 1.0


@dataclass(frozen=True)
class Part:
    """A part of the points.

    `kind` is the kind of a feature, or `liked`/`disliked` for similarity to the thought `key`.
    """

    kind: str
    key: str
    points: float


@dataclass
class Taste:
    """The weights of features, in points, and the points of full similarity to single thoughts."""

    weights: dict[str, float] = field(default_factory=dict)
    thoughts: dict[str, float] = field(default_factory=dict)
    _judged: list[Find] = field(default_factory=list)
    _inverse: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    @classmethod
    def learn(cls, outcomes: Sequence[Outcome], priors: Mapping[str, float]) -> Taste:
        """Return the taste that explains the outcomes. `priors` are the initial weights in points."""
        judged = [outcome.find for outcome in outcomes]
        names = sorted({name for find in judged for name in find.features} | priors.keys())
        values, scales = _values(judged, names), np.array([SCALES[name.partition(":")[0]] for name in names])
        first = np.array([priors.get(name, 0.0) / POINTS for name in names])
        # The part of the outcomes that the preferences do not explain, without its mean: liking most finds, or few,
        # says nothing about a single one.
        residuals = np.array([outcome.worth for outcome in outcomes]) - values @ first
        residuals -= residuals.sum() / (len(residuals) + 2)
        kernel = likeness(judged, judged) + (values * scales**2) @ values.T
        inverse = (
            np.linalg.inv(kernel + np.diag([outcome.noise for outcome in outcomes])) if judged else np.zeros((0, 0))
        )
        alphas = inverse @ residuals if judged else np.zeros(0)
        weights = POINTS * (first + scales**2 * (values.T @ alphas))
        thoughts = {find.key: float(POINTS * alpha) for find, alpha in zip(judged, alphas, strict=True)}
        return cls(dict(zip(names, weights.tolist(), strict=True)), thoughts, judged, inverse)

    def parts(self, finds: Sequence[Find]) -> list[list[Part]]:
        """Return the parts of each find, the largest first, without those that round to zero."""
        alike = likeness(finds, self._judged)
        by_thought = alike * np.array([self.thoughts[judged.key] for judged in self._judged])
        return [
            self._parts(find, points, unsure)
            for find, points, unsure in zip(finds, by_thought, self._unsure(alike).tolist(), strict=True)
        ]

    def disliked(self, finds: Sequence[Find]) -> list[str]:
        """Return for each find the key of the disliked thought that it is most similar to, or "".

        A key is returned only if the similar thoughts count against the find beyond doubt. One thumb down
        says so of nearly identical finds alone, and nothing of finds far from all judged ones.
        """
        alike = likeness(finds, self._judged)
        by_thought = alike * np.array([self.thoughts[judged.key] for judged in self._judged])
        highest = by_thought.sum(axis=1) + POINTS * DOUBT * self._unsure(alike)
        against = by_thought.argmin(axis=1) if self._judged else np.zeros(len(finds), int)
        return [self._judged[place].key if most < 0 else "" for place, most in zip(against, highest, strict=True)]

    def _unsure(self, alike: Floats) -> Floats:
        """Return the remaining deviation of each find, 0 to 1."""
        unsure: Floats = np.sqrt(np.maximum(1 - ((alike @ self._inverse) * alike).sum(axis=1), 0))
        return unsure

    def _parts(self, find: Find, by_thought: Floats, unsure: float) -> list[Part]:
        parts = [Part(*_split(name), self.weights.get(name, 0.0) * value) for name, value in find.features.items()]
        for place in np.flatnonzero(np.abs(by_thought) >= LEAST):
            points = float(by_thought[place])
            parts.append(Part("liked" if points > 0 else "disliked", self._judged[place].key, points))
        if find.vector is not None and self._judged:
            parts.append(Part("unsure", "", POINTS * UNSURE * unsure))
        return sorted((part for part in parts if abs(part.points) >= LEAST), key=lambda part: -abs(part.points))


def _split(name: str) -> tuple[str, str]:
    kind, _, key = name.partition(":")
    return kind, key


def _values(finds: Sequence[Find], names: Sequence[str]) -> Floats:
    return np.array([[find.features.get(name, 0.0) for name in names] for find in finds]).reshape(
        len(finds), len(names)
    )


def likeness(finds: Sequence[Find], others: Sequence[Find]) -> Floats:
    """Return the similarity of `finds` to `others`, 0 to 1, as (finds, others).

    Without a vector only equal keys match.
    """
    shares = np.array([[float(one.key == other.key) for other in others] for one in finds]).reshape(
        len(finds), len(others)
    )
    rows, columns = _with_vectors(finds), _with_vectors(others)
    if rows and columns:
        cosines = np.array([finds[n].vector for n in rows]) @ np.array([others[n].vector for n in columns]).T
        shares[np.ix_(rows, columns)] = np.clip((cosines - LIKENESS_FROM) / (LIKENESS_TO - LIKENESS_FROM), 0, 1) ** 2
    return shares


def crowded(standing: Sequence[float], alike: Floats, is_free: Sequence[bool], loses: float) -> list[float]:
    """Return the similarity of each find to any higher one, 0 to 1.

    Similarity costs up to `loses`.

    Picks the highest remaining find one by one, the first of equal ones (maximal marginal relevance, Carbonell and
    Goldstein). `alike` has the shape (finds, finds). A find that is not free keeps its rank.
    """
    shares, remaining = [0.0] * len(standing), list(range(len(standing)))
    while remaining:
        best = max(remaining, key=lambda n: standing[n] - loses * shares[n])
        remaining.remove(best)
        for n in (n for n in remaining if is_free[n]):
            shares[n] = max(shares[n], float(alike[n, best]))
    return shares


def _with_vectors(finds: Sequence[Find]) -> list[int]:
    return [place for place, find in enumerate(finds) if find.vector is not None]
