"""Embed stored rows in batches, and compare new texts with them. For the worker alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.conf import settings
from django.utils import timezone

from agents.embeddings import embed
from agents.embeddings.embed import NotEmbedded, Text
from agents.runs import day_budget
from agents.runs.budget import estimate
from agents.zones.inputs import Private, Untrusted
from thoughts import duplicates
from thoughts.duplicates import FindVectors
from thoughts.index import meanings
from thoughts.index.meanings import Embedded
from thoughts.models import Thought
from thoughts.preferences import candidates, same
from thoughts.taste import ranking
from thoughts.taste.preview import Shift, preview

if TYPE_CHECKING:
    from agents.embeddings.minilm import Matrix

BATCH = 8
CATCH_UP_S = 1.0  # in one tick, because other duties wait
_catching_up = threading.Lock()
log = structlog.get_logger("penny.meaning")


def catch_up(seconds: float = CATCH_UP_S) -> int:
    """Embed rows without a vector of the model in use, newest first; return how many.

    Rows are preferences, candidates and thoughts; until they have a vector they are compared by words. Raises
    NotEmbedded.
    """
    return in_time(seconds, _embed_batch)


def in_time(seconds: float, batch: Callable[[], int | None]) -> int:
    """Embed batches until one returns None, as long as there is time; return the sum of the numbers.

    One thread of a process does this at a time. An endpoint's tokens count against the day budget; when it is used up,
    the rest waits for the next day.
    """
    if not _catching_up.acquire(blocking=False):
        return 0
    try:
        start_s, total = time.monotonic(), 0
        while time.monotonic() - start_s < seconds and _may_ask() and (count := batch()) is not None:
            total += count
        return total
    finally:
        _catching_up.release()


def _may_ask() -> bool:
    return settings.EMBEDDING_MODEL is None or day_budget.why_no_request(timezone.now()) is None


def embed_counted(texts: Sequence[Text]) -> Matrix:
    """Return the vectors of stored texts; count an endpoint's tokens. Raises NotEmbedded."""
    if settings.EMBEDDING_MODEL is not None:
        day_budget.count_tokens(estimate(*(text.text[: embed.CHARACTERS_MAX] for text in texts)))
    return embed.embed(texts)


def _embed_batch() -> int | None:
    model = embed.model_name()
    if preferences := meanings.unembedded_preferences(model, BATCH):
        meanings.store_preference_vectors(model, preferences, embed_counted([Private(row.text) for row in preferences]))
        same.note_same(model, preferences)
        candidates.fold(model)
        return len(preferences)
    if suggested := meanings.unembedded_candidates(model, BATCH):
        meanings.store_candidate_vectors(
            model, suggested, embed_counted([_as_untrusted(row.text, row.origin) for row in suggested])
        )
        candidates.fold(model)
        return len(suggested)
    if thoughts := meanings.unembedded_thoughts(model, BATCH):
        vectors = embed_counted([_thought_text(row) for row in thoughts])
        meanings.store_thought_vectors(model, thoughts, vectors)
        duplicates.fold(model, thoughts, vectors)
    return len(thoughts) or None


def rank() -> int:
    """Give points to thoughts without any; return to how many."""
    return ranking.catch_up(embed.model_name())


def preview_strength(preference: int, strength: float, thought: UUID) -> Shift:
    """Return what another strength of an interest would do to the feed."""
    return preview(embed.model_name(), preference, strength, thought)


def nearest(text: str) -> list[tuple[UUID, float]]:
    """Return (thought, closeness) for the owner's words, nearest first. Raises NotEmbedded."""
    return meanings.nearest(embed.model_name(), embed.embed([Private(text)])[0])


def embed_find(title: str, text: str, origin: list[str]) -> FindVectors | None:
    """Return the vectors of a find; log and return None if nothing embeds."""
    labels = frozenset(origin)
    try:
        whole, alone = embed.embed([Untrusted(meanings.words_of(title, text), labels), Untrusted(title, labels)])
    except NotEmbedded as error:
        log.warning("meaning.words_only", reason=str(error))
        return None
    return FindVectors(embed.model_name(), whole, alone)


def embed_suggestions(texts: Iterable[str], origin: Iterable[str]) -> Embedded | None:
    """Return the vectors of suggestions from pages, titles or a file.

    None, with a log entry, if nothing embeds.
    """
    some = list(dict.fromkeys(texts))
    try:
        vectors = embed.embed([_as_untrusted(text, origin) for text in some]) if some else ()
    except NotEmbedded as error:
        log.warning("meaning.words_only", reason=str(error))
        return None
    return Embedded(embed.model_name(), dict(zip(some, vectors, strict=True)))


def _as_untrusted(text: str, origin: Iterable[str]) -> Text:
    return Untrusted(text, frozenset(origin))


def _thought_text(thought: Thought) -> Text:
    """Return a thought's text as untrusted, whatever its labels say."""
    return Untrusted(meanings.text_to_embed(thought), frozenset(thought.origin))


def same_preference(text: str, valence: int) -> same.Same | None:
    """Return the preference of this valence that means the same as the owner's words, or None.

    If nothing embeds, words alone are compared.
    """
    vector = _vector(Private(text))
    return same.same_preference(text, valence, embed.model_name(), vector)


def _vector(text: Text) -> Matrix | None:
    try:
        vector: Matrix = embed.embed([text])[0]
        return vector
    except NotEmbedded as error:
        log.warning("meaning.words_only", reason=str(error))
        return None
