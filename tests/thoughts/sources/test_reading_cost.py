"""What the worst files cost the process that reads them: at the bound at most six times what a quarter of it costs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from thoughts.sources.files import SIZE_MAX

# A small process starts the one that is measured: the memory of a parent counts as its child's.
MEASURE = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "thoughts.sources.child"], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1024 * (1024 if sys.platform == "darwin" else 1)))
"""
MEMORY_MB, TIMES, LEAST_S = 200, 6, 0.5
WORST: dict[str, Callable[[int], bytes]] = {
    "rows with quotes that never close": lambda size: b"url,title\n" + b'https://a.example/,"x\n' * (size // 22),
    "a long string": lambda size: b'[{"url":"https://a.example/","title":"' + b"a" * size + b'"}]',
    "open folders": lambda size: b"<opml><body>" + b"<outline text='x'>" * (size // 18),
    "attributes": lambda size: b"<opml><body><outline " + b"a='x' " * (size // 6) + b"/>",
}


def cost(path: Path) -> tuple[float, float]:
    """Return the seconds of CPU and the megabytes that reading a file took."""
    with path.open("rb") as file:
        result = subprocess.run([sys.executable, "-c", MEASURE], stdin=file, capture_output=True, check=True)
    seconds, megabytes = result.stdout.split()
    return float(seconds), float(megabytes)


@pytest.mark.parametrize("kind", WORST)
def test_the_worst_files_cost_no_more_than_their_length(tmp_path: Path, kind: str) -> None:
    (tmp_path / "quarter").write_bytes(WORST[kind](SIZE_MAX // 4))
    (tmp_path / "whole").write_bytes(WORST[kind](SIZE_MAX))
    (quarter_s, _), (whole_s, whole_mb) = cost(tmp_path / "quarter"), cost(tmp_path / "whole")
    assert whole_s <= TIMES * max(quarter_s, LEAST_S)
    assert whole_mb <= MEMORY_MB
