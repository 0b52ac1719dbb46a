"""Ask the worker what another strength of an interest would do to the feed."""

from uuid import UUID

from agents.embeddings.ask_worker import WorkerAway, answer_web, ask_worker
from thoughts.taste.preview import Shift

TASK = "agents.preview"


def ask_preview(preference: int, strength: float, thought: UUID) -> Shift | None:
    """Return what would change; None if the worker gives no answer in 4 s."""
    try:
        reply = ask_worker(TASK, preference, strength, str(thought))
    except WorkerAway:
        return None
    return Shift(reply["days"], reply["moved"]) if reply else None


def send_preview(key: str, shift: Shift) -> None:
    answer_web(key, {"days": shift.days, "moved": shift.moved})
