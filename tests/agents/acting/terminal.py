"""`manage.py hands` in a process of its own, as a person or a program uses it."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.commands import ROOT, environment
from tests.penny import Penny
from tests.waiting import until


class Terminal:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in list(self.lines)]

    def say(self, line: str) -> dict[str, Any]:
        """Write a line, and return the event that answers it."""
        count = len(self.lines)
        self.write(line)
        until(lambda: len(self.lines) > count, f"an answer to {line[:40]}", 30)
        return self.events[count]

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def expect(self, event: str) -> dict[str, Any]:
        until(lambda: any(one["event"] == event for one in self.events), f"the event {event}", 40)
        return next(one for one in self.events if one["event"] == event)

    def interrupt(self) -> None:
        os.kill(self._process.pid, signal.SIGINT)

    def end(self) -> int:
        """Wait for the end of the process, and of its output."""
        code = self._process.wait(60)
        self._reader.join(10)
        return code

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))


@contextmanager
def terminal(penny: Penny, url: str, *options: str) -> Iterator[Terminal]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "hands", url, *options, "--data", str(penny.data)],
        cwd=ROOT,
        env=environment(penny.data, **penny.settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:  # closes its pipes
        try:
            yield Terminal(process)
        finally:
            if process.poll() is None:
                process.terminate()
