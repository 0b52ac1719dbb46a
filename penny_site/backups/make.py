"""Make backups while Penny runs, and keep the newest ones in the data folder."""

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from constance import config
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from devices.access.keys import server_key_pem
from devices.disk import MB
from devices.models import MachineClock
from devices.owner import machine_clock
from devices.owner.account import the_owner
from penny_site.backups import archive as backups_archive
from penny_site.backups.archive import ROWS, SECRETS, Damaged, Manifest, Reason
from penny_site.backups.database_copy import CopyFailed, make_copy
from thoughts.text.numbers import size_text

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)
# The largest backup that the pages send: daphne holds a whole response in memory.
DOWNLOAD_BYTES = 64 * 1024 * 1024
LOCK, PARTIAL, FAILED = ".penny.lock", ".penny-partial-", ".failed"
_NAME = re.compile(r"penny-(\d{8}-\d{6})(-\d+)?\.zip")
log = structlog.get_logger("penny.backups")


class BackupFailed(Exception):
    """No backup was made, and existing backups are unchanged; the text says why and what to do."""


class Busy(BackupFailed):
    """Another process is making a backup."""


@dataclass(frozen=True)
class Backup:
    """One backup in the data folder. `manifest` is None if the file is damaged."""

    path: Path
    made_at: datetime
    size_bytes: int
    manifest: Manifest | None

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def is_sent(self) -> bool:
        return self.manifest is not None and self.size_bytes <= DOWNLOAD_BYTES


def folder() -> Path:
    return Path(settings.DATA) / "backups"


def version() -> str:
    return str(settings.VERSION)


def list_backups() -> list[Backup]:
    return [_read_backup(path) for path in _list_files(folder())]


def newest_at() -> datetime | None:
    """Return the time of the data folder's newest backup, by its name and without opening it."""
    files = _list_files(folder())
    return _made_at(files[0]) if files else None


def make_backup(reason: Reason, *, with_secrets: bool = False, into: Path | None = None) -> Path:
    """Make a backup in `into`, by default the data folder, and return its file.

    The file gets its name once it is complete and on the disk. In the data folder, backups beyond the newest
    BACKUPS_KEPT are deleted. Raises BackupFailed.
    """
    place = into or folder()
    try:
        with _lock_folder(place):
            whole = _write_and_verify(place, reason, with_secrets=with_secrets)
            if into is None:
                if _can_count_days():
                    _keep_newest(max(1, int(config.BACKUPS_KEPT)))
                (place / FAILED).unlink(missing_ok=True)
    except (CopyFailed, DatabaseError) as error:
        raise BackupFailed(str(error)) from None
    except OSError as error:
        raise BackupFailed(
            f"{place} cannot be written: {error.strerror}. Free some room, or choose another folder with --to"
        ) from None
    log.info("backup.made", reason=reason, size_bytes=whole.stat().st_size)
    return whole


def _can_count_days() -> bool:
    """Whether the clock can be believed. A database before its update may know nothing of it: its backups stay."""
    with connection.cursor() as cursor:
        is_known = MachineClock._meta.db_table in connection.introspection.table_names(cursor)
    return is_known and machine_clock.is_right(timezone.now())


def is_due(now: datetime) -> bool:
    """Whether the newest backup is a day old, and the last failed attempt an hour.

    Without a backup, the day counts from Penny's first start. What a wrong clock dated ahead counts for nothing.
    """
    newest = next((at for path in _list_files(folder()) if (at := _made_at(path)) <= now + AGAIN), None)
    if (newest or the_owner().date_joined) > now - EVERY or not config.BACKUP_DAILY:
        return False
    try:
        failed_at = datetime.fromtimestamp((folder() / FAILED).stat().st_mtime, UTC)
        return not now - AGAIN <= failed_at <= now + AGAIN
    except OSError:
        return True


def make_in_background(reason: Reason) -> None:
    """Make a backup, and store a failure for the page Data & backups instead of raising it."""
    try:
        make_backup(reason)
    except Busy:
        log.info("backup.busy")
    except BackupFailed as error:
        log.error("backup.failed", why=str(error))
        try:
            (folder() / FAILED).write_text(str(error))
        except OSError:
            pass  # The disk is full: the log and the age of the newest backup show the failure.


def last_failure() -> str:
    try:
        return (folder() / FAILED).read_text()
    except OSError:
        return ""


def page_context() -> dict[str, object]:
    return {
        "backups": list_backups(),
        "backup_failure": last_failure(),
        "backup_folder": folder(),
        "backup_daily": config.BACKUP_DAILY,
    }


def find_sendable(name: str) -> Path | None:
    """Return the data folder's backup of this name, unless it is too large to send."""
    return next((backup.path for backup in list_backups() if backup.name == name and backup.is_sent), None)


def _write_and_verify(place: Path, reason: Reason, *, with_secrets: bool) -> Path:
    _check_room(place)
    draft = place / f"{PARTIAL}{secrets.token_hex(6)}"
    copy = draft.with_suffix(".copy")
    now = timezone.now()
    try:
        migrations = _applied_migrations()
        contents = make_copy(copy)
        manifest = Manifest(
            format=backups_archive.FORMAT if ROWS in contents.parts else 1, version=version(), made_at=now,
            reason=reason, with_secrets=with_secrets, migrations=migrations,
            database="sqlite" if connection.vendor == "sqlite" else "postgresql", rows=contents.rows,
            users=contents.users,
        )  # fmt: skip
        parts: dict[str, Path | bytes] = {**contents.parts, **(_read_secrets() if with_secrets else {})}
        backups_archive.write_backup(draft, manifest, parts)
        for part in contents.parts.values():
            part.unlink()
        _verify(draft)
        whole = _free_name(place, now)
        draft.rename(whole)
        _sync_folder(place)
        return whole
    finally:
        for leftover in (draft, copy, *place.glob(f"{copy.name}-*")):
            leftover.unlink(missing_ok=True)


def _verify(draft: Path) -> None:
    try:
        with backups_archive.open_backup(draft) as (archive, manifest):
            backups_archive.extract(archive, manifest, None)
    except Damaged as error:
        raise BackupFailed(f"what was written cannot be read back ({error}): look after the disk") from None


def _read_secrets() -> dict[str, Path | bytes]:
    return {SECRETS[0]: settings.SECRET_KEY.encode(), SECRETS[1]: server_key_pem()}


def _applied_migrations() -> dict[str, list[str]]:
    migrations: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        migrations.setdefault(app, []).append(name)
    return migrations


def _check_room(place: Path) -> None:
    """Raise BackupFailed without room for the copy and the backup, which exist side by side.

    In the data folder, the room without which Penny takes no new work (DISK_FREE_MB) stays free.
    """
    spare = int(config.DISK_FREE_MB) * MB if place == folder() else 0
    needed = 2 * _database_bytes() + max(spare, 16 * MB)
    free = shutil.disk_usage(place).free
    if free < needed:
        raise BackupFailed(
            f"there is not enough room for it in {place}: {size_text(needed)} are needed, {size_text(free)} are free. "
            "Free some room, or choose another folder with --to"
        )


def _database_bytes() -> int:
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"])
        return sum(path.stat().st_size for path in (name, name.with_name(f"{name.name}-wal")) if path.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


@contextmanager
def _lock_folder(place: Path) -> Iterator[None]:
    """Lock a folder of backups, and delete leftovers of a killed backup. Raises Busy, OSError."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(place / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy("another backup is being made just now: wait until it is done") from None
        for leftover in place.glob(f"{PARTIAL}*"):
            leftover.unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)


def _keep_newest(count: int) -> None:
    for path in _list_files(folder())[count:]:
        path.unlink(missing_ok=True)


def _list_files(place: Path) -> list[Path]:
    """Return the backups in a folder, newest first, by the times in their names."""
    paths = [path for path in place.glob("penny-*.zip") if _NAME.fullmatch(path.name)]
    return sorted(paths, key=_parse_name, reverse=True)


def _parse_name(path: Path) -> tuple[str, int]:
    match = _NAME.fullmatch(path.name)
    assert match is not None
    return match[1], int((match[2] or "-0")[1:])


def _made_at(path: Path) -> datetime:
    return datetime.strptime(_parse_name(path)[0], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def _read_backup(path: Path) -> Backup:
    try:
        manifest = backups_archive.read_manifest(path)
    except (Damaged, OSError):
        manifest = None
    return Backup(path, _made_at(path), path.stat().st_size, manifest)


def _free_name(place: Path, now: datetime) -> Path:
    stem = f"penny-{now:%Y%m%d-%H%M%S}"
    names = [f"{stem}.zip", *(f"{stem}-{number}.zip" for number in range(2, 100))]
    return next(place / name for name in names if not (place / name).exists())


def _sync_folder(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
