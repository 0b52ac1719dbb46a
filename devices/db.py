"""The database from asynchronous code: on the one thread that holds its connection."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
R = TypeVar("R")


def in_db(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return `function` as a coroutine function whose body runs where the database may be used."""
    wrapped: Callable[P, Awaitable[R]] = database_sync_to_async(function)
    return wrapped
