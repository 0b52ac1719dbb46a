"""Make Celery's worker wait for a Redis that refuses writes, as for one that is gone, and say so once a minute.

Redis refuses writes while it cannot store them (MISCONF), as a replica or without one (READONLY, NOREPLICAS), and
without room (OOM).
"""

import logging
import time
from typing import Any

from celery.worker.consumer import Consumer
from kombu.transport.redis import Transport
from redis.exceptions import ResponseError

PAUSE_S, EVERY_S = 2.0, 60.0


class OnceAMinute(logging.Filter):
    """Let each kind of line through once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self._passed_at.get(record.msg, -EVERY_S) < EVERY_S:
            return False
        self._passed_at[record.msg] = now
        return True


class PatientConsumer(Consumer):  # type: ignore[misc]
    """Celery's consumer, for which a refusal is a lost connection. By default it ends, and the worker with it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if ResponseError not in Transport.connection_errors:
            Transport.connection_errors = (*Transport.connection_errors, ResponseError)
        logging.getLogger("celery.worker.consumer.consumer").addFilter(OnceAMinute())
        super().__init__(*arguments, **options)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Wait after a refusal: Redis accepts the next connection at once."""
        super().on_connection_error_after_connected(exc)
        if isinstance(exc, ResponseError):
            time.sleep(PAUSE_S)
