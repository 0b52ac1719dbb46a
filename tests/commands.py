"""Run commands of manage.py in processes forked from one that has loaded the libraries.

Loading the libraries takes most of the time of a command. Penny's own modules are not loaded before the fork, so every
command reads its own environment. `run_in_new_python` starts a new interpreter, as a terminal does.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 120.0
LIBRARIES = [
    "ada_url", "bleach", "celery.worker", "channels.db", "channels_redis.core", "constance", "dateutil.rrule",
    "dj_database_url",
    "cryptography.hazmat.primitives.asymmetric.ec", "django.contrib.admin", "django.core.management.commands.migrate",
    "django.forms",
    "limits", "markdown_it", "nh3", "price_parser", "pydantic_settings", "regex", "sqlite3", "structlog", "tzlocal",
    "whitenoise",
]  # fmt: skip
CompletedCommand = subprocess.CompletedProcess[str]
Runner = Callable[..., CompletedCommand]
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(LIBRARIES)


def environment(data: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a child process, without the developer's settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PENNY_")}
    return inherited | {"PENNY_DATA": str(data), "PYTHONUNBUFFERED": "1", **settings}


def run_in_new_python(*arguments: str, environment: Mapping[str, str]) -> CompletedCommand:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)


def run_command(*arguments: str, environment: Mapping[str, str]) -> CompletedCommand:
    """Run `manage.py` in a forked process with only this environment.

    Raises subprocess.TimeoutExpired.
    """
    with tempfile.TemporaryDirectory(prefix="penny-command-") as folder:
        output_paths = [f"{folder}/{name}" for name in ("stdout", "stderr")]
        process = _forks.Process(target=_manage, args=(arguments, dict(environment), output_paths))
        process.start()
        process.join(TIMEOUT_S)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(arguments, TIMEOUT_S)
        return CompletedCommand(arguments, process.exitcode, *(Path(path).read_text() for path in output_paths))


def start_in_new_python(*arguments: str, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    """Start `manage.py` in a new interpreter, with stdout and stderr in one pipe."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


class LoadedPenny:
    """Runs commands in processes forked from one that has loaded Penny too, with one environment.

    Loading Penny takes most of the time of a short command.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)
        self._requests, requests = multiprocessing.Pipe()
        self._process = _forks.Process(target=_serve, args=(self.environment, requests), daemon=True)
        self._process.start()
        requests.close()
        self._turn = threading.Lock()

    def run(self, *arguments: str) -> CompletedCommand:
        """Run a command; while another one runs, in a process of its own. Raises subprocess.TimeoutExpired."""
        if not self._turn.acquire(blocking=False):
            return run_command(*arguments, environment=self.environment)
        try:
            return self._run(arguments)
        finally:
            self._turn.release()

    def _run(self, arguments: tuple[str, ...]) -> CompletedCommand:
        with tempfile.TemporaryDirectory(prefix="penny-command-") as folder:
            output_paths = [f"{folder}/{name}" for name in ("stdout", "stderr")]
            self._requests.send((arguments, output_paths))
            if not self._requests.poll(TIMEOUT_S):
                self._process.kill()
                raise subprocess.TimeoutExpired(arguments, TIMEOUT_S)
            exit_code = self._requests.recv()
            return CompletedCommand(arguments, exit_code, *(Path(path).read_text() for path in output_paths))

    def end(self) -> None:
        self._requests.close()
        self._process.join(TIMEOUT_S)


class ForkedCommand:
    """A running command with the part of Popen that its users need.

    `stdout` holds stdout and stderr.
    """

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        reader, pipe = multiprocessing.Pipe(duplex=False)
        self._process = _forks.Process(target=_run_in_background, args=(arguments, dict(environment), pipe))
        self._process.start()
        pipe.close()
        self.stdout = os.fdopen(os.dup(reader.fileno()))
        reader.close()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self.terminate, self.kill = self._process.terminate, self._process.kill

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("manage.py", timeout or 0)
        return self._process.exitcode

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode


def _run_in_background(arguments: tuple[str, ...], environment: dict[str, str], pipe: Connection) -> None:
    for descriptor in (1, 2):
        os.dup2(pipe.fileno(), descriptor)
    pipe.close()
    _main(arguments, environment)


def _serve(environment: dict[str, str], requests: Connection) -> None:
    """Run each command in a fork of this process, until the other side is closed."""
    os.environ.clear()
    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "penny_site.settings"
    os.chdir(ROOT)
    import django

    django.setup()
    while True:
        try:
            arguments, output_paths = requests.recv()
        except EOFError:
            return
        if not (child := os.fork()):
            _manage(arguments, environment, output_paths)
            return  # multiprocessing ends the child with the exit code of the command
        requests.send(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _manage(arguments: tuple[str, ...], environment: dict[str, str], output_paths: list[str]) -> None:
    for descriptor, path in enumerate(output_paths, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    _main(arguments, environment)


def _main(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = ["manage.py", *arguments]
    from django.conf import settings
    from django.db import connections

    from manage import main

    try:
        main()
    finally:
        if settings.configured:
            connections.close_all()  # as at the normal end of a process
