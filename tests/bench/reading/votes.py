"""The vote of each word: how much more of what stands under it is content than of other blocks.

Words of names (tags, classes, ids, roles) and of headings. A page has one vote, and its host no vote
on its own pages: else a site's own labels would come back as its features.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.bench.reading.blocks import GROUPS, Page

Numbers = NDArray[np.float64]
FAMILIES = {"names": "all", "headings": "headings"}  # and the group whose words vote
FAMILY_OF_GROUP = {"own": "names", "near": "names", "all": "names", "headings": "headings"}
PAGES_LEAST = {"names": 6, "headings": 12}  # with fewer, a word has no vote
PRIOR_VOTES = 3.0
FULL_VOTE_WORDS = 20  # words under a word from which on its page has a full vote
SUM_MOST = 30.0
STEP = 0.1  # votes are rounded, and stored as whole numbers


@dataclass
class Sums:
    right: float = 0.0
    votes: float = 0.0
    pages: int = 0


class Votes:
    def __init__(self, pages: Iterable[tuple[Page, Numbers]]) -> None:
        """Take pages with how right each of their blocks is."""
        self._all = {family: defaultdict[str, Sums](Sums) for family in FAMILIES}
        self._own = defaultdict[tuple[str, str], dict[str, Sums]](dict)
        right = count = 0.0
        for page, shares in pages:
            weights = page.sizes + 0.5
            right += float((weights * shares).sum() / weights.sum())
            count += 1
            for family, group in FAMILIES.items():
                self._count(page, family, group, weights, weights * shares)
        self._prior = right / max(1.0, count)

    def _count(self, page: Page, family: str, group: str, weights: Numbers, right: Numbers) -> None:
        words, blocks = page.groups.get(group, (np.zeros(0, np.int32), np.zeros(0, np.int32)))
        if not len(words):
            return
        words, blocks = np.unique(np.stack([words, blocks]), axis=1)  # a word of several boxes around a block
        sizes = np.bincount(words, weights[blocks], len(page.words))
        rights = np.bincount(words, right[blocks], len(page.words))
        own = self._own[(page.truth.host, family)]
        for word in np.unique(words):
            vote = min(1.0, max(0.3, sizes[word] / FULL_VOTE_WORDS))
            for sums in (self._all[family][page.words[word]], own.setdefault(page.words[word], Sums())):
                sums.right += vote * rights[word] / sizes[word]
                sums.votes += vote
                sums.pages += 1

    def of_all(self, family: str) -> dict[str, float]:
        """Return the votes of all pages, which the extension gets."""
        votes = {word: self._vote(family, word, None) for word in self._all[family] if " " not in word}
        return {word: vote for word, vote in votes.items() if vote is not None}

    def _vote(self, family: str, word: str, host: str | None) -> float | None:
        sums = self._all[family].get(word)
        if sums is None:
            return None
        own = self._own[(host, family)].get(word, Sums()) if host else Sums()
        if sums.pages - own.pages < PAGES_LEAST[family]:
            return None
        votes = sums.votes - own.votes
        share = (sums.right - own.right + PRIOR_VOTES * self._prior) / (votes + PRIOR_VOTES)
        return round((_logit(share) - _logit(self._prior)) / STEP) * STEP

    def features(self, page: Page, *, without_own: bool) -> tuple[list[str], Numbers]:
        """Return what word_features.ts computes of a page: names, and a row for each block."""
        host = page.truth.host if without_own else None
        names, columns = [], []
        for group in GROUPS:
            words, blocks = page.groups.get(group, (np.zeros(0, np.int32), np.zeros(0, np.int32)))
            votes_of = {
                int(word): self._vote(FAMILY_OF_GROUP[group], page.words[word], host) for word in np.unique(words)
            }
            votes = np.array([np.nan if (vote := votes_of[int(word)]) is None else vote for word in words], dtype=float)
            is_known = ~np.isnan(votes)
            columns.append(_aggregates(votes[is_known], blocks[is_known], len(page.sizes)))
            names += [f"{group} words, {what}" for what in ("least", "most", "mean", "sum")]
        return names, np.concatenate(columns, 1)


def _aggregates(votes: Numbers, blocks: NDArray[np.int32], count: int) -> Numbers:
    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, blocks, votes)
    np.maximum.at(most, blocks, votes)
    sums, counts = np.bincount(blocks, votes, count), np.bincount(blocks, minlength=count)
    least[counts == 0] = most[counts == 0] = 0
    return np.stack([least, most, sums / np.maximum(1, counts), np.clip(sums, -SUM_MOST, SUM_MOST)], 1)


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))
