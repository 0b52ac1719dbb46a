"""Index what is kept: the words of its passages at once, their vectors when the worker is at rest.

Each writer looks again, under a lock, whether its entry is still there: it may be forgotten at any moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.embeddings import embed
from agents.runs import day_budget
from agents.runs.budget import estimate
from agents.zones.inputs import Untrusted
from thoughts.models import Chunk, ChunkWords, Kept
from thoughts.text.chunks import chunk_spans, chunk_words
from thoughts.text.search_words import words_of

if TYPE_CHECKING:
    from agents.embeddings.minilm import Matrix

TASK = "agents.index_kept"
AT_ONCE = 20  # entries of a tick
VECTORS_AT_ONCE = 8
# By these an entry with such contacts is found.
CONTACT_WORDS = {
    "emails": "email emails e-mail mail mails",
    "phones": "phone phones telephone",
    "profiles": "profile profiles",
}
EMBED_S = 1.0  # in one tick, because other duties wait
_embedding = threading.Lock()
log = structlog.get_logger("penny.vault")


def index_soon(key: UUID) -> None:
    """Have the worker index an entry. If it hears nothing, its next tick does."""
    from celery import current_app

    try:
        current_app.send_task(TASK, [str(key)], queue="runs", ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("vault.index_later", error=type(error).__name__)


def index_some() -> int:
    """Index the words of entries that have none, the oldest first; return how many."""
    keys = Kept.objects.filter(indexed_at=None).order_by("kept_at").values_list("pk", flat=True)[:AT_ONCE]
    return sum(index_words(key) for key in list(keys))


@transaction.atomic
def index_words(key: UUID) -> bool:
    """Cut an entry into passages and index their words; return whether that was still to do."""
    row = Kept.objects.select_for_update(of=("self",)).select_related("page").filter(pk=key, indexed_at=None).first()
    if row is None:
        return False
    page = row.page
    spans = chunk_spans(page.text)
    # The first, of no length, stands for the entry: its title, its site and the contacts that were found on it.
    chunks = Chunk.objects.bulk_create(Chunk(kept=row, start=start, end=end) for start, end in [(0, 0), *spans])
    words = [_entry_words(row)] + [
        all_words(chunk_words(page.text[start:end], is_text_file=page.is_text_file)) for start, end in spans
    ]
    ChunkWords.objects.bulk_create(
        ChunkWords(chunk=chunk, text=text) for chunk, text in zip(chunks, words, strict=True)
    )
    Kept.objects.filter(pk=row.pk).update(indexed_at=timezone.now())
    return True


def _entry_words(row: Kept) -> str:
    contacts = [
        text for name, values in row.contacts.items() if values for text in (CONTACT_WORDS.get(name, name), *values)
    ]
    return all_words(row.page.title, row.name, row.page.domain, *contacts)


def contacts_for(row: Kept, words: Collection[str]) -> list[str]:
    """Return the contacts of an entry that some words ask for: by their kind, or by a word of their own."""
    return [
        value
        for name, values in row.contacts.items()
        for value in values
        if not {*words_of(f"{CONTACT_WORDS.get(name, name)} {value}", to_find=False)}.isdisjoint(words)
    ]


def all_words(*texts: str) -> str:
    """Return the words of texts as often as they stand there: that counts."""
    return " ".join(word for text in texts for word in words_of(text, to_find=False))


# Vectors
# ----------------------------------------------------------------------------------------------------------------------


def embed_some(seconds: float = EMBED_S) -> int:
    """Embed passages without a vector of the model in use, those of the newest entries first; return how many.

    One thread of a process does this at a time. An endpoint's tokens count against the day budget. Raises NotEmbedded.
    """
    if not _embedding.acquire(blocking=False):
        return 0
    try:
        started, total = time.monotonic(), 0
        while time.monotonic() - started < seconds and _may_ask() and (row := _unembedded()):
            total += _embed_part(row)
        return total
    finally:
        _embedding.release()


def waiting() -> int:
    """Return how many entries are not yet found by their meaning."""
    return Kept.objects.kept().exclude(embedded_with=embed.model_name()).count()


def _may_ask() -> bool:
    return settings.EMBEDDING_MODEL is None or day_budget.why_no_request(timezone.now()) is None


def _unembedded() -> Kept | None:
    model = embed.model_name()
    rows = Kept.objects.kept().exclude(indexed_at=None).select_related("page")
    for condition in (Q(embedded_with=""), ~Q(embedded_with__in=["", model])):
        if row := rows.filter(condition).order_by("-kept_at").first():
            return row
    return None


def _embed_part(row: Kept) -> int:
    """Embed some passages of an entry. Its first passages lose the vectors of another model."""
    model = embed.model_name()
    if row.embedded_with:
        row.chunks.update(vector=b"", code=b"")
        Kept.objects.filter(pk=row.pk).update(embedded_with="")
    chunks = list(row.chunks.filter(end__gt=0, code=b"")[:VECTORS_AT_ONCE])
    if chunks:
        texts = [_text(row, chunk) for chunk in chunks]
        if settings.EMBEDDING_MODEL is not None:
            day_budget.count_tokens(estimate(*(text.text[: embed.CHARACTERS_MAX] for text in texts)))
        _store(row, chunks, embed.embed(texts))
    if len(chunks) < VECTORS_AT_ONCE:
        Kept.objects.filter(pk=row.pk).update(embedded_with=model, embedded_at=timezone.now())
    return len(chunks)


def _text(row: Kept, chunk: Chunk) -> Untrusted:
    words = chunk_words(row.page.text[chunk.start : chunk.end], is_text_file=row.page.is_text_file)
    return Untrusted(f"{row.page.title}\n{words}", frozenset(row.origin))


@transaction.atomic
def _store(row: Kept, chunks: Sequence[Chunk], vectors: Matrix) -> None:
    """Store the vectors of the passages that are still there."""
    if not Kept.objects.select_for_update().filter(pk=row.pk).exists():
        return
    for chunk, (vector, code) in zip(chunks, packed(vectors), strict=True):
        chunk.vector, chunk.code = vector, code
    Chunk.objects.bulk_update(chunks, ["vector", "code"])


def packed(vectors: Matrix) -> Iterator[tuple[bytes, bytes]]:
    import numpy as np

    for vector in vectors:
        yield vector.astype("<f2").tobytes(), np.packbits(vector > 0).tobytes()
