"""Measure how well the feed learns a simulated owner's taste.

    python -m tests.bench.taste [--seeds 20] [--first 100]

The score is the share of likes on the first five pages, relative to an oracle. There are forty topics with thirty finds
each, whose vectors are distributed like those of texts (cosine 0.65 within a topic, 0.14 between two). The owner likes
a find with the probability of its topic, and judges all cards of a page, or only some. All rankers learn after each
page. Compared are no learning, Rocchio's rule on the vectors, the taste that ranks the feed (with its spread of
topics), and an informed learner that knows this world but not the owner. What the informed learner misses, the
reactions do not reveal.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thoughts.taste.regression import CROWD, SPREAD, Find, Outcome, Taste, crowded, likeness

TOPICS, FINDS, DIMENSION = 40, 30, 384
PAGES, CARDS = 5, 12
BETWEEN, WITHIN = 0.14, 0.65
CHANCES, SHARES = (0.8, 0.5, 0.1), (0.2, 0.2, 0.6)  # that a find pleases, and of the topics of which it does
TARGET_SHARE = 0.45
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class World:
    """All finds: their vectors (finds, 384), their topics, and whether the owner likes them."""

    vectors: Floats
    topics: NDArray[np.int64]
    likes: NDArray[np.bool_]


@dataclass(frozen=True)
class Setting:
    """How the owner uses the feed.

    `judged`: share of cards. `offered`: number of finds for a page, 0 for all.
    """

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
    def page(self, offered: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the CARDS of the offered finds that stand on a page."""
        ...

    def learn(self, find: int, liked: bool) -> None: ...


def world(seed: int, topics: int = TOPICS, finds: int = FINDS) -> World:
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(rng.normal(size=(DIMENSION, topics + 1)))[0].T
    noise = rng.normal(size=(topics * finds, DIMENSION)) / np.sqrt(DIMENSION)
    of = np.repeat(np.arange(topics), finds)
    vectors = (
        np.sqrt(BETWEEN) * directions[topics] + np.sqrt(WITHIN - BETWEEN) * directions[of] + np.sqrt(1 - WITHIN) * noise
    )
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    chances = rng.permutation(np.repeat(CHANCES, [topics // 5, topics // 5, topics - 2 * (topics // 5)]))
    return World(vectors, of, rng.random(len(of)) < chances[of])


class NotLearning:
    def __init__(self, there: World, seed: int) -> None:
        self._there, self._rng = there, np.random.default_rng(seed)

    def page(self, offered: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._best(offered, np.zeros(len(offered)))

    def learn(self, find: int, liked: bool) -> None:
        pass

    def _best(self, offered: NDArray[np.int64], points: NDArray[np.floating]) -> NDArray[np.int64]:
        return offered[np.argsort(-points - 1e-6 * self._rng.random(len(offered)))[:CARDS]]


class Rocchio(NotLearning):
    """The mean of liked finds minus a part of the mean of others: Rocchio 1971, with the usual 0.75 and 0.15."""

    def __init__(self, there: World, seed: int) -> None:
        super().__init__(there, seed)
        self._seen: dict[bool, list[Floats]] = {
            is_liked: [np.zeros(DIMENSION, np.float32)] for is_liked in (True, False)
        }

    def page(self, offered: NDArray[np.int64]) -> NDArray[np.int64]:
        liked, other = (np.sum(self._seen[key], axis=0) / max(len(self._seen[key]) - 1, 1) for key in (True, False))
        return self._best(offered, self._there.vectors[offered] @ (0.75 * liked - 0.15 * other))

    def learn(self, find: int, liked: bool) -> None:
        self._seen[liked].append(self._there.vectors[find])


class Penny(NotLearning):
    """The ranking of thoughts/taste/ranking.py from reactions, without sites and preferences."""

    def __init__(self, there: World, seed: int) -> None:
        super().__init__(there, seed)
        self._told = list[Outcome]()

    def page(self, offered: NDArray[np.int64]) -> NDArray[np.int64]:
        finds = [Find("", "", {}, vector) for vector in self._there.vectors[offered]]
        points = np.array([sum(part.points for part in parts) for parts in Taste.learn(self._told, {}).parts(finds)])
        order = np.argsort(-points - 1e-6 * self._rng.random(len(offered)))[:SPREAD]
        top = [finds[place] for place in order]
        crowd = crowded(points[order].tolist(), likeness(top, top), [True] * len(top), CROWD)
        return self._best(offered[order], points[order] - CROWD * np.array(crowd))

    def learn(self, find: int, liked: bool) -> None:
        vector = self._there.vectors[find]
        self._told.append(Outcome(Find(str(find), "", {}, vector), 1.0 if liked else -1.0))


class Informed(NotLearning):
    """The best learner that knows this world but not the owner: topics of finds, and the possible chances.

    It ranks by Bayes' rule. No learner without the topics can do better for long.
    """

    def __init__(self, there: World, seed: int) -> None:
        super().__init__(there, seed)
        self._beliefs = np.tile(np.log(SHARES), (TOPICS, 1))

    def page(self, offered: NDArray[np.int64]) -> NDArray[np.int64]:
        beliefs = np.exp(self._beliefs - self._beliefs.max(axis=1, keepdims=True))
        chances = beliefs @ np.array(CHANCES) / beliefs.sum(axis=1)
        return self._best(offered, chances[self._there.topics[offered]])

    def learn(self, find: int, liked: bool) -> None:
        chances = np.array(CHANCES)
        self._beliefs[self._there.topics[find]] += np.log(chances if liked else 1 - chances)


RANKERS: list[tuple[str, Callable[[World, int], Ranker]]] = [
    ("not learning", NotLearning),
    ("Rocchio", Rocchio),
    ("Penny", Penny),
    ("informed", Informed),
]


def share_of_oracle(make: Callable[[World, int], Ranker], setting: Setting, seed: int) -> float:
    """Return the likes on the shown pages as a share of those on the best possible pages."""
    there, rng = world(seed), np.random.default_rng(seed)
    ranker, remaining, likes_shown, best = make(there, seed), np.arange(len(there.likes)), 0, 0
    for _ in range(PAGES):
        offered = rng.choice(remaining, setting.offered, replace=False) if setting.offered else remaining
        page = ranker.page(offered)
        likes_shown, best = (
            likes_shown + int(there.likes[page].sum()),
            best + min(CARDS, int(there.likes[offered].sum())),
        )
        for find in page[rng.random(len(page)) < setting.judged].tolist():
            ranker.learn(find, bool(there.likes[find]))
        remaining = np.setdiff1d(remaining, page)
    return likes_shown / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument(
        "--first", type=int, default=100, help="the first seed: what was chosen by some is told of others"
    )
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    for setting in SETTINGS:
        print(setting.name)
        for name, make in RANKERS:
            shares = [share_of_oracle(make, setting, seed) for seed in seeds]
            low = sum(share < TARGET_SHARE for share in shares)
            worst = f"worst {min(shares):.3f}, {low} of {len(shares)} below {TARGET_SHARE}"
            print(f"  {name:13} {np.mean(shares):.3f} ({worst})", flush=True)


if __name__ == "__main__":
    main()
