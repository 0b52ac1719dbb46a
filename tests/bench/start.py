"""Measure how long a warm start takes until Penny is ready: `python -m tests.bench.start`.

A first start creates the data, three more starts use it.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.bench.streams import percentile, verdict
from tests.penny import Penny

TARGET_S = 10.0
STARTS = 3


def seconds_to_ready(penny: Penny) -> float:
    begin = time.monotonic()
    penny.launch()
    try:
        penny.wait_ready()
        return time.monotonic() - begin
    finally:
        penny.stop()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="penny-bench-") as data:
        penny = Penny(Path(data))
        print(f"       first start on empty data: {seconds_to_ready(penny):.1f} s")
        times = [seconds_to_ready(penny) for _ in range(STARTS)]
    print("       warm starts: " + ", ".join(f"{seconds:.1f} s" for seconds in times))
    sys.exit(0 if verdict("warm start to /readyz, median", percentile(times, 0.5), "s", TARGET_S) else 1)


if __name__ == "__main__":
    main()
