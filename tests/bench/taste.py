"""A simulated owner with tastes: which share of the likes that an oracle would have shown the first five pages show.

    python -m tests.bench.taste [--seeds 20]

Forty topics, of each thirty finds whose vectors lie as those of texts do (cosine 0.65 within a topic, 0.14 between two).
The owner likes a find of a topic with the topic's own probability, and judges all cards of a page, or only some. After each page all learn.
Compared are: not learning, Rocchio's rule on the vectors, and the taste that ranks the feed.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thoughts.taste import Find, Outcome, Taste

TOPICS, FINDS, DIMENSION = 40, 30, 384
PAGES, CARDS = 5, 12
BETWEEN, WITHIN = 0.14, 0.65
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class World:
    """All finds: their vectors, (finds, 384), the topic of each, and whether the owner likes it."""

    vectors: Floats
    topics: NDArray[np.int64]
    likes: NDArray[np.bool_]


@dataclass(frozen=True)
class Setting:
    """How the owner looks at the feed. `judged`: share of cards; `offered`: how many finds there are for a page, 0 for all."""

    name: str
    judged: float = 1.0
    offered: int = 0


SETTINGS = [
    Setting("every card judged"),
    Setting("one card in three judged", judged=0.33),
    Setting("40 new finds for each page", offered=40),
    Setting("40 new finds, half of the cards judged", offered=40, judged=0.5),
]


class Ranker(Protocol):
    def score(self, vectors: Floats) -> Floats: ...

    def learn(self, vector: Floats, liked: bool) -> None: ...


def world(seed: int, topics: int = TOPICS, finds: int = FINDS) -> World:
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(rng.normal(size=(DIMENSION, topics + 1)))[0].T
    noise = rng.normal(size=(topics * finds, DIMENSION)) / np.sqrt(DIMENSION)
    of = np.repeat(np.arange(topics), finds)
    vectors = np.sqrt(BETWEEN) * directions[topics] + np.sqrt(WITHIN - BETWEEN) * directions[of] + np.sqrt(1 - WITHIN) * noise
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    chances = rng.permutation(np.repeat([0.8, 0.5, 0.1], [topics // 5, topics // 5, topics - 2 * (topics // 5)]))
    return World(vectors, of, rng.random(len(of)) < chances[of])


class NotLearning:
    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def score(self, vectors: Floats) -> Floats:
        return self._rng.random(len(vectors)).astype(np.float32)

    def learn(self, vector: Floats, liked: bool) -> None:
        pass


class Rocchio:
    """The mean of what was liked, less a part of the mean of what was not: Rocchio 1971, with the usual 0.75 and 0.15."""

    def __init__(self, seed: int) -> None:
        self._chance = NotLearning(seed)
        self._seen: dict[bool, list[Floats]] = {each: [np.zeros(DIMENSION, np.float32)] for each in (True, False)}

    def score(self, vectors: Floats) -> Floats:
        liked, other = (np.sum(self._seen[key], axis=0) / max(len(self._seen[key]) - 1, 1) for key in (True, False))
        found: Floats = vectors @ (0.75 * liked - 0.15 * other) + 1e-6 * self._chance.score(vectors)
        return found

    def learn(self, vector: Floats, liked: bool) -> None:
        self._seen[liked].append(vector)


class Penny:
    """What thoughts/ranking.py does with reactions, without sites and preferences."""

    def __init__(self, seed: int) -> None:
        self._chance, self._told = NotLearning(seed), list[Outcome]()

    def score(self, vectors: Floats) -> Floats:
        taste = Taste.learned(self._told, {})
        points = [sum(part.points for part in parts) for parts in taste.parts([Find("", "", {}, vector) for vector in vectors])]
        return np.array(points, np.float32) + 1e-6 * self._chance.score(vectors)

    def learn(self, vector: Floats, liked: bool) -> None:
        self._told.append(Outcome(Find(str(len(self._told)), "", {}, vector), 1.0 if liked else -1.0))


RANKERS: list[tuple[str, Callable[[int], Ranker]]] = [("not learning", NotLearning), ("Rocchio", Rocchio), ("Penny", Penny)]


def share_of_oracle(make: Callable[[int], Ranker], setting: Setting, seed: int) -> float:
    """Return the likes on the pages that were shown, as a share of those on the best pages of what there was to show."""
    there, rng, ranker = world(seed), np.random.default_rng(seed), make(seed)
    left, shown, best = np.arange(len(there.likes)), 0, 0
    for _ in range(PAGES):
        offered = rng.choice(left, setting.offered, replace=False) if setting.offered else left
        page = offered[np.argsort(-ranker.score(there.vectors[offered]))[:CARDS]]
        shown, best = shown + int(there.likes[page].sum()), best + min(CARDS, int(there.likes[offered].sum()))
        for place in page[rng.random(len(page)) < setting.judged]:
            ranker.learn(there.vectors[place], bool(there.likes[place]))
        left = np.setdiff1d(left, page)
    return shown / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    seeds = parser.parse_args().seeds
    for setting in SETTINGS:
        found = [(name, np.mean([share_of_oracle(make, setting, seed) for seed in range(seeds)])) for name, make in RANKERS]
        print(f"{setting.name:40}", "   ".join(f"{name} {share:.3f}" for name, share in found))


if __name__ == "__main__":
    main()
