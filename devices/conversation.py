"""The one conversation: rows are stored with a `seq` that has no gaps and commits in order."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max

from devices import events
from devices.models import Conversation, Message
from thoughts.rendering import render_safe


def store(owner: User, *, links: list[str] | None = None, **fields: Any) -> Message:
    """Store a message within the caller's transaction and wake the devices once it is committed.

    `links`: the only addresses that may become links; None for the owner's own words, in which any web address may.
    """
    assert transaction.get_connection().in_atomic_block
    html = render_safe(fields["text"], links)
    counter = Conversation.objects.filter(owner=owner)
    if not counter.update(last_seq=F("last_seq") + 1):  # holds the row's lock until the commit
        Conversation.objects.create(owner=owner, last_seq=1)
    seq = counter.values_list("last_seq", flat=True).get()
    message = Message.objects.create(owner=owner, seq=seq, html=html, **fields)
    transaction.on_commit(lambda: events.send({"type": "wake", "seq": seq}))
    return message


def last_seq(owner: User) -> int:
    return Message.objects.filter(owner=owner).aggregate(last=Max("seq"))["last"] or 0


def after(owner: User, seq: int, limit: int) -> list[Message]:
    """Return at most `limit` messages above `seq`, oldest first."""
    return list(Message.objects.filter(owner=owner, seq__gt=seq).order_by("seq")[:limit])


def before(owner: User, seq: int, limit: int) -> tuple[list[Message], bool]:
    """Return at most `limit` messages below `seq`, oldest first, and whether there are older ones."""
    rows = list(Message.objects.filter(owner=owner, seq__lt=seq).order_by("-seq")[: limit + 1])
    return rows[:limit][::-1], len(rows) > limit
