"""A pytest plugin: with `--database=postgresql` the tests that use the database, and they alone, run on PostgreSQL.

All migrations take a second each time. A test run goes through them once, and every database of it begins as a copy of
what they made.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper

from tests import commands, postgresql

SERVER = "TESTS_POSTGRESQL"  # its URL, for the processes over which the tests are spread too
SHARED = "TESTS_SHARED"  # a folder that they have in common
FILE = "penny.sqlite3"
HURRY = "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=1000;"  # nothing of a test must survive a power cut
FIXTURES = {"db", "transactional_db", "penny", "start_penny", "new_database"}
_running = ExitStack()


def settings() -> dict[str, str]:
    """Return what a Penny of the tests is told of its database: nothing, or the URL of one of its own."""
    return {"PENNY_DATABASE_URL": postgresql.new_database(os.environ[SERVER], migrated())} if is_on_server() else {}


def is_test_run() -> bool:
    return SHARED in os.environ


def is_on_server() -> bool:
    return SERVER in os.environ


def begin(data: Path) -> None:
    """Put into a data folder that has none yet the database with which it would begin. Outside of a test run it begins
    with nothing.
    """
    if is_test_run() and not is_on_server() and data.is_dir() and not (data / FILE).exists():
        shutil.copy(migrated(), data / FILE)


def migrated() -> str:
    """Return the database of this test run that nothing was written to but by the migrations: its file, or its name on
    the server.
    """
    folder = Path(os.environ[SHARED])
    with _locked(folder / "lock"):
        if not (made := folder / "made").exists():
            data, url = folder / "data", postgresql.new_database(os.environ[SERVER]) if is_on_server() else ""
            done = commands.run(
                "migrate", "-v0", "--data", str(data), environment=commands.environment(data, PENNY_DATABASE_URL=url)
            )
            assert done.returncode == 0, done.stderr
            made.write_text(postgresql.name_of(url) if url else str(data / FILE))
        return made.read_text()


@contextmanager
def copied(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Have Django begin with such a database where it makes one for the tests of a process: a file, as Penny's own is.
    In one that is shared in memory, who reads and who writes shut each other out at once, and nobody waits.
    """
    if is_on_server():
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated()
        yield
        return
    connection.settings_dict["OPTIONS"]["init_command"] += HURRY
    with tempfile.TemporaryDirectory(prefix="penny-tests-") as folder:
        connection.settings_dict["TEST"]["NAME"] = shutil.copy(migrated(), folder)
        yield
        connection.close()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database", choices=["sqlite", "postgresql"], default="sqlite", help="what the tests keep their rows in"
    )


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Name the database before Django reads its settings."""
    if SHARED not in os.environ:
        os.environ[SHARED] = _running.enter_context(tempfile.TemporaryDirectory(prefix="penny-shared-"))
    if early_config.known_args_namespace.database == "postgresql":
        if SERVER not in os.environ:
            os.environ[SERVER] = _running.enter_context(postgresql.run_postgresql())
        os.environ |= settings()
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.database == "postgresql":
        config.hook.pytest_deselected(items=[item for item in items if not _uses_database(item)])
        items[:] = [item for item in items if _uses_database(item)]


@pytest.fixture
def new_database() -> dict[str, str]:
    """What processes that a test starts are told of a database of their own."""
    return settings()


def pytest_unconfigure() -> None:
    _running.close()


def _uses_database(item: pytest.Item) -> bool:
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return item.get_closest_marker("django_db") is not None or not FIXTURES.isdisjoint(fixtures)
