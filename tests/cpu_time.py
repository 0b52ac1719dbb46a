"""How the cost of a function grows with what it is given."""

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest

GROWTH, NOTHING_S, TRIES = 6, 0.05, 3  # of four times the size; what is too short to be compared

_Size = TypeVar("_Size")


def cpu_s(run: Callable[[], object]) -> float:
    """Return the CPU time of this thread in `run`, without the garbage collector.

    A collection looks at all objects of the process, and may cost more than `run` does.
    """
    gc.disable()
    began = time.thread_time()
    try:
        run()
        return time.thread_time() - began
    finally:
        gc.enable()


def check_growth(run: Callable[[_Size], object], quarter: _Size, whole: _Size, name: str = "") -> float:
    """Fail if `run` costs more than six times as much for `whole`, which is four times as large as `quarter`.

    Returns the seconds for `whole`. Another process may disturb a measurement: the best of three counts.
    """
    for _ in range(TRIES):
        short_s, long_s = (cpu_s(partial(run, size)) for size in (quarter, whole))
        if long_s < GROWTH * short_s + NOTHING_S:
            return long_s
    pytest.fail(f"{name}: {short_s:.2f} s, then {long_s:.2f} s")
