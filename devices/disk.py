"""Check the free disk space of the data folder.

New work is refused early, so that accepted work can be finished and stored.
"""

import errno
import shutil
import sqlite3
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from constance import config
from django.conf import settings

MB = 1024 * 1024
# With less free space accepted work waits too: its results could not be stored.
LEAST_BYTES = 4 * MB
REFUSED = "There is too little room on the disk that Penny's data is on. Free some room there, then send this again."
_SQLITE_UNWRITABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}


class DiskFull(Exception):
    """New work is refused; nothing of it was stored."""

    code = "disk_full"

    def __init__(self) -> None:
        super().__init__(REFUSED)


def free_bytes() -> int:
    return shutil.disk_usage(Path(settings.DATA)).free


def has_room() -> bool:
    """Return whether there is room for new work.

    The setting is read only if the free space is below its maximum.
    """
    free = free_bytes()
    return free >= settings.DISK_FREE_MB_MOST * MB or free >= max(LEAST_BYTES, int(config.DISK_FREE_MB) * MB)


def check_room() -> None:
    """Raise DiskFull if there is no room for new work."""
    if not has_room():
        raise DiskFull


def keep_upload(upload: BinaryIO) -> Path:
    """Copy a file into the folder of imports, under a name of its own; call this before a transaction.

    A large copy in a transaction would hold up all that write. Raises DiskFull.
    """
    check_room()
    folder = Path(settings.DATA) / "imports"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"upload-{uuid4().hex}"
    try:
        with path.open("wb") as copy:
            shutil.copyfileobj(upload, copy)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def can_write() -> bool:
    """Return whether there is room to finish accepted work."""
    return free_bytes() >= LEAST_BYTES


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, says that a disk is full, also the database's."""
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
