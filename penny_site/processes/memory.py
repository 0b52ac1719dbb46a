"""Memory that a process does not use any more goes back to the system.

glibc gives back only what lies at the end of its heap. Under steady use something that stays always lies behind what is
freed, so that a process that runs for months would only ever grow.

What refers to itself stays until Python's collector looks through all that was made since the start. That takes it a
few milliseconds, as what is there from the start is left out (`gc.freeze`): it is done oftener than usual, so that less
piles up in between.
"""

import ctypes
import gc
import threading
import time
from collections.abc import Callable

THRESHOLDS = (700, 10, 2)  # of the collector: the third is how many looks at a part come before one at everything
EVERY_S = 60.0  # it takes a few milliseconds, beside which Python goes on


def start_giving_back() -> None:
    """Collect often, and give back what is free every minute, where the C library can (glibc's `malloc_trim`)."""
    gc.set_threshold(*THRESHOLDS)
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        threading.Thread(target=_give_back, args=(trim,), name="memory", daemon=True).start()


def _give_back(trim: Callable[[int], int]) -> None:
    while True:
        time.sleep(EVERY_S)
        trim(0)
