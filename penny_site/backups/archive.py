"""The file that a backup is: a zip with the database, the secrets where they were asked for, and a manifest with
checksums.
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

FORMAT = 1
MANIFEST = "manifest.json"
SQLITE, POSTGRESQL = "penny.sqlite3", "penny.pgdump"
SECRETS = ("secret_key", "server_key.pem")
NAMES = {SQLITE, POSTGRESQL, *SECRETS}
MANIFEST_BYTES = 4 * 1024 * 1024
PIECE = 1024 * 1024
Reason = Literal["by hand", "daily", "before an update"]


class Damaged(Exception):
    """Not a whole backup; the text says what is wrong with the file."""


class Part(BaseModel):
    """One file inside: how long it is and its SHA-256."""

    model_config = ConfigDict(frozen=True)

    size_bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a backup says of itself. `migrations`: what was applied, by app; `rows`: how many each table holds;
    `users`: those of a dump that could not hold their table, since their passwords are in it."""

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


def write(path: Path, manifest: Manifest, parts: Mapping[str, Path | bytes]) -> None:
    """Write a backup to a file that is not there yet, down to the disk. Raises OSError."""
    with path.open("xb") as file:
        path.chmod(0o600)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=2) as archive:
            written = {name: _add(archive, name, content) for name, content in parts.items()}
            whole = manifest.model_copy(update={"parts": written})
            archive.writestr(MANIFEST, whole.model_dump_json(indent=2))
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup and read its manifest. Raises Damaged, also for what turns out while the archive is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive, _manifest(archive)
    except FileNotFoundError:
        raise Damaged("there is no such file") from None
    except zipfile.BadZipFile:
        raise Damaged("it is not a whole backup: its end is missing, or it is another kind of file") from None
    except (zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError) as error:
        raise Damaged(f"it cannot be read: {error}") from None
    except OSError as error:
        if error.errno == errno.EINVAL:  # it names a place before its own beginning
            raise Damaged("it cannot be read") from None
        raise


def manifest_of(path: Path) -> Manifest:
    """Return what a backup says of itself, its contents unread. Raises Damaged, OSError."""
    with opened(path) as (_, manifest):
        return manifest


def extract(archive: zipfile.ZipFile, manifest: Manifest, folder: Path | None) -> None:
    """Check every file against the manifest and write it into `folder`, where one is given. Raises Damaged, OSError."""
    for name, part in manifest.parts.items():
        with _member(archive, name) as source:
            digest, size = hashlib.sha256(), 0
            with open(folder / name if folder else os.devnull, "wb", opener=_private) as target:
                while size <= part.size_bytes and (piece := _piece(source, name)):
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
        for piece in _pieces(content):
            digest.update(piece)
            size += len(piece)
            target.write(piece)
    return Part(size_bytes=size, sha256=digest.hexdigest())


def _pieces(content: Path | bytes) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as source:
        while piece := source.read(PIECE):
            yield piece


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    with _member(archive, MANIFEST) as source:
        text = source.read(MANIFEST_BYTES)
    try:
        # What comes after the format may have changed: a newer one is said to be newer, not to be damaged.
        found_format = json.loads(text)["format"]
        if isinstance(found_format, int) and found_format > FORMAT:
            raise Damaged(f"a newer Penny made it (format {found_format}): update Penny first, then restore")
        manifest = Manifest.model_validate_json(text)
    except (ValueError, KeyError, TypeError, ValidationError):
        raise Damaged(f"its {MANIFEST} cannot be read") from None
    held = set(archive.namelist()) - {MANIFEST}
    if held != set(manifest.parts) or not held <= NAMES or len(archive.namelist()) != len(held) + 1:
        raise Damaged(f"it does not hold what its {MANIFEST} names")
    return manifest


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name)
    except KeyError:
        raise Damaged(f"{name} is missing in it") from None


def _piece(source: IO[bytes], name: str) -> bytes:
    try:
        return source.read(PIECE)
    except (zlib.error, zipfile.BadZipFile, EOFError):
        raise Damaged(f"{name} in it is damaged") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
