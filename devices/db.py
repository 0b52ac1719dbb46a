"""The database from asynchronous code, on the one thread that holds its connection; and transactions that may not run side by side."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import transaction

P = ParamSpec("P")
R = TypeVar("R")


def in_db(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return `function` as a coroutine function whose body runs where the database may be used."""
    wrapped: Callable[P, Awaitable[R]] = database_sync_to_async(function)
    return wrapped


def one_at_a_time(name: str) -> None:
    """Wait until no other transaction that came here with this name is open. What is read from here on is what they left.

    For what looks before it writes. On SQLite nothing waits here: there a transaction is alone from its beginning.
    """
    connection = transaction.get_connection()
    assert connection.in_atomic_block
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
