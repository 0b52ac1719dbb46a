"""Writers of the database wait for its lock, and for the disk only where it matters."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.db import connection as default

from agents.models import Step
from devices.db import redoable
from penny_site.sqlite import rewrite
from penny_site.sqlite.base import DatabaseWrapper

pytestmark = pytest.mark.django_db


def open_database(path: Path, patience_s: float) -> Any:
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


def hold_write_lock(path: Path, seconds: float) -> threading.Thread:
    """Hold the write lock in a thread for this long; return once it holds."""
    locked = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        locked.set()
        time.sleep(seconds)
        other.execute("COMMIT")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert locked.wait(5)
    return thread


def test_a_write_waits_until_another_process_releases_the_lock(path: Path) -> None:
    database = open_database(path, patience_s=10)
    holder = hold_write_lock(path, 0.2)
    with database.cursor() as cursor:
        cursor.execute("INSERT INTO rows VALUES (%s)", [1])
        cursor.execute("BEGIN IMMEDIATE")
        cursor.executemany("INSERT INTO rows VALUES (%s)", [[2], [3]])
        cursor.execute("COMMIT")
        assert cursor.execute("SELECT count(*) FROM rows").fetchone() == (3,)
    holder.join()
    database.close()


def test_a_lock_that_is_held_too_long_is_an_error(path: Path) -> None:
    database = open_database(path, patience_s=0.05)
    holder = hold_write_lock(path, 0.5)
    with pytest.raises(OperationalError, match="locked"), database.cursor() as cursor:
        cursor.execute("INSERT INTO rows VALUES (1)")
    holder.join()
    database.close()


def test_a_wrong_statement_fails_at_once(path: Path) -> None:
    database = open_database(path, patience_s=1e9)  # a retry would never end
    with pytest.raises(OperationalError, match="no such table"), database.cursor() as cursor:
        cursor.execute("INSERT INTO missing VALUES (1)")
    database.close()


def test_the_log_is_written_back_on_demand_while_another_writes(path: Path) -> None:
    database, other = open_database(path, patience_s=1), open_database(path, patience_s=1)
    with database.cursor() as cursor, other.cursor() as others:
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("INSERT INTO rows VALUES (1)")
        assert count_rows_without_log(path) == 0
        others.execute("BEGIN IMMEDIATE")
        others.execute("INSERT INTO rows VALUES (2)")
        database.write_back()
        assert count_rows_without_log(path) == 1
        others.execute("COMMIT")
    database.close()
    other.close()


def count_rows_without_log(path: Path) -> int:
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
def durable_database(transactional_db: None) -> Iterator[None]:
    """The test database with durable commits, as an owner has them; other tests switch them off."""
    on, off = ("PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF")
    if default.vendor == "postgresql":
        on, off = "SET synchronous_commit TO on", "RESET synchronous_commit"
    default.cursor().execute(on)
    yield
    default.cursor().execute(off)


@pytest.mark.usefixtures("durable_database")
def test_only_repeatable_work_does_not_wait_for_the_disk() -> None:
    with transaction.atomic():
        assert waits_for_the_disk()
        with redoable():
            assert waits_for_the_disk()
    with suppress(ZeroDivisionError), redoable():
        assert not waits_for_the_disk()
        raise ZeroDivisionError
    assert waits_for_the_disk()


@pytest.mark.django_db(transaction=True)
def test_a_row_that_refers_to_a_missing_row_is_refused() -> None:
    with pytest.raises(IntegrityError):
        Step.objects.create(run_id=uuid4(), kind="tool", zone="planner", name="browse_url")
    assert not Step.objects.exists()


def test_what_an_earlier_version_deleted_leaves_the_file_once_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(path)) as earlier, earlier:
        earlier.execute("PRAGMA secure_delete = OFF")
        earlier.executemany("INSERT INTO rows VALUES (?)", [["zyzzyva" * 100]] * 50)
        earlier.commit()
        earlier.execute("DELETE FROM rows")
    database = open_database(path, 1.0)
    monkeypatch.setattr(rewrite, "SPARE_BYTES", 10**18)
    rewrite.rewrite_once(database, is_new=False)
    assert b"zyzzyva" in path.read_bytes(), "there is no room"
    monkeypatch.undo()
    rewrite.rewrite_once(database, is_new=False)
    assert b"zyzzyva" not in path.read_bytes()
    monkeypatch.setattr(rewrite, "SPARE_BYTES", None)
    rewrite.rewrite_once(database, is_new=False)  # it is done: the room is not looked at
    database.close()


def test_a_database_that_somebody_uses_is_rewritten_at_another_update(path: Path) -> None:
    database = open_database(path, 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        rewrite.rewrite_once(database, is_new=False)
    with database.cursor() as cursor:
        assert cursor.execute("PRAGMA user_version").fetchone() == (0,)
    rewrite.rewrite_once(database, is_new=False)
    with database.cursor() as cursor:
        assert cursor.execute("PRAGMA user_version").fetchone() == (rewrite.CLEAN,)
    database.close()
