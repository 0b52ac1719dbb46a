"""Tests wait for a condition with a deadline; they never sleep and hope."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 15.0
SOONEST_S, LATEST_S = 0.02, 0.25


class NotInTime(AssertionError):
    """What a test waited for did not happen before its deadline."""


def until(
    condition: Callable[[], T | None], what: str, deadline_s: float = DEADLINE_S, every_s: float | None = None
) -> T:
    """Return the first truthy value of `condition`. Raises NotInTime, which says what was waited for and what was seen
    last.

    Unless `every_s` says how often, it looks often at first and then less and less: each look costs somebody, and so
    much the later it may be noticed what took long.
    """
    began = time.monotonic()
    while True:
        found = condition()
        if found:
            return found
        waited = time.monotonic() - began
        if waited > deadline_s:
            raise NotInTime(f"{what}: not within {deadline_s:g} s; last seen: {found!r}")
        time.sleep(every_s or min(max(SOONEST_S, waited / 10), LATEST_S))
