"""The one conversation: rows get a `seq` without gaps that commits in order."""

import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, NamedTuple

from constance import config
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Max, Q, QuerySet
from django.utils.safestring import SafeString

from devices import events, protocol
from devices.models import Conversation, Message
from thoughts.models.search_words import has_words
from thoughts.rendering import render_safe

WAKE_CHARACTERS = 16_384  # sockets read a longer message from the database
TEXT_BYTES = protocol.FRAME_BYTES - 32 * 1024  # of text and HTML; the other fields fit into the rest of a frame
AHEAD_CHARACTERS = 1000
CUT = "(The rest was too long to be kept.)"


class Content(NamedTuple):
    """A message's text and its HTML."""

    text: str
    html: SafeString


def render_content(text: str, links: list[str] | None = None) -> Content:
    """Return a text with its HTML. Call it before the transaction that stores it.

    A transaction that stores messages holds up every other one. `links`: the only addresses that become links; None for
    the owner's own words, in which any web address does. A text too long for a frame is cut.
    """
    render = _render_again if len(text) > AHEAD_CHARACTERS else _render
    return render(text, None if links is None else tuple(links))


def render_ahead(texts: Sequence[str]) -> None:
    """Render the owner's long words, for a `render_content` that follows. Call it from a thread of its own.

    The longest message takes up to a second; the thread of the database serves every socket.
    """
    for text in texts:
        if len(text) > AHEAD_CHARACTERS:
            render_content(text)


def _render(text: str, links: tuple[str, ...] | None) -> Content:
    result = Content(text, render_safe(text, links))
    while len(json.dumps(result, ensure_ascii=False).encode()) > TEXT_BYTES:
        text = text[: len(text) * 2 // 3]
        cut_text = f"{text.rstrip()} …\n\n{CUT}"
        result = Content(cut_text, render_safe(cut_text, links))
    return result


_render_again = lru_cache(4)(_render)


def store_message(owner: User, words: Content, **fields: Any) -> Message:
    """Store a message in the caller's transaction; the devices are woken after the commit."""
    return store_messages(owner, [(words, fields)])[0]


def store_messages(owner: User, contents: Sequence[tuple[Content, dict[str, Any]]]) -> list[Message]:
    assert transaction.get_connection().in_atomic_block
    first = _next_seqs(owner, len(contents))
    rows = (
        Message(owner=owner, seq=seq, text=words.text, html=words.html, **fields)
        for seq, (words, fields) in enumerate(contents, first)
    )
    messages = Message.objects.bulk_create(rows)
    for message in messages:
        transaction.on_commit(partial(_wake, message))
    return messages


def store_temporary(owner: User, words: Content, **fields: Any) -> Message:
    """Store a message outside the conversation; no device is woken."""
    return Message.all_rows.create(
        owner=owner, seq=-1 - secrets.randbits(60), text=words.text, html=words.html, **fields
    )


def _wake(message: Message) -> None:
    """Wake the sockets; a short message goes along, which saves each a query."""
    frame = protocol.encode(protocol.MessageNew(message=message.frame()))
    events.send({"type": "wake", "seq": message.seq, "frame": frame if len(frame) <= WAKE_CHARACTERS else None})


def tell_changed(message: Message) -> None:
    """Send a changed message to the sockets that have it; others read it later anyway."""
    frame = protocol.encode(protocol.MessageNew(message=message.frame()))
    transaction.on_commit(lambda: events.send({"type": "message.changed", "seq": message.seq, "frame": frame}))


def last_seq(owner: User) -> int:
    return Message.objects.filter(owner=owner).aggregate(last=Max("seq"))["last"] or 0


def messages_after(owner: User, seq: int, limit: int, view: protocol.View | None = None) -> list[Message]:
    return list(in_view(Message.objects.filter(owner=owner, seq__gt=seq), view).order_by("seq")[:limit])


def in_view(rows: QuerySet[Message], view: protocol.View | None) -> QuerySet[Message]:
    """Return the messages of a thread, the main conversation, or, for None, all."""
    if view is None:
        return rows
    return rows.filter(thread=None) if view == "main" else rows.filter(thread=view)


def messages_before(owner: User, seq: int, limit: int, view: protocol.View | None = None) -> tuple[list[Message], bool]:
    """Return at most `limit` messages below `seq`, oldest first, and whether older ones exist."""
    rows = list(in_view(Message.objects.filter(owner=owner, seq__lt=seq), view).order_by("-seq")[: limit + 1])
    return rows[:limit][::-1], len(rows) > limit


def messages_holding(
    owner: User, text: str, before_seq: int | None, limit: int, view: protocol.View | None = None
) -> tuple[list[Message], bool]:
    """Return the newest messages with all the words of a text, oldest first, and whether older ones exist.

    A text of signs alone, such as a backslash, is looked for as it is.
    """
    rows = Message.objects.filter(owner=owner).exclude(kind=Message.Kind.REACTION).order_by("-seq")
    rows = in_view(rows, view) if before_seq is None else in_view(rows, view).filter(seq__lt=before_seq)
    matches = list(rows.filter(has_words("words", text) or Q(text__contains=text.strip()))[: limit + 1])
    return matches[:limit][::-1], len(matches) > limit


def _next_seqs(owner: User, count: int) -> int:
    """Reserve `count` numbers; return the first.

    Other transactions wait here until this one ends, so no reader sees a higher number first.
    """
    last = _advance_counter(owner, count)
    if last is None:
        Conversation.objects.get_or_create(owner=owner)  # of two first messages one waits here
        last = _advance_counter(owner, count)
    assert last is not None
    return last - count + 1


def _advance_counter(owner: User, count: int) -> int | None:
    """Advance the counter; return the last number, None without a counter.

    Raw SQL, because Django would need a second query for the result.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE devices_conversation SET last_seq = last_seq + %s WHERE owner_id = %s RETURNING last_seq",
            [count, owner.pk],
        )
        row = cursor.fetchone()
    return row[0] if row else None


def is_idle(now: datetime) -> bool:
    """Return whether the owner has been silent long enough for background work."""
    recent = Message.objects.filter(
        direction=Message.Direction.IN, created_at__gt=now - timedelta(seconds=config.IDLE_S)
    )
    return not recent.exists()
