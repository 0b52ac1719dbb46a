"""Use the database from asynchronous code, on the thread that holds its connection.

Also transactions that must not run side by side, and transactions that skip the disk sync.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import transaction

P = ParamSpec("P")
R = TypeVar("R")


def in_db(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return `function` as a coroutine function that runs on the database thread."""
    wrapped: Callable[P, Awaitable[R]] = database_sync_to_async(function)
    return wrapped


@contextmanager
def redoable() -> Iterator[None]:
    """Open a transaction without a disk sync, for work that can be repeated after a power cut.

    A killed process loses nothing, and the next synced transaction makes this one durable too. Inside another
    transaction it has no effect of its own.
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
    """Wait until no other transaction with this name is open.

    For code that reads before it writes: later reads see what the others wrote. On SQLite nothing waits here, because a
    write transaction is alone from its beginning.
    """
    connection = transaction.get_connection()
    assert connection.in_atomic_block
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
