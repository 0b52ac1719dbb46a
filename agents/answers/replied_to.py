"""A message that the owner replies to: their own words and Penny's are quoted; what came from pages is handed over, and
named only.
"""

from collections.abc import Sequence
from uuid import UUID

from agents.answers import handed_over
from agents.zones.inputs import Untrusted
from agents.zones.planner import placeholder
from devices.models import Message

CHARACTERS = 2_000
_UNANSWERED = (Message.Kind.FAILURE, Message.Kind.CANCELLED)


def quoted_by(messages: Sequence[Message]) -> dict[UUID, Message]:
    """Return what each of some messages of the owner replies to, where it does. No look into the database where none
    does.

    A question that is asked once more replies to what it replied to the first time.
    """
    parents = {message.pk: message.parent_id for message in messages if message.parent_id}
    if not parents:
        return {}
    found = Message.objects.in_bulk(set(parents.values()))
    pairs = ((key, found.get(parent)) for key, parent in parents.items())
    meant = {key: _first_meant(parent) if parent.kind in _UNANSWERED else parent for key, parent in pairs if parent}
    return {key: parent for key, parent in meant.items() if parent is not None}


def _first_meant(failure: Message) -> Message | None:
    """Return what the question replied to that ended in this failure, the first of them if it was asked again more than
    once.
    """
    asked = Message.objects.filter(owner=failure.owner_id, turn_id=failure.turn_id, direction=Message.Direction.IN)
    parent = asked.select_related("parent").first() if failure.turn_id else None
    if parent is None or parent.parent is None:
        return None
    return _first_meant(parent.parent) if parent.parent.kind in _UNANSWERED else parent.parent


def shown(quoted: Message | None) -> list[str]:
    """Return what a planner sees of it before the owner's words."""
    if quoted is None:
        return []
    if quoted.is_from_pages:
        return [placeholder(f"a{quoted.seq}", quoted.sites)]
    return ["\n".join(f"> {line}" for line in quoted.text[:CHARACTERS].splitlines())]


def untrusted(quoted: Message) -> Untrusted | None:
    """Return what the writer gets of it, None where the planner has its words."""
    return handed_over.words_of(quoted) if quoted.is_from_pages else None
