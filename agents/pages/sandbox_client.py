"""Send one task to the sandbox through its own Redis, and wait for one bounded reply."""

import asyncio
import time
from functools import lru_cache
from typing import Any
from uuid import uuid4

import structlog
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from pydantic import ValidationError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from agents.sandbox import settings as limits
from agents.sandbox.redis_url import broker_url
from agents.zones.sandbox_messages import SentRecord, sent_key
from devices import redis

REPLY_BYTES = 512 * 1024
WAIT_S, LOOK_S = 180.0, 10.0
QUEUE = "readings"
SENT_MAX, SENT_WAIT_S = 20, 5.0
log = structlog.get_logger("penny.sandbox")


class SandboxFailed(Exception):
    """There is no usable answer. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def ask_sandbox(task: str, *arguments: Any, task_id: str = "", longer_s: float = 0.0) -> str:
    """Return the JSON text of the reply, not validated. Raises SandboxFailed.

    Cancelling this ends the task. `task_id`: an id for `sent_by`. `longer_s`: what it may take beyond the usual limits.
    """
    task_id = task_id or str(uuid4())
    try:
        key = await asyncio.to_thread(send, task_id, task, *arguments, longer_s=longer_s)
        answer = await _next_item(key, time.monotonic() + WAIT_S + longer_s)
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


async def _next_item(key: str, ends_at: float) -> str | None:
    """Return what is pushed to the list, None after `ends_at`. A Redis that stands still is noticed meanwhile."""
    while (left_s := ends_at - time.monotonic()) > 0:
        if (item := await _client().pop_within(key, min(left_s, LOOK_S))) is not None:
            return item
    return None


async def sent_by(task_id: str) -> list[dict[str, Any]]:
    """Return the records of a task's model requests so far, also of a task that failed."""
    try:
        async with asyncio.timeout(SENT_WAIT_S):
            records = await _client().lrange(sent_key(f"reply:{task_id}"), 0, SENT_MAX)
        return [SentRecord.model_validate_json(record).model_dump(mode="json") for record in records]
    except (RedisError, OSError, TimeoutError, ValidationError) as error:
        log.warning("sent.unknown", error=type(error).__name__)
        return []


def _client() -> redis.Async:
    """Return the running loop's client, without retries.

    A Redis that restarts is empty, so waiting on would be in vain.
    """
    client = redis.shared_client(settings.SANDBOX_REDIS_URL)
    client.set_retry(Retry(NoBackoff(), 0))
    return client


def send(task_id: str, task: str, *arguments: Any, longer_s: float = 0.0) -> str:
    """Send a task; return the list that will hold its reply."""
    key = f"reply:{task_id}"
    times = {
        "expires": WAIT_S + longer_s,
        "soft_time_limit": limits.SOFT_LIMIT_S + longer_s,
        "time_limit": limits.HARD_LIMIT_S + longer_s,
    }
    _app().send_task(task, [key, *arguments], task_id=task_id, queue=QUEUE, ignore_result=True, **times)
    return key


@lru_cache
def _app() -> Celery:
    app = Celery("penny-sandbox-client", broker=broker_url(settings.SANDBOX_REDIS_URL), set_as_current=False)
    app.conf.update(
        task_publish_retry=False,
        broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 2, "max_retries": 0},
    )
    return app


def _revoke(task_id: str) -> None:
    """End a task that no caller waits for: the sandbox has one child, which the next item needs."""
    try:
        _app().control.revoke(task_id, terminate=True, signal="SIGKILL")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("revoke.lost", error=type(error).__name__)
