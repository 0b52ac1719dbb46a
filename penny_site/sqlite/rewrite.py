"""Rewrite a database file once, so that none of its free pages holds what was deleted.

Earlier versions deleted without `secure_delete`, which left the bytes in the file.
"""

import shutil
from pathlib import Path

import structlog
from django.db import OperationalError

from penny_site.sqlite.base import DatabaseWrapper

CLEAN = 1  # `user_version` of a file without such pages
SPARE_BYTES = 64 * 1024 * 1024
log = structlog.get_logger("penny.database")


def rewrite_once(database: DatabaseWrapper, *, is_new: bool) -> None:
    """Rewrite the file unless that was done. Without room, or while somebody else writes, the next update does it."""
    with database.cursor() as cursor:
        cursor.execute("PRAGMA user_version")
        if cursor.fetchone()[0] >= CLEAN:
            return
        path = Path(database.settings_dict["NAME"])
        # The new pages stand in the WAL too, until they are moved into the file.
        if not is_new and shutil.disk_usage(path.parent).free < 2 * path.stat().st_size + SPARE_BYTES:
            log.warning("database.not_rewritten", error="there is too little room on the disk")
            return
        try:
            if not is_new:
                cursor.execute("VACUUM")
            cursor.execute(f"PRAGMA user_version = {CLEAN}")
        except OperationalError as error:
            log.warning("database.not_rewritten", error=str(error))
            return
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
