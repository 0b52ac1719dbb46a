"""A pytest plugin: with `--database=postgresql` the tests that use the database, and they alone, run on PostgreSQL."""

import os
from collections.abc import Generator
from contextlib import ExitStack

import pytest

from tests import postgresql

SERVER = "TESTS_POSTGRESQL"  # its URL, for the processes over which the tests are spread too
FIXTURES = {"db", "transactional_db", "penny", "start_penny", "thinker", "new_database"}
_running = ExitStack()


def settings() -> dict[str, str]:
    """Return what a Penny of the tests is told of its database: nothing, or the URL of one of its own."""
    return {"PENNY_DATABASE_URL": postgresql.new_database(os.environ[SERVER])} if SERVER in os.environ else {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=["sqlite", "postgresql"], default="sqlite", help="what the tests keep their rows in")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Name the database before Django reads its settings."""
    if early_config.known_args_namespace.database == "postgresql":
        if SERVER not in os.environ:
            os.environ[SERVER] = _running.enter_context(postgresql.running())
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
