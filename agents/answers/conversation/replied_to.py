"""What the planner sees of the message that the owner replies to.

Text by the owner or by Penny is quoted. An answer made from pages appears as a placeholder; only the writer gets its
text.
"""

from collections.abc import Sequence
from uuid import UUID

from agents.answers.conversation import handed_over
from agents.answers.conversation.site_names import site_names
from agents.zones.inputs import Untrusted
from agents.zones.planner import placeholder
from devices.models import Message

CHARACTERS = 2_000
_UNANSWERED = (Message.Kind.FAILURE, Message.Kind.CANCELLED)


def replied_messages(messages: Sequence[Message]) -> dict[UUID, Message]:
    """Return the message that each question replies to, by the key of the question.

    A retried question replies to what the first attempt replied to. Without any reply there is no query.
    """
    parents = {message.pk: message.parent_id for message in messages if message.parent_id}
    if not parents:
        return {}
    rows = Message.objects.select_related("device", "parent__device").in_bulk(set(parents.values()))
    pairs = ((key, rows.get(parent)) for key, parent in parents.items())
    quotations = {
        key: _original_message(parent) if parent.kind in _UNANSWERED else parent for key, parent in pairs if parent
    }
    return {key: parent for key, parent in quotations.items() if parent is not None}


def _original_message(failure: Message) -> Message | None:
    """Return what the question behind this failure replied to, through any number of retries."""
    questions = Message.objects.filter(owner=failure.owner_id, turn_id=failure.turn_id, direction=Message.Direction.IN)
    parent = questions.select_related("parent__device", "parent__parent__device").first() if failure.turn_id else None
    if parent is None or parent.parent is None:
        return None
    return _original_message(parent.parent) if parent.parent.kind in _UNANSWERED else parent.parent


def planner_lines(message: Message | None, *, in_history: bool = False) -> list[str]:
    """`in_history`: the planner sees its text as what Penny said last."""
    if message is None:
        return []
    if message.is_from_pages:
        return [placeholder(f"a{message.seq}", site_names(message.sites))]
    text = message.text[-CHARACTERS:] if message.goes_on else message.text[:CHARACTERS]
    return [] if in_history else ["\n".join(f"> {line}" for line in text.splitlines())]


def writer_material(message: Message) -> Untrusted | None:
    """Return what the writer gets of a message, None where the planner sees its text."""
    return handed_over.message_material(message) if message.is_from_pages else None
