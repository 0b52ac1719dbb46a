"""What is done about the whole of Penny in the background: by the worker, on the owner's word or in the course of
time.
"""

import structlog
from celery import shared_task
from django.db import DatabaseError, connections
from django.utils import timezone
from redis.exceptions import RedisError

from agents.embeddings import store
from agents.embeddings.embed import NotEmbedded
from agents.learning import from_files, history_reports
from agents.memory import remember
from agents.outbox import notify
from agents.worker import retention
from devices.db import one_at_a_time, redoable
from devices.redis import sync_client
from penny_site.backups import make
from penny_site.sqlite.base import DatabaseWrapper
from thoughts.feed import word_index
from thoughts.models import Visit
from thoughts.models.watches import Watch

RESTS, REST_S = "retention:rests", 60
EMBEDDING_RESTS = "embedding:rests"
VISITS_AT_ONCE = 1000
log = structlog.get_logger("penny.housekeeping")


@shared_task(name="penny.back_up")
def back_up() -> None:
    make.make_noted("by hand")


@shared_task(name="penny.remove_old")
def remove_old() -> None:
    """Remove all that is older than the settings say, batch by batch. What stops this is no loss: the tick goes on."""
    while removed := retention.sweep(timezone.now()):
        log.info("retention.removed", rows=removed)


def keep_house() -> None:
    """Do what the tick finds due besides runs. What fails is noted and tried again later: it must not hold up the
    runs.
    """
    for duty in (_write_back, _index_words, _remove_some, _back_up_daily, _embed_some, store.rank, _notify):
        try:
            duty()
        except (DatabaseError, OSError, RedisError):
            log.exception("housekeeping.failed")


def _write_back() -> None:
    if isinstance(database := connections["default"], DatabaseWrapper):
        database.write_back()


def _index_words() -> None:
    """Let what is new on the feed be found by its words. A power cut may take that: it is done again."""
    if word_index.is_behind():
        with redoable():
            one_at_a_time("words")
            word_index.catch_up()


def _remove_some() -> None:
    """Remove one batch. When there was nothing to remove, nobody looks again for a minute."""
    if sync_client().exists(RESTS):
        return
    Watch.objects.forgotten(timezone.now()).delete()
    from_files.delete_forgotten_files(timezone.now())
    remember.delete_forgotten(timezone.now())
    history_reports.forget_visits(Visit.objects.forgotten(timezone.now())[:VISITS_AT_ONCE])
    removed = retention.sweep(timezone.now())
    if removed:
        log.info("retention.removed", rows=removed)
    else:
        sync_client().set(RESTS, "1", ex=REST_S)


def _back_up_daily() -> None:
    if make.is_due(timezone.now()):
        make.make_noted("daily")


def _notify() -> None:
    notify.notify_now_and_then(timezone.now())


def _embed_some() -> None:
    """Embed what has no vector yet. Where none is to be had, it is tried again in a minute."""
    if sync_client().exists(EMBEDDING_RESTS):
        return
    try:
        store.catch_up()
    except NotEmbedded as error:
        log.warning("embedding.failed", reason=str(error))
        sync_client().set(EMBEDDING_RESTS, "1", ex=REST_S)
