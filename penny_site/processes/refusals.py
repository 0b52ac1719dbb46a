"""Make Celery's worker wait for a Redis that refuses writes, as for one that is gone, and say so once a minute.

Redis refuses writes while it cannot store them (MISCONF), as a replica or without one (READONLY, NOREPLICAS), and
without room (OOM). It refuses everything without its password, and while it is not ready. What answers at its place may
be no Redis.
"""

import logging
import time
import warnings
from typing import Any

from celery.exceptions import CPendingDeprecationWarning
from celery.worker.consumer import Consumer
from kombu.transport.redis import Transport
from redis.exceptions import RedisError

from penny_site.logs import OnceAMinute

PAUSE_S = 2.0


class PatientConsumer(Consumer):  # type: ignore[misc]
    """Celery's consumer, for which a refusal is a lost connection. By default it ends, and the worker with it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if RedisError not in Transport.connection_errors:
            Transport.connection_errors = (*Transport.connection_errors, RedisError)
        warnings.filterwarnings("ignore", category=CPendingDeprecationWarning)  # Celery's, after each lost connection
        logging.getLogger("celery.worker.consumer.consumer").addFilter(OnceAMinute())
        super().__init__(*arguments, **options)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Wait after a refusal: Redis accepts the next connection at once."""
        super().on_connection_error_after_connected(exc)
        if isinstance(exc, RedisError):
            time.sleep(PAUSE_S)
