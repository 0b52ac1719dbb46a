"""Backups that are ended in the middle: the older one stays whole, and the next one removes what is left."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.reality.outcome import Outcome

ENDED_BY = {"B716": signal.SIGKILL, "B717": signal.SIGTERM}
KIND = "backups"
# The backup waits for ever once it is written and not yet named.
HANG = """
import os, pathlib, time
_fsync = os.fsync
def fsync(handle):
    _fsync(handle)
    if ".penny-partial-" in os.readlink(f"/proc/self/fd/{handle}"):
        pathlib.Path(os.environ["HUNG"]).touch()
        time.sleep(600)
os.fsync = fsync
"""


def outcomes() -> list[Outcome]:
    with tempfile.TemporaryDirectory(prefix="penny-") as folder:
        data = Path(folder) / "data"
        data.mkdir(mode=0o700)
        _manage(data, "migrate")
        _manage(data, "backup")
        return [_end_backup(id_, number, data, Path(folder) / id_) for id_, number in ENDED_BY.items()]


def _end_backup(id_: str, number: signal.Signals, data: Path, programs: Path) -> Outcome:
    from tests.commands import ROOT, environment

    programs.mkdir()
    (programs / "sitecustomize.py").write_text(HANG)
    marker, before = programs / "hung", _digests(data)
    variables = environment(data, PYTHONPATH=str(programs), HUNG=str(marker))
    process = subprocess.Popen(
        [sys.executable, "manage.py", "backup"], cwd=ROOT, env=variables, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while not marker.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    was_in_the_middle = marker.exists()
    process.send_signal(number)
    process.wait(timeout=30)
    is_unchanged = _digests(data) == before
    _manage(data, "backup")
    left = [path.name for path in (data / "backups").iterdir() if path.name.startswith(".penny-partial-")]
    files = _digests(data)
    is_kept = before.items() <= files.items() and len(files) == len(before) + 1
    state = f"in the middle: {was_in_the_middle}, unchanged: {is_unchanged}, kept: {is_kept}, left: {left}"
    return Outcome(id_, KIND, was_in_the_middle and is_unchanged and is_kept and not left, state)


def _digests(data: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (data / "backups").glob("*.zip")}


def _manage(data: Path, *arguments: str) -> None:
    from tests.commands import environment, run_in_new_python

    result = run_in_new_python(*arguments, environment=environment(data))
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
