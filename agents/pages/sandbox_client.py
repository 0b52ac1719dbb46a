"""The worker's line to the sandbox: one request out, one bounded reply back, through the sandbox's own Redis."""

import asyncio
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

from agents.sandbox.broker_url import broker_url
from agents.zones.sandbox_messages import SentRecord, sent_key
from devices import redis

WAIT_S = 180.0
REPLY_BYTES = 512 * 1024
QUEUE = "readings"
SENT_MAX, SENT_WAIT_S = 20, 5.0
log = structlog.get_logger("penny.sandbox")


class SandboxFailed(Exception):
    """No answer that could be used. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def ask_sandbox(task: str, *arguments: Any, task_id: str = "") -> str:
    """Return the JSON text of the sandbox's reply, not yet validated. Raises SandboxFailed. Cancelling this ends the
    work there.

    `task_id` names the task for `sent_by`, where somebody wants to know which requests it made.
    """
    task_id = task_id or str(uuid4())
    try:
        key = await asyncio.to_thread(send, task_id, task, *arguments)
        async with _connected() as client:
            found = await client.blpop([key], timeout=WAIT_S)
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.to_thread(_revoke, task_id))
        raise
    except (OperationalError, RedisError, OSError) as error:
        raise SandboxFailed("sandbox_away") from error
    if found is None:
        await asyncio.to_thread(_revoke, task_id)
        raise SandboxFailed("reader_slow")
    answer = str(found[1])
    if len(answer) > REPLY_BYTES:
        raise SandboxFailed("reading_invalid")
    return answer


async def sent_by(task_id: str) -> list[dict[str, Any]]:
    """Return the records of the requests to models that a task has made until now, also one that was ended or has
    failed.
    """
    try:
        async with _connected() as client:
            kept = await asyncio.wait_for(client.lrange(sent_key(f"reply:{task_id}"), 0, SENT_MAX), SENT_WAIT_S)
        return [SentRecord.model_validate_json(record).model_dump(mode="json") for record in kept]
    except (RedisError, OSError, TimeoutError, ValidationError) as error:
        log.warning("sent.unknown", error=type(error).__name__)
        return []


def _connected() -> redis.Async:
    """Return a client that does not try again: a server that went away came back empty, and the reply would be waited
    for in vain.
    """
    client = redis.async_client(settings.SANDBOX_REDIS_URL)
    client.set_retry(Retry(NoBackoff(), 0))
    return client


def send(task_id: str, task: str, *arguments: Any) -> str:
    """Hand a request over and return the list that the reply will be pushed to."""
    key = f"reply:{task_id}"
    _app().send_task(task, [key, *arguments], task_id=task_id, queue=QUEUE, expires=WAIT_S, ignore_result=True)
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
    """Stop work that nobody waits for any more: the sandbox has one child, and the next item needs it."""
    try:
        _app().control.revoke(task_id, terminate=True, signal="SIGKILL")
    except (OperationalError, RedisError, OSError) as error:
        log.warning("revoke.lost", error=type(error).__name__)
