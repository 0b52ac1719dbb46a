"""Commands of manage.py, each run in a process of its own that does not begin at nothing: it is forked from one that
knows the libraries.

To load these takes most of what a command takes. Nothing of Penny's is loaded before the fork: each command reads the
environment that it is given and sets everything up by itself. `anew` starts Python itself, as a terminal does.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
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
Done = subprocess.CompletedProcess[str]
How = Callable[..., Done]
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(LIBRARIES)


def environment(data: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a child process: none of the developer's settings, and these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PENNY_")}
    return kept | {"PENNY_DATA": str(data), "PYTHONUNBUFFERED": "1", **settings}


def anew(*arguments: str, environment: Mapping[str, str]) -> Done:
    """Run `manage.py` as somebody at a terminal would."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S)


def run(*arguments: str, environment: Mapping[str, str]) -> Done:
    """Run `manage.py` with these arguments and nothing else in its environment. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryDirectory(prefix="penny-command-") as folder:
        printed = [f"{folder}/{name}" for name in ("stdout", "stderr")]
        process = _forks.Process(target=_manage, args=(arguments, dict(environment), printed))
        process.start()
        process.join(TIMEOUT_S)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(arguments, TIMEOUT_S)
        return Done(arguments, process.exitcode, *(Path(path).read_text() for path in printed))


def started_anew(*arguments: str, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    """Start a command that goes on as somebody at a terminal would; what it prints goes into one pipe."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


class Started:
    """A command that goes on, with as much of a Popen as its users need. `stdout` is the file of both that it prints
    to.
    """

    def __init__(self, *arguments: str, environment: Mapping[str, str]) -> None:
        printed, pipe = multiprocessing.Pipe(duplex=False)
        self._process = _forks.Process(target=_go_on, args=(arguments, dict(environment), pipe))
        self._process.start()
        pipe.close()
        self.stdout = os.fdopen(os.dup(printed.fileno()))
        printed.close()
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


def _go_on(arguments: tuple[str, ...], environment: dict[str, str], pipe: Connection) -> None:
    for descriptor in (1, 2):
        os.dup2(pipe.fileno(), descriptor)
    pipe.close()
    _main(arguments, environment)


def _manage(arguments: tuple[str, ...], environment: dict[str, str], printed: list[str]) -> None:
    for descriptor, path in enumerate(printed, 1):
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
            connections.close_all()  # what a process that ends by itself would do
