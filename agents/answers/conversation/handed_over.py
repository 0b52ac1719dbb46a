"""Earlier answers and thoughts for the writer: text without addresses, with its labels."""

import re
from uuid import UUID

from agents.zones.inputs import Untrusted
from devices.models import Message
from thoughts.models import Thought
from thoughts.text.addresses import drop_addresses

_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)")
_EVIDENCE = re.compile(r" ?\[\d+\]\([^()\s]*/evidence/\d+/\)")


def handed_answer(owner_id: int, seq: int) -> Untrusted | None:
    message = Message.objects.filter(owner=owner_id, seq=seq, direction=Message.Direction.OUT).first()
    return message_material(message) if message else None


def message_material(message: Message) -> Untrusted:
    return Untrusted(without_addresses(message.text), frozenset(message.origin))


def handed_thought(thought_id: UUID) -> Untrusted | None:
    row = Thought.objects.filter(pk=thought_id).first()
    return thought_material(row) if row else None


def thought_material(row: Thought) -> Untrusted:
    return Untrusted(without_addresses(f"{row.title}\n\n{row.text}"), frozenset(row.origin))


def without_addresses(text: str) -> str:
    """Return the text without addresses: a link becomes its name, an evidence link disappears."""
    return drop_addresses(_LINK.sub(r"\1", _EVIDENCE.sub("", text)))
