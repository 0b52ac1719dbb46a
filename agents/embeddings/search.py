"""Asking the worker which thoughts mean what the owner looks for. For the web process, which has no model and no
vectors.
"""

import json
from dataclasses import dataclass
from uuid import UUID, uuid4

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from devices.redis import sync_client, wake

TASK, WAIT_S = "agents.nearest", 4


class NoMeanings(Exception):
    """The worker gave no answer; the text says why and what to do."""


@dataclass(frozen=True)
class Hit:
    """A thought and how alike it means, from 0 to 1."""

    thought: UUID
    closeness: float


def nearest(text: str) -> list[Hit]:
    """Return the thoughts that mean what `text` does, the nearest first. Waits for the worker. Raises NoMeanings."""
    from celery import current_app

    key = f"meaning:{uuid4().hex}"
    try:
        current_app.send_task(TASK, [key, text], queue="runs", expires=WAIT_S)
        answer = sync_client().blpop([key], timeout=WAIT_S)
    except (OperationalError, RedisError, OSError):
        raise NoMeanings("The broker is away, so there is no search by meaning. The setup page says more.") from None
    if answer is None:
        raise NoMeanings("The search by meaning did not end in time. Try again in a moment.")
    found = json.loads(answer[1])
    if "failed" in found:
        raise NoMeanings(found["failed"])
    return [Hit(UUID(key), closeness) for key, closeness in found["hits"]]


def answer(key: str, hits: list[tuple[UUID, float]] | None, failed: str = "") -> None:
    """Tell who waits for `key` what was found, or why nothing could be."""
    said = (
        {"failed": failed}
        if hits is None
        else {"hits": [(str(thought), round(closeness, 4)) for thought, closeness in hits]}
    )
    wake(key, json.dumps(said), keep_s=2 * WAIT_S)
