"""Free memory between live objects returns to the system (Linux)."""

import subprocess
import sys

from tests.commands import ROOT

HOLES = """
import re, sys, time
from pathlib import Path
from penny_site.processes import memory

def resident_mb():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

pieces = [bytes(3000) for _ in range(40_000)]
stay = pieces[49::50]  # includes the last piece: a free end of the heap returns by itself
del pieces
before = resident_mb()
memory.EVERY_S = 0.05
memory.start_giving_back()
until = time.monotonic() + 20
while before - resident_mb() < 80 and time.monotonic() < until:
    time.sleep(0.02)
print(round(before - resident_mb()))
"""


def test_free_memory_between_live_objects_returns_to_the_system() -> None:
    result = subprocess.run(
        [sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert int(result.stdout) >= 80
