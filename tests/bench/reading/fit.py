"""Fit the learned choice of blocks, and test it on hosts that it was not fitted to.

    python -m tests.bench.reading.blocks FOLDER FILE
    uv run --with lightgbm==4.7.0 python -m tests.bench.reading.fit FOLDER FILE [--write]

Gradient-boosted trees over the features that the extension computes. Printed is the mean word F1 of pages whose hosts
were set aside, each once in one of five parts. `--write` fits all pages, and writes the trees and the votes of words to
browser_ext/src/extract/choice/model.json. The same pages give the same file.
"""

import argparse
import json
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.bench.reading import blocks
from tests.bench.reading.labels import Scorer, right_shares
from tests.bench.reading.packed import Packed, pack
from tests.bench.reading.pages import EXTENSION
from tests.bench.reading.votes import FAMILIES, STEP, Votes

Numbers = NDArray[np.float64]
PARTS = 5
ROUNDS = 250
ROWS_OF_PAGE = 200
THRESHOLDS_MOST = 63  # of a feature
EXAMPLES = 24  # blocks whose likelihoods the test of the extension compares
CHOICE = EXTENSION / "src" / "extract" / "choice"
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.07,
    "num_leaves": 31,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.35,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "path_smooth": 2.0,
    "max_bin": THRESHOLDS_MOST,
    "num_threads": 2,
    "verbosity": -1,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
}


@dataclass
class Page:
    """A page ready to fit: a row of features for each block."""

    blocks: blocks.Page
    scorer: Scorer
    shares: Numbers
    rows: NDArray[np.float32]

    @property
    def host(self) -> str:
        return self.blocks.truth.host


def prepare(pages: list[blocks.Page]) -> tuple[list[str], list[Page], Votes]:
    """Return the names of all features, and each page with the votes of all other hosts."""
    scorers = [Scorer(page.texts, page.truth.text) for page in pages]
    shares = [right_shares(page.texts, page.truth.text) for page in pages]
    usable = [
        (page, share)
        for page, share, scorer in zip(pages, shares, scorers, strict=True)
        if scorer.total and len(page.sizes)
    ]
    votes = Votes(usable)
    of_words = [votes.features(page, without_own=True) for page in pages]
    names = sorted({name for page in pages for name in page.names} | set(of_words[0][0]))
    place = {name: index for index, name in enumerate(names)}
    prepared = []
    for page, scorer, share, (word_names, word_rows) in zip(pages, scorers, shares, of_words, strict=True):
        rows = np.zeros((len(page.sizes), len(names)), dtype=np.float32)
        if len(page.sizes):
            rows[:, [place[name] for name in page.names]] = page.matrix
            rows[:, [place[name] for name in word_names]] = word_rows
        prepared.append(Page(page, scorer, share, rows))
    return names, prepared, votes


def fit(names: list[str], pages: list[Page]) -> Packed:
    import lightgbm  # type: ignore[import-not-found]  # of no other use here: `uv run --with`

    samples = [
        (page, *_rows_of(page, np.random.default_rng(1))) for page in pages if page.scorer.total and len(page.rows)
    ]
    rows = np.concatenate([page.rows[at] for page, at, _ in samples])
    right = np.concatenate([page.shares[at] for page, at, _ in samples])
    weights = np.concatenate([weight for _, _, weight in samples])
    data = lightgbm.Dataset(
        rows, right, weight=weights * len(weights) / weights.sum(), params={"max_bin": THRESHOLDS_MOST, "verbosity": -1}
    )
    return pack(lightgbm.train(PARAMETERS, data, ROUNDS).dump_model(), names)


def likely(names: list[str], model: Packed, page: Page) -> Numbers:
    place = {name: index for index, name in enumerate(names)}
    return model.likely(page.rows[:, [place[name] for name in model.features]])


def _rows_of(page: Page, chance: np.random.Generator) -> tuple[NDArray[np.int64], Numbers]:
    """Choose rows of a page, half by chance and half by weight, so that large pages do not rule."""
    weights = (page.blocks.sizes + 1) / (page.blocks.sizes + 1).sum()
    if len(weights) <= ROWS_OF_PAGE:
        return np.arange(len(weights)), weights
    share = np.minimum(1, 0.5 * ROWS_OF_PAGE / len(weights) + 0.5 * ROWS_OF_PAGE * weights)
    at = np.flatnonzero(chance.random(len(weights)) < share)
    return at, (weights / share)[at]


def choose(page: blocks.Page, likely: Numbers) -> NDArray[np.bool_]:
    """Return the blocks that likeliest_blocks.ts keeps."""
    is_kept = np.zeros(len(likely), dtype=bool)
    if not len(likely):
        return is_kept
    order = np.argsort(-likely, kind="stable")
    right = page.sizes * likely
    expected = 2 * np.cumsum(right[order]) / np.maximum(1e-9, np.cumsum(page.sizes[order]) + right.sum())
    is_kept[order[: int(np.argmax(expected)) + 1]] = True
    first = dict[str, int]()
    for index, text in enumerate(page.texts):
        if is_kept[index] and page.sizes[index] >= 8 and first.setdefault(text, index) != index:
            is_kept[index] = False
    return is_kept


def prove(names: list[str], pages: list[Page]) -> None:
    parts = _parts(pages)
    scores = dict[str, float]()
    for part in range(PARTS):
        model = fit(names, [page for page in pages if parts[page.host] != part])
        for page in pages:
            if parts[page.host] == part:
                scores[page.blocks.truth.id] = page.scorer.f1(choose(page.blocks, likely(names, model, page)))
        print(f"part {part} of {PARTS}", file=sys.stderr)
    report(scores, pages)


def report(scores: dict[str, float], pages: list[Page]) -> None:
    kinds = defaultdict[str, list[float]](list)
    for page in pages:
        kinds[page.blocks.truth.kind].append(scores[page.blocks.truth.id])
    with_truth = [scores[page.blocks.truth.id] for page in pages if page.scorer.total]
    print(
        f"hosts set aside: {statistics.mean(scores.values()):.4f}; with a truth {statistics.mean(with_truth):.4f}, "
        f"below 0.2: {sum(score < 0.2 for score in with_truth)}"
    )
    print(", ".join(f"{kind} {statistics.mean(of_kind):.4f}" for kind, of_kind in sorted(kinds.items())))


def _parts(pages: list[Page]) -> dict[str, int]:
    hosts = sorted({page.host for page in pages})
    np.random.default_rng(3).shuffle(hosts)
    return {host: index % PARTS for index, host in enumerate(hosts)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    names, pages, votes = prepare(blocks.load(options.folder, options.file))
    best = [page.scorer.f1(page.shares >= 0.5) for page in pages]
    print(f"{len(pages)} pages, {len(names)} features; the right blocks have {statistics.mean(best):.4f}")
    if not options.write:
        prove(names, pages)
        return
    write(names, pages, votes)


def write(names: list[str], pages: list[Page], votes: Votes) -> None:
    """Write the model fitted to all pages, and examples for the test of the extension's evaluation."""
    model = fit(names, pages)
    words = {family: _by_vote(votes.of_all(family)) for family in FAMILIES}
    text = json.dumps(model.fields() | {"votes": words}, ensure_ascii=False, separators=(",", ":"))
    (CHOICE / "model.json").write_text(f"{text}\n")
    print(f"model.json: {len(text) // 1000} kB, {len(model.features)} features")
    some = np.concatenate([page.rows for page in pages[:: len(pages) // EXAMPLES] if len(page.rows)])
    place = {name: index for index, name in enumerate(names)}
    rows = some[:: len(some) // EXAMPLES, [place[name] for name in model.features]][:EXAMPLES]
    examples = {
        "rows": [[float(f"{value:.9g}") for value in row] for row in rows],
        "likely": [round(float(value), 6) for value in model.likely(rows)],
    }
    (CHOICE / "model_examples.json").write_text(f"{json.dumps(examples, separators=(',', ':'))}\n")


def _by_vote(votes: dict[str, float]) -> dict[str, str]:
    """Return the words below their vote, in tenths."""
    words = defaultdict[int, list[str]](list)
    for word, vote in sorted(votes.items()):
        words[round(vote / STEP)].append(word)
    return {str(tenths): " ".join(words[tenths]) for tenths in sorted(words)}


if __name__ == "__main__":
    main()
