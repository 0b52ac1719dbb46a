"""The database from asynchronous code, on the one thread that holds its connection; and transactions that may not run
side by side.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import transaction

P = ParamSpec("P")
R = TypeVar("R")


def in_db(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return `function` as a coroutine function whose body runs where the database may be used."""
    wrapped: Callable[P, Awaitable[R]] = database_sync_to_async(function)
    return wrapped


@contextmanager
def redoable() -> Iterator[None]:
    """A transaction that does not wait for the disk: for what would only be done again if a power cut took it.

    A process that is killed takes nothing with it, and the next transaction that does wait makes this one safe too.
    Within another transaction it is a part of that one.
    """
    connection = transaction.get_connection()
    is_outermost = not connection.in_atomic_block
    if is_outermost and connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.execute("PRAGMA synchronous=NORMAL")
    try:
        with transaction.atomic():
            if is_outermost and connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL synchronous_commit TO off")
            yield
    finally:
        if is_outermost and connection.vendor == "sqlite" and connection.connection is not None:
            connection.connection.execute("PRAGMA synchronous=FULL")


def one_at_a_time(name: str) -> None:
    """Wait until no other transaction that came here with this name is open. What is read from here on is what they
    left.

    For what looks before it writes. On SQLite nothing waits here: there a transaction is alone from its beginning.
    """
    connection = transaction.get_connection()
    assert connection.in_atomic_block
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
