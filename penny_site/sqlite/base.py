"""Django's SQLite backend, which retries a locked statement after 0.5 ms at first.

SQLite's own busy handler sleeps longer each time, up to 100 ms, and misses free moments in between. Beside a busy web
process, the worker's writes took up to 0.1 s for locks of a few milliseconds.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.db.backends.sqlite3 import base

PAUSE_S, PAUSE_MAX_S = 0.0005, 0.005
MERGED_PAGES = 200  # at once
R = TypeVar("R")


class _Cursor(base.SQLiteCursorWrapper):
    patience_s: float

    def execute(self, query: str, params: Any = None) -> Any:
        return self._run_with_retries(super().execute, query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        rows = list(param_list)
        return self._run_with_retries(super().executemany, query, rows)

    def _run_with_retries(self, run: Callable[..., R], *arguments: Any) -> R:
        """Run a statement, and retry while another connection holds the lock.

        Raises OperationalError after `patience_s`.
        """
        deadline = time.monotonic() + self.patience_s
        pause = PAUSE_S
        while True:
            try:
                return run(*arguments)
            except sqlite3.OperationalError as error:
                if self.connection.in_transaction or not _is_locked(error) or time.monotonic() > deadline:
                    raise
            time.sleep(pause)
            pause = min(PAUSE_MAX_S, pause * 1.1)


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.execute("PRAGMA busy_timeout = 0")  # this module waits instead
        self._patience_s = float(conn_params["timeout"])
        return connection

    def write_back(self) -> None:
        """Move the WAL into the database file, except frames that a reader needs.

        Writers go on meanwhile.
        """
        with self.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def erase_deleted(self, *indexes: str) -> bool:
        """Take the words of deleted rows out of FTS5 indexes, and all that was deleted out of the WAL.

        An index keeps the words of deleted rows until its parts are merged. Return False if somebody still reads from
        the WAL: then try again.
        """
        for index in indexes:
            self._merge_parts(index)
        with self.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy = bool(cursor.fetchone()[0])
        return not is_busy

    def _merge_parts(self, index: str) -> None:
        """Merge the parts of an FTS5 index into one, some pages a statement, so that no writer waits for long."""
        pages = -MERGED_PAGES  # below zero: the begin of a merge of all parts
        while True:
            with self.cursor() as cursor:
                before = self.connection.total_changes
                cursor.execute(f"INSERT INTO {index}({index}, rank) VALUES ('merge', %s)", [pages])  # noqa: S608
                if self.connection.total_changes - before < 2:
                    return
            pages = MERGED_PAGES

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = self.connection.cursor(factory=_Cursor)
        cursor.patience_s = self._patience_s
        return cursor


def _is_locked(error: sqlite3.OperationalError) -> bool:
    # A stale snapshot stays stale: waiting does not help.
    return (
        error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY and error.sqlite_errorcode != sqlite3.SQLITE_BUSY_SNAPSHOT
    )
