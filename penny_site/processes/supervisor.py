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
from typing import Any, BinaryIO, TypeGuard
from urllib.request import ProxyHandler, Request, build_opener

BACKOFF_MAX_S = 30.0
STEADY_S = 30.0
STOP_S = 10.0
REPLACE_S = 200.0  # a reading may take 170 s
MESSAGE_BYTES = 8192
VALUE_CHARACTERS = 2000
HANDOVER = "PENNY_HANDOVER_FD"
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
    takes: tuple[str, ...] = ()
    hands_over: int | None = None
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started: float = 0.0
    restart_at: float = field(default=0.0)
    replace_until: float = 0.0

    def start(self, log: Path) -> None:
        handover = {} if self.hands_over is None else {HANDOVER: str(self.hands_over)}
        with _open_log(log) as output:
            self.process = subprocess.Popen(  # noqa: S603  our own commands, no shell
                self.command,
                env=self.environment | handover,
                pass_fds=() if self.hands_over is None else (self.hands_over,),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                preexec_fn=self._die_with_parent,
            )
        self.started, self.restart_at, self.replace_until = time.monotonic(), 0.0, 0.0

    def _die_with_parent(self) -> None:
        os.setsid()  # Ctrl-C reaches the supervisor alone, which stops the children in order
        if _libc is not None:
            # Redis writes what it holds; a worker would wait for a Redis that has ended
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM if self.is_needed_by_others else signal.SIGKILL)

    def may_take(self, variables: dict[str, str]) -> bool:
        return bool(self.takes) and variables.keys() <= set(self.takes)

    def take(self, variables: dict[str, str]) -> bool:
        """Use these values for the variables that may be handed over. Return whether they are new.

        The process then ends after its work, and starts again with them.
        """
        rest = {name: value for name, value in self.environment.items() if name not in self.takes}
        environment = rest | variables
        if environment == self.environment:
            return False
        self.environment = environment
        if self.process is not None and not self.replace_until:
            self.replace_until = time.monotonic() + REPLACE_S
            self.process.terminate()  # Celery finishes the reading that it has begun
        return True

    def died(self, now: float) -> bool:
        """Return whether the process ended, and set when to restart it, with exponential backoff."""
        if self.process is None:
            return False
        if self.process.poll() is None:
            if self.replace_until and now > self.replace_until:
                os.killpg(self.process.pid, signal.SIGKILL)  # it leads a session of its own
            return False
        if self.replace_until:
            self.restart_at = now
            return True
        self.failures = 1 if now - self.started > STEADY_S else self.failures + 1
        self.restart_at = now + min(BACKOFF_MAX_S, 0.25 * 2 ** (self.failures - 1))
        return True


class Supervisor:
    """Run the children, in the order of their start."""

    def __init__(self, children: list[Child], logs: Path, handover: socket.socket) -> None:
        self.children, self.logs, self.stopping = children, logs, False
        self._handover = handover
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
        self._take_over()
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
                if not child.replace_until:
                    say(f"{how}; starting it again in {wait:.1f} s, see {self.logs}/{child.name}.log")
                child.process = None

        if now >= self._logs_at:
            self._logs_at = now + LOGS_EVERY_S
            for child in self.children:
                keep_short(self.logs / f"{child.name}.log")

    def _take_over(self) -> None:
        """Pass on the variables that web or worker handed over. They hold a key: they are never printed."""
        variables = receive_variables(self._handover)
        if variables is None:
            return
        for child in self.children:
            if child.may_take(variables) and child.take(variables):
                say(f"{child.name} gets another model, and starts again after what it reads now")

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


def receive_variables(handover: socket.socket) -> dict[str, str] | None:
    """Return the newest message, or None without a sound one."""
    newest: object = None
    for _ in range(100):
        try:
            message = handover.recv(MESSAGE_BYTES)
        except BlockingIOError:
            break
        try:
            newest = json.loads(message)
        except ValueError:
            continue
    return newest if _are_variables(newest) else None


def _are_variables(message: object) -> TypeGuard[dict[str, str]]:
    return isinstance(message, dict) and all(
        isinstance(value, str) and len(value) <= VALUE_CHARACTERS and value.isprintable() for value in message.values()
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


def main() -> int:
    """Read the plan of `manage.py up` from file descriptor 3, and run it."""
    with os.fdopen(3) as file:
        plan: dict[str, Any] = json.load(file)
    data = Path(plan["data"])
    handover, children_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end in (handover, children_end):
        end.setblocking(False)
    children = [_make_child(child, children_end.fileno()) for child in plan["children"]]
    (data / "up.json").write_text(json.dumps(plan["running"] | {"pid": os.getpid()}))

    def announce() -> None:
        print(plan["announcement"], flush=True)  # noqa: T201

    try:
        return Supervisor(children, data / "log", handover).run(announce)
    finally:
        (data / "up.json").unlink(missing_ok=True)
        for folder in plan["socket_folders"]:  # a killed Penny leaves them to her next start, which has the same ones
            shutil.rmtree(folder, ignore_errors=True)
        say("stopped")


def _make_child(child: dict[str, Any], handover: int) -> Child:
    return Child(
        child["name"],
        child["command"],
        child["environment"],
        _readiness(child),
        _is_redis(child),
        tuple(child.get("takes", ())),
        handover if child.get("hands_over") else None,
    )


def _is_redis(child: dict[str, Any]) -> bool:
    return "socket" in child or "port" in child


def _readiness(child: dict[str, Any]) -> Callable[[], bool] | None:
    if _is_redis(child):
        return accepts(child.get("socket") or child["port"])
    return answers(child["url"], child["host"]) if child.get("url") else None


if __name__ == "__main__":
    sys.exit(main())
