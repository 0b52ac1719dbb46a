"""The blocks of marked pages, with the features that the extension computes of them.

    python -m tests.bench.reading.blocks FOLDER FILE [--tabs 2]

writes them, for `tests.bench.reading.fit`.
"""

import argparse
import asyncio
import base64
import gzip
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.bench.reading.pages import Tab, Truth, bundle, truths, visit

GROUPS = ("own", "near", "all", "headings")
SCRIPT = """
import { inSlices } from './src/extract/slices'
import { layoutOf } from './src/extract/blocks/blocks'
import { featuresOf } from './src/extract/choice/features'
import { readableDocument } from './src/extract/visibility/visible_copy'

const encoded = (array) => {
  const bytes = new Uint8Array(array.buffer)
  let text = ''
  for (let start = 0; start < bytes.length; start += 32768)
    text += String.fromCharCode(...bytes.subarray(start, start + 32768))
  return btoa(text)
}
document.body.getBoundingClientRect() // a page in front of its reader is laid out
globalThis.reading = {
  async blocks() {
    const { visible } = await inSlices(readableDocument(document))
    const layout = await inSlices(layoutOf(visible.body))
    const names = new Map(), words = new Map(), rows = [], groups = {}
    const place = (of, name) => of.get(name) ?? (of.set(name, of.size), of.size - 1)
    const features = await inSlices(featuresOf(layout, visible.title))
    for (const index of layout.blocks.keys()) {
      const row = []
      const note = (name, value) => (row[place(names, name)] = value)
      features.page(note)
      features.block(index, note)
      for (const [group, said] of Object.entries(features.wordsOf(index))) {
        const list = (groups[group] ??= { words: [], blocks: [] })
        for (const word of said) (list.words.push(place(words, word)), list.blocks.push(rows.length))
      }
      rows.push(row)
    }
    const matrix = new Float32Array(rows.length * names.size)
    rows.forEach((row, index) => row.forEach((value, at) => (matrix[index * names.size + at] = value)))
    return {
      texts: layout.blocks.map(({ text }) => text),
      sizes: layout.blocks.map(({ words }) => words),
      names: [...names.keys()],
      matrix: encoded(matrix),
      words: [...words.keys()],
      groups: Object.fromEntries(Object.entries(groups).map(([group, { words, blocks }]) => [
        group, [encoded(Int32Array.from(words)), encoded(Int32Array.from(blocks))],
      ])),
    }
  },
}
"""


@dataclass
class Page:
    """The blocks of a page: `matrix` has a row for each, `groups` the word and the block of each word in a group."""

    truth: Truth
    texts: list[str]
    sizes: NDArray[np.float64]
    names: list[str]
    matrix: NDArray[np.float32]
    words: list[str]
    groups: dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]


def parse_page(truth: Truth, answer: dict[str, Any]) -> Page:
    def decode(text: str, kind: type) -> Any:
        return np.frombuffer(base64.b64decode(text), dtype=kind)

    count, names = len(answer["texts"]), answer["names"]
    return Page(
        truth,
        answer["texts"],
        np.array(answer["sizes"], dtype=float),
        names,
        decode(answer["matrix"], np.float32).reshape(count, len(names)) if count else np.zeros((0, 0), np.float32),
        answer["words"],
        {group: (decode(ids, np.int32), decode(at, np.int32)) for group, (ids, at) in answer["groups"].items()},
    )


def collect(folder: Path, pages: list[Truth], tabs: int) -> dict[str, dict[str, Any]]:
    """Return what the extension answers of each page, by its id."""
    answers: dict[str, dict[str, Any]] = {}

    async def look(tab: Tab, truth: Truth) -> None:
        answers[truth.id] = await tab.ask(truth.id, "blocks()")
        if len(answers) % 100 == 0:
            print(len(answers), file=sys.stderr)

    asyncio.run(visit(folder, pages, bundle(SCRIPT), look, tabs=tabs))
    return answers


def load(folder: Path, file: Path) -> list[Page]:
    answers = json.loads(gzip.decompress(file.read_bytes()))
    return [parse_page(truth, answers[truth.id]) for truth in truths(folder) if truth.id in answers]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--tabs", type=int, default=2)
    parser.add_argument("--some", type=int, help="only every how-manyeth page")
    options = parser.parse_args()
    answers = collect(options.folder, truths(options.folder)[:: options.some], options.tabs)
    options.file.write_bytes(gzip.compress(json.dumps(answers).encode(), 1))


if __name__ == "__main__":
    main()
