"""Measure precision, recall and F1 of telling near-duplicate views of pages from other pages.

    python -m tests.bench.duplicates FOLDER [--pages 100] [--skip 0]

FOLDER holds `truth/ID.json` (`url`, `title`, `main_content`) and `html/ID.html.gz`, as the corpora of content
extraction do. The views of a page imitate other browsers, days and extractors. Of the pairs that are no duplicates,
half share the most words.

The sites are split into two halves. Penny's thresholds are measured on each. Thresholds fitted to one half are then
measured on the other, which they were not fitted to.
"""

import argparse
import gzip
import hashlib
import html
import json
import math
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from urllib.parse import urlsplit

VIEWS_OF_A_PAGE, OTHERS, TITLE_MAX = 4, 3, 200
HALVES = ("one half", "the other half")


@dataclass(frozen=True)
class Page:
    title: str
    title_in_html: str
    main: str
    everything: str
    site: str = ""


@dataclass(frozen=True)
class View:
    title: str
    text: str


@dataclass(frozen=True)
class Pair:
    one: View
    other: View
    is_duplicate: bool


@dataclass(frozen=True)
class Score:
    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        return 2 * self.right / (2 * self.right + self.wrong + self.missed)

    def __str__(self) -> str:
        return f"F1 {self.f1:.4f} ({self.right} found, {self.missed} missed, {self.wrong} wrong)"


def read_pages(folder: Path) -> list[Page]:
    """Return the pages of a folder that have at least 50 words."""
    pages = [
        _read_page(path, folder / "html" / f"{path.stem}.html.gz") for path in sorted((folder / "truth").glob("*.json"))
    ]
    return [page for page in pages if len(page.main.split()) >= 50]


def _read_page(truth: Path, html_file: Path) -> Page:
    truth_data, source = json.loads(truth.read_text()), gzip.decompress(html_file.read_bytes()).decode(errors="replace")
    title_match = re.search(r"(?is)<title[^>]*>(.*?)</title>", source)
    title = html.unescape(title_match[1]).strip() if title_match else ""
    site = ".".join((urlsplit(truth_data.get("url", "")).hostname or truth.stem).split(".")[-2:])
    true_title = (truth_data.get("title") or "").strip() or title
    main = truth_data["main_content"].strip()
    return Page(true_title, title or truth_data.get("title", ""), main, _visible(source), site)


def _visible(source: str) -> str:
    """Return all words of a page: the main text, menus, links, notices."""
    without = re.sub(r"(?is)<(script|style|noscript|svg|head|template)\b.*?</\1>|<!--.*?-->", " ", source)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", without))).strip()[:50_000]


def halves(pages: list[Page]) -> tuple[list[Page], list[Page]]:
    """Split pages into two halves; all pages of one site stay together."""
    first = {page.site for page in pages if hashlib.sha256(page.site.encode()).digest()[0] % 2}
    return [page for page in pages if page.site in first], [page for page in pages if page.site not in first]


def views(page: Page, rnd: random.Random) -> list[View]:
    sentences, words = re.split(r"(?<=[.!?])\s+", page.main), page.main.split()
    remaining = [sentence for sentence in sentences if rnd.random() > 0.3] or sentences
    altered = [
        rnd.choice(words) if rnd.random() < 0.08 else re.sub(r"\d+", str(rnd.randint(1, 999)), word) for word in words
    ]
    some = sorted(rnd.sample(range(len(sentences)), max(1, len(sentences) // 2)))
    return [
        View(page.title, page.main),
        View(page.title_in_html, page.everything),
        View(page.title, " ".join(remaining)),
        View(page.title_in_html[:60], " ".join(words[: max(50, len(words) * 6 // 10)])),
        View(page.title_in_html, " ".join(words[-max(50, len(words) * 7 // 10) :])),
        View(f"Updated: {page.title}", " ".join(altered)),
        View(page.title, " ".join(sentences[place] for place in some)),
    ]


def pairs(pages: list[Page], seed: int = 7) -> list[Pair]:
    """Return four pairs of views of each page, and six pairs with similar and other pages."""
    rnd = random.Random(seed)
    views_of_pages = [views(page, rnd) for page in pages]
    same = [
        Pair(*pair, True)
        for page_views in views_of_pages
        for pair in rnd.sample(list(combinations(page_views, 2)), VIEWS_OF_A_PAGE)
    ]
    counts = [Counter(re.findall(r"\w+", page.main.lower())) for page in pages]
    other: list[Pair] = []
    for place in range(len(pages)):
        rest = [index for index in range(len(pages)) if index != place]
        near = sorted(rest, key=lambda index: _rare_cosine(counts, place, index), reverse=True)[:OTHERS]
        others = near + rnd.sample(rest, min(OTHERS, len(rest)))
        other += [Pair(rnd.choice(views_of_pages[place]), rnd.choice(views_of_pages[index]), False) for index in others]
    return same + other


def _rare_cosine(counts: list[Counter[str]], one: int, other: int) -> float:
    shared = sum(
        math.log(1 + counts[one][word]) * math.log(1 + counts[other][word])
        for word in counts[one].keys() & counts[other].keys()
    )
    return shared / math.sqrt(len(counts[one]) * len(counts[other]))


def score(candidates: list[Pair], is_duplicate: Callable[[Pair], bool]) -> Score:
    results = [(pair.is_duplicate, is_duplicate(pair)) for pair in candidates]
    return Score(*(results.count(kind) for kind in ((True, True), (False, True), (True, False))))


def by_penny(pair: Pair) -> bool:
    """Judge a pair as thinking does: the one is stored, the other is a find.

    Needs Django and its database.
    """
    from agents.embeddings import store
    from thoughts.duplicates import twin_of

    _store_only(pair.one)
    store.catch_up(60)
    title, text = pair.other.title[:TITLE_MAX], pair.other.text
    return twin_of(title, text, store.embed_find(title, text, ["b.example"])) is not None


def by_words(pair: Pair) -> bool:
    from thoughts.duplicates import twin_of

    _store_only(pair.one)
    return twin_of(pair.other.title[:TITLE_MAX], pair.other.text) is not None


@dataclass(frozen=True)
class Signs:
    """The features of a pair: shared runs of words, cosine of the vectors, equal titles."""

    shared: float
    closeness: float
    same_title: bool


def signs_of(candidates: list[Pair]) -> dict[Pair, Signs]:
    from agents.embeddings import embed
    from agents.zones.inputs import Untrusted
    from thoughts.duplicates import has_same_title, shared_runs
    from thoughts.index.meanings import words_of

    unique_views = list(dict.fromkeys(view for pair in candidates for view in (pair.one, pair.other)))
    texts = [Untrusted(words_of(view.title[:TITLE_MAX], view.text), frozenset({"a.example"})) for view in unique_views]
    vectors = dict(zip(unique_views, embed.embed(texts), strict=True))
    return {
        pair: Signs(
            shared_runs(pair.one.text, pair.other.text),
            float(vectors[pair.one] @ vectors[pair.other]),
            has_same_title(pair.one.title[:TITLE_MAX], pair.other.title[:TITLE_MAX]),
        )
        for pair in candidates
    }


@dataclass(frozen=True)
class Numbers:
    """The thresholds of a duplicate: shared runs, cosine, and cosine of pairs with equal titles."""

    shared: float
    closeness: float
    with_title: float

    def is_duplicate(self, signs: Signs) -> bool:
        return signs.shared >= self.shared or signs.closeness >= (
            self.with_title if signs.same_title else self.closeness
        )


def fit_numbers(signs: dict[Pair, Signs]) -> Numbers:
    """Return the thresholds with the best F1 on these pairs."""
    steps = product((n / 50 for n in range(5, 30)), (n / 50 for n in range(25, 48)), (n / 50 for n in range(25, 48)))
    every = [Numbers(*numbers) for numbers in steps if numbers[2] <= numbers[1]]
    return max(every, key=lambda numbers: _score(numbers, signs).f1)


def _store_only(view: View) -> None:
    from thoughts.models import Thought

    Thought.objects.all().delete()
    Thought.objects.create(title=view.title[:TITLE_MAX], text=view.text, html="", origin=["a.example"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many pages, by which numbers were chosen")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    parts = [
        pairs(half, options.seed + n)
        for n, half in enumerate(halves(read_pages(options.folder)[options.skip :][: options.pages]))
    ]
    with tempfile.TemporaryDirectory(prefix="penny-") as data:
        os.environ.update(PENNY_DATA=data, DJANGO_SETTINGS_MODULE="penny_site.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        report_halves(parts)


def report_halves(parts: list[list[Pair]]) -> None:
    from constance import config

    from thoughts.duplicates import RUNS_SHARED, SAME_TITLE_COSINE

    own, signs = Numbers(RUNS_SHARED, config.DUPLICATE_COSINE, SAME_TITLE_COSINE), [signs_of(part) for part in parts]
    for name, part, signs_of_half in zip(HALVES, parts, signs, strict=True):
        print(f"{name}: {len(part)} pairs, {sum(pair.is_duplicate for pair in part)} of them duplicates")
        print("  by words alone:   ", score(part, by_words))
        print("  with the vectors: ", _score(own, signs_of_half), flush=True)
    for fit, test in ((0, 1), (1, 0)):
        numbers = fit_numbers(signs[fit])
        print(
            f"{numbers}, fitted to {HALVES[fit]} ({_score(numbers, signs[fit])}), told of {HALVES[test]}:",
            _score(numbers, signs[test]),
        )


def _score(numbers: Numbers, signs: dict[Pair, Signs]) -> Score:
    return score(list(signs), lambda pair: numbers.is_duplicate(signs[pair]))


if __name__ == "__main__":
    main()
