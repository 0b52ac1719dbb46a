"""Writers wait for each other briefly and never fail for it, and for the disk where it matters."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.db import connection as default

from agents.models import Step
from devices.db import redoable
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


def test_the_log_is_written_back_on_demand_while_others_go_on(path: Path) -> None:
    database, other = connection(path, patience_s=1), connection(path, patience_s=1)
    with database.cursor() as cursor, other.cursor() as others:
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("INSERT INTO rows VALUES (1)")
        assert rows_of_the_file_alone(path) == 0
        others.execute("BEGIN IMMEDIATE")
        others.execute("INSERT INTO rows VALUES (2)")
        database.write_back()
        assert rows_of_the_file_alone(path) == 1
        others.execute("COMMIT")
    database.close()
    other.close()


def rows_of_the_file_alone(path: Path) -> int:
    """Count the rows that a database has without its log."""
    alone = path.with_name("alone.sqlite3")
    alone.write_bytes(path.read_bytes())
    with sqlite3.connect(f"file:{alone}?immutable=1", uri=True) as copy:
        return int(copy.execute("SELECT count(*) FROM rows").fetchone()[0])


def waits_for_the_disk() -> bool:
    with default.cursor() as cursor:
        if default.vendor == "sqlite":
            return bool(cursor.execute("PRAGMA synchronous").fetchone() == (2,))
        cursor.execute("SHOW synchronous_commit")
        return bool(cursor.fetchone() == ("on",))


@pytest.fixture
def waiting(transactional_db: None) -> Iterator[None]:
    """The tests' databases wait for no disk; an owner's does."""
    on, off = ("PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF")
    if default.vendor == "postgresql":
        on, off = "SET synchronous_commit TO on", "RESET synchronous_commit"
    default.cursor().execute(on)
    yield
    default.cursor().execute(off)


@pytest.mark.usefixtures("waiting")
def test_only_what_can_be_done_again_does_not_wait_for_the_disk() -> None:
    with transaction.atomic():
        assert waits_for_the_disk()
        with redoable():
            assert waits_for_the_disk()
    with suppress(ZeroDivisionError), redoable():
        assert not waits_for_the_disk()
        raise ZeroDivisionError
    assert waits_for_the_disk()


@pytest.mark.django_db(transaction=True)
def test_no_row_names_another_that_is_not_there() -> None:
    with pytest.raises(IntegrityError):
        Step.objects.create(run_id=uuid4(), kind="tool", zone="planner", name="browse_url")
    assert not Step.objects.exists()
