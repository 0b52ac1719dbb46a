"""A pytest plugin that makes the databases of a test run.

With `--database=postgresql`, only the tests that use the database run, on PostgreSQL. All migrations take a second, so
a test run migrates once and copies the result for every database.
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

SERVER = "TESTS_POSTGRESQL"  # the server's URL, also for the processes of pytest-xdist
SHARED = "TESTS_SHARED"  # a folder that these processes share
FILE = "penny.sqlite3"
HURRY = "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=1000;"  # test data need not survive a power cut
FIXTURES = {"db", "transactional_db", "penny", "start_penny", "new_database"}
_running = ExitStack()


def database_settings() -> dict[str, str]:
    """Return the settings of a test's Penny for its database: none, or the URL of a new one."""
    return (
        {"PENNY_DATABASE_URL": postgresql.new_database(os.environ[SERVER], migrated_database())}
        if is_on_server()
        else {}
    )


def is_test_run() -> bool:
    return SHARED in os.environ


def is_on_server() -> bool:
    return SERVER in os.environ


def copy_into(data: Path) -> None:
    """Copy the migrated SQLite database into a data folder without one.

    Does nothing outside a test run.
    """
    if is_test_run() and not is_on_server() and data.is_dir() and not (data / FILE).exists():
        shutil.copy(migrated_database(), data / FILE)


def migrated_database() -> str:
    """Return the migrated database of this test run: its file, or its name on the server."""
    folder = Path(os.environ[SHARED])
    with _locked(folder / "lock"):
        if not (record := folder / "record").exists():
            data, url = folder / "data", postgresql.new_database(os.environ[SERVER]) if is_on_server() else ""
            outcome = commands.run_command(
                "migrate", "-v0", "--data", str(data), environment=commands.environment(data, PENNY_DATABASE_URL=url)
            )
            assert outcome.returncode == 0, outcome.stderr
            code = "from tests.databases import set_daytime; set_daytime()"
            outcome = commands.run_command(
                "shell",
                "-v0",
                "-c",
                code,
                "--data",
                str(data),
                environment=commands.environment(data, PENNY_DATABASE_URL=url),
            )
            assert outcome.returncode == 0, outcome.stderr
            record.write_text(postgresql.name_of(url) if url else str(data / FILE))
        return record.read_text()


def set_daytime() -> None:
    """Let background work begin at any hour and ask as often as a test needs: tests run at night too."""
    from constance import config

    config.QUIET_FROM = config.QUIET_TO = ""
    config.DAY_INTERRUPTIONS_MAX = 12


@contextmanager
def copy_for_django(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Let Django's test database be a copy of the migrated one, on SQLite a file.

    In a database in shared memory, readers and writers fail at once instead of waiting for each other.
    """
    if is_on_server():
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_database()
        yield
        return
    connection.settings_dict["OPTIONS"]["init_command"] += HURRY
    with tempfile.TemporaryDirectory(prefix="penny-tests-") as folder:
        connection.settings_dict["TEST"]["NAME"] = shutil.copy(migrated_database(), folder)
        yield
        connection.close()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=["sqlite", "postgresql"], default="sqlite", help="the database of the tests")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the database before Django reads its settings."""
    if SHARED not in os.environ:
        os.environ[SHARED] = _running.enter_context(tempfile.TemporaryDirectory(prefix="penny-shared-"))
    if early_config.known_args_namespace.database == "postgresql":
        if SERVER not in os.environ:
            os.environ[SERVER] = _running.enter_context(postgresql.run_postgresql())
        os.environ |= database_settings()
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.database == "postgresql":
        config.hook.pytest_deselected(items=[item for item in items if not _uses_database(item)])
        items[:] = [item for item in items if _uses_database(item)]


@pytest.fixture
def new_database() -> dict[str, str]:
    return database_settings()


def pytest_unconfigure() -> None:
    _running.close()


def _uses_database(item: pytest.Item) -> bool:
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return item.get_closest_marker("django_db") is not None or not FIXTURES.isdisjoint(fixtures)
