"""Making backups, and keeping the newest of them: in the data folder, while Penny works."""

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
from devices.owner.account import the_owner
from penny_site.backups import archive as backups_archive
from penny_site.backups.archive import SECRETS, Damaged, Manifest, Reason
from penny_site.backups.database_copy import CopyFailed, copy_name, make_copy

EVERY = timedelta(days=1)
AGAIN = timedelta(hours=1)
# The pages send no more than this: daphne holds in memory what it sends.
DOWNLOAD_BYTES = 64 * 1024 * 1024
LOCK, PARTIAL, FAILED = ".penny.lock", ".penny-partial-", ".failed"
_NAME = re.compile(r"penny-(\d{8}-\d{6})(-\d+)?\.zip")
log = structlog.get_logger("penny.backups")


class BackupFailed(Exception):
    """No backup was made, and those that there are were left alone; the text says why and what to do."""


class Busy(BackupFailed):
    """Another process makes one just now."""


@dataclass(frozen=True)
class Backup:
    """One backup in the data folder. `manifest` is None where the file is damaged."""

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


def listed() -> list[Backup]:
    """Return the backups in the data folder, newest first."""
    return [_read(path) for path in _files(folder())]


def newest_at() -> datetime | None:
    """Return when the newest backup in the data folder was made. Its name says so: a look at the folder is all that it
    takes.
    """
    found = _files(folder())
    return _made_at(found[0]) if found else None


def make(reason: Reason, *, with_secrets: bool = False, into: Path | None = None) -> Path:
    """Make a backup, in the data folder unless `into` names another; return its file. Penny may be running. Raises
    BackupFailed.

    It has its name only when it is whole and on the disk. In the data folder the newest are kept and older ones go.
    """
    place = into or folder()
    try:
        with _alone_in(place):
            whole = _make(place, reason, with_secrets=with_secrets)
            if into is None:
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


def is_due(now: datetime) -> bool:
    """Whether a day went by since the newest backup, or since Penny was first started, and the last try is not too
    fresh.
    """
    if (newest_at() or the_owner().date_joined) > now - EVERY or not config.BACKUP_DAILY:
        return False
    try:
        return datetime.fromtimestamp((folder() / FAILED).stat().st_mtime, UTC) < now - AGAIN
    except OSError:
        return True


def make_noted(reason: Reason) -> None:
    """Make a backup in the background. One that fails is noted for the setup page."""
    try:
        make(reason)
    except Busy:
        log.info("backup.busy")
    except BackupFailed as error:
        log.error("backup.failed", why=str(error))
        try:
            (folder() / FAILED).write_text(str(error))
        except OSError:
            pass  # the disk is full: the log and the age of the newest backup tell


def last_failure() -> str:
    """Return why the last try failed; nothing when it did not."""
    try:
        return (folder() / FAILED).read_text()
    except OSError:
        return ""


def state() -> dict[str, object]:
    """Return what the setup page shows."""
    return {
        "backups": listed(),
        "backup_failure": last_failure(),
        "backup_folder": folder(),
        "backup_daily": config.BACKUP_DAILY,
    }


def find(name: str) -> Path | None:
    """Return the backup of that name in the data folder, if the pages send it."""
    return next((backup.path for backup in listed() if backup.name == name and backup.is_sent), None)


def _make(place: Path, reason: Reason, *, with_secrets: bool) -> Path:
    _check_room(place)
    draft = place / f"{PARTIAL}{secrets.token_hex(6)}"
    copy = draft.with_suffix(".copy")
    now = timezone.now()
    try:
        migrations = _applied()
        copied = make_copy(copy, with_secrets=with_secrets)
        manifest = Manifest(
            format=backups_archive.FORMAT, version=version(), made_at=now, reason=reason, with_secrets=with_secrets,
                migrations=migrations,
            database="sqlite" if connection.vendor == "sqlite" else "postgresql", rows=copied.rows, users=copied.users,
        )  # fmt: skip
        backups_archive.write(draft, manifest, {copy_name(): copy} | (_secrets() if with_secrets else {}))
        copy.unlink()
        _verify(draft)
        whole = _free_name(place, now)
        draft.rename(whole)
        _sync(place)
        return whole
    finally:
        for left in (draft, copy, *place.glob(f"{copy.name}-*")):
            left.unlink(missing_ok=True)


def _verify(draft: Path) -> None:
    try:
        with backups_archive.opened(draft) as (archive, manifest):
            backups_archive.extract(archive, manifest, None)
    except Damaged as error:
        raise BackupFailed(f"what was written cannot be read back ({error}): look after the disk") from None


def _secrets() -> dict[str, Path | bytes]:
    return {SECRETS[0]: settings.SECRET_KEY.encode(), SECRETS[1]: server_key_pem()}


def _applied() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found


def _check_room(place: Path) -> None:
    """A copy and the backup of it stand side by side for a moment, and a backup must not stop what Penny does."""
    spare = int(config.DISK_FREE_MB) * MB if place == folder() else 0
    needed = 2 * _database_bytes() + max(spare, 16 * MB)
    free = shutil.disk_usage(place).free
    if free < needed:
        raise BackupFailed(
            f"there is not enough room for it in {place}: {needed // MB:,} MB are needed, {free // MB:,} MB are free. "
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
def _alone_in(place: Path) -> Iterator[None]:
    """Hold a folder of backups; what a backup that was killed left there goes. Raises Busy, OSError."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(place / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy("another backup is being made just now: wait until it is done") from None
        for left in place.glob(f"{PARTIAL}*"):
            left.unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)


def _keep_newest(count: int) -> None:
    for path in _files(folder())[count:]:
        path.unlink(missing_ok=True)


def _files(place: Path) -> list[Path]:
    """Return the backups in a folder, newest first, by the times in their names."""
    found = [path for path in place.glob("penny-*.zip") if _NAME.fullmatch(path.name)]
    return sorted(found, key=_order, reverse=True)


def _order(path: Path) -> tuple[str, int]:
    match = _NAME.fullmatch(path.name)
    assert match is not None
    return match[1], int((match[2] or "-0")[1:])


def _made_at(path: Path) -> datetime:
    return datetime.strptime(_order(path)[0], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def _read(path: Path) -> Backup:
    try:
        manifest = backups_archive.manifest_of(path)
    except (Damaged, OSError):
        manifest = None
    return Backup(path, _made_at(path), path.stat().st_size, manifest)


def _free_name(place: Path, now: datetime) -> Path:
    stem = f"penny-{now:%Y%m%d-%H%M%S}"
    names = [f"{stem}.zip", *(f"{stem}-{number}.zip" for number in range(2, 100))]
    return next(place / name for name in names if not (place / name).exists())


def _sync(place: Path) -> None:
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
