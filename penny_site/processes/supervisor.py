"""Start, watch and stop Penny's processes.

Imports only the standard library: this process never ends, and stays small.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from urllib.request import ProxyHandler, Request, build_opener

BACKOFF_MAX_S = 30.0
STEADY_S = 30.0
STOP_S = 10.0
LOG_BYTES = 5 * 1024 * 1024
LOGS_EVERY_S = 60.0
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass
class Child:
    name: str
    command: list[str]
    environment: dict[str, str]
    is_ready: Callable[[], bool] | None = None
    is_needed_by_others: bool = False
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started: float = 0.0
    restart_at: float = field(default=0.0)

    def start(self, log: Path) -> None:
        with _open_log(log) as output:
            self.process = subprocess.Popen(  # noqa: S603  our own commands, no shell
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                preexec_fn=_die_with_parent,
            )
        self.started, self.restart_at = time.monotonic(), 0.0

    def died(self, now: float) -> bool:
        """Return whether the process ended, and set when to restart it, with exponential backoff."""
        if self.process is None or self.process.poll() is None:
            return False
        self.failures = 1 if now - self.started > STEADY_S else self.failures + 1
        self.restart_at = now + min(BACKOFF_MAX_S, 0.25 * 2 ** (self.failures - 1))
        return True


class Supervisor:
    """Run the children, in the order of their start."""

    def __init__(self, children: list[Child], logs: Path) -> None:
        self.children, self.logs, self.stopping = children, logs, False
        self._logs_at = 0.0

    def run(self, announce: Callable[[], None]) -> int:
        """Start all children, announce them, and watch until a signal. Return the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        try:
            self._start_all()
            if not self.stopping:
                announce()
            while not self.stopping:
                self._watch()
                time.sleep(0.2)
        finally:
            self._stop_children()
        return 0

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def _start_all(self) -> None:
        """Start the children in order, and wait until all are ready.

        A server that others need is ready before the next child starts.
        """
        for child in self.children:
            if not self.stopping:
                child.start(self.logs / f"{child.name}.log")
                if child.is_needed_by_others:
                    self._wait_for(child)
        for child in self.children:
            self._wait_for(child)

    def _wait_for(self, child: Child) -> None:
        while child.is_ready is not None and not self.stopping and not child.is_ready():
            self._watch()
            time.sleep(0.05)

    def _watch(self) -> None:
        now = time.monotonic()
        for child in self.children:
            if child.restart_at:
                if now >= child.restart_at and not self.stopping:
                    child.start(self.logs / f"{child.name}.log")
                    say(f"{child.name} started again")
            elif child.died(now):
                assert child.process is not None
                wait = child.restart_at - now
                how = f"{child.name} stopped (exit code {child.process.returncode})"
                say(f"{how}; starting it again in {wait:.1f} s, see {self.logs}/{child.name}.log")
                child.process = None

        if now >= self._logs_at:
            self._logs_at = now + LOGS_EVERY_S
            for child in self.children:
                keep_short(self.logs / f"{child.name}.log")

    def _stop_children(self) -> None:
        """Stop the children that use the servers, all at once, then the servers."""
        for is_server in (False, True):
            _end(
                [
                    child.process
                    for child in self.children
                    if child.is_needed_by_others == is_server and child.process is not None
                ]
            )


def say(text: str) -> None:
    """Print a line. Ignore a failure: the output may be a file on a full disk."""
    try:
        print(f"penny: {text}", flush=True)  # noqa: T201
    except OSError:
        pass


def _open_log(log: Path) -> BinaryIO:
    """Open a child's log, or the null device on a full disk."""
    try:
        return log.open("ab")
    except OSError:
        return open(os.devnull, "ab")


def keep_short(log: Path) -> None:
    """Move the content of a log above 5 MB to `.log.1`, replacing the older content there.

    The writing process appends, so it continues at the beginning of the emptied file.
    """
    try:
        if log.stat().st_size > LOG_BYTES:
            shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)
    except OSError as error:  # no log yet, or a full disk
        if not isinstance(error, FileNotFoundError):
            say(f"{log} cannot be shortened: {error.strerror}")


def answers(url: str, host: str) -> Callable[[], bool]:
    """Return a check whether one of Penny's own URLs answers 200 to this Host header."""
    opener = build_opener(ProxyHandler({}))
    request = Request(url, headers={"Host": host})  # noqa: S310  our own address

    def check() -> bool:
        try:
            with opener.open(request, timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    return check


def accepts(address: str | int) -> Callable[[], bool]:
    """Return a check whether a Redis server answers on a unix socket or a port, also one that asks for a password."""
    family, there = (socket.AF_INET, ("127.0.0.1", address)) if isinstance(address, int) else (socket.AF_UNIX, address)

    def check() -> bool:
        with socket.socket(family) as client:
            client.settimeout(1)
            try:
                client.connect(there)
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith((b"+PONG", b"-NOAUTH"))
            except OSError:
                return False

    return check


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Terminate the processes, and kill those that still run after 10 s."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
    until = time.monotonic() + STOP_S
    for process in processes:
        try:
            process.wait(max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _die_with_parent() -> None:
    os.setsid()  # Ctrl-C reaches the supervisor alone, which stops the children in order
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def main() -> int:
    """Read the plan of `manage.py up` from file descriptor 3, and run it."""
    with os.fdopen(3) as file:
        plan: dict[str, Any] = json.load(file)
    data = Path(plan["data"])
    children = [Child(c["name"], c["command"], c["environment"], _readiness(c), _is_redis(c)) for c in plan["children"]]
    (data / "up.json").write_text(json.dumps(plan["running"] | {"pid": os.getpid()}))

    def announce() -> None:
        print(plan["announcement"], flush=True)  # noqa: T201

    try:
        return Supervisor(children, data / "log").run(announce)
    finally:
        (data / "up.json").unlink(missing_ok=True)
        say("stopped")


def _is_redis(child: dict[str, Any]) -> bool:
    return "socket" in child or "port" in child


def _readiness(child: dict[str, Any]) -> Callable[[], bool] | None:
    if _is_redis(child):
        return accepts(child.get("socket") or child["port"])
    return answers(child["url"], child["host"]) if child.get("url") else None


if __name__ == "__main__":
    sys.exit(main())
