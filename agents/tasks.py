"""The Celery tasks: execute a run, tick, and search by embedding for the web process."""

from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from agents.embeddings import search, store
from agents.embeddings.embed import NotEmbedded
from agents.skills import bundled
from agents.worker import loop
from agents.worker.execute import execute as execute_run
from agents.worker.tick import tick as do_tick
from penny_site.health.alive import mark_beat, mark_worker
from penny_site.processes.memory import start_giving_back
from penny_site.tasks import keep_house


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


@worker_ready.connect
def _ready(**_: object) -> None:
    loop.start_worker(settings.MODEL)
    mark_worker()
    start_giving_back()
    bundled.load()


@worker_shutting_down.connect
def _stopping(**_: object) -> None:
    loop.stop()
