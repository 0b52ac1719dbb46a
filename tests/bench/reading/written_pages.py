"""Pages of our own making, read by the extension's code in Chromium."""

from __future__ import annotations

import asyncio
import gzip
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.bench.reading.pages import Tab, Truth, bundle, visit

SCRIPT = """
import { extractPage } from './src/extract/page'
globalThis.reading = {
  read: async () => {
    const { page, notice } = await extractPage(document)
    return [page.text, notice?.kind ?? '', notice?.isWhole ?? false]
  },
}
"""


class Extracted(NamedTuple):
    """The text of a page in its form, and the kind of its notice, "" for none."""

    text: str
    notice: str
    is_whole: bool


def read_pages(pages: Mapping[str, str], *, with_scripts: bool = False) -> dict[str, Extracted]:
    """Return what is read of each page. `pages`: their HTML by their ids."""
    with tempfile.TemporaryDirectory(prefix="penny-pages-") as place:
        folder = Path(place)
        (folder / "html").mkdir()
        for id_, html in pages.items():
            (folder / "html" / f"{id_}.html.gz").write_bytes(gzip.compress(html.encode()))
        return asyncio.run(_visit_pages(folder, list(pages), with_scripts=with_scripts))


async def _visit_pages(folder: Path, ids: list[str], *, with_scripts: bool) -> dict[str, Extracted]:
    results: dict[str, Extracted] = {}

    async def look(tab: Tab, page: Truth) -> None:
        results[page.id] = Extracted(*await tab.ask(page.id, "read()"))

    truths = [Truth(id_, "", "", "", [], []) for id_ in ids]
    await visit(folder, truths, bundle(SCRIPT), look, tabs=2, with_scripts=with_scripts)
    return results
