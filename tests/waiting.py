"""Wait for a condition with patience, instead of sleeping.

A slow machine is slow, not broken: a wait is over only when the machine gave it its time. The time during which some
process waited for a core does not count, at most 7/8 of the wait.
"""

import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
DEADLINE_S = 15.0  # of given time
LEAST = 3.0  # no wait is over before this many times its deadline
MOST_STALLED = 7 / 8
SOONEST_S, LATEST_S = 0.02, 0.25
PRESSURE = Path("/proc/pressure/cpu")
NAP_S = 0.05


class NotInTime(AssertionError):
    """The condition of a test did not become true before its deadline."""


class Patience:
    """The time of one wait, from its creation."""

    def __init__(self) -> None:
        self._began_s, self._stalled_s = time.monotonic(), stalled_s()

    @property
    def waited_s(self) -> float:
        return time.monotonic() - self._began_s

    @property
    def given_s(self) -> float:
        return without_stalls(self.waited_s, stalled_s() - self._stalled_s)

    def is_over(self, deadline_s: float) -> bool:
        return self.waited_s > LEAST * deadline_s and self.given_s > deadline_s

    def __str__(self) -> str:
        return f"{self.given_s:.1f} s of the machine's time, {self.waited_s:.1f} s by the clock"


def without_stalls(waited_s: float, stalled_s: float) -> float:
    return waited_s - min(stalled_s, MOST_STALLED * waited_s)


def until(
    condition: Callable[[], T | None], what: str, deadline_s: float = DEADLINE_S, every_s: float | None = None
) -> T:
    """Return the first truthy value of `condition`.

    Raises NotInTime, which names `what` and the last value, after `deadline_s` of given time. Without `every_s` it
    checks often at first and then less often, because every check costs time.
    """
    patience = Patience()
    while True:
        value = condition()
        if value:
            return value
        if patience.is_over(deadline_s):
            raise NotInTime(f"{what}: not within {deadline_s:g} s ({patience}); last value: {value!r}")
        time.sleep(every_s or min(max(SOONEST_S, patience.waited_s / 10), LATEST_S))


def stalled_s() -> float:
    """Return for how long some process of the machine waited for a core, since any moment."""
    try:
        return pressure_s(PRESSURE.read_text())
    except OSError:  # an older kernel, or another system
        return _oversleeper().overslept_s


def pressure_s(text: str) -> float:
    """Return the total of the line `some`, which is in microseconds."""
    [some] = [line for line in text.splitlines() if line.startswith("some ")]
    return int(some.rpartition("total=")[2]) / 1e6


class Oversleeper(threading.Thread):
    """Measures by how much a thread oversleeps that sleeps 50 ms at a time."""

    def __init__(self) -> None:
        super().__init__(daemon=True, name="oversleeper")
        self.overslept_s = 0.0

    def run(self) -> None:
        while True:
            began_s = time.monotonic()
            time.sleep(NAP_S)
            self.overslept_s += time.monotonic() - began_s - NAP_S


@lru_cache
def _oversleeper() -> Oversleeper:
    thread = Oversleeper()
    thread.start()
    return thread
