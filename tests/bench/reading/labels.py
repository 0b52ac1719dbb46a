"""How right each block of a page is, and the word F1 of a choice of blocks."""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from tests.bench.reading.pages import word_list

Numbers = NDArray[np.float64]
CHARACTERS_MOST = 50_000  # of the text that is kept of a page
RUN = 4  # words in a row by which long blocks are found
LOOKS = 40  # neighbours that may say where a short block belongs
# How likely a short block stands in the truth because of this block, by its distance in words from where it should be.
TRUST = ((3, 1.0), (30, 0.85), (150, 0.6))
FAR = 0.35
REWORDED = 0.35  # the share of runs from which on a block counts as reworded


class Scorer:
    """The word F1 of chosen blocks, as `pages.f1` has it of their text."""

    def __init__(self, texts: list[str], truth: str) -> None:
        lists = [word_list(text) for text in texts]
        of_truth = Counter(word_list(truth))
        place = {word: index for index, word in enumerate(of_truth)}
        self._wanted = np.array(list(of_truth.values()), dtype=np.int64)
        self.total = int(self._wanted.sum()) if of_truth else 0
        self._sizes = np.array([len(words) for words in lists], dtype=np.int64)
        self._characters = np.array([len(text) for text in texts], dtype=np.int64)
        ids = np.array([place.get(word, -1) for words in lists for word in words], dtype=np.int64)
        owners = np.repeat(np.arange(len(lists)), self._sizes)
        self._ids, self._owners = ids[ids >= 0], owners[ids >= 0]

    def f1(self, is_kept: NDArray[np.bool_]) -> float:
        is_kept = is_kept & (np.cumsum(np.where(is_kept, self._characters + 1, 0)) <= CHARACTERS_MOST)
        if not self.total or not is_kept.any():
            return 0.0
        counts = np.bincount(self._ids[is_kept[self._owners]], minlength=len(self._wanted))
        shared = np.minimum(counts, self._wanted).sum()
        return float(2 * shared / (self._sizes[is_kept].sum() + self.total))


def right_shares(texts: list[str], truth: str) -> Numbers:
    """Return how right each block is, from 0 to 1.

    Long blocks come first, each place of the truth counts once, and a block of a few words counts where the truth goes
    on from its neighbours.
    """
    return _Alignment([word_list(text) for text in texts], word_list(truth)).shares()


class _Alignment:
    def __init__(self, lists: list[list[str]], truth: list[str]) -> None:
        self._lists, self._truth = lists, truth
        self._is_used = np.zeros(len(truth) + 1, dtype=bool)
        self._runs = defaultdict[tuple[str, ...], list[int]](list)
        for size in range(1, RUN + 1):
            for start in range(len(truth) - size + 1):
                self._runs[tuple(truth[start : start + size])].append(start)
        self._left = Counter(truth)
        self._shares = np.zeros(len(lists))
        self._places = np.full(len(lists), -1)

    def shares(self) -> Numbers:
        for block in sorted(range(len(self._lists)), key=lambda block: -len(self._lists[block])):
            if self._lists[block]:
                self._align(block)
        return self._shares

    def _align(self, block: int) -> None:
        own = self._lists[block]
        size = len(own)
        starts = [
            start
            for start in self._runs.get(tuple(own[:RUN]), ())
            if start + size <= len(self._truth) and (size <= RUN or self._truth[start : start + size] == own)
        ]
        unused = [start for start in starts if not self._is_used[start : start + size].any()]
        if unused:
            self._take(block, unused)
        elif size >= RUN:
            self._take_reworded(block, is_used=bool(starts))

    def _take(self, block: int, starts: list[int]) -> None:
        size = len(self._lists[block])
        expected = self._expected_start(block)
        start = starts[0] if expected is None else min(starts, key=lambda start: abs(start - expected))
        gap = 50 if expected is None else abs(start - expected)
        self._shares[block] = 1.0 if size >= RUN else next((trust for most, trust in TRUST if gap <= most), FAR)
        if self._shares[block] < 0.5:
            return
        self._places[block] = start
        self._is_used[start : start + size] = True
        self._left.subtract(self._lists[block])

    def _expected_start(self, block: int) -> int | None:
        for distance in range(1, LOOKS):
            before, after = block - distance, block + distance
            if before >= 0 and self._places[before] >= 0:
                return int(self._places[before]) + len(self._lists[before])
            if after < len(self._lists) and self._places[after] >= 0:
                return int(self._places[after]) - len(self._lists[block])
        return None

    def _take_reworded(self, block: int, *, is_used: bool) -> None:
        own = self._lists[block]
        there = sum(min(count, max(0, self._left[word])) for word, count in Counter(own).items()) / len(own)
        runs = [tuple(own[start : start + RUN]) for start in range(len(own) - RUN + 1)]
        share = sum(run in self._runs for run in runs) / len(runs)
        trusted = there * (1.0 if share >= REWORDED else 0.5 * share / REWORDED)
        self._shares[block] = min(trusted, 0.3) if is_used else trusted
        if self._shares[block] < 0.5:
            return
        self._left.subtract(own)
        for offset, run in enumerate(runs):
            start = next((start for start in self._runs.get(run, ()) if not self._is_used[start]), None)
            if start is None:
                continue
            if self._places[block] < 0:
                self._places[block] = max(0, start - offset)
            self._is_used[start : start + RUN] = True
