"""How well near-duplicate views of pages are told from other pages, which are as alike as pages get: precision, recall
and F1.

    python -m tests.bench.duplicates FOLDER [--pages 100] [--skip 0]

FOLDER holds `truth/ID.json` (`url`, `title`, `main_content`) and `html/ID.html.gz`, as the corpora of content
extraction do. Views of a page are what other browsers, days and extractors make of it. Of the pairs that are no
duplicates half are those that share most words.

The sites are parted into two halves. Penny's numbers are told of each; then, so that they are not told only of what
they were fitted to, numbers are fitted anew to one half and told of the other.
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


def read(folder: Path) -> list[Page]:
    """Return the pages of a folder that have at least 50 words."""
    found = [
        _page(path, folder / "html" / f"{path.stem}.html.gz") for path in sorted((folder / "truth").glob("*.json"))
    ]
    return [page for page in found if len(page.main.split()) >= 50]


def _page(truth: Path, stored: Path) -> Page:
    said, source = json.loads(truth.read_text()), gzip.decompress(stored.read_bytes()).decode(errors="replace")
    named = re.search(r"(?is)<title[^>]*>(.*?)</title>", source)
    title = html.unescape(named[1]).strip() if named else ""
    site = ".".join((urlsplit(said.get("url", "")).hostname or truth.stem).split(".")[-2:])
    named_so = (said.get("title") or "").strip() or title
    return Page(named_so, title or said.get("title", ""), said["main_content"].strip(), _visible(source), site)


def _visible(source: str) -> str:
    """Return a page's words with all that stands around the main text: menus, links, notices."""
    without = re.sub(r"(?is)<(script|style|noscript|svg|head|template)\b.*?</\1>|<!--.*?-->", " ", source)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", without))).strip()[:50_000]


def halves(pages: list[Page]) -> tuple[list[Page], list[Page]]:
    """Part pages in two, all of one site together: sites have their own ways to repeat themselves."""
    first = {page.site for page in pages if hashlib.sha256(page.site.encode()).digest()[0] % 2}
    return [page for page in pages if page.site in first], [page for page in pages if page.site not in first]


def views(page: Page, rnd: random.Random) -> list[View]:
    sentences, words = re.split(r"(?<=[.!?])\s+", page.main), page.main.split()
    kept = [sentence for sentence in sentences if rnd.random() > 0.3] or sentences
    changed = [
        rnd.choice(words) if rnd.random() < 0.08 else re.sub(r"\d+", str(rnd.randint(1, 999)), word) for word in words
    ]
    some = sorted(rnd.sample(range(len(sentences)), max(1, len(sentences) // 2)))
    return [
        View(page.title, page.main),
        View(page.title_in_html, page.everything),
        View(page.title, " ".join(kept)),
        View(page.title_in_html[:60], " ".join(words[: max(50, len(words) * 6 // 10)])),
        View(page.title_in_html, " ".join(words[-max(50, len(words) * 7 // 10) :])),
        View(f"Updated: {page.title}", " ".join(changed)),
        View(page.title, " ".join(sentences[place] for place in some)),
    ]


def pairs(pages: list[Page], seed: int = 7) -> list[Pair]:
    """Return for each page four pairs of its views, three with the pages that share most of its words, and three with
    any others.
    """
    rnd = random.Random(seed)
    seen = [views(page, rnd) for page in pages]
    same = [Pair(*pair, True) for each in seen for pair in rnd.sample(list(combinations(each, 2)), VIEWS_OF_A_PAGE)]
    counts = [Counter(re.findall(r"\w+", page.main.lower())) for page in pages]
    other: list[Pair] = []
    for place in range(len(pages)):
        rest = [index for index in range(len(pages)) if index != place]
        near = sorted(rest, key=lambda index: _rare_cosine(counts, place, index), reverse=True)[:OTHERS]
        others = near + rnd.sample(rest, min(OTHERS, len(rest)))
        other += [Pair(rnd.choice(seen[place]), rnd.choice(seen[index]), False) for index in others]
    return same + other


def _rare_cosine(counts: list[Counter[str]], one: int, other: int) -> float:
    shared = sum(
        math.log(1 + counts[one][word]) * math.log(1 + counts[other][word])
        for word in counts[one].keys() & counts[other].keys()
    )
    return shared / math.sqrt(len(counts[one]) * len(counts[other]))


def score(found: list[Pair], is_duplicate: Callable[[Pair], bool]) -> Score:
    said = [(pair.is_duplicate, is_duplicate(pair)) for pair in found]
    return Score(*(said.count(each) for each in ((True, True), (False, True), (True, False))))


def by_penny(pair: Pair) -> bool:
    """Ask as thinking does, of the one as a thought that is there and of the other as a find. Needs Django and its
    database.
    """
    from agents.embeddings import store
    from thoughts.duplicates import twin_of

    _there(pair.one)
    store.catch_up(60)
    title, text = pair.other.title[:TITLE_MAX], pair.other.text
    return twin_of(title, text, store.embed_find(title, text, ["b.example"])) is not None


def by_words(pair: Pair) -> bool:
    """The same without vectors."""
    from thoughts.duplicates import twin_of

    _there(pair.one)
    return twin_of(pair.other.title[:TITLE_MAX], pair.other.text) is not None


@dataclass(frozen=True)
class Signs:
    """What Penny looks at in a pair: the shared runs of words, the cosine of the vectors, whether the titles are the
    same.
    """

    shared: float
    closeness: float
    same_title: bool


def signs_of(found: list[Pair]) -> dict[Pair, Signs]:
    from agents.embeddings import embed
    from agents.zones.inputs import Untrusted
    from thoughts.duplicates import has_same_title, shared_runs
    from thoughts.embeddings import words_of

    seen = list(dict.fromkeys(view for pair in found for view in (pair.one, pair.other)))
    texts = [Untrusted(words_of(view.title[:TITLE_MAX], view.text), frozenset({"a.example"})) for view in seen]
    vectors = dict(zip(seen, embed.embed(texts), strict=True))
    return {
        pair: Signs(
            shared_runs(pair.one.text, pair.other.text),
            float(vectors[pair.one] @ vectors[pair.other]),
            has_same_title(pair.one.title[:TITLE_MAX], pair.other.title[:TITLE_MAX]),
        )
        for pair in found
    }


@dataclass(frozen=True)
class Numbers:
    """From where on a pair counts as duplicates: by shared runs, by the cosine, and by the cosine where the titles are
    the same.
    """

    shared: float
    closeness: float
    with_title: float

    def tell(self, signs: Signs) -> bool:
        return signs.shared >= self.shared or signs.closeness >= (
            self.with_title if signs.same_title else self.closeness
        )


def fitted(known: dict[Pair, Signs]) -> Numbers:
    """Return the numbers that tell these pairs best."""
    steps = product((n / 50 for n in range(5, 30)), (n / 50 for n in range(25, 48)), (n / 50 for n in range(25, 48)))
    every = [Numbers(*each) for each in steps if each[2] <= each[1]]
    return max(every, key=lambda numbers: _score(numbers, known).f1)


def _there(view: View) -> None:
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
        for n, half in enumerate(halves(read(options.folder)[options.skip :][: options.pages]))
    ]
    with tempfile.TemporaryDirectory(prefix="penny-") as data:
        os.environ.update(PENNY_DATA=data, DJANGO_SETTINGS_MODULE="penny_site.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        report(parts)


def report(parts: list[list[Pair]]) -> None:
    from constance import config

    from thoughts.duplicates import RUNS_SHARED, SAME_TITLE_COSINE

    own, known = Numbers(RUNS_SHARED, config.DUPLICATE_COSINE, SAME_TITLE_COSINE), [signs_of(part) for part in parts]
    for name, part, told in zip(HALVES, parts, known, strict=True):
        print(f"{name}: {len(part)} pairs, {sum(pair.is_duplicate for pair in part)} of them duplicates")
        print("  by words alone:   ", score(part, by_words))
        print("  with the vectors: ", _score(own, told), flush=True)
    for fit, held in ((0, 1), (1, 0)):
        numbers = fitted(known[fit])
        print(
            f"{numbers}, fitted to {HALVES[fit]} ({_score(numbers, known[fit])}), told of {HALVES[held]}:",
            _score(numbers, known[held]),
        )


def _score(numbers: Numbers, known: dict[Pair, Signs]) -> Score:
    return score(list(known), lambda pair: numbers.tell(known[pair]))


if __name__ == "__main__":
    main()
