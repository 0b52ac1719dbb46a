"""Heartbeats of the worker and the beat: Redis keys that expire when a process dies."""

import threading

import structlog
from redis.exceptions import RedisError

from devices.redis import sync_client

WORKER_KEY, BEAT_KEY = "alive:worker", "alive:beat"
ALIVE_S = 10
log = structlog.get_logger("penny.alive")


def mark_beat() -> None:
    """Record that a tick passed from the beat through the broker to the worker."""
    try:
        sync_client().set(BEAT_KEY, "1", ex=ALIVE_S)
    except RedisError as error:
        log.warning("beat.redis", error=type(error).__name__)


def mark_worker() -> None:
    """Start a thread that renews the worker's key until the process ends."""

    def repeat() -> None:
        pause = threading.Event()
        while True:
            try:
                sync_client().set(WORKER_KEY, "1", ex=ALIVE_S)
            except RedisError as error:
                log.warning("worker.redis", error=type(error).__name__)
            pause.wait(ALIVE_S / 4)

    threading.Thread(target=repeat, daemon=True).start()
