"""The conversation as a planner may see it: an answer that came from pages is a handle and its domains, never its words."""

from agents.zones import Past, Private
from devices.models import Message

ENTRIES = 20
CHARACTERS = 2_000
_HOUSE = {"owner", "penny"}


def past(message: Message) -> list[Past]:
    """Return the entries before `message`, oldest first."""
    rows = Message.objects.filter(owner=message.owner_id, seq__lt=message.seq, kind="chat").order_by("-seq")[:ENTRIES]
    return [_entry(row) for row in reversed(rows)]


def _entry(row: Message) -> Past:
    role = "user" if row.direction == Message.Direction.IN else "assistant"
    if row.is_from_pages:
        return Past(role, None, f"a{row.seq}", tuple(sorted(set(row.origin) - _HOUSE)))
    return Past(role, Private(row.text[:CHARACTERS]))
