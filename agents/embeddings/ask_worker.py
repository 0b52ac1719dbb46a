"""Ask the worker for what the web process cannot compute: it has no vectors and no numpy."""

import json
from typing import Any
from uuid import uuid4

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from devices.redis import sync_client, wake

WAIT_S = 4


class WorkerAway(Exception):
    """The broker is away."""


def ask_worker(task: str, *arguments: object) -> dict[str, Any] | None:
    """Send the task a key and the arguments; return what `answer_web` sent for the key, None after 4 s.

    Raises WorkerAway.
    """
    from celery import current_app

    key = f"{task}:{uuid4().hex}"
    try:
        current_app.send_task(task, [key, *arguments], queue="runs", expires=WAIT_S)
        answer = sync_client(WAIT_S).blpop([key], timeout=WAIT_S)
    except (OperationalError, RedisError, OSError):
        raise WorkerAway from None
    return None if answer is None else dict(json.loads(answer[1]))


def answer_web(key: str, answer: dict[str, Any]) -> None:
    wake(key, json.dumps(answer), keep_s=2 * WAIT_S)
