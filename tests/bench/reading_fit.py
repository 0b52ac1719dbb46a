"""Fit the weights of block features (browser_ext/src/extract/blocks/feature_weights.ts) and test them.

    python -m tests.bench.reading FOLDER --keep KEPT
    python -m tests.bench.reading_fit FOLDER KEPT [--write]

The fit is a logistic regression with an L1 penalty over the named features of block_features.ts. A block is right as
far as its words stand in the page's true text. Printed are the mean word F1 of the fitted pages and of the pages set
aside. Each page is set aside once, in one of five parts with equally many pages of each type. `--write` writes the
weights fitted to all pages.

The rule by which extractors.ts takes Defuddle's text is chosen in the same way: for each part, the best rule on the
other parts. A type of pages that falls behind Defuddle counts against a rule. Printed are the F1 of these rules on the
pages set aside, and the best rule on all pages: the numbers of extractors.ts. To save time, extractors.ts runs
Defuddle on smaller pages only.
"""

import argparse
import itertools
import json
import random
import statistics
import textwrap
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.bench.reading import EXTENSION, WORD, Truth, truths, words

Matrix = NDArray[np.float64]
PARTS = 5
PENALTY = 0.0013  # on standardised features; a third of it fits these pages better and others worse
STEPS = 400
LEAST_BLOCKS = 60  # a feature of fewer blocks says nothing
LEAST_WEIGHT = 0.012
BEHIND = 0.01
AROUND = {"nav", "header", "footer", "aside"}
RULES = ((0.8, 0.85, 0.9), (300, 600), (0.0, 0.65, 0.7, 0.75, 0.8), (0.3, 0.4, 0.5), (0.0, 0.2, 0.35, 0.5))
WEIGHTS = EXTENSION / "src" / "extract" / "blocks" / "feature_weights.ts"


@dataclass(frozen=True)
class Blocks:
    """A page as blocks: their words, how right each is, and their features; also the words of Defuddle's text."""

    truth: Truth
    words: list[Counter[str]]
    sizes: Matrix
    right: Matrix
    signs: list[dict[str, float]]
    elements: int
    defuddle: Counter[str]


def parse_blocks(truth: Truth, answer: dict[str, Any]) -> Blocks:
    blocks = answer["blocks"]
    word_counts = [words(block["text"]) for block in blocks]
    sizes = np.array([float(block["words"]) for block in blocks])
    signs = [block["signs"] for block in blocks]
    right = np.array(_right(blocks, truth))
    return Blocks(truth, word_counts, sizes, right, signs, answer["elements"], words(answer["defuddle"]))


def _right(blocks: list[dict[str, Any]], truth: Truth) -> list[float]:
    """Return the share of true words of each block.

    Long blocks come first, each true word counts once, and phrases count before stray words.
    """
    unmatched, lines = words(truth.text), {" ".join(_listed(line)) for line in truth.text.split("\n")}
    truth_words = _listed(truth.text)
    phrases = {tuple(truth_words[start : start + 4]) for start in range(len(truth_words) - 3)}
    whole = f" {' '.join(truth_words)} "
    shares = [0.0] * len(blocks)
    listed = [_listed(block["text"]) for block in blocks]
    for index in sorted(range(len(blocks)), key=lambda index: -len(listed[index])):
        block_words = listed[index]
        if not block_words:
            continue
        share = (Counter(block_words) & unmatched).total() / len(block_words)
        shares[index] = share * _trust(block_words, lines, phrases, whole)
        if shares[index] >= 0.5:
            unmatched -= Counter(block_words)
    return shares


def _trust(block_words: list[str], lines: set[str], phrases: set[tuple[str, ...]], whole: str) -> float:
    """Return how likely these words stand in the truth because of this block."""
    if len(block_words) < 4:
        return (
            1.0
            if len(block_words) == 1 or " ".join(block_words) in lines or f" {' '.join(block_words)} " in whole
            else 0.6
        )
    grams = [tuple(block_words[start : start + 4]) for start in range(len(block_words) - 3)]
    return 1.0 if sum(gram in phrases for gram in grams) >= 0.35 * len(grams) else 0.5


def _listed(text: str) -> list[str]:
    return WORD.findall(text.lower())


# The fit
# --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    names: list[str]
    weights: Matrix
    bias: float

    def likely(self, page: Blocks) -> Matrix:
        return _sigmoid(_matrix([page], self.names) @ self.weights + self.bias)


def fit(pages: list[Blocks]) -> Fit:
    counts = Counter(name for page in pages for signs in page.signs for name in signs)
    names = sorted(name for name, count in counts.items() if count >= LEAST_BLOCKS)
    signs = _matrix(pages, names)
    right = np.concatenate([page.right >= 0.5 for page in pages]).astype(float)
    shares = np.concatenate([np.maximum(page.sizes, 0.5) / max(1.0, page.sizes.sum()) for page in pages])
    shares /= shares.sum()
    mean, spread = signs.mean(0), signs.std(0) + 1e-9
    weights, bias = _descended((signs - mean) / spread, right, shares)
    weights[np.abs(weights) < LEAST_WEIGHT] = 0
    return Fit(names, weights / spread, float(bias - (weights / spread) @ mean))


def _descended(signs: Matrix, right: Matrix, shares: Matrix) -> tuple[Matrix, float]:
    """Minimise the weighted logistic loss by proximal gradient descent with momentum (FISTA)."""
    rate = 4.0 / float(np.linalg.norm(signs * np.sqrt(shares)[:, None], 2) ** 2 + 1)
    weights = ahead = np.zeros(signs.shape[1] + 1)
    momentum = 1.0
    for _ in range(STEPS):
        wrong = shares * (_sigmoid(signs @ ahead[:-1] + ahead[-1]) - right)
        step = ahead - rate * np.append(signs.T @ wrong, wrong.sum())
        shrunk = np.sign(step) * np.maximum(np.abs(step) - rate * PENALTY, 0)
        shrunk[-1] = step[-1]
        faster = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = shrunk + (momentum - 1) / faster * (shrunk - weights)
        weights, momentum = shrunk, faster
    return weights[:-1], float(weights[-1])


def _matrix(pages: list[Blocks], names: list[str]) -> Matrix:
    place = {name: index for index, name in enumerate(names)}
    rows = [signs for page in pages for signs in page.signs]
    matrix = np.zeros((len(rows), len(names)))
    for row, signs in enumerate(rows):
        for name, value in signs.items():
            if name in place:
                matrix[row, place[name]] = value
    return matrix


def _sigmoid(sums: Matrix) -> Matrix:
    return np.asarray(1 / (1 + np.exp(-np.clip(sums, -40, 40))))


# The proof
# ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnText:
    """Penny's text of a page: its words, and the F1 that body_text.ts expects."""

    page: Blocks
    words: Counter[str]
    expected: float

    def f1(self) -> float:
        return _f1(self.words, self.page.truth)


def own_text(page: Blocks, likely: Matrix) -> OwnText:
    """Return the text of the blocks that body_text.ts keeps, and of the title."""
    order = np.argsort(-likely, kind="stable")
    expected = (
        2
        * np.cumsum((page.sizes * likely)[order])
        / np.maximum(1e-9, np.cumsum(page.sizes[order]) + (page.sizes * likely).sum())
    )
    best = int(np.argmax(expected)) if len(order) else 0
    indices = {*order[: best + 1].tolist(), *_title(page)}
    return OwnText(
        page,
        sum((page.words[index] for index in indices), Counter[str]()),
        float(expected[best]) if len(order) else 0.0,
    )


def _title(page: Blocks) -> list[int]:
    titles = (index for index, signs in enumerate(page.signs) if "h1" in signs and not signs.keys() & AROUND)
    return list(itertools.islice(titles, 1))


def _f1(predicted: Counter[str], truth: Truth) -> float:
    truth_words = words(truth.text)
    return 2 * (predicted & truth_words).total() / max(1, predicted.total() + truth_words.total())


def prove(pages: list[Blocks]) -> None:
    parts = _parts(pages)
    fitted: list[float] = []
    aside = dict[str, OwnText]()
    for part in range(PARTS):
        fit_of_others = fit([page for page in pages if parts[page.truth.id] != part])
        for page in pages:
            one = own_text(page, fit_of_others.likely(page))
            if parts[page.truth.id] == part:
                aside[page.truth.id] = one
            else:
                fitted.append(one.f1())
    print(f"mean F1 of pages fitted to {statistics.mean(fitted):.4f}")
    _say("set aside", {id_: one.f1() for id_, one in aside.items()}, pages)
    prove_rules(aside, pages, parts)


def _say(what: str, scores: dict[str, float], pages: list[Blocks]) -> None:
    kinds = defaultdict(list)
    for page in pages:
        kinds[page.truth.kind].append(scores[page.truth.id])
    means = ", ".join(f"{kind} {statistics.mean(scores_of_kind):.4f}" for kind, scores_of_kind in sorted(kinds.items()))
    print(f"{what}: {statistics.mean(scores.values()):.4f} ({means})")


@dataclass(frozen=True)
class Rule:
    """The thresholds of extractors.ts, by the same names, for taking Defuddle's text."""

    alike: float
    most_elements: int
    sure: float
    prose: float
    least: float

    def f1(self, own_text: OwnText) -> float:
        page = own_text.page
        sentences = page.signs[0].get("page, sentences", 0.0) if page.signs else 0.0
        is_enough = page.defuddle.total() >= self.least * own_text.words.total()
        is_unsure = own_text.expected < self.sure and sentences >= self.prose and is_enough
        is_alike = page.elements <= self.most_elements and _likeness(own_text.words, page.defuddle) >= self.alike
        return _f1(page.defuddle if is_unsure or is_alike else own_text.words, page.truth)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def prove_rules(aside: dict[str, OwnText], pages: list[Blocks], parts: dict[str, int]) -> None:
    scores = {
        rule: {id_: rule.f1(one) for id_, one in aside.items()}
        for rule in itertools.starmap(Rule, itertools.product(*RULES))
    }
    defuddles = {page.truth.id: _f1(page.defuddle, page.truth) for page in pages}

    def worth(rule: Rule, among: list[Blocks]) -> float:
        kinds = defaultdict(list)
        for page in among:
            kinds[page.truth.kind].append((scores[rule][page.truth.id], defuddles[page.truth.id]))
        behind = [
            max(0.0, statistics.mean(theirs - ours for ours, theirs in pairs) - BEHIND) for pairs in kinds.values()
        ]
        return statistics.mean(scores[rule][page.truth.id] for page in among) - statistics.mean(behind)

    chosen = dict[str, float]()
    for part in range(PARTS):
        best = max(scores, key=lambda rule: worth(rule, [page for page in pages if parts[page.truth.id] != part]))
        chosen |= {id_: score for id_, score in scores[best].items() if parts[id_] == part}
    _say("set aside, with a rule chosen on the others", chosen, pages)
    best = max(scores, key=lambda rule: worth(rule, pages))
    _say(f"with the best rule, {best}", scores[best], pages)
    _say("Defuddle, of what is seen", defuddles, pages)


def _parts(pages: list[Blocks]) -> dict[str, int]:
    chance = random.Random(1)
    kinds = defaultdict(list)
    for page in pages:
        kinds[page.truth.kind].append(page.truth.id)
    for ids in kinds.values():
        chance.shuffle(ids)
    return {id_: index % PARTS for ids in kinds.values() for index, id_ in enumerate(ids)}


def write_weights(result: Fit) -> None:
    head = WEIGHTS.read_text().partition("export const WEIGHTS")[0]
    by_size = sorted(zip(result.names, result.weights, strict=True), key=lambda entry: -abs(entry[1]))
    weights = [("bias", result.bias), *by_size]
    entries = [
        f"{name if name.isidentifier() else repr(name)}: {value:.3f},".replace(" ", "\0")
        for name, value in weights
        if value
    ]
    lines = textwrap.fill(
        " ".join(entries),
        145,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    WEIGHTS.write_text(f"{head}export const WEIGHTS: Weights = {{\n" + lines.replace("\0", " ") + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kept", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = map(json.loads, options.kept.read_text().splitlines())
    answers = {line["id"]: line["others"]["seen"] for line in lines}
    pages = [parse_blocks(truth, answers[truth.id]) for truth in truths(options.folder) if truth.id in answers]
    prove(pages)
    if options.write:
        write_weights(fit(pages))


if __name__ == "__main__":
    main()
