"""The conversation as a planner may see it: an answer that came from pages is a handle and its domains, never its words."""

from collections.abc import Sequence
from typing import NamedTuple

from agents.zones import Past, Private
from devices.models import Message

ENTRIES = 20
CHARACTERS = 2_000
_HOUSE = {"owner", "penny"}


class Entry(NamedTuple):
    """What a turn needs of an earlier message."""

    seq: int
    direction: str
    kind: str
    text: str
    origin: list[str]


def past(rows: Sequence[Entry]) -> list[Past]:
    """Return the entries as a planner may see them, oldest first."""
    return [_entry(row) for row in rows if row.kind == Message.Kind.CHAT]


def recent(message: Message) -> list[Entry]:
    """Return what was said just before `message`, oldest first."""
    rows = Message.objects.filter(owner=message.owner_id, seq__lt=message.seq).order_by("-seq").values_list(*Entry._fields)
    return [Entry(*row) for row in rows[:ENTRIES]][::-1]


def owner_words(rows: Sequence[Entry]) -> list[str]:
    """Return what the owner said in these entries: the addresses in it may be opened."""
    return [row.text for row in rows if row.direction == Message.Direction.IN]


def _entry(row: Entry) -> Past:
    role = "user" if row.direction == Message.Direction.IN else "assistant"
    if domains := set(row.origin) - _HOUSE:
        return Past(role, None, f"a{row.seq}", tuple(sorted(domains)))
    return Past(role, Private(row.text[:CHARACTERS]))
