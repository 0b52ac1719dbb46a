"""Marked pages, opened in real Chromium from loopback, without their scripts and the network.

A folder of them holds `html/ID.html.gz` and `truth/ID.json` (`url`, `page_type`, `main_content`, `with`, `without`), as
corpora of content extraction do.
"""

import asyncio
import gzip
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, async_playwright

from tests.e2e.browser import ROOT
from tests.e2e.chromium import ARGUMENTS, PROGRAM
from tests.stand_ins.serving import Http, Served, serving

EXTENSION = ROOT / "browser_ext"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # no scripts, nothing from elsewhere
PAGE_S = 60.0
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Truth:
    id: str
    host: str
    kind: str
    text: str
    snippets: list[str]
    boilerplate: list[str]


def words(text: str) -> Counter[str]:
    return Counter(word_list(text))


def word_list(text: str) -> list[str]:
    return WORD.findall(text.lower())


def f1(text: str, truth: str) -> float:
    """Return the F1 of the words as multisets."""
    predicted, truth_words = words(text), words(truth)
    shared = (predicted & truth_words).total()
    return 2 * shared / (predicted.total() + truth_words.total()) if shared else 0.0


def truths(folder: Path) -> list[Truth]:
    return [_truth(path) for path in sorted((folder / "truth").glob("*.json"))]


def _truth(path: Path) -> Truth:
    data = json.loads(path.read_text())
    host = (urlsplit(data.get("url", "")).hostname or path.stem).removeprefix("www.")
    return Truth(path.stem, host, data["page_type"], data["main_content"], data["with"], data["without"])


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


def bundle(source: str) -> str:
    """Return a script that imports the extension's sources, as one text."""
    command = [
        *("node_modules/.bin/esbuild", "--bundle", "--format=iife", "--minify", "--charset=utf8", "--log-level=error"),
        "--loader=ts",
    ]
    return subprocess.run(command, cwd=EXTENSION, input=source, capture_output=True, text=True, check=True).stdout


class Tab:
    """One tab that reads pages one after the other."""

    def __init__(self, context: BrowserContext, corpus: Corpus, script: str) -> None:
        self._context, self._corpus, self._script = context, corpus, script

    async def ask(self, id_: str, call: str) -> Any:
        """Load a page anew and return what `reading.CALL` answers there. Raises TimeoutError, RuntimeError."""
        page = await self._context.new_page()
        try:
            cdp = await self._context.new_cdp_session(page)
            await page.goto(self._corpus.url(id_), wait_until="load")
            return await asyncio.wait_for(self._evaluated(cdp, call), PAGE_S)
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


async def visit(
    folder: Path,
    pages: list[Truth],
    script: str,
    look: Callable[[Tab, Truth], Awaitable[None]],
    *,
    tabs: int,
    with_scripts: bool = False,
) -> None:
    """Have every page looked at, in so many tabs."""
    waiting = iter(pages)

    async def work(tab: Tab) -> None:
        for truth in waiting:
            await look(tab, truth)

    with serving(Corpus(folder)) as corpus, tempfile.TemporaryDirectory(prefix="penny-reading-") as profile:
        async with async_playwright() as playwright:
            launch = playwright.chromium.launch_persistent_context
            context = await launch(
                profile, executable_path=PROGRAM, headless=True, args=ARGUMENTS, java_script_enabled=with_scripts
            )
            await asyncio.gather(*(work(Tab(context, corpus, script)) for _ in range(tabs)))
            await context.close()
