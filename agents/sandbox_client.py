"""The worker's line to the sandbox: one request out, one bounded reply back, through the sandbox's own Redis."""

import asyncio
from functools import lru_cache
from typing import Any
from uuid import uuid4

import structlog
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from agents.brokers import broker_url
from devices import redis

WAIT_S = 180.0
REPLY_BYTES = 512 * 1024
QUEUE = "readings"
log = structlog.get_logger("penny.sandbox")


class SandboxFailed(Exception):
    """No answer that could be used. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def ask_sandbox(task: str, *arguments: Any) -> str:
    """Return the JSON text of the sandbox's reply, not yet validated. Raises SandboxFailed. Cancelling this ends the work there."""
    task_id = str(uuid4())
    try:
        key = await asyncio.to_thread(send, task_id, task, *arguments)
        answer = await redis.wait_for(key, WAIT_S, settings.SANDBOX_REDIS_URL)
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.to_thread(_revoke, task_id))
        raise
    except (OperationalError, RedisError, OSError) as error:
        raise SandboxFailed("sandbox_away") from error
    if answer is None:
        await asyncio.to_thread(_revoke, task_id)
        raise SandboxFailed("reader_slow")
    if len(answer) > REPLY_BYTES:
        raise SandboxFailed("reading_invalid")
    return answer


def send(task_id: str, task: str, *arguments: Any) -> str:
    """Hand a request over and return the list that the reply will be pushed to."""
    key = f"reply:{task_id}"
    _app().send_task(task, [key, *arguments], task_id=task_id, queue=QUEUE, expires=WAIT_S, ignore_result=True)
    return key


@lru_cache
def _app() -> Celery:
    app = Celery("penny-sandbox-client", broker=broker_url(settings.SANDBOX_REDIS_URL), set_as_current=False)
    app.conf.update(task_publish_retry=False, broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2})
    return app


def _revoke(task_id: str) -> None:
    """Stop work that nobody waits for any more: the sandbox has one child, and the next item needs it."""
    try:
        _app().control.revoke(task_id, terminate=True, signal="SIGKILL")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("revoke.lost", error=type(error).__name__)
