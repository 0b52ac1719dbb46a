"""The beat's Celery app: sends one tick by name. It loads no Django, to stay small.

Its only setting is the address of Redis.
"""

import logging
import os
import time
from typing import Any

from celery import Celery
from celery.beat import ScheduleEntry, Scheduler, SchedulingError
from celery.signals import beat_init

from agents.sandbox.redis_url import broker_url, read_url

TICK_S, SAID_EVERY_S = 2.0, 60.0

app = Celery("penny-beat", broker=broker_url(read_url(os.environ, "PENNY_REDIS_URL")), set_as_current=False)
app.conf.update(
    beat_schedule={
        "tick": {"task": "agents.tick", "schedule": TICK_S, "options": {"expires": 2 * TICK_S, "queue": "runs"}}
    },
    beat_max_loop_interval=TICK_S,
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2, "max_retries": 0},
    task_ignore_result=True,
)


@beat_init.connect
def _tick_at_once(**_: Any) -> None:
    """Send the first tick at once: it requeues the work of the last stop."""
    app.send_task("agents.tick", queue="runs", expires=10 * TICK_S)


class QuietScheduler(Scheduler):
    """Celery's scheduler. A tick that cannot be sent is one line a minute, not a traceback each time."""

    _said_at = -SAID_EVERY_S

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            if time.monotonic() - self._said_at >= SAID_EVERY_S:
                self._said_at = time.monotonic()
                logging.getLogger("celery.beat").error("A tick was not sent: %s: %s", type(error).__name__, error)
