"""Wait for a condition with a deadline, instead of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 15.0
SLOWNESS = 3.0  # a deadline is for a machine at rest; a loaded one gets this many times as long
SOONEST_S, LATEST_S = 0.02, 0.25


class NotInTime(AssertionError):
    """The condition of a test did not become true before its deadline."""


def until(
    condition: Callable[[], T | None], what: str, deadline_s: float = DEADLINE_S, every_s: float | None = None
) -> T:
    """Return the first truthy value of `condition`.

    Raises NotInTime, which names `what` and the last value, after SLOWNESS times `deadline_s`. Without `every_s` it
    checks often at first and then less often, because every check costs time.
    """
    deadline_s *= SLOWNESS
    began = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited_s = time.monotonic() - began
        if waited_s > deadline_s:
            raise NotInTime(f"{what}: not within {deadline_s:g} s; last value: {value!r}")
        time.sleep(every_s or min(max(SOONEST_S, waited_s / 10), LATEST_S))
