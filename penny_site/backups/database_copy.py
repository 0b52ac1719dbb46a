"""Copies of the database for backups: make one as of one moment, and restore one.

Penny runs on while a copy is made.
"""

import os
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from penny_site.backups import forgotten
from penny_site.backups.archive import POSTGRESQL, ROWS, SQLITE
from penny_site.manage_command import manage_command
from thoughts.index.words import INDEXED, fts5_table

# Tables that let their holder in: a backup leaves them out, and a restore of an older backup empties them. The owner
# then signs in with a new link. The last two exist only after a sign-in through another service.
LETS_IN = (
    "django_session", "devices_signinlink", "devices_pairingcode", "devices_signin", "devices_passkey",
    "socialaccount_socialtoken", "socialaccount_socialaccount",
)  # fmt: skip
USERS = "auth_user"
ROW = (
    "SELECT id::text, username, first_name, last_name, email, is_superuser::text, is_staff::text, "
    "is_active::text, date_joined::text"
)
COLUMNS = ("id", "username", "first_name", "last_name", "email", "is_superuser", "is_staff", "is_active", "date_joined")


class CopyFailed(Exception):
    """The database was not copied or restored; the text says why and what to do."""


@dataclass(frozen=True)
class CopyContents:
    """Describe a copy: its number of rows by table, and users.

    `users` holds the users, without passwords: the dump of PostgreSQL leaves out their table. `parts` holds the files
    by their names in a backup.
    """

    rows: dict[str, int]
    users: list[dict[str, str]]
    parts: dict[str, Path]


def make_copy(target: Path) -> CopyContents:
    """Copy the database to a new file, without what lets somebody in. Raises CopyFailed, OSError."""
    if connection.vendor == "sqlite":
        return CopyContents(_copy_sqlite(Path(connection.settings_dict["NAME"]), target), [], {SQLITE: target})
    return _dump_postgresql(target)


def check_sqlite(path: Path, rows: Mapping[str, int]) -> None:
    """Check a database file: its integrity, its foreign keys and its numbers of rows by table.

    Raises CopyFailed if one of them is wrong.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            _check_integrity(copy)
            counts = _count_rows(copy)
    except sqlite3.DatabaseError as error:
        raise CopyFailed(f"the database in it is damaged: {error}") from None
    if counts != dict(rows):
        raise CopyFailed("the database in it does not hold the rows that were backed up")


def restore_postgresql(dump: Path, rows: Mapping[str, int], users: list[dict[str, str]]) -> None:
    """Restore a dump into an empty database, in one transaction. Raises CopyFailed."""
    if connection.introspection.table_names():
        raise CopyFailed(
            "the database that PENNY_DATABASE_URL names is not empty: make a new one, and restore into that"
        )
    connection.close()
    own_rows = dump.with_name(ROWS)
    sections = ("pre-data", "data", *(["rows"] if own_rows.exists() else []), "users", "post-data")
    scripts = [dump.with_name(f"{section}.sql") for section in sections]
    for script in scripts:
        if script.stem == "rows":
            _write_rows_script(own_rows, script)
        elif script.stem == "users":
            script.write_text("".join(_insert_user(user) for user in users))
        else:
            _run(
                "pg_restore", f"--section={script.stem}", "--no-owner", "--no-privileges", f"--file={script}", str(dump)
            )
    files = [f"--file={script}" for script in scripts]
    _run(
        "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null", *files
    )
    if _count_rows_postgresql() != dict(rows):
        raise CopyFailed("the database does not hold the rows that were backed up")


def _copy_sqlite(source: Path, target: Path) -> dict[str, int]:
    """Copy the database without blocking writers (WAL).

    VACUUM rewrites the copy, so deleted rows leave no traces in it.
    """
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as live:
            live.execute("VACUUM INTO ?", [str(target)])
        target.chmod(0o600)
        with closing(sqlite3.connect(target)) as copy:
            copy.execute("PRAGMA secure_delete = ON")
            forgotten.remove_forgotten(copy)
            _purge_deleted_words(copy)
            _remove_sign_ins(copy)
            _check_integrity(copy)
            return _count_rows(copy)
    except sqlite3.DatabaseError as error:
        raise CopyFailed(f"the database cannot be copied: {error}. Run {manage_command('doctor')}") from None


def _purge_deleted_words(copy: sqlite3.Connection) -> None:
    """Rewrite the word indexes: until then they keep the words of deleted rows."""
    for index in map(fts5_table, INDEXED):
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [index]).fetchone():
            with copy:
                copy.execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")  # noqa: S608  our own name


def _remove_sign_ins(copy: sqlite3.Connection) -> None:
    tables = {str(row[0]) for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    with copy:
        for table in tables.intersection(LETS_IN):
            copy.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
        copy.execute(f"UPDATE {USERS} SET password = ?", [make_password(None)])  # noqa: S608


def _check_integrity(copy: sqlite3.Connection) -> None:
    reports = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
    if reports != ["ok"]:
        raise CopyFailed(f"the database is damaged: {reports[0]}")
    violation = copy.execute("PRAGMA foreign_key_check").fetchone()
    if violation:
        raise CopyFailed(
            f"the database is damaged: a row of {violation[0]} refers to one of {violation[2]} that is not there"
        )


def _count_rows(copy: sqlite3.Connection) -> dict[str, int]:
    tables = [
        row[0]
        for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    ]
    return {name: int(copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in sorted(tables)}  # noqa: S608


def _dump_postgresql(target: Path) -> CopyContents:
    """Dump one snapshot of the database, and count its rows in the same snapshot.

    Tables that hold what was just forgotten are written to a file of their own, without it.
    """
    excluded, parts, own_counts = (*LETS_IN, USERS), {POSTGRESQL: target}, dict[str, int]()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # Dumping a large database takes longer than the session's minute.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        if forgotten.has_forgotten(cursor):
            parts[ROWS] = target.with_name(f"{target.name}-rows")
            own_counts = forgotten.write_rows(cursor, parts[ROWS])
        options = [f"--exclude-table-data={name}" for name in (*excluded, *own_counts)]
        _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={target}", *options)
        rows = {
            name: 0 if name in excluded and name != USERS else count for name, count in _count_rows_postgresql().items()
        } | own_counts
        cursor.execute(f"{ROW} FROM {USERS}")
        users = [dict(zip(COLUMNS, row, strict=True)) for row in cursor.fetchall()]
    target.chmod(0o600)
    return CopyContents(rows, users, parts)


def _count_rows_postgresql() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for name in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608  a table's own name
            counts[name] = int(cursor.fetchone()[0])
    return counts


def _write_rows_script(source: Path, script: Path) -> None:
    try:
        forgotten.write_script(source, script)
    except ValueError as error:
        raise CopyFailed(f"{source.name} in it is damaged: {error}") from None


def _insert_user(user: dict[str, str]) -> str:
    values = {name: user[name] for name in COLUMNS} | {"password": make_password(None)}
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values.values())
    return f"INSERT INTO public.{USERS} ({', '.join(values)}) VALUES ({quoted});\n"  # noqa: S608


def _run(program: str, *arguments: str) -> None:
    parameters = connection.get_connection_params()
    names = {
        "dbname": "PGDATABASE",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "host": "PGHOST",
        "port": "PGPORT",
        "sslmode": "PGSSLMODE",
    }
    variables = {variable: str(parameters[name]) for name, variable in names.items() if parameters.get(name)}
    try:
        subprocess.run([program, *arguments], env=os.environ | variables, check=True, capture_output=True, text=True)  # noqa: S603
    except FileNotFoundError:
        raise CopyFailed(
            f"{program} is not installed here. Install PostgreSQL's client (on Debian: apt-get install "
            "postgresql-client), or back the "
            "database up where it runs: pg_dump --format=custom --file=penny.pgdump NAME"
        ) from None
    except subprocess.CalledProcessError as failed:
        reason = (failed.stderr.strip().splitlines() or ["it gave no reason"])[0]
        raise CopyFailed(f"{program} failed: {reason}") from None
