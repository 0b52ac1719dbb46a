"""The beat's Celery app: one light tick, sent by name. It loads no Django, which keeps the process small.

The broker's address comes from Celery's own variable CELERY_BROKER_URL, which the supervisor sets.
"""

from celery import Celery

TICK_S = 2.0

app = Celery("penny-beat", set_as_current=False)
app.conf.update(
    beat_schedule={"tick": {"task": "agents.tick", "schedule": TICK_S, "options": {"expires": 2 * TICK_S, "queue": "runs"}}},
    beat_max_loop_interval=TICK_S,
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2},
    task_ignore_result=True,
)
