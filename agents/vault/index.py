"""Have what is kept indexed: the words of its passages at once, their vectors when the worker is at rest."""

from uuid import UUID

import structlog
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.embeddings import embed, store
from agents.zones.inputs import Untrusted
from thoughts.index import passage_vectors
from thoughts.index.passages import passage_words
from thoughts.models import Chunk, Kept

TASK = "agents.index_kept"
VECTORS_AT_ONCE = 8
EMBED_S = 1.0  # in one tick, because other duties wait
log = structlog.get_logger("penny.vault")


def index_soon(key: UUID) -> None:
    """Have the worker index an entry. If it hears nothing, its next tick does."""
    from celery import current_app

    try:
        current_app.send_task(TASK, [str(key)], queue="runs", ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("vault.index_later", error=type(error).__name__)


def embed_some(seconds: float = EMBED_S) -> int:
    """Embed passages without a vector of the model in use, those of the newest entries first; return how many.

    Raises NotEmbedded.
    """
    return store.in_time(seconds, _embed_part)


def _embed_part() -> int | None:
    """Embed some passages of an entry; return how many, and None without one."""
    model = embed.model_name()
    row = passage_vectors.unembedded_entry(model)
    if row is None:
        return None
    chunks = passage_vectors.unembedded_passages(row, VECTORS_AT_ONCE)
    if chunks:
        passage_vectors.store_passage_vectors(row, chunks, store.embed_counted([_text(row, one) for one in chunks]))
    if len(chunks) < VECTORS_AT_ONCE:
        Kept.objects.filter(pk=row.pk).update(embedded_with=model, embedded_at=timezone.now())
    return len(chunks)


def _text(row: Kept, chunk: Chunk) -> Untrusted:
    return Untrusted(f"{row.page.title}\n{passage_words(row.page, chunk.start, chunk.end)}", frozenset(row.origin))
