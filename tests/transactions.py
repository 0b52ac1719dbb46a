"""Find transactions that stay open in the database of a running Penny."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from tests.penny import Penny
from tests.waiting import LEAST, NotInTime, until

PATIENCE_S = 3.0  # a normal write takes milliseconds; a transaction that waits for somebody lasts
OPEN = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND xact_start \
IS NOT NULL
"""


@contextmanager
def hold_transaction(penny: Penny) -> Iterator[None]:
    """Hold a transaction in Penny's database, as a process would that waits inside one."""
    if url := penny.settings.get("PENNY_DATABASE_URL"):
        with psycopg.connect(url) as server:
            server.execute("SELECT 1")
            yield
    else:
        with closing(sqlite3.connect(penny.database, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            yield


def stays_open(penny: Penny) -> bool:
    """Whether a process of Penny holds a transaction for PATIENCE_S."""
    try:
        until(lambda: _is_free(penny), "no transaction is open", PATIENCE_S / LEAST)
    except NotInTime:
        return True
    return False


def _is_free(penny: Penny) -> bool:
    if url := penny.settings.get("PENNY_DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as database:
            return database.execute(OPEN).fetchone() == (0,)
    with closing(sqlite3.connect(penny.database, timeout=0, isolation_level=None)) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True
