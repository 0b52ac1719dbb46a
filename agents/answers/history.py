"""The conversation as a planner may see it: an answer that came from pages is a handle and its domains, never its
words.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple
from uuid import UUID

from agents.commands.registry import name_of
from agents.zones.inputs import Past, Private
from devices.models import Message
from thoughts.models import Thought

ENTRIES = 20
CHARACTERS = 2_000
_HOUSE = {"owner", "penny"}
# Thoughts that were shown, and thumbs: no part of what was said, which they would push out.
_NOT_SAID = (Message.Kind.NOTIFICATION, Message.Kind.REACTION)


class Entry(NamedTuple):
    """What a turn needs of an earlier message."""

    seq: int
    direction: str
    kind: str
    text: str
    origin: list[str]
    thought_id: UUID | None = None


class Discussed(NamedTuple):
    """A thought that the conversation is about, as a planner may see it."""

    handle: str
    domains: tuple[str, ...]


def past(rows: Sequence[Entry], thoughts: Mapping[UUID, Discussed]) -> list[Past]:
    """Return the entries as a planner may see them, oldest first."""
    return [_entry(row, thoughts) for row in rows if row.kind == Message.Kind.CHAT]


def discussed(message: Message, rows: Sequence[Entry]) -> dict[UUID, Discussed]:
    """Return the thoughts that a message and what was said before it are about, in the order in which they came up."""
    named = [*(row.thought_id for row in rows), message.thought_id]
    ids = [key for key in dict.fromkeys(named) if key]
    if not ids:
        return {}
    found = dict(Thought.objects.filter(pk__in=ids).values_list("pk", "origin"))
    known = [key for key in ids if key in found]
    return {
        key: Discussed(f"t{number}", tuple(sorted(set(found[key]) - _HOUSE))) for number, key in enumerate(known, 1)
    }


def recent(messages: Sequence[Message]) -> list[list[Entry]]:
    """Return what was said just before each of some messages of the one conversation, oldest first. One look for all of
    them.
    """
    seqs = [message.seq for message in messages if not message.is_temporary]  # before the others there was nothing
    if not seqs:
        return [[] for _ in messages]
    first, last = min(seqs), max(seqs)
    said = Message.objects.filter(owner=messages[0].owner_id, seq__lt=last).exclude(kind__in=_NOT_SAID)
    rows = said.order_by("-seq").values_list(*Entry._fields)
    entries = [Entry(*row) for row in rows[: last - first + ENTRIES]]
    return [_since_new([entry for entry in entries if entry.seq < message.seq][:ENTRIES])[::-1] for message in messages]


def _since_new(entries: list[Entry]) -> list[Entry]:
    """Return the newest entries, down to where the owner began a new subject."""
    return list(takewhile(lambda entry: entry.kind != Message.Kind.COMMAND or name_of(entry.text) != "new", entries))


def owner_words(rows: Sequence[Entry]) -> list[str]:
    """Return what the owner said in these entries: the addresses in it may be opened."""
    return [row.text for row in rows if row.direction == Message.Direction.IN]


def _entry(row: Entry, thoughts: Mapping[UUID, Discussed]) -> Past:
    if row.direction == Message.Direction.IN:
        about = thoughts.get(row.thought_id) if row.thought_id else None
        return Past("user", Private(row.text[:CHARACTERS]), *(about or ()))
    if domains := set(row.origin) - _HOUSE:
        return Past("assistant", None, f"a{row.seq}", tuple(sorted(domains)))
    return Past("assistant", Private(row.text[:CHARACTERS]))
