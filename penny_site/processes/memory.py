"""Return unused memory of a process to the system, and collect cycles more often.

glibc returns only the memory at the end of its heap. Under steady use a live object always lies behind the freed
memory, so a process that runs for months would only grow.

Python frees a cycle only in a full collection. A full collection takes a few milliseconds, because `gc.freeze` excludes
the objects of the start. So it runs more often than by default, and fewer cycles pile up.
"""

import ctypes
import gc
import threading
import time
from collections.abc import Callable

THRESHOLDS = (700, 10, 2)  # the third: partial collections before a full one
LARGE_BYTES, M_MMAP_THRESHOLD = 1024 * 1024, -3  # of mallopt(3)
EVERY_S = 60.0  # takes a few milliseconds, without blocking Python


def start_giving_back() -> None:
    """Collect more often, and call `malloc_trim` every minute if the C library has it.

    Large blocks lie outside the heap, so that freeing one returns it at once: by default glibc takes them from the heap
    after the first one was freed.
    """
    gc.set_threshold(*THRESHOLDS)
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
    trim: Callable[[int], int] | None = getattr(library, "malloc_trim", None)
    if trim is not None:
        threading.Thread(target=_give_back, args=(trim,), name="memory", daemon=True).start()


def _give_back(trim: Callable[[int], int]) -> None:
    while True:
        time.sleep(EVERY_S)
        trim(0)
