"""Measure how well and how fast pages are read: F1 beside other extractors, and times.

    python -m tests.bench.reading FOLDER [--tabs 2] [--times] [--keep FILE]

FOLDER holds `html/ID.html.gz` and `truth/ID.json` (`page_type`, `main_content`, `with`, `without`), as corpora of
content extraction do. Each page opens in real Chromium from loopback, without its scripts and the network. The
extension's extraction reads it in an isolated world. A second load shows what Defuddle, Readability and the bare text
of the body return.

Printed are the mean word F1 (also for each type of page), the pages below 0.2, the shares of right and wrong snippets,
and the F1 of the best extractor for each page. `--times` opens one page at a time and adds the time of reading: in
all, beside Defuddle alone, and the longest time in which the page could not respond. That needs scripts to be on; the
policy then stops those of the page. The exit code is 1 if a target is missed. `--keep` writes the answers, one line a
page.
"""

import argparse
import asyncio
import gzip
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, async_playwright

from tests.bench.streams import verdict
from tests.e2e.browser import ROOT
from tests.e2e.chromium import ARGUMENTS, PROGRAM
from tests.stand_ins.serving import Http, Served, serving

EXTENSION = ROOT / "browser_ext"
BUNDLED = """
import Defuddle from 'defuddle'
import { Readability } from '@mozilla/readability'
import { extractPage } from './src/extract/page'
import { inSlices } from './src/extract/slices'
import { layoutOf } from './src/extract/blocks/blocks'
import { readableDocument } from './src/extract/visibility/visible_copy'
import { featuresOf } from './src/extract/blocks/block_features'
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
const withDefuddle = (page) => textOf(parsed(new Defuddle(page, { url, useAsync: false }).parse().content))
async function whatIsSeen() {
  const { visible: seen } = await inSlices(readableDocument(document))
  const elements = seen.getElementsByTagName('*').length
  return { elements, blocks: await blocksOf(seen), defuddle: withDefuddle(seen) }
}
async function blocksOf(seen) {
  const layout = await inSlices(layoutOf(seen.body))
  const signs = await inSlices(featuresOf(layout))
  return layout.blocks.map(({ text, words }, index) => ({ text, words, signs: Object.fromEntries(signs[index]) }))
}
document.body.getBoundingClientRect() // a page in front of its reader is laid out
globalThis.reading = {
  async penny() {
    const { found, ms, block } = await timed(() => extractPage(document))
    return { text: found.page.text, extracted_with: found.page.extracted_with, fallbacks: found.fallbacks, ms, block }
  },
  async others(withSeen) {
    const seen = withSeen ? await whatIsSeen() : null
    const { found, ms, block } = await timed(() => new Defuddle(document, { url, useAsync: false }).parse().content)
    const readability = new Readability(document.cloneNode(true)).parse()?.content
    return { seen, defuddle: textOf(parsed(found)), readability: textOf(parsed(readability)), body: \
textOf(document.body), ms, block }
  },
}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # no scripts, nothing from elsewhere
EXTRACTORS = ("penny", "defuddle", "readability", "body")
PAGE_S = 60.0
LOW = 0.2
BLOCK_MS, SLOW_PERCENT, RATIO = 100, 5, 1.2  # targets
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Truth:
    id: str
    kind: str
    text: str
    snippets: list[str]
    boilerplate: list[str]


@dataclass(frozen=True)
class Reading:
    """The result for a page: the text of each extractor, and times in ms."""

    truth: Truth
    texts: dict[str, str]
    extracted_with: str
    ms: float
    block_ms: float
    defuddle_ms: float

    def f1(self, extractor: str) -> float:
        return f1(self.texts[extractor], self.truth.text)


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def f1(text: str, truth: str) -> float:
    """Return the F1 of the words as multisets."""
    predicted, truth_words = words(text), words(truth)
    shared = (predicted & truth_words).total()
    return 2 * shared / (predicted.total() + truth_words.total()) if shared else 0.0


def truths(folder: Path) -> list[Truth]:
    return [_truth(path) for path in sorted((folder / "truth").glob("*.json"))]


def _truth(path: Path) -> Truth:
    truth_data = json.loads(path.read_text())
    return Truth(
        path.stem, truth_data["page_type"], truth_data["main_content"], truth_data["with"], truth_data["without"]
    )


# Pages
# ----------------------------------------------------------------------------------------------------------------------


class Corpus(Served):
    def __init__(self, folder: Path) -> None:
        super().__init__(_Connection)
        self.folder = folder

    def url(self, id_: str) -> str:
        return f"http://127.0.0.1:{self.port}/{id_}"


class _Connection(BaseHTTPRequestHandler):
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_GET(self) -> None:
        corpus = self.server.served
        assert isinstance(corpus, Corpus)
        path = corpus.folder / "html" / f"{self.path.strip('/')}.html.gz"
        html = gzip.decompress(path.read_bytes()) if path.exists() else b""
        self.send_response(200 if html else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(html)


def bundle() -> str:
    """Return the extension's extraction and the other extractors as one script, built from the sources."""
    command = [
        "node_modules/.bin/esbuild",
        "--bundle",
        "--format=iife",
        "--minify",
        "--charset=utf8",
        "--log-level=error",
    ]
    return subprocess.run(command, cwd=EXTENSION, input=BUNDLED, capture_output=True, text=True, check=True).stdout


class Tab:
    """One tab that reads pages one after the other."""

    def __init__(self, context: BrowserContext, corpus: Corpus, script: str) -> None:
        self._context, self._corpus, self._script = context, corpus, script

    async def read(self, truth: Truth, with_seen: bool) -> dict[str, Any]:
        """Return {penny, others}. Raises TimeoutError."""
        page = await self._context.new_page()
        try:
            cdp = await self._context.new_cdp_session(page)
            answers = {}
            for call in ("penny()", f"others({json.dumps(with_seen)})"):
                await page.goto(self._corpus.url(truth.id), wait_until="load")
                answers[call.partition("(")[0]] = await asyncio.wait_for(self._evaluated(cdp, call), PAGE_S)
            return answers
        finally:
            await page.close()

    async def _evaluated(self, cdp: CDPSession, call: str) -> Any:
        """Run the call as a content script: in an isolated world, whatever the page's policy says."""
        frame = (await cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = (await cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "penny"}))[
            "executionContextId"
        ]
        await cdp.send("Runtime.evaluate", {"expression": self._script, "contextId": world})
        parameters = {"expression": f"reading.{call}", "contextId": world, "awaitPromise": True, "returnByValue": True}
        answer = await cdp.send("Runtime.evaluate", parameters)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "the script failed"))
        return answer["result"]["value"]


async def read_all(
    corpus: Corpus,
    pages: list[Truth],
    tabs: int,
    keep: Callable[[Truth, dict[str, Any]], None] | None,
    with_scripts: bool,
) -> list[Reading]:
    script = bundle()
    reads: dict[str, Reading] = {}
    waiting = iter(pages)

    async def work(tab: Tab) -> None:
        for truth in waiting:
            answer = await tab.read(truth, keep is not None)
            if keep:
                keep(truth, answer)
            reads[truth.id] = _parse_reading(truth, answer)

    async with async_playwright() as playwright:
        with tempfile.TemporaryDirectory(prefix="penny-reading-") as profile:
            launch = playwright.chromium.launch_persistent_context
            context = await launch(
                profile, executable_path=PROGRAM, headless=True, args=ARGUMENTS, java_script_enabled=with_scripts
            )
            await asyncio.gather(*(work(Tab(context, corpus, script)) for _ in range(tabs)))
            await context.close()
    return [reads[truth.id] for truth in pages]


def _parse_reading(truth: Truth, answer: dict[str, Any]) -> Reading:
    penny, others = answer["penny"], answer["others"]
    texts = {"penny": penny["text"]} | {name: others[name] for name in EXTRACTORS[1:]}
    return Reading(truth, texts, penny["extracted_with"], penny["ms"], penny["block"], others["ms"])


# The report
# -----------------------------------------------------------------------------------------------------------------


def report_scores(reads: list[Reading]) -> None:
    kinds = sorted({read.truth.kind for read in reads})
    print(f"{'':12}{'mean F1':>9}{'< 0.2':>7}{'right':>8}{'wrong':>8}" + "".join(f"{kind[:11]:>12}" for kind in kinds))
    for extractor in EXTRACTORS:
        print(f"{extractor:12}" + _row(reads, kinds, extractor))
    best = [max(read.f1(extractor) for extractor in EXTRACTORS) for read in reads]
    print(f"{'best of all':12}{statistics.mean(best):9.4f}{sum(score < LOW for score in best):7}")
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
    return " ".join(WORD.findall(text.lower()))


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
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--some", type=int, help="only every how-manyeth page")
    options = parser.parse_args()
    lines: list[str] = []
    keep = (lambda truth, answer: lines.append(json.dumps({"id": truth.id, **answer}))) if options.keep else None
    with serving(Corpus(options.folder)) as corpus:
        pages, tabs = truths(options.folder)[:: options.some], 1 if options.times else options.tabs
        reads = asyncio.run(read_all(corpus, pages, tabs, keep, with_scripts=options.times))
    if options.keep:
        options.keep.write_text("\n".join(lines))
    report_scores(reads)
    return 0 if not options.times or report_times(reads) else 1


if __name__ == "__main__":
    sys.exit(main())
