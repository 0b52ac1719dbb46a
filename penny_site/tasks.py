"""Housekeeping in the worker: backups, retention, indexes and notifications."""

import asyncio

import structlog
from celery import shared_task
from django.db import DatabaseError, connections
from django.utils import timezone
from redis.exceptions import RedisError

from agents.embeddings import store
from agents.embeddings.embed import NotEmbedded
from agents.learning import from_files, history_reports, import_files
from agents.memory import remember
from agents.model_choice.hand_over import hand_over
from agents.model_choice.in_use import models_in_use
from agents.model_choice.kept_windows import keep_window, recall_window
from agents.outbox import notify
from agents.vault import index
from agents.vault.files import parts
from agents.vault.transfer import imports
from agents.worker import forget_deleted, forget_kept, loop, retention
from devices.access import sign_ins
from devices.db import one_at_a_time, redoable
from devices.owner import machine_clock
from devices.redis import sync_client
from penny_site.backups import make
from penny_site.health import model
from penny_site.sqlite.base import DatabaseWrapper
from thoughts.index import finds, passage_vectors, passages
from thoughts.index.words import INDEXED, fts5_table
from thoughts.models import Kept, Visit
from thoughts.models.watches import Watch

RESTS, REST_S = "retention:rests", 60
SESSIONS_CLEARED, SESSIONS_EVERY_S = "sessions:cleared", 24 * 3600
EMBEDDING_RESTS = "embedding:rests"
DELETED, ERASED = "vault:deleted", "vault:erased"
VISITS_AT_ONCE = 1000
log = structlog.get_logger("penny.housekeeping")


@shared_task(name="penny.back_up")
def back_up() -> None:
    make.make_in_background("by hand")


@shared_task(name="penny.remove_old")
def remove_old() -> None:
    """Remove all expired records, batch by batch. The tick continues an interrupted removal."""
    while removed_rows := retention.sweep(timezone.now()):
        log.info("retention.removed", rows=removed_rows)


@shared_task(name=model.TASK)
def try_model(key: str) -> None:
    """Ask the model one word; keep the answer, and hand it to whoever waits for `key`."""
    endpoint = models_in_use().main
    if endpoint is not None:
        recall_window(endpoint)
        answer = asyncio.run_coroutine_threadsafe(model.ask(endpoint, model.silence_s()), loop.worker_loop())
        part = answer.result()
        keep_window(endpoint)
        model.store_answer(endpoint, part, key)


def keep_house() -> None:
    """Do the tick's duties besides runs.

    A failed duty is logged and repeated later, so that it holds up no run.
    """
    for duty in (
        _write_back,
        _index_words,
        passages.index_some,
        _forget_kept,
        _erase,
        _remove_batch,
        _clear_sessions,
        _back_up_daily,
        _embed_batch,
        passage_vectors.drop_idle,
        store.rank,
        _notify,
        hand_over,
    ):
        try:
            duty()
        except (DatabaseError, OSError, RedisError):
            log.exception("housekeeping.failed")


def _write_back() -> None:
    if isinstance(database := connections["default"], DatabaseWrapper):
        database.write_back()


def _index_words() -> None:
    """Add new thoughts to the word index. Work that a power cut loses is repeated."""
    if finds.is_behind():
        with redoable():
            one_at_a_time("words")
            finds.catch_up()


def _forget_kept() -> None:
    """Delete what the owner forgot of the vault, and note before and after it that the bytes are to be erased."""
    while Kept.objects.forgotten(timezone.now()).exists():
        sync_client().incr(DELETED)
        if not forget_kept.delete_forgotten(timezone.now()):
            return
        sync_client().incr(DELETED)


def _erase() -> None:
    """Erase the bytes of deleted entries, once after each deletion, and after a start of Redis."""
    deletions = sync_client().get(DELETED) or "none"
    if sync_client().get(ERASED) != deletions and _erase_deleted():
        sync_client().set(ERASED, deletions)


def _erase_deleted() -> bool:
    database = connections["default"]
    return not isinstance(database, DatabaseWrapper) or database.erase_deleted(*map(fts5_table, INDEXED))


def _remove_batch() -> None:
    """Remove one batch of expired records. After an empty batch, pause for a minute."""
    if sync_client().exists(RESTS) or not machine_clock.is_right(timezone.now()):
        return
    Watch.objects.forgotten(timezone.now()).delete()
    from_files.delete_forgotten_files(timezone.now())
    import_files.delete_left_files(timezone.now())
    remember.delete_forgotten(timezone.now())
    imports.drop_left_imports(timezone.now())
    parts.delete_old_parts(timezone.now())
    forget_kept.delete_forgotten(timezone.now())
    forget_deleted.forget_deleted_messages(timezone.now())
    history_reports.forget_visits(Visit.objects.forgotten(timezone.now())[:VISITS_AT_ONCE])
    removed_rows = retention.sweep(timezone.now())
    if removed_rows:
        log.info("retention.removed", rows=removed_rows)
    else:
        sync_client().set(RESTS, "1", ex=REST_S)


def _clear_sessions() -> None:
    """Clear ended sessions once a day, and after a start of Redis."""
    if not machine_clock.is_right(timezone.now()):
        return
    if sync_client().set(SESSIONS_CLEARED, "1", ex=SESSIONS_EVERY_S, nx=True):
        log.info("sessions.cleared", sessions=sign_ins.clear_ended())


def _back_up_daily() -> None:
    if make.is_due(timezone.now()):
        make.make_in_background("daily")


def _notify() -> None:
    notify.notify_now_and_then(timezone.now())


def _embed_batch() -> None:
    """Embed texts without a vector. After a failure, pause for a minute."""
    if sync_client().exists(EMBEDDING_RESTS):
        return
    try:
        store.catch_up()
        index.embed_some()
    except NotEmbedded as error:
        log.warning("embedding.failed", reason=str(error))
        sync_client().set(EMBEDDING_RESTS, "1", ex=REST_S)
