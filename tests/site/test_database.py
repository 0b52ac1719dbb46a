"""Writers of SQLite wait for each other briefly and never fail for it."""

import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from penny_site.sqlite.base import DatabaseWrapper

# The database of the other tests is not touched: each test has a file of its own.
pytestmark = pytest.mark.django_db


def connection(path: Path, patience_s: float) -> Any:
    settings: dict[str, Any] = {
        "ENGINE": "penny_site.sqlite",
        "NAME": path,
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": patience_s},
        "TIME_ZONE": None,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": False,
        "AUTOCOMMIT": True,
        "ATOMIC_REQUESTS": False,
    }
    wrapper = DatabaseWrapper(settings)
    wrapper.ensure_connection()
    return wrapper


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "locked.sqlite3"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE rows (number INTEGER)")
    return path


def held(path: Path, seconds: float) -> threading.Thread:
    """Hold the write lock for a while; returns once it is held."""
    taken = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        taken.set()
        time.sleep(seconds)
        other.execute("COMMIT")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(5)
    return thread


def test_a_write_waits_until_another_process_lets_go(path: Path) -> None:
    database = connection(path, patience_s=10)
    holder = held(path, 0.2)
    with database.cursor() as cursor:
        cursor.execute("INSERT INTO rows VALUES (%s)", [1])
        cursor.execute("BEGIN IMMEDIATE")
        cursor.executemany("INSERT INTO rows VALUES (%s)", [[2], [3]])
        cursor.execute("COMMIT")
        assert cursor.execute("SELECT count(*) FROM rows").fetchone() == (3,)
    holder.join()
    database.close()


def test_a_lock_that_is_never_let_go_is_an_error(path: Path) -> None:
    database = connection(path, patience_s=0.05)
    holder = held(path, 0.5)
    with pytest.raises(OperationalError, match="locked"), database.cursor() as cursor:
        cursor.execute("INSERT INTO rows VALUES (1)")
    holder.join()
    database.close()


def test_what_is_wrong_with_a_statement_is_said_at_once(path: Path) -> None:
    database = connection(path, patience_s=1e9)  # whoever waited for this would wait for ever
    with pytest.raises(OperationalError, match="no such table"), database.cursor() as cursor:
        cursor.execute("INSERT INTO missing VALUES (1)")
    database.close()
