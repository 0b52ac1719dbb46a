"""The conversation as a planner may see it.

An answer that came from pages appears as its handle and its domains, never as its words.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, F, When

from agents.answers.conversation.site_names import site_names
from agents.commands.registry import name_of
from agents.zones.inputs import Past, Private
from agents.zones.slots import as_told
from devices.models import Message
from devices.models.conversation import GO_ON
from devices.models.devices import program_with_token
from thoughts.models import Thought

ENTRIES = 20
CHARACTERS = 2_000
_HOUSE = {"owner", "penny"}
PROGRAM_WROTE = "[Not the owner's words. A program asked:]"
_PROGRAM_ID = Case(When(program_with_token("device__"), then=F("device_id")))
# Notifications and thumbs are no part of the dialogue, and would push it out of the window.
NOT_SAID = (Message.Kind.NOTIFICATION, Message.Kind.REACTION)


class Entry(NamedTuple):
    """The columns of an earlier message that a turn needs. `program_id`: the program with a token that wrote it."""

    seq: int
    direction: str
    kind: str
    text: str
    origin: list[str]
    thought_id: UUID | None = None
    program_id: UUID | None = None

    def is_owners(self, program_id: UUID | None) -> bool:
        """Whether these are the owner's words in a turn of this program, or of none."""
        return self.direction == Message.Direction.IN and self.program_id in (None, program_id)


class Discussed(NamedTuple):
    """A thought in the conversation, as a planner may see it."""

    handle: str
    domains: tuple[str, ...]


def planner_history(
    rows: Sequence[Entry], thoughts: Mapping[UUID, Discussed], program_id: UUID | None = None
) -> list[Past]:
    """`program_id`: the program whose turn it is, to which its own words are the owner's."""
    return [_entry(row, thoughts, program_id) for row in rows if row.kind == Message.Kind.CHAT]


def discussed_thoughts(message: Message, rows: Sequence[Entry]) -> dict[UUID, Discussed]:
    """Return the thoughts that a message and its history mention, in order of first mention."""
    mentions = [*(row.thought_id for row in rows), message.thought_id]
    ids = [key for key in dict.fromkeys(mentions) if key]
    if not ids:
        return {}
    origins = dict(Thought.objects.filter(pk__in=ids).values_list("pk", "origin"))
    existing = [key for key in ids if key in origins]
    return {
        key: Discussed(f"t{number}", tuple(sorted(set(origins[key]) - _HOUSE)))
        for number, key in enumerate(existing, 1)
    }


def recent_entries(messages: Sequence[Message]) -> list[list[Entry]]:
    """Return the history of each message within its thread, oldest first. One query for each thread.

    All messages belong to the same owner. A temporary chat has no history here.
    """
    entries = {thread: _thread_entries(messages, thread) for thread in {message.thread_id for message in messages}}
    return [
        _since_new([entry for entry in entries[message.thread_id] if entry.seq < message.seq][:ENTRIES])[::-1]
        for message in messages
    ]


def _thread_entries(messages: Sequence[Message], thread: UUID | None) -> list[Entry]:
    """Return, newest first, what the messages of one thread may need of it."""
    seqs = [message.seq for message in messages if message.thread_id == thread and not message.is_temporary]
    if not seqs:
        return []
    first, last = min(seqs), max(seqs)
    earlier = Message.objects.filter(owner=messages[0].owner_id, thread=thread, seq__lt=last)
    dialogue = earlier.exclude(kind__in=NOT_SAID).annotate(program_id=_PROGRAM_ID)
    rows = dialogue.order_by("-seq").values_list(*Entry._fields)
    return [Entry(*row) for row in rows[: last - first + ENTRIES]]


def _since_new(entries: list[Entry]) -> list[Entry]:
    """Return the entries (newest first) after the last /new."""
    return list(takewhile(lambda entry: entry.kind != Message.Kind.COMMAND or name_of(entry.text) != "new", entries))


def owner_words(rows: Sequence[Entry], program_id: UUID | None = None) -> list[str]:
    """Return the owner's texts. Addresses in them may be opened."""
    return [row.text for row in rows if row.is_owners(program_id)]


def _entry(row: Entry, thoughts: Mapping[UUID, Discussed], program_id: UUID | None) -> Past:
    if row.direction == Message.Direction.IN and not row.is_owners(program_id):
        return Past("program", Private(f"{PROGRAM_WROTE}\n{as_told(row.text)[:CHARACTERS]}"))
    if row.direction == Message.Direction.IN:
        about = thoughts.get(row.thought_id) if row.thought_id else None
        handle, hosts = about or ("", ())
        return Past("user", Private(as_told(row.text)[:CHARACTERS]), handle, site_names(hosts))
    if domains := set(row.origin) - _HOUSE:
        return Past("assistant", None, f"a{row.seq}", site_names(sorted(domains)))
    # With an answer that is not whole Penny may go on: its end counts.
    return Past("assistant", Private(row.text[-CHARACTERS:] if GO_ON in row.text else row.text[:CHARACTERS]))
