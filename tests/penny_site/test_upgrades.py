"""Updates from the last Penny 0.1.0 keep every row; an older database is refused.

`tests/earlier` holds the files of the last Penny 0.1.0, for SQLite and PostgreSQL: a database with rows in every
table, and the manifest of a backup of that database.
"""

import hashlib
import json
import re
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.test import Client

from devices.owner.account import the_owner
from penny_site.backups import database_copy
from penny_site.sqlite.rewrite import CLEAN
from penny_site.upgrades import is_too_old, known_migrations
from tests import commands, databases, penny, postgresql
from tests.commands import ROOT, environment
from tests.pages import squeeze

EARLIER = ROOT / "tests" / "earlier"
LAST = ("agents", "0019_where_reminders_were_set")
SETTINGS = "constance_constance"
INDEX = "thoughts_words_index"  # its tables change when the database is copied
PAGES = ["/", "/archive/", "/saved/", "/watches/", "/interests/", "/setup/", "/admin/constance/config/"]
Rows = dict[str, list[dict[str, Any]]]
REBUILT = "indexed_at"
DROPPED = "profile_asked_at"  # when the owner was asked for a name, which Penny does no more
# The migrations that first had kept pages.
WITH_KEPT = {"thoughts": "0011_kept_pages", "devices": "0014_details_of_asks", "agents": "0010_facts_as_slots"}
UPDATE = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
MigrationExecutor(connection).migrate({})
"""
# A page as it stood there first: the columns of that migration.
KEPT_ROWS = """
INSERT INTO thoughts_page (id, url, domain, title, text, left_out, is_changing, links, metadata, extracted_with,
    truncated, words, sha256, device_label, fetched_at) VALUES (9001, 'https://coffee.example/', 'coffee.example',
    'Water', 'Espresso wants soft water.', '', FALSE, '[]', '{}', 'defuddle', FALSE, 4, 'a1', 'Desk', '2026-11-28');
INSERT INTO thoughts_kept (id, page_id, source, name, mime, size_bytes, address_key, sha256, contacts, masked, language,
    words, device, kept_at, last_seen_at, embedded_with) VALUES ('00000000000000000000000000000001', 9001, 'asked', '',
    '', 26, 'b2', 'a1', '{"emails": ["ada@coffee.example"]}', 1, 'en', 4, '', '2026-11-28', '2026-11-28', '');
INSERT INTO thoughts_chunk (id, start, "end", vector, code, kept_id)
    VALUES (9001, 0, 26, '', '', '00000000000000000000000000000001');
INSERT INTO thoughts_chunkwords (chunk_id, text) VALUES (9001, 'espresso wants soft water');
UPDATE thoughts_kept SET indexed_at = '2026-11-28';
INSERT INTO agents_memory (text, name, value, in_wording, sites, state, source, origin, created_at)
    VALUES ('', 'email', 'ada@mail.example', 'never', '[]', 'confirmed', 'owner', '["owner"]', '2026-11-28')
"""


@dataclass(frozen=True)
class Database:
    """A data folder with a database in it, or with the URL of one on a server."""

    data: Path
    url: str = ""

    @property
    def kind(self) -> str:
        return "postgresql" if self.url else "sqlite"

    @property
    def settings(self) -> dict[str, str]:
        return {"PENNY_DATABASE_URL": self.url} if self.url else {}

    @property
    def file(self) -> Path:
        return self.data / databases.FILE

    def load(self) -> "Database":
        script = (EARLIER / f"{self.kind}.sql").read_text()
        if self.url:
            with psycopg.connect(self.url) as server:
                server.execute(script.encode())
        else:
            with closing(sqlite3.connect(self.file)) as connection:
                connection.executescript(f"BEGIN; {script} COMMIT;")
        return self

    def manage(self, *arguments: str) -> commands.CompletedCommand:
        return commands.run_command(
            *arguments, "--data", str(self.data), environment=environment(self.data, **self.settings)
        )

    def run(self, code: str) -> None:
        result = self.manage("shell", "-v0", "--no-imports", "-c", code)
        assert result.returncode == 0, result.stderr

    def query(self, statement: str) -> list[dict[str, Any]]:
        if self.url:
            with psycopg.connect(self.url) as server:
                answer = server.execute(statement.encode())
                names = [column.name for column in answer.description or ()]
                return [dict(zip(names, row, strict=True)) for row in (answer.fetchall() if names else ())]
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(statement)]

    def rows(self) -> Rows:
        tables = (
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
            if self.url
            else "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        names = [str(row["name"]) for row in self.query(tables)]
        return {name: self.query(f'SELECT * FROM "{name}" ORDER BY 1') for name in names if not name.startswith(INDEX)}

    def back_up(self, to: Path) -> Path:
        """Write a backup with secrets in the format of 0.1.0."""
        manifest = json.loads((EARLIER / f"{self.kind}.json").read_text())
        contents = {"secret_key": b"0" * 64, "server_key.pem": b"not a key"}
        if self.url:
            contents["penny.pgdump"] = subprocess.run(
                ["pg_dump", "--format=custom", self.url], check=True, capture_output=True
            ).stdout
        else:
            self.query(f"INSERT INTO {INDEX}({INDEX}) VALUES ('optimize')")
            contents["penny.sqlite3"] = self.file.read_bytes()
        sums = {
            name: {"size_bytes": len(part), "sha256": hashlib.sha256(part).hexdigest()}
            for name, part in contents.items()
        }
        with zipfile.ZipFile(to, "w") as archive:
            for name, part in contents.items():
                archive.writestr(name, part)
            archive.writestr("manifest.json", json.dumps(manifest | {"parts": sums}))
        return to


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgresql.run_postgresql() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A data folder without a database, or with an empty one on the server."""
    url = postgresql.new_database(request.getfixturevalue("server")) if request.param == "postgresql" else ""
    return Database(tmp_path / "restored", url)


@pytest.fixture
def earlier_database(empty_database: Database, tmp_path: Path) -> Database:
    """A database of Penny 0.1.0 before its update."""
    (tmp_path / "earlier").mkdir()
    return Database(
        tmp_path / "earlier", postgresql.new_database(empty_database.url) if empty_database.url else ""
    ).load()


def rows_of_earlier_columns(before: Rows, after: Rows) -> Rows:
    """Return the current rows, reduced to the tables, columns and settings that existed before.

    A new table adds rows to those that list tables.
    """
    rows_after = dict(after)
    for table, key in ((SETTINGS, "key"), ("django_content_type", "id"), ("auth_permission", "id")):
        keys = {row[key] for row in before[table]}
        rows_after[table] = [row for row in after[table] if row[key] in keys]
    return {
        table: [{name: row[name] for name in rows[0]} for row in rows_after[table]] for table, rows in before.items()
    }


def without_rebuilt(rows: Rows) -> Rows:
    """Return the rows without those of migrations, and without what an update builds anew or drops."""
    return {
        table: [{name: value for name, value in row.items() if name not in (REBUILT, DROPPED)} for row in table_rows]
        for table, table_rows in rows.items()
        if table != "django_migrations"
    }


def check_pages(get: Callable[[str], Any]) -> None:
    lists = re.findall(r'href="(/admin/\w+/\w+/)"', get("/admin/").text)
    assert len(set(lists)) > 15
    assert {path: get(path).status_code for path in [*PAGES, *lists]} == dict.fromkeys([*PAGES, *lists], 200)
    assert "A spring drawn anew" in get("/?q=drawn+spri").text
    assert "A spring drawn anew" not in get("/?q=gearbox").text
    assert "Water</a" in squeeze(get("/kept/?q=espresso").text)
    assert "ada@mail.example" in get("/memory/").text


def check_pages_here() -> None:
    """Check the pages in the process of a command, which costs a fifth of a start."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(the_owner())
    check_pages(client.get)


@pytest.mark.processes("Penny runs on the upgraded database")
def test_a_database_of_0_1_keeps_every_row_what_it_kept_meanwhile_too_and_penny_works_with_it(
    earlier_database: Database,
) -> None:
    before = without_rebuilt(earlier_database.rows())
    assert [table for table, rows in before.items() if not rows] == []
    earlier_database.run(UPDATE.format(list(WITH_KEPT.items())))
    assert rows_of_earlier_columns(before, earlier_database.rows()) == before
    for statement in KEPT_ROWS.split(";\n"):
        earlier_database.query(statement)
    with_kept = without_rebuilt(earlier_database.rows())
    result = earlier_database.manage("migrate")
    assert result.returncode == 0, result.stderr
    assert rows_of_earlier_columns(with_kept, earlier_database.rows()) == with_kept
    if earlier_database.url:
        earlier_database.run("from tests.penny_site.test_upgrades import check_pages_here; check_pages_here()")
        return
    assert earlier_database.query("PRAGMA user_version") == [{"user_version": CLEAN}]
    assert_has_the_tables_of_a_new_one(earlier_database)
    with penny.run_penny(earlier_database.data) as running_penny:
        check_pages(running_penny.http.get)


def assert_has_the_tables_of_a_new_one(updated: Database) -> None:
    new = Database(Path(databases.migrated_database()).parent)
    columns = (
        'SELECT m.name AS "table", c.name, c.type, c."notnull", c.dflt_value, c.pk FROM sqlite_master m, '
        "pragma_table_xinfo(m.name) c"
        " WHERE m.type = 'table' ORDER BY 1, 2"
    )
    assert updated.query(columns) == new.query(columns)
    others = "SELECT type, name, tbl_name FROM sqlite_master WHERE type <> 'table' ORDER BY 1, 2"
    assert updated.query(others) == new.query(others)


def test_a_backup_of_0_1_is_restored_with_every_row(
    earlier_database: Database, empty_database: Database, tmp_path: Path
) -> None:
    before = without_rebuilt(earlier_database.rows())
    result = empty_database.manage("restore", str(earlier_database.back_up(tmp_path / "penny.zip")))
    assert result.returncode == 0, result.stderr
    after = rows_of_earlier_columns(before, empty_database.rows())
    letting_in = before.keys() & set(database_copy.LETS_IN)
    assert {table: after[table] for table in letting_in} == {table: [] for table in letting_in}
    assert [row["password"][0] for row in after["auth_user"]] == ["!"]
    assert [row for row in after["devices_device"] if row["revoked_at"] is None and row["kind"] == "browser"] == []
    unchanged = [table for table in before if table not in letting_in and table not in ("auth_user", "devices_device")]
    assert {table: after[table] for table in unchanged} == {table: before[table] for table in unchanged}


def test_an_older_database_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    earlier_database = Database(tmp_path).load()
    earlier_database.query("DELETE FROM django_migrations WHERE app = '{}' AND name = '{}'".format(*LAST))
    before = earlier_database.rows()
    for command in ("migrate", "up"):
        result = earlier_database.manage(command)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr == (
            "penny: the database was made by an early Penny 0.1.0, and this version cannot update it. Nothing "
            "was changed. "
            "Start the last Penny 0.1.0 (git checkout 45bd4cd) on it once, then this version again.\n"
        )
    assert (
        "FAILS  Database: was made by an early Penny 0.1.0, and this version cannot update it."
        in earlier_database.manage("doctor").stdout
    )
    assert earlier_database.rows() == before
    assert not (earlier_database.data / "backups").exists()


def test_only_a_part_of_the_old_migrations_is_too_old() -> None:
    migrations = known_migrations()
    assert not is_too_old([])
    assert not is_too_old(migrations)
    assert not is_too_old([*migrations, ("agents", "9999_future")])
    assert not is_too_old([name for name in migrations if name[0] == "thoughts"])  # a first start that was interrupted
    assert is_too_old(migrations - {LAST})
    assert is_too_old([LAST])


@pytest.mark.django_db
def test_the_migrations_match_the_models() -> None:
    output = StringIO()
    call_command("makemigrations", check_changes=True, dry_run=True, stdout=output)
    assert output.getvalue() == "No changes detected\n"
