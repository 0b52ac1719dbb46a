"""The Celery tasks: execute a run, tick, index what is kept, and search for the web process."""

from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import celeryd_after_setup, worker_shutting_down

from agents.embeddings import preview, search, store
from agents.embeddings.embed import NotEmbedded
from agents.model_choice.in_use import models_in_use
from agents.model_choice.kept_windows import recall_windows
from agents.skills import bundled
from agents.vault import ask_search, index
from agents.vault.files import parts
from agents.worker import loop
from agents.worker.execute import execute as execute_run
from agents.worker.tick import tick as do_tick
from penny_site.health.alive import mark_beat, mark_worker
from penny_site.processes.memory import start_giving_back
from penny_site.tasks import keep_house
from thoughts.index import passages


@shared_task(name="agents.execute")
def execute(run_id: str) -> None:
    loop.run_on_loop(execute_run(UUID(run_id)))


@shared_task(name="agents.tick")
def tick() -> None:
    loop.record_beat()
    mark_beat()
    do_tick()
    keep_house()


@shared_task(name=search.TASK)
def nearest(key: str, text: str) -> None:
    """Send the web process the thoughts nearest to a text."""
    try:
        search.send_hits(key, store.nearest(text))
    except NotEmbedded as error:
        search.send_hits(key, None, str(error))


@shared_task(name=preview.TASK)
def preview_strength(key: str, preference: int, strength: float, thought: str) -> None:
    """Send the web process what another strength of an interest would do to the feed."""
    preview.send_preview(key, store.preview_strength(preference, strength, UUID(thought)))


@shared_task(name=index.TASK)
def index_kept(key: str) -> None:
    passages.index_words(UUID(key))


@shared_task(name=parts.TASK)
def keep_sent_file(device: str, ref: str) -> None:
    parts.keep_sent_file(device, UUID(ref))


@shared_task(name=ask_search.TASK)
def search_kept(key: str, question: str, scope: dict[str, Any]) -> None:
    """Send the web process the passages that answer a question, of what is kept."""
    ask_search.send_found(key, question, scope)


@celeryd_after_setup.connect
def _start_before_celery(**_: object) -> None:
    """Start before Celery's consumer: without Redis, and with one that refuses writes, it is not ready."""
    recall_windows()
    loop.start_worker(models_in_use().main)
    mark_worker()
    start_giving_back()
    bundled.load()


@worker_shutting_down.connect
def _stopping(**_: object) -> None:
    loop.stop()
