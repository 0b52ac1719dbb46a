"""A throw-away PostgreSQL server for the tests, in a temporary folder and on a unix socket."""

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg

from tests.nobody import as_nobody
from tests.waiting import until

DEBIAN = Path("/usr/lib/postgresql")  # the programs are in the folder of their version, not on the path
USER = "postgres"
# Safe commits take time, and nothing on this server outlives the tests.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300", "listen_addresses=")


@contextmanager
def run_postgresql(*settings: str) -> Iterator[str]:
    """Run a server; yield the URL of its first database. `settings` are added to SETTINGS."""
    folder = Path(tempfile.mkdtemp(prefix="penny-pg-", dir="/tmp"))  # a socket's path must be short
    try:
        owner = as_nobody([folder], "QUIT")
        initdb = [
            _program("initdb"),
            "-D",
            str(folder / "data"),
            "-U",
            USER,
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ]
        outcome = subprocess.run([*owner, *initdb], cwd="/", capture_output=True, text=True)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
        options = [part for setting in (*SETTINGS, *settings) for part in ("-c", setting)]
        with (folder / "log").open("wb") as log:
            command = [*owner, _program("postgres"), "-D", str(folder / "data"), "-k", str(folder), *options]
            server = subprocess.Popen(command, cwd="/", stdout=log, stderr=log)
        try:
            url = f"postgresql://{USER}@{quote(str(folder), safe='')}/postgres"
            until(lambda: server.poll() is not None or _answers(url), "PostgreSQL answers", 30)
            assert server.poll() is None, (folder / "log").read_text()
            yield url
        finally:
            server.send_signal(signal.SIGQUIT)  # immediate shutdown: no data must survive
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(url: str, template: str = "template1") -> str:
    """Make a database on the server of `url`, as a copy of `template`; return its URL."""
    name = f"penny_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{url.rpartition('/')[0]}/{name}"


def name_of(url: str) -> str:
    return url.rpartition("/")[2]


def _program(name: str) -> str:
    versions = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    path = str(versions[-1]) if versions else shutil.which(name)
    assert path, "PostgreSQL is not installed: make programs installs it (on Debian as root)"
    return path


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
