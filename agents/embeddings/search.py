"""Ask the worker for the thoughts nearest to a text.

For the web process, which has no model.
"""

import json
from dataclasses import dataclass
from uuid import UUID, uuid4

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from devices.redis import sync_client, wake

TASK, WAIT_S = "agents.nearest", 4


class NoSemanticSearch(Exception):
    """The worker gave no answer. The text says why and what to do."""


@dataclass(frozen=True)
class Hit:
    """A thought and its closeness, from 0 to 1."""

    thought: UUID
    closeness: float


def find_nearest(text: str) -> list[Hit]:
    """Return the thoughts closest to `text`, nearest first. Waits for the worker.

    Raises NoMeanings.
    """
    from celery import current_app

    key = f"meaning:{uuid4().hex}"
    try:
        current_app.send_task(TASK, [key, text], queue="runs", expires=WAIT_S)
        answer = sync_client().blpop([key], timeout=WAIT_S)
    except (OperationalError, RedisError, OSError):
        raise NoSemanticSearch(
            "The broker is away, so there is no search by meaning. The setup page says more."
        ) from None
    if answer is None:
        raise NoSemanticSearch("The search by meaning did not end in time. Try again in a moment.")
    reply = json.loads(answer[1])
    if "failed" in reply:
        raise NoSemanticSearch(reply["failed"])
    return [Hit(UUID(key), closeness) for key, closeness in reply["hits"]]


def send_hits(key: str, hits: list[tuple[UUID, float]] | None, failed: str = "") -> None:
    """Send the web process the hits for `key`, or why there are none."""
    message = (
        {"failed": failed}
        if hits is None
        else {"hits": [(str(thought), round(closeness, 4)) for thought, closeness in hits]}
    )
    wake(key, json.dumps(message), keep_s=2 * WAIT_S)
