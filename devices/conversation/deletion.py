"""Delete messages and threads, and bring them back for a day. After that they are removed for good.

What is deleted together has one moment in common, by which it comes back together.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from itertools import pairwise
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from devices import events, protocol
from devices.channels import routing
from devices.conversation import messages, threads
from devices.conversation.threads import ThreadGone
from devices.models import Delivery, Message, Thread
from devices.protocol import SeqRange

TOLD_AGAIN = 50  # of what comes back; clients fetch the rest


class MessageGone(Exception):
    """The message does not exist, or was deleted."""

    def __init__(self) -> None:
        super().__init__("That message is gone.")


def with_answer(message: Message) -> QuerySet[Message]:
    """Return a message; of a question of the owner, with what Penny answered."""
    rows = Message.objects.filter(owner=message.owner_id)
    if message.direction == Message.Direction.OUT:
        return rows.filter(pk=message.pk)
    answers = Q(parent=message, direction=Message.Direction.OUT)
    return rows.filter(Q(pk=message.pk) | answers | Q(turn_id=message.turn_id, turn_id__isnull=False))


@transaction.atomic
def delete_messages(rows: QuerySet[Message], now: datetime) -> int:
    """Delete messages. What waits to be sent over Signal is not sent any more; what was sent is taken back."""
    deleted = list(rows.only("pk", "seq", "owner_id").order_by("seq"))
    keys = [message.pk for message in deleted]
    Message.all_rows.filter(pk__in=keys).update(deleted_at=now)
    Delivery.objects.filter(message__in=keys, state=Delivery.State.QUEUED).delete()
    routing.withdraw(deleted)
    _tell_gone(ranges_of(message.seq for message in deleted))
    return len(deleted)


@transaction.atomic
def delete_thread(owner: User, thread_id: UUID, now: datetime) -> None:
    """Delete a thread with its messages. Raises ThreadGone."""
    if not Thread.objects.kept().filter(owner=owner, pk=thread_id).update(deleted_at=now):
        raise ThreadGone
    delete_messages(Message.objects.filter(thread=thread_id), now)
    threads.tell_threads()


def restore_thread(owner: User, thread_id: UUID) -> None:
    """Bring a thread back with its messages. Raises ThreadGone."""
    row = Thread.objects.restorable(timezone.now()).filter(owner=owner, pk=thread_id).first()
    if row is None or row.deleted_at is None:
        raise ThreadGone
    bring_back(owner, row.deleted_at)


def restore_message(owner: User, message_id: UUID) -> None:
    """Bring a message back with what was deleted together with it. Raises MessageGone."""
    row = Message.all_rows.restorable(timezone.now()).filter(owner=owner, pk=message_id).first()
    if row is None or row.deleted_at is None:
        raise MessageGone
    bring_back(owner, row.deleted_at)


def last_deletion(owner: User) -> datetime | None:
    """Return the moment of the last deletion that can be undone."""
    rows = Message.all_rows.restorable(timezone.now()).filter(owner=owner).order_by("-deleted_at")
    return rows.values_list("deleted_at", flat=True).first()


@transaction.atomic
def bring_back(owner: User, moment: datetime) -> int:
    """Bring back what was deleted at a moment, with the threads that it belongs to."""
    rows = Message.all_rows.filter(owner=owner, deleted_at=moment)
    keys = list(rows.values_list("pk", flat=True))
    Thread.objects.filter(Q(deleted_at=moment) | Q(message__in=keys), owner=owner).update(deleted_at=None)
    rows.update(deleted_at=None)
    for message in Message.objects.filter(pk__in=keys).order_by("-seq")[:TOLD_AGAIN]:
        messages.tell_changed(message)
    threads.tell_threads()
    return len(keys)


def ranges_of(seqs: Iterable[int]) -> list[SeqRange]:
    """Join numbers in rising order to ranges."""
    ranges: list[SeqRange] = []
    for seq in seqs:
        if ranges and ranges[-1].last == seq - 1:
            ranges[-1] = SeqRange(first=ranges[-1].first, last=seq)
        else:
            ranges.append(SeqRange(first=seq, last=seq))
    return ranges


def _tell_gone(ranges: list[SeqRange]) -> None:
    for start in range(0, len(ranges), protocol.GONE_MAX):
        frame = protocol.MessagesGone(ranges=ranges[start : start + protocol.GONE_MAX])
        transaction.on_commit(partial(events.send_frame, frame))


def gone_before(owner: User, seq: int) -> protocol.MessagesGone | None:
    """Return which numbers up to `seq` have no message, as far back as a client stores messages; None for none.

    Each number was given once, so a gap is what was deleted while the client was away, or before.
    """
    newest = Message.objects.filter(owner=owner, seq__lte=seq).order_by("-seq")
    seqs = [0, *reversed(newest.values_list("seq", flat=True)[: protocol.GONE_MAX]), seq + 1]
    if len(seqs) - 2 == protocol.GONE_MAX:
        del seqs[0]
    pairs = ((before + 1, after - 1) for before, after in pairwise(seqs) if after - before > 1)
    ranges = [SeqRange(first=first, last=last) for first, last in pairs]
    return protocol.MessagesGone(ranges=ranges) if ranges else None
