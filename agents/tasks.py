"""What Celery carries: the id of a run, and the beat's tick."""

from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from agents import loop, meaning, meaning_search
from agents.embedding import NotEmbedded
from agents.execution import execute as execute_run
from agents.skills import shipping
from agents.ticking import tick as do_tick
from penny_site.alive import mark_beat, mark_worker
from penny_site.memory import start_giving_back
from penny_site.tasks import keep_house


@shared_task(name="agents.execute")
def execute(run_id: str) -> None:
    loop.run_on_loop(execute_run(UUID(run_id)))


@shared_task(name="agents.tick")
def tick() -> None:
    loop.hear_beat()
    mark_beat()
    do_tick()
    keep_house()


@shared_task(name=meaning_search.TASK)
def nearest(key: str, text: str) -> None:
    """Find what means the same for the web process, which waits for it."""
    try:
        meaning_search.answer(key, meaning.nearest(text))
    except NotEmbedded as error:
        meaning_search.answer(key, None, str(error))


@worker_ready.connect
def _ready(**_: object) -> None:
    loop.start(settings.MODEL)
    mark_worker()
    start_giving_back()
    shipping.load()


@worker_shutting_down.connect
def _stopping(**_: object) -> None:
    loop.stop()
