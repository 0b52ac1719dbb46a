"""Restore a backup into an empty folder.

Everything is checked first. The database moves to its place last.
"""

import os
import shutil
import zipfile
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from penny_site.backups import archive as backups_archive
from penny_site.backups.archive import POSTGRESQL, SECRETS, SQLITE, Damaged, Manifest
from penny_site.backups.database_copy import CopyFailed, check_sqlite, restore_postgresql
from penny_site.backups.make import version
from penny_site.backups.shut import shut_restored_database
from penny_site.sign_in import oidc
from penny_site.upgrades import LAST_OF_0_1, is_too_old, known_migrations
from thoughts.text.numbers import size_text


class RestoreRefused(Exception):
    """Nothing was restored; the text says why and what to do."""


def restore(path: Path) -> Manifest:
    """Restore a backup into `settings.RESTORE_INTO`, and return its manifest.

    The data folder of this process, inside that folder, is the staging folder. Raises RestoreRefused, and then leaves
    the folder empty.
    """
    into, staging = Path(str(settings.RESTORE_INTO)), Path(settings.DATA)
    try:
        with backups_archive.open_backup(path) as (archive, manifest):
            _check_versions(manifest)
            _check_room(archive, staging)
            backups_archive.extract(archive, manifest, staging)
        _check_database(manifest, staging)
        shut_restored_database()
        connection.close()  # SQLite writes its log into the file
        _move_into_place(manifest, staging, into)
        return manifest
    except Damaged as error:
        raise RestoreRefused(f"{path} cannot be restored: {error}. Try another backup") from None
    except (CopyFailed, DatabaseError) as error:
        raise RestoreRefused(f"{path} cannot be restored: {error}") from None
    except OSError as error:
        raise RestoreRefused(f"{path} cannot be restored: {error.strerror or error}") from None
    finally:
        connection.close()
        shutil.rmtree(staging, ignore_errors=True)


def _check_versions(manifest: Manifest) -> None:
    if _parse_version(manifest.version) > _parse_version(version()):
        raise Damaged(f"Penny {manifest.version} made it and this is {version()}: update Penny first")
    # Without sign-in through another service, the tables of that app are unused, and its migrations are unknown here.
    applied = [
        (app, name) for app, names in manifest.migrations.items() if app not in oidc.APP_LABELS for name in names
    ]
    own_migrations = known_migrations()
    unknown = [f"{app}.{name}" for app, name in applied if (app, name) not in own_migrations]
    if unknown:
        raise Damaged(f"a newer Penny made it (this one does not know {unknown[0]}): update Penny first")
    if is_too_old(applied):
        raise Damaged(
            f"an early Penny 0.1.0 made it. Restore it with {LAST_OF_0_1}, start that once, then this version on "
            "that folder"
        )
    if manifest.database != connection.vendor:
        advice = (
            "set PENNY_DATABASE_URL to an empty one"
            if manifest.database == "postgresql"
            else "unset PENNY_DATABASE_URL"
        )
        raise Damaged(
            f"it holds a {manifest.database} database, and this Penny is set to {connection.vendor}: {advice}"
        )
    if (SQLITE if manifest.database == "sqlite" else POSTGRESQL) not in manifest.parts:
        raise Damaged("there is no database in it")


def _check_room(archive: zipfile.ZipFile, staging: Path) -> None:
    needed, free = sum(member.file_size for member in archive.infolist()), shutil.disk_usage(staging).free
    if free < needed:
        raise Damaged(f"there is not enough room: {size_text(needed)} are needed, {size_text(free)} are free")


def _check_database(manifest: Manifest, staging: Path) -> None:
    if manifest.database == "sqlite":
        check_sqlite(staging / SQLITE, manifest.rows)
    else:
        restore_postgresql(staging / POSTGRESQL, manifest.rows, manifest.users)


def _move_into_place(manifest: Manifest, staging: Path, into: Path) -> None:
    """Move the files to their place, the database last: it marks the folder as complete."""
    for name in (*SECRETS, SQLITE):
        if name in manifest.parts:
            os.replace(staging / name, into / name)
    handle = os.open(into, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _parse_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in text.split("."))
