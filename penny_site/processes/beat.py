"""The beat's Celery app: sends one tick by name. It loads no Django, to stay small.

Its only setting is the address of Redis.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init

from agents.sandbox.redis_url import broker_url, read_url

TICK_S = 2.0

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
