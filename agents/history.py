"""The conversation as a planner may see it: an answer that came from pages is a handle and its domains, never its words."""

from collections.abc import Sequence

from agents.zones import Past, Private
from devices.models import Message

ENTRIES = 20
CHARACTERS = 2_000
_HOUSE = {"owner", "penny"}


def past(rows: Sequence[Message]) -> list[Past]:
    """Return the entries as a planner may see them, oldest first."""
    return [_entry(row) for row in rows if row.kind == Message.Kind.CHAT]


def recent(message: Message) -> list[Message]:
    """Return what was said just before `message`, oldest first."""
    return list(Message.objects.filter(owner=message.owner_id, seq__lt=message.seq).defer("html").order_by("-seq")[:ENTRIES])[::-1]


def owner_words(rows: Sequence[Message]) -> list[str]:
    """Return what the owner said in these entries: the addresses in it may be opened."""
    return [row.text for row in rows if row.direction == Message.Direction.IN]


def _entry(row: Message) -> Past:
    role = "user" if row.direction == Message.Direction.IN else "assistant"
    if row.is_from_pages:
        return Past(role, None, f"a{row.seq}", tuple(sorted(set(row.origin) - _HOUSE)))
    return Past(role, Private(row.text[:CHARACTERS]))
