"""Memory that a process does not use any more goes back to the system.

glibc gives back only what lies at the end of its heap. Under steady use something that stays always lies behind what is freed, so that a
process that runs for months would only ever grow.
"""

import ctypes
import threading
import time
from collections.abc import Callable

EVERY_S = 60.0  # it takes a few milliseconds, beside which Python goes on


def start_giving_back() -> None:
    """Give back what is free every minute, where the C library can (glibc's `malloc_trim`)."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        threading.Thread(target=_give_back, args=(trim,), name="memory", daemon=True).start()


def _give_back(trim: Callable[[int], int]) -> None:
    while True:
        time.sleep(EVERY_S)
        trim(0)
