"""Signs of life in Redis: keys that run out by themselves when a process dies."""

import threading

import structlog
from redis.exceptions import RedisError

from devices.redis import sync_client

WORKER_KEY, BEAT_KEY = "alive:worker", "alive:beat"
ALIVE_S = 10
log = structlog.get_logger("penny.alive")


def mark_beat() -> None:
    """The tick came all the way from the beat through the broker to the worker."""
    try:
        sync_client().set(BEAT_KEY, "1", ex=ALIVE_S)
    except RedisError as error:
        log.warning("beat.redis", error=type(error).__name__)


def mark_worker() -> None:
    """Say that this worker lives, again and again."""

    def repeat() -> None:
        pause = threading.Event()
        while True:
            try:
                sync_client().set(WORKER_KEY, "1", ex=ALIVE_S)
            except RedisError as error:
                log.warning("worker.redis", error=type(error).__name__)
            pause.wait(ALIVE_S / 4)

    threading.Thread(target=repeat, daemon=True).start()
