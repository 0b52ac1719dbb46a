"""Measure how well and how fast pages are read: F1 beside other extractors, and times.

    python -m tests.bench.reading FOLDER [--tabs 2] [--times] [--worst N]

FOLDER holds marked pages (`pages.py`). Each opens in real Chromium from loopback, without its scripts and the network.
The extension's extraction reads it in an isolated world. A second load shows what Defuddle, Readability and the bare
text of the body return.

Printed are the mean word F1 (of all pages, of those with a truth, of each type), the pages below 0.2, the shares of
right and wrong snippets, the F1 of the best extractor for each page, and how much of the form survives (`form.py`).
`--times` opens one page at a time and adds the time of reading: in all, beside Defuddle alone, and the longest time in
which the page could not respond. That needs scripts to be on; the policy then stops those of the page. The exit code is
1 if a target is missed.
"""

import argparse
import asyncio
import statistics
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.reading.form import SCRIPT as MARKS
from tests.bench.reading.form import Kept, compare, report
from tests.bench.reading.pages import Tab, Truth, bundle, f1, truths, visit, word_list
from tests.bench.streams import verdict
from thoughts.text.page_form import plain_view

SCRIPT = """
import Defuddle from 'defuddle'
import { Readability } from '@mozilla/readability'
import { extractPage } from './src/extract/page'
import { textOf } from './src/extract/blocks/text_of'

const url = document.URL
const parsed = (html) => new DOMParser().parseFromString(html ?? '', 'text/html').body
async function timed(read) {
  const beats = !matchMedia('(scripting: none)').matches
  let block = 0
  let last = performance.now()
  const { port1, port2 } = new MessageChannel()
  const beat = () => {
    block = Math.max(block, performance.now() - last)
    last = performance.now()
    port2.postMessage(null)
  }
  port1.onmessage = beat
  port2.postMessage(null)
  const begin = performance.now()
  const found = await read()
  const ms = performance.now() - begin
  if (beats) await new Promise((resolve) => (port1.onmessage = () => (beat(), resolve())))
  port1.close()
  return { found, ms, block }
}
document.body.getBoundingClientRect() // a page in front of its reader is laid out
globalThis.reading = {
  async penny() {
    const { found, ms, block } = await timed(() => extractPage(document))
    return { text: found.page.text, extracted_with: found.page.extracted_with, fallbacks: found.fallbacks, ms, block }
  },
  form: () => marks(),
  async others() {
    const { found, ms, block } = await timed(() => new Defuddle(document, { url, useAsync: false }).parse().content)
    const readability = new Readability(document.cloneNode(true)).parse()?.content
    return { defuddle: textOf(parsed(found)), readability: textOf(parsed(readability)), body: \
textOf(document.body), ms, block }
  },
}
"""
EXTRACTORS = ("penny", "defuddle", "readability", "body")
LOW = 0.2
BEGINNING_WORDS = 8
BLOCK_MS, SLOW_PERCENT, RATIO = 50, 5, 1.0  # targets


@dataclass(frozen=True)
class Reading:
    """The result for a page: the text of each extractor, and times in ms."""

    truth: Truth
    texts: dict[str, str]
    extracted_with: str
    ms: float
    block_ms: float
    defuddle_ms: float
    form: dict[str, Kept]

    def f1(self, extractor: str) -> float:
        return f1(self.texts[extractor], self.truth.text)


def _parse_reading(truth: Truth, answer: dict[str, Any]) -> Reading:
    penny, others = answer["penny"], answer["others"]
    texts = {"penny": plain_view(penny["text"]).text} | {name: others[name] for name in EXTRACTORS[1:]}
    form = compare(penny["text"], truth.text, answer["form"])
    return Reading(truth, texts, penny["extracted_with"], penny["ms"], penny["block"], others["ms"], form)


def read_all(folder: Path, pages: list[Truth], tabs: int, *, with_scripts: bool) -> list[Reading]:
    reads: dict[str, Reading] = {}

    async def look(tab: Tab, truth: Truth) -> None:
        answer = {call: await tab.ask(truth.id, f"{call}()") for call in ("penny", "others", "form")}
        reads[truth.id] = _parse_reading(truth, answer)

    asyncio.run(visit(folder, pages, bundle(SCRIPT + MARKS), look, tabs=tabs, with_scripts=with_scripts))
    return [reads[truth.id] for truth in pages]


# The report
# -----------------------------------------------------------------------------------------------------------------


def report_scores(reads: list[Reading]) -> None:
    kinds = sorted({read.truth.kind for read in reads})
    print(f"{'':12}{'mean F1':>9}{'< 0.2':>7}{'right':>8}{'wrong':>8}" + "".join(f"{kind[:11]:>12}" for kind in kinds))
    for extractor in EXTRACTORS:
        print(f"{extractor:12}" + _row(reads, kinds, extractor))
    best = [max(read.f1(extractor) for extractor in EXTRACTORS) for read in reads]
    print(f"{'best of all':12}{statistics.mean(best):9.4f}{sum(score < LOW for score in best):7}")
    full = [read.f1("penny") for read in reads if read.truth.text]
    print(f"pages with a truth: {statistics.mean(full):.4f}, below 0.2: {sum(score < LOW for score in full)}")
    report(read.form for read in reads)
    print("read with:", dict(Counter(read.extracted_with for read in reads)))


def _row(reads: list[Reading], kinds: list[str], extractor: str) -> str:
    scores = [read.f1(extractor) for read in reads]
    low = sum(score < LOW for score in scores)
    right = _share((snippet, read.texts[extractor]) for read in reads for snippet in read.truth.snippets)
    wrong = _share((snippet, read.texts[extractor]) for read in reads for snippet in read.truth.boilerplate)
    means = (statistics.mean(read.f1(extractor) for read in reads if read.truth.kind == kind) for kind in kinds)
    return f"{statistics.mean(scores):9.4f}{low:7}{right:8.1%}{wrong:8.1%}" + "".join(f"{mean:12.4f}" for mean in means)


def _share(pairs: Iterable[tuple[str, str]]) -> float:
    matches = [_plain(snippet) in _plain(text) for snippet, text in pairs]
    return sum(matches) / max(1, len(matches))


def _plain(text: str) -> str:
    return " ".join(word_list(text))


def report_worst(reads: list[Reading], count: int) -> None:
    """Print the pages read worst: how many words were read, how many are right, and what they begin with."""
    for read in sorted((read for read in reads if read.truth.text), key=lambda read: read.f1("penny"))[:count]:
        words, right = word_list(read.texts["penny"]), word_list(read.truth.text)
        counts = f"{len(words):6} read {len(right):6} right {(Counter(words) & Counter(right)).total():6} shared"
        print(read.truth.id, f"{read.truth.kind:14}{read.f1('penny'):.3f}", counts)
        print(f"      {_beginning(words)} | {_beginning(right)}")


def _beginning(words: list[str]) -> str:
    return " ".join(words[:BEGINNING_WORDS])


def report_times(reads: list[Reading]) -> bool:
    penny, defuddle, blocks = (
        sorted(times) for times in zip(*((read.ms, read.defuddle_ms, read.block_ms) for read in reads), strict=True)
    )
    for name, times in (("reading", penny), ("Defuddle alone", defuddle), ("longest block", blocks)):
        print(f"{name:16} p50 {_at(times, 0.5):.0f} ms, p95 {_at(times, 0.95):.0f} ms")
    ratio = statistics.median(read.ms / max(1, read.defuddle_ms) for read in reads)
    print(f"reading / Defuddle alone: p50 {_at(penny, 0.5) / _at(defuddle, 0.5):.2f}, median of the ratios {ratio:.2f}")
    slow = 100 * sum(block > BLOCK_MS for block in blocks) / len(blocks)
    met = verdict("reading over Defuddle alone, median of the ratios", ratio, "times", RATIO)
    return met & verdict(f"pages with a block above {BLOCK_MS} ms, of {len(blocks)}", slow, "%", SLOW_PERCENT)


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tabs", type=int, default=2)
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print the N pages that are read worst")
    parser.add_argument("--some", type=int, help="only every how-manyeth page")
    options = parser.parse_args()
    pages, tabs = truths(options.folder)[:: options.some], 1 if options.times else options.tabs
    reads = read_all(options.folder, pages, tabs, with_scripts=options.times)
    report_scores(reads)
    report_worst(reads, options.worst)
    return 0 if not options.times or report_times(reads) else 1


if __name__ == "__main__":
    sys.exit(main())
