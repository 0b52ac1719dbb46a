"""Find out from when on the planner saw the conversation, where that is new to the owner.

The answer says it beside its words, so that neither a later request nor a program gets it.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from django.db.models.functions import Left

from agents.answers.conversation.history import ENTRIES, NOT_SAID
from agents.commands.registry import name_of
from agents.models import Run
from agents.runs.context import Context
from devices.models import Message

KEY = "unseen_before"  # in a receipt
SAID_AGAIN_AFTER = 200  # messages


@dataclass
class SeenHistory:
    """How many entries of the conversation a planner may see, and how many, the newest, stood in its last request."""

    length: int = 0
    newest: int | None = None


def unseen_before(run: Run, context: Context | None) -> datetime | None:
    """Return the moment of the oldest message that the planner saw, None if it saw all, or if it was said before.

    It is said once in a conversation, and once more long after.
    """
    message = run.message
    history = SeenHistory() if context is None else context.of(SeenHistory)
    if context is None or history.newest is None or message is None or message.is_temporary:
        return None
    is_whole = history.newest == history.length and history.length < ENTRIES // 2
    if context.caller != "planner" or is_whole:
        return None
    earlier = Message.objects.filter(owner=message.owner_id, thread=message.thread_id, seq__lt=message.seq)
    rows = earlier.exclude(kind__in=NOT_SAID).order_by("-seq").annotate(begin=Left("text", 20))
    columns = rows.values_list("kind", "begin", "created_at", "receipt")[:SAID_AGAIN_AFTER]
    since_new = [*takewhile(lambda row: row[0] != Message.Kind.COMMAND or name_of(row[1]) != "new", columns)]
    moments = [moment for kind, _, moment, _ in since_new if kind == Message.Kind.CHAT]
    if len(moments) <= history.newest or any(KEY in (receipt or {}) for *_, receipt in since_new):
        return None
    return moments[history.newest - 1] if history.newest else message.created_at
