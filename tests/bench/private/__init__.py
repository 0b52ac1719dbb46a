"""Titles, texts, fields and addresses in 16 languages, each with what is private in it.

The words of thoughts/text/private/ were written with `first.txt` in view. `second.txt` was written before them by the
same hand. At its first run 8 of its 153 private cases were missed (2 of 83 titles) and 3 of 59 harmless ones were
taken for private; then letters such as `ł`, the tokens in paths and one form of key were mended by it. A line is
`language | where | what | text [| site]`. Of a title `what` is its topic, of the others `yes`; `-` is a harmless near
miss. In texts and addresses ⟦ and ⟧ enclose what must be found; `\\n` ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
PARTS = ("first", "second")
_MARKED = re.compile("⟦(.*?)⟧")


@dataclass(frozen=True)
class Case:
    """`text` holds no marks; `marked` are the places between them."""

    language: str
    where: str
    what: str
    text: str
    marked: tuple[tuple[int, int], ...]
    site: str = "news.example"

    @property
    def is_private(self) -> bool:
        return self.what != "-"


def cases(part: str) -> Iterator[Case]:
    for line in (FOLDER / f"{part}.txt").read_text().splitlines():
        language, where, what, text, *site = (field.strip() for field in line.split(" | "))
        yield Case(language, where, what, *_without_marks(text.replace("\\n", "\n")), *site)


def is_found(case: Case) -> bool:
    """Return whether Penny takes the case for private; of marked places whether she finds every one."""
    from thoughts.text.private.addresses import cut_secrets_in
    from thoughts.text.private.secrets import is_secret_field, secrets_in
    from thoughts.text.private.seed_phrases import seed_phrases_in
    from thoughts.text.private.topics import topic_of

    if case.where == "title":
        return topic_of(case.site, "/", case.text) is not None
    if case.where == "field":
        return is_secret_field(case.text)
    if case.where == "address":
        clean = cut_secrets_in(f"See {case.text} now.")
        secret_parts = [case.text[start:end] for start, end in case.marked]
        return not any(part in clean for part in secret_parts) if case.marked else case.text not in clean
    spans = [(secret.start, secret.end) for secret in secrets_in(case.text)] + seed_phrases_in(case.text)
    if not case.marked:
        return bool(spans)
    return all(any(span[0] <= start and end <= span[1] for span in spans) for start, end in case.marked)


def _without_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    marked, removed = list[tuple[int, int]](), 0
    for match in _MARKED.finditer(text):
        marked.append((match.start() - removed, match.end() - removed - 2))
        removed += 2
    return _MARKED.sub(r"\1", text), tuple(marked)
