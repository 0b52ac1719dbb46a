"""Pages that show a notice in place of their content, and pages that do not, read in Chromium."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench.reading.written_pages import read_pages
from tests.bench.reality.outcome import Outcome

ROWS = json.loads((Path(__file__).parents[2] / "stand_ins" / "notices.json").read_text())


def outcomes() -> list[Outcome]:
    start = "<!doctype html><meta charset=utf-8><title>{title}</title><body>{html}"
    pages = read_pages({row["name"]: start.format(**row) for row in ROWS}, with_scripts=True)
    results = []
    for row in ROWS:
        page = pages[row["name"]]
        is_right = (page.notice, page.is_whole) == (row["kind"] or "", row["isWhole"])
        was = f"{page.notice or 'no notice'}, whole: {page.is_whole}, read: {page.text[:80]!r}"
        results.append(Outcome(row["name"], "K12", is_right, was))
    return results
