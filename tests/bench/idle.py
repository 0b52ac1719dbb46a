"""Measure memory and CPU of an idle Penny: `python -m tests.bench.idle` (Linux)."""

import sys
import time
from pathlib import Path

from tests.bench.streams import benched_penny, model_process, verdict
from tests.penny import Penny

TARGET_MB = 450.0
WATCH_S = 10.0


def pss_mb(pid: int) -> float:
    """Return the proportional set size: shared pages count once over all processes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return " ".join(word.rpartition("/")[2] for word in words[:6])[:70]


def show(penny: Penny) -> float:
    pids = [penny.pid, *penny.children()]
    before = {pid: cpu_s(pid) for pid in pids}
    time.sleep(WATCH_S)  # CPU time is counted over an idle interval
    for pid in pids:
        print(f"  {pss_mb(pid):6.1f} MB  {(cpu_s(pid) - before[pid]) / WATCH_S * 100:4.1f} %  {name(pid)}")
    return sum(pss_mb(pid) for pid in pids)


def main() -> None:
    with model_process() as model_url, benched_penny(model_url) as penny:
        print("Fresh, with a model set that was not asked yet")
        fresh = show(penny)
        with penny.client() as client:
            client.ask("Wake up, please", 60)
        print("After a turn")
        used = show(penny)
    met = verdict("memory when idle (PSS)", fresh, "MB", TARGET_MB) & verdict(
        "memory after a turn (PSS)", used, "MB", TARGET_MB
    )
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
