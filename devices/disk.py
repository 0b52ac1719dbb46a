"""The room on the disk that holds what Penny knows: new work is refused in time, so that what there is can be finished
and kept.
"""

import errno
import shutil
import sqlite3
from pathlib import Path

from constance import config
from django.conf import settings

MB = 1024 * 1024
# With less, work that was accepted waits too: it could not be written down.
LEAST_BYTES = 4 * MB
REFUSED = "There is too little room on the disk that Penny's data is on. Free some room there, then send this again."
_SQLITE_UNWRITABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}


class DiskFull(Exception):
    """New work is not taken; nothing of it was stored."""

    code = "disk_full"

    def __init__(self) -> None:
        super().__init__(REFUSED)


def free_bytes() -> int:
    return shutil.disk_usage(Path(settings.DATA)).free


def has_room() -> bool:
    """Whether there is room for new work. With more than the setting may ask for it need not even be looked up."""
    free = free_bytes()
    return free >= settings.DISK_FREE_MB_MOST * MB or free >= max(LEAST_BYTES, int(config.DISK_FREE_MB) * MB)


def check_room() -> None:
    """Raises DiskFull."""
    if not has_room():
        raise DiskFull


def can_write() -> bool:
    """Whether there is room for what was accepted."""
    return free_bytes() >= LEAST_BYTES


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it came from, says that the disk (or the database server's) is full."""
    while error is not None:
        if isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)):
            return True
        if getattr(error, "sqlstate", None) == "53100":  # PostgreSQL: disk_full
            return True
        if isinstance(error, sqlite3.Error):
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            return code == sqlite3.SQLITE_FULL or (code in _SQLITE_UNWRITABLE and not can_write())
        error = error.__cause__ or error.__context__
    return False
