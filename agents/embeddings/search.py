"""Ask the worker for the thoughts nearest to a text.

For the web process, which has no model.
"""

from dataclasses import dataclass
from uuid import UUID

from agents.embeddings.ask_worker import WorkerAway, answer_web, ask_worker

TASK = "agents.nearest"


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
    try:
        reply = ask_worker(TASK, text)
    except WorkerAway:
        raise NoSemanticSearch(
            "The broker is away, so there is no search by meaning. Settings › This machine says more."
        ) from None
    if reply is None:
        raise NoSemanticSearch("The search by meaning did not end in time. Try again in a moment.")
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
    answer_web(key, message)
