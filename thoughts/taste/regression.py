"""A small model of the owner's taste: what a find is worth, as a sum of named parts, each of which can be shown.

It is a ridge regression (in its dual form, a Gaussian process) over named features and over likeness to what the owner
reacted to: Rasmussen and Williams, Gaussian Processes for Machine Learning, chapter 2. It is solved anew from the
newest outcomes whenever one changes, so that undoing one leaves no trace. Knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

POINTS = 3.0  # for what the owner would certainly like
# How much a weight may move away from where it begins, by the part of a feature's name before the colon.
SCALES = {"preference": 0.5, "source": 0.3, "novelty": 0.2, "exploration": 0.2}
LIKENESS_FROM, LIKENESS_TO = (
    0.2,
    0.8,
)  # cosines: below the one two finds have nothing to do with each other, above the other they are one
UNSURE = 0.1  # of the points, for what Penny knows nothing of yet
DOUBT = 0.6  # deviations by which a find has to be disliked at least before it is left out
LEAST = 0.01
SPREAD, CROWD = 100, 0.5  # so many on top are kept apart: points that one loses which says what stands above it

Vector = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Find:
    """What the model knows of a thought. `vector` is None where nothing embedded it: then the features alone count."""

    key: str
    title: str
    features: Mapping[str, float]
    vector: Vector | None = None


@dataclass(frozen=True)
class Outcome:
    """What the owner made of a find: `worth` from -1 to 1, `noise` how little that says."""

    find: Find
    worth: float
    noise: float = 1.0


@dataclass(frozen=True)
class Part:
    """One part of the sum. `kind` is that of the feature, or `liked` and `disliked` for likeness to a thought; `key`
    names which.
    """

    kind: str
    key: str
    points: float


@dataclass
class Taste:
    """Weights of named features, in points, and what was learned of single thoughts: how much likeness to each is
    worth, in points.
    """

    weights: dict[str, float] = field(default_factory=dict)
    thoughts: dict[str, float] = field(default_factory=dict)
    _known: list[Find] = field(default_factory=list)
    _inverse: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    @classmethod
    def learned(cls, outcomes: Sequence[Outcome], priors: Mapping[str, float]) -> Taste:
        """Return the taste that explains the outcomes. `priors`: what weights begin with, in points, before anything is
        learned.
        """
        known = [outcome.find for outcome in outcomes]
        names = sorted({name for find in known for name in find.features} | priors.keys())
        values, scales = _values(known, names), np.array([SCALES[name.partition(":")[0]] for name in names])
        first = np.array([priors.get(name, 0.0) / POINTS for name in names])
        left = (
            np.array([outcome.worth for outcome in outcomes]) - values @ first
        )  # what the preferences had not told already
        left -= left.sum() / (
            len(left) + 2
        )  # the owner likes more, or less, than half of everything: that says nothing of one find
        kernel = likeness(known, known) + (values * scales**2) @ values.T
        inverse = (
            np.linalg.inv(kernel + np.diag([outcome.noise for outcome in outcomes])) if known else np.zeros((0, 0))
        )
        learned = inverse @ left if known else np.zeros(0)
        weights = POINTS * (first + scales**2 * (values.T @ learned))
        thoughts = {find.key: float(POINTS * alpha) for find, alpha in zip(known, learned, strict=True)}
        return cls(dict(zip(names, weights.tolist(), strict=True)), thoughts, known, inverse)

    def parts(self, finds: Sequence[Find]) -> list[list[Part]]:
        """Return for each find the parts of its sum, the largest first. Those that would be rounded to nothing are left
        out.
        """
        alike = likeness(finds, self._known)
        learned = alike * np.array([self.thoughts[known.key] for known in self._known])
        return [self._parts(*each) for each in zip(finds, learned, self._unsure(alike).tolist(), strict=True)]

    def disliked(self, finds: Sequence[Find]) -> list[str]:
        """Return for each find the key of what was disliked that it is most like, where all that it is like counts
        against it beyond doubt.

        Empty elsewhere: one thumb down says that of nearly the same alone, and nothing of what lies far from all that
        was judged.
        """
        alike = likeness(finds, self._known)
        learned = alike * np.array([self.thoughts[known.key] for known in self._known])
        highest = learned.sum(axis=1) + POINTS * DOUBT * self._unsure(alike)
        against = learned.argmin(axis=1) if self._known else np.zeros(len(finds), int)
        return [self._known[place].key if most < 0 else "" for place, most in zip(against, highest, strict=True)]

    def _unsure(self, alike: Floats) -> Floats:
        """Return how little is known, 0 to 1, of finds so like to what is known: the deviation that is left."""
        unsure: Floats = np.sqrt(np.maximum(1 - ((alike @ self._inverse) * alike).sum(axis=1), 0))
        return unsure

    def _parts(self, find: Find, learned: Floats, unsure: float) -> list[Part]:
        found = [Part(*_split(name), self.weights.get(name, 0.0) * value) for name, value in find.features.items()]
        for place in np.flatnonzero(np.abs(learned) >= LEAST):
            points = float(learned[place])
            found.append(Part("liked" if points > 0 else "disliked", self._known[place].key, points))
        if find.vector is not None and self._known:
            found.append(Part("unsure", "", POINTS * UNSURE * unsure))
        return sorted((part for part in found if abs(part.points) >= LEAST), key=lambda part: -abs(part.points))


def _split(name: str) -> tuple[str, str]:
    kind, _, key = name.partition(":")
    return kind, key


def _values(finds: Sequence[Find], names: Sequence[str]) -> Floats:
    return np.array([[find.features.get(name, 0.0) for name in names] for find in finds]).reshape(
        len(finds), len(names)
    )


def likeness(finds: Sequence[Find], known: Sequence[Find]) -> Floats:
    """Return how alike each of `finds` is to each of `known`, 0 to 1: (finds, known). What has no vector is like itself
    alone.
    """
    found = np.array([[float(one.key == other.key) for other in known] for one in finds]).reshape(
        len(finds), len(known)
    )
    rows, columns = _with_vectors(finds), _with_vectors(known)
    if rows and columns:
        cosines = np.array([finds[n].vector for n in rows]) @ np.array([known[n].vector for n in columns]).T
        found[np.ix_(rows, columns)] = np.clip((cosines - LIKENESS_FROM) / (LIKENESS_TO - LIKENESS_FROM), 0, 1) ** 2
    return found


def crowded(standing: Sequence[float], alike: Floats, is_free: Sequence[bool], loses: float) -> list[float]:
    """Return how like each find is to any that stands above it, 0 to 1, where likeness lets it fall by up to `loses`.

    Chosen one by one, the highest of what is left first (Carbonell and Goldstein's maximal marginal relevance); of
    equal ones the first. `alike`: (finds, finds). What is not free stays where it stands.
    """
    found, left = [0.0] * len(standing), list(range(len(standing)))
    while left:
        best = max(left, key=lambda n: standing[n] - loses * found[n])
        left.remove(best)
        for n in (n for n in left if is_free[n]):
            found[n] = max(found[n], float(alike[n, best]))
    return found


def _with_vectors(finds: Sequence[Find]) -> list[int]:
    return [place for place, find in enumerate(finds) if find.vector is not None]
