"""How much of the form of a page survives: its headings, items, lines of code, rows of tables and links.

The page's own markup is compared with the text in its form. Recall counts what stands in the page's truth, precision
what the text has. An item is compared by its first words, a line of code by its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from tests.bench.reading.pages import word_list
from thoughts.text.page_form import plain_view

SCRIPT = """
const line = (text) => text.replace(/\\s+/g, ' ').trim()
const own = (element, nested) => {
  const copy = element.cloneNode(true)
  copy.querySelectorAll(nested + ', script, style, svg, noscript').forEach((part) => part.remove())
  return line(copy.textContent)
}
const cells = (row) => [...row.cells].map((cell) => own(cell, 'table'))
const isOfData = (table) =>
  !table.querySelector('table') && table.rows.length > 1 && [...table.rows].some((row) => row.cells.length > 1) &&
  line(table.textContent).split(' ').length <= 12 * table.querySelectorAll('td, th').length
globalThis.marks = () => ({
  headings: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((heading) => own(heading, 'none')),
  items: [...document.querySelectorAll('li')].map((item) => own(item, 'ul, ol')),
  code: [...document.querySelectorAll('pre')].flatMap((pre) => pre.innerText.split('\\n').map((row) => row.trimEnd())),
  rows: [...document.querySelectorAll('table')].filter(isOfData).flatMap((table) => [...table.rows].map(cells))
    .map((row) => row.join(' ')),
  links: [...document.querySelectorAll('a[href]:not([href^="#"])')].map((anchor) => own(anchor, 'none')),
  around: [...document.querySelectorAll('a[href]:not([href^="#"])')]
    .map((anchor) => own(anchor.closest('p, li, td, dd, h1, h2, h3, h4, h5, h6, div') ?? anchor, 'none')),
})
"""
KINDS = ("headings", "items", "code", "rows", "links")
ITEM_WORDS = 6
AROUND_WORDS = 8  # of a paragraph; fewer words stand in menus too
LEAST_WORDS = {"headings": 1, "items": 2, "code": 1, "rows": 2, "links": 2}
_START = r"^(?:[ >]|- |\d+\. )*"
_HEADING = re.compile(_START + r"#{1,6} (.*)$", re.M)
_ITEM = re.compile(r"^[ >]*(?:- |\d+\. )+(.*(?:\n(?:[ >]*\n)? +\S.*){0,3})$", re.M)
_ROW = re.compile(_START + r"\|(.*)\|$", re.M)
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(l\d+\)")
_FENCED = re.compile(r"^([ >]*)(?:- |\d+\. )*(`{3,})\w*\n(.*?)^[ >]*\2$", re.M | re.S)


class Kept(NamedTuple):
    """Counts of one kind: what the truth of the page has and the text kept, what the text has and the page too."""

    in_truth: int
    kept: int
    written: int
    right: int


def compare(form: str, truth: str, marks: dict[str, list[str]]) -> dict[str, Kept]:
    in_truth = _in_truth(truth, marks)
    written = _of_form(form)
    results = {}
    for kind in KINDS:
        key = str.strip if kind == "code" else _first if kind == "items" else _plain
        is_long = partial(_has_words, LEAST_WORDS[kind])
        of_page = [mark for mark in marks[kind] if is_long(mark)]
        whole = [mark for mark in in_truth[kind] if is_long(mark)]
        keys = {key(part) for part in written[kind]}
        page_keys = {key(mark) for mark in of_page}
        parts = [part for part in written[kind] if is_long(part)]
        results[kind] = Kept(
            len(whole),
            sum(key(mark) in keys for mark in whole),
            len(parts),
            sum(key(part) in page_keys for part in parts),
        )
    return results


def _in_truth(truth: str, marks: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the marks within the truth: lines of it, rows of its words, links of a paragraph of it."""
    words, lines = f" {_plain(truth)} ", {_plain(line) for line in truth.split("\n")}
    code = {line.strip() for line in truth.split("\n")}
    links = zip(marks["links"], marks["around"], strict=True)
    return {
        "headings": [mark for mark in marks["headings"] if _plain(mark) in lines],
        "items": [mark for mark in marks["items"] if _plain(mark) in lines],
        "code": [mark for mark in marks["code"] if mark.strip() in code],
        "rows": [mark for mark in marks["rows"] if f" {_plain(mark)} " in words],
        "links": [
            mark for mark, around in links if _has_words(AROUND_WORDS, around) and f" {_plain(around)} " in words
        ],
    }


def _has_words(least: int, text: str) -> bool:
    return len(word_list(text)) >= least


def report(results: Iterable[dict[str, Kept]]) -> None:
    pages = list(results)
    print(f"{'form':12}" + "".join(f"{kind:>12}" for kind in KINDS))
    sums = {kind: [sum(counts) for counts in zip(*(page[kind] for page in pages), strict=True)] for kind in KINDS}
    for name, of, all_ in (("recall", 1, 0), ("precision", 3, 2), ("count", 0, None)):
        shares = (
            sums[kind][of] if all_ is None else f"{sums[kind][of] / max(1, sums[kind][all_]):.3f}" for kind in KINDS
        )
        print(f"{name:12}" + "".join(f"{share:>12}" for share in shares))


def _of_form(form: str) -> dict[str, list[str]]:
    code = [row[len(match[1]) :].rstrip() for match in _FENCED.finditer(form) for row in match[3].split("\n")]
    rest = _FENCED.sub("", form)
    return {
        "headings": [plain_view(words).text for words in _HEADING.findall(rest)],
        "items": [plain_view(words).text.lstrip("#- ") for words in _ITEM.findall(rest)],
        "code": code,
        "rows": [plain_view(words.replace("|", " ")).text for words in _ROW.findall(rest)],
        "links": [plain_view(words).text for words in _LINK.findall(rest)],
    }


def _plain(text: str) -> str:
    return " ".join(word_list(text))


def _first(text: str) -> str:
    return " ".join(word_list(text)[:ITEM_WORDS])
