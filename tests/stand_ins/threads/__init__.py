"""Pages with discussions, in the markup of the platforms, and the posts that a reader sees on them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
WORDS_OF_BEGINNING = 5


class ThreadPost(NamedTuple):
    """A post. `begins` are the first words of its text."""

    author: str
    when: str
    score: str
    depth: int
    begins: str


@dataclass(frozen=True)
class ThreadPage:
    """A page named after its platform."""

    name: str
    html: str
    posts: tuple[ThreadPost, ...]


@cache
def thread_pages() -> tuple[ThreadPage, ...]:
    rows: dict[str, list[tuple[str, str, str, int, str]]] = json.loads((FOLDER / "posts.json").read_text())
    return tuple(ThreadPage(name, (FOLDER / f"{name}.html").read_text(), _posts(rows[name])) for name in sorted(rows))


def _posts(rows: list[tuple[str, str, str, int, str]]) -> tuple[ThreadPost, ...]:
    return tuple(
        ThreadPost(author, when, score, depth, " ".join(text.split()[:WORDS_OF_BEGINNING]))
        for author, when, score, depth, text in rows
    )
