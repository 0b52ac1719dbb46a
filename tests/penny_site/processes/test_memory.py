"""What is free between what stays goes back to the system (Linux)."""

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
stay = pieces[49::50]  # the last of all too: what lies at the end of the heap would go back without us
del pieces
before = resident_mb()
memory.EVERY_S = 0.05
memory.start_giving_back()
until = time.monotonic() + 20
while before - resident_mb() < 80 and time.monotonic() < until:
    time.sleep(0.02)
print(round(before - resident_mb()))
"""


def test_what_lies_free_between_what_stays_is_given_back() -> None:
    given_back = subprocess.run(
        [sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert int(given_back.stdout) >= 80
