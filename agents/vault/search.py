"""Search what is kept by words and by meaning, both at once: in the worker. By words alone also in the web process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from constance import config
from django.conf import settings
from django.db.models import Q

from agents.embeddings import embed
from agents.embeddings.embed import NotEmbedded
from agents.zones.inputs import Private
from thoughts.index.passage_vectors import by_meaning
from thoughts.index.passages import by_words
from thoughts.models import Chunk, Kept
from thoughts.text.language import language_of

if TYPE_CHECKING:
    from thoughts.index.vectors import Vector

LEG_MAX = 100  # passages of each kind of search
PAGES_MAX, PASSAGES_OF_PAGE = 10, 3
FOREIGN_ALPHA = 0.3  # the bundled model knows English best
log = structlog.get_logger("penny.vault")


@dataclass(frozen=True)
class Scope:
    """Which entries are searched. None and "": all."""

    site: str = ""
    since: datetime | None = None
    until: datetime | None = None
    source: str = ""
    language: str = ""

    @property
    def is_narrow(self) -> bool:
        return self != Scope()

    def only(self, path: str) -> Q | None:
        """Return the condition on entries, and None where nothing but what is forgotten is left out."""
        return self.of(path) if self.is_narrow else None

    def of(self, path: str = "") -> Q:
        """Return the condition on entries; `path` leads to them, such as "kept__"."""
        condition = Q(**{f"{path}deleted_at": None})
        if self.site:
            domain = f"{path}page__domain"
            condition &= Q(**{domain: self.site}) | Q(**{f"{domain}__endswith": f".{self.site}"})
        values = {
            "last_seen_at__gte": self.since,
            "kept_at__lt": self.until,
            "source": self.source,
            "language": self.language,
        }
        return condition & Q(**{f"{path}{name}": value for name, value in values.items() if value})


@dataclass(frozen=True)
class Passage:
    """A passage that was found; of no length if only title, site or contacts match. `closeness`: 0 to 1."""

    entry: UUID
    start: int
    end: int
    closeness: float


@dataclass(frozen=True)
class Found:
    """Passages, best first. `waiting`: entries without vectors. `words_only`: nothing was compared by meaning."""

    passages: list[Passage]
    waiting: int = 0
    words_only: bool = False


def search_kept(question: str, scope: Scope = Scope(), pages: int = PAGES_MAX, vector: Vector | None = None) -> Found:
    """Return the best passages of the best `pages` entries. `vector`: of the question, if there is one already."""
    try:
        vector = embed.embed([Private(question)])[0] if vector is None else vector
    except NotEmbedded as error:
        log.warning("vault.words_only", reason=str(error))
        return search_by_words(question, scope, pages)
    meaning = by_meaning(embed.model_name(), vector, scope.only("kept__"), LEG_MAX)
    words = by_words(question, scope.only("chunk__kept__"), LEG_MAX, meaning)
    return Found(_grouped(fuse(words, meaning, _alpha(question)), pages), _waiting())


def search_by_words(question: str, scope: Scope, pages: int = PAGES_MAX) -> Found:
    """Return the best passages by their words alone. Needs no vectors."""
    words = by_words(question, scope.only("chunk__kept__"), LEG_MAX)
    return Found(_grouped(_spread(words, 0.0), pages), _waiting(), words_only=True)


def _waiting() -> int:
    """Return how many entries are not yet found by their meaning."""
    return Kept.objects.kept().exclude(embedded_with=embed.model_name()).count()


def fuse(words: dict[int, float], meaning: dict[int, float], alpha: float) -> dict[int, float]:
    """Return the keys of both with their points, best first: each leg from 0 to 1, that of meaning times `alpha`.

    A passage without a word of the question has no point of the words. By meaning all are near: 0 is the farthest.
    """
    one, other = _spread(words, 0.0), _spread(meaning, min(meaning.values(), default=0.0))
    points = {key: (1 - alpha) * one.get(key, 0.0) + alpha * other.get(key, 0.0) for key in one | other}
    return dict(sorted(points.items(), key=lambda pair: (-pair[1], -pair[0])))


def _spread(scores: dict[int, float], least: float) -> dict[int, float]:
    most = max(scores.values(), default=least)
    return {key: (score - least) / (most - least) if most > least else 1.0 for key, score in scores.items()}


def _alpha(question: str) -> float:
    is_foreign = settings.EMBEDDING_MODEL is None and language_of(question) not in ("", "en")
    return FOREIGN_ALPHA if is_foreign else float(config.FUSION_ALPHA)


def _grouped(points: dict[int, float], pages: int) -> list[Passage]:
    """Return at most PASSAGES_OF_PAGE passages of each page; pages stand in the order of their best passage."""
    rows = {row.pk: row for row in Chunk.objects.filter(pk__in=points).only("kept_id", "start", "end")}
    counts, order = Counter[UUID](), dict[UUID, list[Passage]]()
    for key, closeness in points.items():
        row = rows.get(key)
        if row is None or (row.kept_id not in order and len(order) == pages) or counts[row.kept_id] == PASSAGES_OF_PAGE:
            continue
        counts[row.kept_id] += 1
        passage = Passage(row.kept_id, row.start, row.end, round(closeness, 4))
        order.setdefault(row.kept_id, []).append(passage)
    return [passage for passages in order.values() for passage in passages]
