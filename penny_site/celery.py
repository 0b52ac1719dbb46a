"""The worker's Celery app. The broker carries only ids of runs: leases are in the database."""

import os

from celery import Celery
from django.conf import settings

from agents.sandbox.redis_url import broker_url

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")

app = Celery("penny", broker=broker_url(settings.REDIS_URL) or "redis+socket:///nowhere", set_as_current=True)
app.conf.update(
    accept_content=["json"],
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "socket_timeout": 2,
        "socket_connect_timeout": 2,
        "visibility_timeout": 24 * 3600,
        "max_retries": 0,
    },
    imports=["agents.tasks", "penny_site.tasks"],
    task_default_queue="runs",
    task_ignore_result=True,
    # No retries of a failed publish or its connection: the tick finds every queued run in the database.
    task_publish_retry=False,
    worker_consumer="penny_site.processes.refusals:PatientConsumer",
    worker_hijack_root_logger=False,
    worker_prefetch_multiplier=1,
)
