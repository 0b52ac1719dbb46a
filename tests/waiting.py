"""Tests wait for a condition with a deadline; they never sleep and hope."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 15.0


class NotInTime(AssertionError):
    """What a test waited for did not happen before its deadline."""


def until(condition: Callable[[], T | None], what: str, deadline_s: float = DEADLINE_S, every_s: float = 0.02) -> T:
    """Return the first truthy value of `condition`. Raises NotInTime, which says what was waited for and what was seen last."""
    ends = time.monotonic() + deadline_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > ends:
            raise NotInTime(f"{what}: not within {deadline_s:g} s; last seen: {found!r}")
        time.sleep(every_s)
