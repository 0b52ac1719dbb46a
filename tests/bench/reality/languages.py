"""Pages in fifteen languages and nine scripts: four of each, read by the extension's own code in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.sandbox.extractive import sentence_spans
from tests.bench.reading.written_pages import Extracted, read_pages
from tests.bench.reality.outcome import Outcome
from thoughts.text.page_form import plain_view

WORDS = json.loads((Path(__file__).parents[2] / "stand_ins" / "languages.json").read_text())


@dataclass(frozen=True)
class Case:
    id: str
    kind: str
    html: str
    has: list[str]
    lacks: list[str]
    sentences: int = 0  # that a reader without a model finds, at least

    def problem(self, page: Extracted) -> str:
        """Return what is wrong with what was read, or ""."""
        words = plain_view(page.text).text
        missing = [text for text in self.has if text not in words]
        extra = [text for text in self.lacks if text in words]
        count = len(sentence_spans(words))
        if page.notice or missing or extra:
            return f"notice {page.notice!r}, missing {missing}, extra {extra}: {page.text[:120]!r}"
        return f"{count} sentences: {page.text[:120]!r}" if count < self.sentences else ""


def _cases() -> Iterator[Case]:
    for language, words in WORDS.items():
        yield from _of(language, words)


def _of(language: str, words: dict[str, Any]) -> Iterator[Case]:
    title, paragraphs, steps, items, table = (words[name] for name in ("title", "paras", "steps", "items", "table"))
    others = [words["cookie"], words["copy"], *words["related"]]

    def case(name: str, main: str, has: list[str], sentences: int = 0) -> Case:
        return Case(f"{language}-{name}", f"languages: {name}", _page(language, words, main), has, others, sentences)

    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    yield case("article", f"<article><h1>{title}</h1>{text}</article>", paragraphs, 5)
    short = "".join(f"<p>{sentence}</p>" for sentence in words["short"])
    yield case("note", f"<h1>{title}</h1>{short}", words["short"], 1)
    row = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in table)
    listed = "".join(f"<li>{item}</li>" for item in items)
    numbered = "".join(f"<li>{step}</li>" for step in steps)
    parts = f"<h1>{title}</h1><p>{paragraphs[1]}</p><ul>{listed}</ul><ol>{numbered}</ol><table>{row}</table>"
    yield case("lists", parts, [paragraphs[1], *items, *steps, *table[0], *table[1]])
    posts = "".join(
        f"<div class='post'><b>ada{n}</b><p>{answer}</p></div>" for n, answer in enumerate(words["answers"])
    )
    question = f"<div class='post'><b>ben</b><p>{paragraphs[0]}</p><p>{words['ask']}</p></div>"
    yield case("answers", f"<h1>{words['ask']}</h1>{question}{posts}", [paragraphs[0], *words["answers"]])


def _page(language: str, words: dict[str, Any], main: str) -> str:
    direction = " dir='rtl'" if words.get("rtl") else ""
    menu = "".join(f"<li><a href='/{at}'>{name}</a></li>" for at, name in enumerate(words["nav"]))
    related = "".join(f"<li><a href='/r{at}'>{name}</a></li>" for at, name in enumerate(words["related"]))
    buttons = f"<button>{words['accept']}</button><button>OK</button>"
    box = f"<div style='position:fixed;bottom:0;background:#fff'><p>{words['cookie']}</p>{buttons}</div>"
    return (
        f"<!doctype html><html lang='{language}'{direction}><meta charset=utf-8><title>{words['title']}</title><body>"
        f"<header><nav><ul>{menu}</ul></nav></header><main>{main}</main><aside><ul>{related}</ul></aside>"
        f"<footer><p>{words['copy']}</p></footer>{box}</body></html>"
    )


def outcomes() -> list[Outcome]:
    all_cases = list(_cases())
    pages = read_pages({case.id: case.html for case in all_cases})
    problems = {case.id: case.problem(pages[case.id]) for case in all_cases}
    return [Outcome(case.id, case.kind, not problems[case.id], problems[case.id]) for case in all_cases]
