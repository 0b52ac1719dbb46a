"""Threads: begin one with its first message, name it, list and find them."""

import re
from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from devices import events, protocol
from devices.models import Thread
from devices.owner.account import the_owner

UNNAMED = "New conversation"
NAME_FROM_WORDS = 60
_MARKS = re.compile(r"^[\s#>*+-]+")


class ThreadGone(Exception):
    """The thread does not exist, or was deleted."""

    def __init__(self) -> None:
        super().__init__("That conversation is gone.")


def write_in(owner: User, thread_id: UUID, words: str) -> Thread:
    """Return the thread that a message goes to, in the transaction that stores it.

    The first message begins its thread and names it. One that comes after the deletion begins it again, without what
    was said before.
    """
    now = timezone.now()
    fields = {"owner": owner, "name": name_from(words), "created_at": now, "used_at": now}
    thread, is_new = Thread.objects.get_or_create(pk=thread_id, defaults=fields)
    if not is_new:
        Thread.objects.filter(pk=thread_id).update(used_at=now, deleted_at=None)
    if is_new or thread.deleted_at:
        tell_threads()
    return thread


def name_from(words: str) -> str:
    """Return a name from the first line with words, cut between two words."""
    lines = (" ".join(_MARKS.sub("", line).split()) for line in words.splitlines())
    line = next(filter(None, lines), UNNAMED)
    if len(line) <= NAME_FROM_WORDS:
        return line
    start = line[: NAME_FROM_WORDS - 1]
    return f"{start.rpartition(' ')[0] or start}…"


def thread_named(owner: User, text: str) -> Thread | None:
    """Return the thread with the id that an address names."""
    try:
        return Thread.objects.kept().filter(owner=owner, pk=UUID(text)).first()
    except ValueError:
        return None


def rename(owner: User, thread_id: UUID, name: str) -> None:
    """Give a thread another name. Raises ThreadGone."""
    if not Thread.objects.kept().filter(owner=owner, pk=thread_id).update(name=name):
        raise ThreadGone
    tell_threads()


def find_threads(owner: User, text: str, limit: int) -> tuple[Sequence[Thread], bool]:
    """Return the threads whose name holds each word of a text, last used first, and whether there are others."""
    rows = Thread.objects.kept().filter(owner=owner)
    for word in text.split()[:8]:
        rows = rows.filter(name__icontains=word)
    threads = list(rows[: limit + 1])
    return threads[:limit], len(threads) > limit


def sync_frame() -> protocol.ThreadsSync:
    threads, more = find_threads(the_owner(), "", protocol.THREADS_MAX)
    return protocol.ThreadsSync(threads=[thread.info() for thread in threads], more=more)


def tell_threads() -> None:
    """Send the list to every device after the commit."""
    transaction.on_commit(lambda: events.send_frame(sync_frame()))
