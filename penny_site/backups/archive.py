"""The format of a backup file: a zip with the database, optional secrets, and a manifest.

The manifest holds the size and the checksum of every file in the zip.
"""

import errno
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

FORMAT = 2  # the least that knows of ROWS; backups without have 1
MANIFEST = "manifest.json"
SQLITE, POSTGRESQL, ROWS = "penny.sqlite3", "penny.pgdump", "penny.pgrows"
SECRETS = ("secret_key", "server_key.pem")
NAMES = {SQLITE, POSTGRESQL, ROWS, *SECRETS}
MANIFEST_BYTES = 4 * 1024 * 1024
PIECE = 1024 * 1024
Reason = Literal["by hand", "daily", "before an update"]


class Damaged(Exception):
    """The file is not a complete backup; the text says what is wrong with it."""


class Part(BaseModel):
    """The size and the SHA-256 of one file in the archive."""

    model_config = ConfigDict(frozen=True)

    size_bytes: int
    sha256: str


class Manifest(BaseModel):
    """Describe a backup.

    `migrations` holds the applied migrations by app, `rows` the number of rows by table. `users` holds the users of a
    PostgreSQL dump, which leaves out their table with the passwords. Dumps of earlier versions with secrets hold it.
    """

    model_config = ConfigDict(frozen=True)

    format: int
    version: str
    made_at: datetime
    reason: Reason
    database: Literal["sqlite", "postgresql"]
    with_secrets: bool
    migrations: dict[str, list[str]]
    rows: dict[str, int]
    users: list[dict[str, str]] = []
    parts: dict[str, Part] = {}


def write_backup(path: Path, manifest: Manifest, parts: Mapping[str, Path | bytes]) -> None:
    """Write a backup to a new file, and sync the file to the disk. Raises OSError."""
    with path.open("xb") as file:
        path.chmod(0o600)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=2) as archive:
            part_records = {name: _add(archive, name, content) for name, content in parts.items()}
            whole = manifest.model_copy(update={"parts": part_records})
            archive.writestr(MANIFEST, whole.model_dump_json(indent=2))
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup and read its manifest.

    Raises Damaged, also for damage that the caller meets while it reads the archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive, _parse_manifest(archive)
    except FileNotFoundError:
        raise Damaged("there is no such file") from None
    except zipfile.BadZipFile:
        raise Damaged("it is not a whole backup: its end is missing, or it is another kind of file") from None
    except (zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError) as error:
        raise Damaged(f"it cannot be read: {error}") from None
    except OSError as error:
        if error.errno == errno.EINVAL:  # the zip names an offset before the start of the file
            raise Damaged("it cannot be read") from None
        raise


def read_manifest(path: Path) -> Manifest:
    """Read only the manifest of a backup. Raises Damaged, OSError."""
    with open_backup(path) as (_, manifest):
        return manifest


def extract(archive: zipfile.ZipFile, manifest: Manifest, folder: Path | None) -> None:
    """Check every file against the manifest, and write it into `folder` unless that is None.

    Raises Damaged, OSError.
    """
    for name, part in manifest.parts.items():
        with _open_member(archive, name) as source:
            digest, size = hashlib.sha256(), 0
            with open(folder / name if folder else os.devnull, "wb", opener=_open_private) as target:
                while size <= part.size_bytes and (piece := _read_piece(source, name)):
                    digest.update(piece)
                    size += len(piece)
                    target.write(piece)
                if folder:
                    target.flush()
                    os.fsync(target.fileno())
        if (size, digest.hexdigest()) != (part.size_bytes, part.sha256):
            raise Damaged(f"{name} in it is not what was backed up: its checksum differs")


def _add(archive: zipfile.ZipFile, name: str, content: Path | bytes) -> Part:
    digest, size = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as target:
        for piece in _split_content(content):
            digest.update(piece)
            size += len(piece)
            target.write(piece)
    return Part(size_bytes=size, sha256=digest.hexdigest())


def _split_content(content: Path | bytes) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as source:
        while piece := source.read(PIECE):
            yield piece


def _parse_manifest(archive: zipfile.ZipFile) -> Manifest:
    with _open_member(archive, MANIFEST) as source:
        text = source.read(MANIFEST_BYTES)
    try:
        # Other fields of a newer format may differ: the message then says "newer", not "damaged".
        format_number = json.loads(text)["format"]
        if isinstance(format_number, int) and format_number > FORMAT:
            raise Damaged(f"a newer Penny made it (format {format_number}): update Penny first, then restore")
        manifest = Manifest.model_validate_json(text)
    except (ValueError, KeyError, TypeError, ValidationError):
        raise Damaged(f"its {MANIFEST} cannot be read") from None
    names = set(archive.namelist()) - {MANIFEST}
    if names != set(manifest.parts) or not names <= NAMES or len(archive.namelist()) != len(names) + 1:
        raise Damaged(f"it does not hold what its {MANIFEST} names")
    return manifest


def _open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name)
    except KeyError:
        raise Damaged(f"{name} is missing in it") from None


def _read_piece(source: IO[bytes], name: str) -> bytes:
    try:
        return source.read(PIECE)
    except (zlib.error, zipfile.BadZipFile, EOFError):
        raise Damaged(f"{name} in it is damaged") from None


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
