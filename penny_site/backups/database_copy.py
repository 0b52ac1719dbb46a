"""Copies of the database for backups: made while Penny works, whole as of one moment, and brought back."""

import os
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from penny_site.backups.archive import POSTGRESQL, SQLITE

# What lets its holder in: left out unless secrets are asked for. The owner signs in anew and chooses a password again.
# The last one is there only where another service ever signed them in.
LETS_IN = (
    "django_session", "devices_signinlink", "devices_pairingcode", "devices_signin", "devices_passkey",
    "socialaccount_socialaccount",
)  # fmt: skip
USERS = "auth_user"
SEARCH = "thoughts_words_index"
ROW = (
    "SELECT id::text, username, first_name, last_name, email, is_superuser::text, is_staff::text, "
    "is_active::text, date_joined::text"
)
COLUMNS = ("id", "username", "first_name", "last_name", "email", "is_superuser", "is_staff", "is_active", "date_joined")


class CopyFailed(Exception):
    """No copy of the database could be made or brought back; the text says why and what to do."""


def copy_name() -> str:
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


@dataclass(frozen=True)
class Copied:
    """How many rows each table of a copy holds, and the users whose table had to stay out of it, without their
    passwords.
    """

    rows: dict[str, int]
    users: list[dict[str, str]]


def make_copy(target: Path, *, with_secrets: bool) -> Copied:
    """Copy the database to a new file. Raises CopyFailed, OSError."""
    if connection.vendor == "sqlite":
        return Copied(_copy_sqlite(Path(connection.settings_dict["NAME"]), target, with_secrets=with_secrets), [])
    return _dump_postgresql(target, with_secrets=with_secrets)


def check_sqlite(path: Path, rows: Mapping[str, int]) -> None:
    """Raises CopyFailed unless the file is a sound database whose references hold and whose tables have so many
    rows.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            _check(copy)
            found = _count(copy)
    except sqlite3.DatabaseError as error:
        raise CopyFailed(f"the database in it is damaged: {error}") from None
    if found != dict(rows):
        raise CopyFailed("the database in it does not hold the rows that were backed up")


def restore_postgresql(dump: Path, rows: Mapping[str, int], users: list[dict[str, str]]) -> None:
    """Bring a dump back into an empty database, all of it or nothing. Raises CopyFailed."""
    if connection.introspection.table_names():
        raise CopyFailed(
            "the database that PENNY_DATABASE_URL names is not empty: make a new one, and restore into that"
        )
    connection.close()
    scripts = [dump.with_name(f"{section}.sql") for section in ("pre-data", "data", "users", "post-data")]
    for script in scripts:
        if script.stem == "users":
            script.write_text("".join(_insert(user) for user in users))
        else:
            _run(
                "pg_restore", f"--section={script.stem}", "--no-owner", "--no-privileges", f"--file={script}", str(dump)
            )
    files = [f"--file={script}" for script in scripts]
    _run(
        "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null", *files
    )
    if _rows_of_postgresql() != dict(rows):
        raise CopyFailed("the database does not hold the rows that were backed up")


def _copy_sqlite(source: Path, target: Path, *, with_secrets: bool) -> dict[str, int]:
    """Readers of a WAL hold nobody up. The copy is written anew, so that nothing of what was deleted is left in it."""
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as live:
            live.execute("VACUUM INTO ?", [str(target)])
        target.chmod(0o600)
        with closing(sqlite3.connect(target)) as copy:
            _forget_deleted_words(copy)
            if not with_secrets:
                _forget_what_lets_in(copy)
            _check(copy)
            return _count(copy)
    except sqlite3.DatabaseError as error:
        raise CopyFailed(f"the database cannot be copied: {error}. Run python manage.py doctor") from None


def _forget_deleted_words(copy: sqlite3.Connection) -> None:
    """An index of words only notes that a row is gone, until it is written anew."""
    copy.execute("PRAGMA secure_delete = ON")
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [SEARCH]).fetchone():
        with copy:
            copy.execute(f"INSERT INTO {SEARCH}({SEARCH}) VALUES ('optimize')")  # noqa: S608  our own name


def _forget_what_lets_in(copy: sqlite3.Connection) -> None:
    there = {str(row[0]) for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    with copy:
        for table in there.intersection(LETS_IN):
            copy.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
        copy.execute(f"UPDATE {USERS} SET password = ?", [make_password(None)])  # noqa: S608


def _check(copy: sqlite3.Connection) -> None:
    wrong = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
    if wrong != ["ok"]:
        raise CopyFailed(f"the database is damaged: {wrong[0]}")
    broken = copy.execute("PRAGMA foreign_key_check").fetchone()
    if broken:
        raise CopyFailed(
            f"the database is damaged: a row of {broken[0]} refers to one of {broken[2]} that is not there"
        )


def _count(copy: sqlite3.Connection) -> dict[str, int]:
    tables = [
        row[0]
        for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    ]
    return {name: int(copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in sorted(tables)}  # noqa: S608


def _dump_postgresql(target: Path, *, with_secrets: bool) -> Copied:
    """Dump what one moment's snapshot shows, and count in the same one."""
    left_out = () if with_secrets else (*LETS_IN, USERS)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(
            "SET LOCAL idle_in_transaction_session_timeout = 0"
        )  # a large database takes longer than a minute
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        excluded = [f"--exclude-table-data={name}" for name in left_out]
        _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={target}", *excluded)
        rows = {
            name: 0 if name in left_out and name != USERS else count for name, count in _rows_of_postgresql().items()
        }
        cursor.execute(f"{ROW} FROM {USERS}")
        users = [dict(zip(COLUMNS, row, strict=True)) for row in cursor.fetchall()] if left_out else []
    target.chmod(0o600)
    return Copied(rows, users)


def _rows_of_postgresql() -> dict[str, int]:
    with connection.cursor() as cursor:
        counted = {}
        for name in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608  a table's own name
            counted[name] = int(cursor.fetchone()[0])
    return counted


def _insert(user: dict[str, str]) -> str:
    values = {name: user[name] for name in COLUMNS} | {"password": make_password(None)}
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values.values())
    return f"INSERT INTO public.{USERS} ({', '.join(values)}) VALUES ({quoted});\n"  # noqa: S608


def _run(program: str, *arguments: str) -> None:
    known = connection.get_connection_params()
    names = {
        "dbname": "PGDATABASE",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "host": "PGHOST",
        "port": "PGPORT",
        "sslmode": "PGSSLMODE",
    }
    given = {variable: str(known[name]) for name, variable in names.items() if known.get(name)}
    try:
        subprocess.run([program, *arguments], env=os.environ | given, check=True, capture_output=True, text=True)  # noqa: S603
    except FileNotFoundError:
        raise CopyFailed(
            f"{program} is not installed here. Install PostgreSQL's client (on Debian: apt-get install "
            "postgresql-client), or back the "
            "database up where it runs: pg_dump --format=custom --file=penny.pgdump NAME"
        ) from None
    except subprocess.CalledProcessError as failed:
        said = (failed.stderr.strip().splitlines() or ["it gave no reason"])[0]
        raise CopyFailed(f"{program} failed: {said}") from None
