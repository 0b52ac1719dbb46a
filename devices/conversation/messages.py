"""The one conversation: rows are stored with a `seq` that has no gaps and commits in order."""

import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from constance import config
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max
from django.utils.safestring import SafeString

from devices import events, protocol
from devices.models import Conversation, Message
from thoughts.rendering import render_safe

WAKE_CHARACTERS = 16_384  # a longer message is read by each socket itself
TEXT_BYTES = protocol.FRAME_BYTES - 32 * 1024  # of text and HTML; the rest of a message's frame is smaller
SEARCHED_ROWS = 200  # at a time
CUT = "(The rest was too long to be kept.)"


class Written(NamedTuple):
    """A message's text and its HTML."""

    text: str
    html: SafeString


def written(text: str, links: list[str] | None = None) -> Written:
    """Return a text with its HTML. Made before the transaction that stores it, in which everybody else's writing waits.

    `links`: the only addresses that may become links; None for the owner's own words, in which any web address may. A
    text that no frame could hold is cut: it could never be delivered.
    """
    found = Written(text, render_safe(text, links))
    while len(json.dumps(found, ensure_ascii=False).encode()) > TEXT_BYTES:
        text = text[: len(text) * 2 // 3]
        kept = f"{text.rstrip()} …\n\n{CUT}"
        found = Written(kept, render_safe(kept, links))
    return found


def store(owner: User, words: Written, **fields: Any) -> Message:
    """Store a message within the caller's transaction and wake the devices once it is committed."""
    return store_all(owner, [(words, fields)])[0]


def store_all(owner: User, said: Sequence[tuple[Written, dict[str, Any]]]) -> list[Message]:
    """Store messages, each with its fields, within the caller's transaction and wake the devices once they are
    committed.
    """
    assert transaction.get_connection().in_atomic_block
    first = _next_seqs(owner, len(said))
    rows = (
        Message(owner=owner, seq=seq, text=words.text, html=words.html, **fields)
        for seq, (words, fields) in enumerate(said, first)
    )
    messages = Message.objects.bulk_create(rows)
    for message in messages:
        transaction.on_commit(partial(_wake, message))
    return messages


def store_temporary(owner: User, words: Written, **fields: Any) -> Message:
    """Store a message beside the conversation: no device hears of it by that."""
    return Message.all_rows.create(
        owner=owner, seq=-1 - secrets.randbits(60), text=words.text, html=words.html, **fields
    )


def _wake(message: Message) -> None:
    """Tell the sockets, with the message itself where it is short: then none has to look into the database for it."""
    frame = protocol.encode(protocol.MessageNew(message=message.frame()))
    events.send({"type": "wake", "seq": message.seq, "frame": frame if len(frame) <= WAKE_CHARACTERS else None})


def tell_changed(message: Message) -> None:
    """Tell the sockets that have a message what it is now. One that does not have it yet, or is away, reads it as it is
    then.
    """
    frame = protocol.encode(protocol.MessageNew(message=message.frame()))
    transaction.on_commit(lambda: events.send({"type": "message.changed", "seq": message.seq, "frame": frame}))


def last_seq(owner: User) -> int:
    return Message.objects.filter(owner=owner).aggregate(last=Max("seq"))["last"] or 0


def after(owner: User, seq: int, limit: int) -> list[Message]:
    """Return at most `limit` messages above `seq`, oldest first."""
    return list(Message.objects.filter(owner=owner, seq__gt=seq).order_by("seq")[:limit])


def before(owner: User, seq: int, limit: int) -> tuple[list[Message], bool]:
    """Return at most `limit` messages below `seq`, oldest first, and whether there are older ones."""
    rows = list(Message.objects.filter(owner=owner, seq__lt=seq).order_by("-seq")[: limit + 1])
    return rows[:limit][::-1], len(rows) > limit


def holding(owner: User, words: list[str], before_seq: int | None, limit: int) -> tuple[list[Message], bool]:
    """Return the newest messages that hold all the words, whatever their case, oldest first, and whether there are
    older ones.

    The database leaves out what it can: SQLite knows the case of ASCII alone. There is no index: a conversation is not
    that long.
    """
    rows = Message.objects.filter(owner=owner).exclude(kind=Message.Kind.REACTION).order_by("-seq")
    rows = rows if before_seq is None else rows.filter(seq__lt=before_seq)
    for word in words:
        rows = rows.filter(text__icontains=word) if word.isascii() else rows
    wanted = [word.casefold() for word in words]
    found = list(islice((row for row in rows.iterator(SEARCHED_ROWS) if _holds(row, wanted)), limit + 1))
    return found[:limit][::-1], len(found) > limit


def _holds(message: Message, words: list[str]) -> bool:
    text = message.text.casefold()
    return all(word in text for word in words)


def _next_seqs(owner: User, count: int) -> int:
    """Count so many more and return the first of them. Until the caller's transaction ends the next one waits here:
    what has a higher number is never seen before.
    """
    last = _counted(owner, count)
    if last is None:
        Conversation.objects.get_or_create(owner=owner)  # of two first messages one waits here for the other
        last = _counted(owner, count)
    assert last is not None
    return last - count + 1


def _counted(owner: User, count: int) -> int | None:
    """Return the last number, None where there is no counter yet. Django would need a second query to learn what it has
    counted to.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE devices_conversation SET last_seq = last_seq + %s WHERE owner_id = %s RETURNING last_seq",
            [count, owner.pk],
        )
        row = cursor.fetchone()
    return row[0] if row else None


def is_idle(now: datetime) -> bool:
    """Whether the owner has been silent long enough for background work."""
    recent = Message.objects.filter(
        direction=Message.Direction.IN, created_at__gt=now - timedelta(seconds=config.IDLE_S)
    )
    return not recent.exists()
