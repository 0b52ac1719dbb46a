"""Backup and restore by command: complete or without effect, secrets only on request."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from constance import codecs

from devices import protocol as p
from tests import commands, databases
from tests.client import Client
from tests.commands import ROOT, environment
from tests.penny import Penny
from tests.waiting import until

HANG = """
import os, pathlib, time
_fsync = os.fsync
def fsync(handle):
    _fsync(handle)
    if ".penny-partial-" in os.readlink(f"/proc/self/fd/{handle}"):
        pathlib.Path(os.environ["HUNG"]).touch()
        time.sleep(600)
os.fsync = fsync
"""


def manage(*arguments: str, data: Path, runner: commands.Runner = commands.run_command) -> commands.CompletedCommand:
    return runner(*arguments, "--data", str(data), environment=environment(data))


def back_up(data: Path, *options: str, runner: commands.Runner = commands.run_command) -> Path:
    result = manage("backup", *options, data=data, runner=runner)
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.strip())


def expect_refusal(file: Path, into: Path) -> str:
    """Return the message of a refused restore, and check that the restore left no file."""
    result = manage("restore", str(file), data=into)
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1), (
        result.stdout + result.stderr
    )
    assert not list(into.glob("*"))
    assert not list(into.glob(".*"))
    return result.stderr


def rewrite_backup(file: Path, to: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    change(contents)
    with zipfile.ZipFile(to, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return to


def change_manifest(**values: object) -> Callable[[dict[str, bytes]], None]:
    def change(contents: dict[str, bytes]) -> None:
        contents["manifest.json"] = json.dumps(json.loads(contents["manifest.json"]) | values).encode()

    return change


def query_rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def acknowledged_turns(client: Client, turns: list[UUID]) -> list[UUID]:
    """Return these turns in the order in which they arrived as messages of the owner."""
    messages = [frame.message for frame in client.frames_of(p.MessageNew)]
    return [message.turn_id for message in messages if message.direction == "in" and message.turn_id in turns]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a database, an owner who has a password, and a session."""
    data = tmp_path_factory.mktemp("data")
    databases.copy_into(data)
    assert manage("sign_in_link", data=data).returncode == 0
    with closing(sqlite3.connect(data / "penny.sqlite3")) as connection, connection:
        connection.execute(
            "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, "
            "last_name, email, date_joined)"
            " VALUES ('owner', 'pbkdf2-of-a-password', 1, 1, 1, '', '', '', '2026-01-01')"
        )
        connection.execute("INSERT INTO django_session VALUES ('key-of-a-session', 'x', '2100-01-01')")
        connection.execute(
            "INSERT INTO thoughts_picture (sha256, data, width, height) VALUES ('0', x'00ff52494646', 1, 1)"
        )
    return data


@pytest.fixture(scope="module")
def backup(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a backup outside the folder in which only the newest are kept."""
    return Path(shutil.copy(back_up(data), tmp_path_factory.mktemp("copied")))


# A running Penny
# --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_backup_of_a_running_penny_restores_every_acknowledged_message(
    start_penny: Callable[..., Penny], tmp_path: Path
) -> None:
    penny = start_penny()
    stop = threading.Event()
    with penny.client("Keeper") as client:
        before = [client.say(f"Message {number}") for number in range(5)]
        for turn in before:
            client.expect(p.Ack, ref=str(turn))
        talker = threading.Thread(target=lambda: [client.say("Meanwhile") for _ in range(100) if not stop.wait(0.01)])
        talker.start()
        file = Path(penny.manage("backup", "--with-secrets").strip())
        stop.set()
        talker.join()
        pairing = client.pairing
    address = penny.url
    penny.stop()
    new_penny = Penny(tmp_path / "new")
    new_penny.port, new_penny.url = penny.port, address
    new_penny.manage("restore", str(file))
    try:
        new_penny.start()
        new_penny.post(f"/setup/restored/{pairing.device_id}/on/")
        with Client(pairing, cursor=0) as client:  # the backup holds the server's key and the pairing
            until(lambda: len(acknowledged_turns(client, before)) >= len(before), "what was said before comes back")
            assert acknowledged_turns(client, before) == before
    finally:
        new_penny.stop()


# Contents
# ----------------------------------------------------------------------------------------------------------------


def test_everything_comes_back_byte_for_byte_with_secrets(data: Path, tmp_path: Path) -> None:
    file = back_up(data, "--with-secrets", "--to", str(tmp_path / "elsewhere"), runner=commands.run_in_new_python)
    assert file.parent == tmp_path / "elsewhere"
    into = tmp_path / "into"
    assert manage("restore", str(file), data=into, runner=commands.run_in_new_python).returncode == 0
    assert sorted(path.name for path in into.iterdir()) == ["penny.sqlite3", "secret_key", "server_key.pem"]
    assert {path.stat().st_mode & 0o077 for path in [into, file, *into.iterdir()]} == {0}
    for name in ("secret_key", "server_key.pem"):
        assert (into / name).read_text().strip() == (data / name).read_text().strip()
    for table in ("thoughts_picture", "django_migrations", "agents_schedule", "devices_grant"):
        query = f"SELECT * FROM {table} ORDER BY 1"
        assert query_rows(into / "penny.sqlite3", query) == query_rows(data / "penny.sqlite3", query)
    assert query_rows(into / "penny.sqlite3", "SELECT count(*) FROM django_session") == [(0,)]


def test_a_backup_holds_no_words_of_a_deleted_thought(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "penny.sqlite3")) as connection:
        for statement in (
            "INSERT INTO thoughts_words (id, thought_id, text) VALUES (1, '0', 'zyzzyva')",
            "DELETE FROM thoughts_words",
        ):
            with connection:
                connection.execute(statement)
    with zipfile.ZipFile(back_up(data, "--to", str(tmp_path))) as archive:
        assert b"zyzzyva" not in archive.read("penny.sqlite3")


def test_a_backup_holds_no_secret_by_default(data: Path, backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert sorted(contents) == ["manifest.json", "penny.sqlite3"]
    link = query_rows(data / "penny.sqlite3", "SELECT digest FROM devices_signinlink")[0][0]
    for secret in ("pbkdf2-of-a-password", "key-of-a-session", str(link), (data / "secret_key").read_text().strip()):
        assert all(secret.encode() not in content for content in contents.values())
    assert query_rows(data / "penny.sqlite3", "SELECT password FROM auth_user") == [("pbkdf2-of-a-password",)]


def test_a_damaged_database_is_not_backed_up(data: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    with (
        closing(sqlite3.connect(data / "penny.sqlite3")) as source,
        closing(sqlite3.connect(broken / "penny.sqlite3")) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA foreign_keys = OFF")
        target.execute("INSERT INTO thoughts_thought_pages (thought_id, page_id) VALUES ('gone', 77)")
        target.commit()
    result = manage("backup", data=broken)
    assert (result.returncode, result.stdout) == (2, "")
    assert "thoughts_thought_pages" in result.stderr
    assert [path.name for path in (broken / "backups").iterdir()] == [".penny.lock"]


# Retention
# -----------------------------------------------------------------------------------------------------------------


def test_the_newest_backups_and_foreign_files_are_kept(data: Path, backup: Path) -> None:
    (data / "backups" / "penny-notes.zip").write_text("mine")
    with closing(sqlite3.connect(data / "penny.sqlite3")) as connection, connection:
        connection.execute("INSERT INTO constance_constance (key, value) VALUES ('BACKUPS_KEPT', ?)", [codecs.dumps(2)])
    new_backups = [back_up(data) for _ in range(2)]
    assert backup.name not in {path.name for path in new_backups}
    assert sorted((data / "backups").glob("*.zip")) == sorted([*new_backups, data / "backups" / "penny-notes.zip"])


def test_a_killed_backup_has_no_final_name_and_the_next_one_removes_it(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HANG)
    marker = tmp_path / "hung"
    assert backup.exists()
    before = sorted((data / "backups").iterdir())
    variables = environment(data, PYTHONPATH=str(tmp_path), HUNG=str(marker))
    process = subprocess.Popen([sys.executable, "manage.py", "backup"], cwd=ROOT, env=variables)
    until(marker.exists, "it is written, and not yet named", 60)
    busy = manage("backup", data=data)
    assert (busy.returncode, "another backup" in busy.stderr) == (2, True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert [
        path.name
        for path in (data / "backups").iterdir()
        if path not in before and not path.name.startswith(".penny-partial-")
    ] == []
    back_up(data)
    assert not list((data / "backups").glob(".penny-partial-*"))


def test_an_update_backs_the_database_up_first_and_stops_if_that_fails(data: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    shutil.copy(data / "penny.sqlite3", old)
    before, last = sorted(path.stem for path in (ROOT / "agents" / "migrations").glob("0*.py"))[-2:]
    assert manage("migrate", "--no-backup", "agents", before, data=old).returncode == 0
    (old / "backups").write_text("in the way")
    result = manage("migrate", data=old)
    assert (result.returncode, "--no-backup" in result.stderr) == (2, True)
    assert query_rows(old / "penny.sqlite3", f"SELECT count(*) FROM django_migrations WHERE name = '{last}'") == [(0,)]
    (old / "backups").unlink()
    for _ in range(2):  # the second finds nothing to migrate and makes no backup
        assert manage("migrate", data=old).returncode == 0
    (file,) = (old / "backups").glob("*.zip")
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["reason"], last in manifest["migrations"]["agents"]) == ("before an update", False)


# Refusals
# --------------------------------------------------------------------------------------------------------------


def test_a_folder_with_files_is_refused_and_left_unchanged(data: Path, backup: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    result = manage("restore", str(backup), data=tmp_path)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "mine.txt" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.fixture
def restore_damaged(backup: Path, tmp_path: Path) -> Callable[[Callable[[dict[str, bytes]], None]], str]:
    """A function that restores a changed backup and returns the refusal."""

    def restore(change: Callable[[dict[str, bytes]], None]) -> str:
        return expect_refusal(rewrite_backup(backup, tmp_path / "changed.zip", change), tmp_path / "into")

    return restore


def flip_bit(contents: dict[str, bytes]) -> None:
    database = bytearray(contents["penny.sqlite3"])
    database[5000] ^= 1
    contents["penny.sqlite3"] = bytes(database)


def remove_part(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(contents: dict[str, bytes]) -> None:
        del contents[name]

    return change


Damage = Callable[[dict[str, bytes]], None]
DAMAGE: list[tuple[str, Damage, str]] = [
    ("a bit", flip_bit, "checksum differs"),
    ("the database cut short", lambda c: c.update({"penny.sqlite3": c["penny.sqlite3"][:-4096]}), "checksum differs"),
    ("no database", remove_part("penny.sqlite3"), "does not hold"),
    ("no manifest", remove_part("manifest.json"), "manifest.json is missing"),
    ("a file that it does not name", lambda c: c.update({"../evil": b"x"}), "does not hold"),
    ("a newer format", change_manifest(format=3), "newer Penny"),
    ("a newer version", change_manifest(version="99.0"), "update Penny"),
    ("a migration of the future", change_manifest(migrations={"agents": ["9999_future"]}), "agents.9999_future"),
    (
        "only some of the migrations of 0.1.0",
        change_manifest(migrations={"agents": ["0001_initial"]}),
        "Penny 0.1.0 (git checkout 45bd4cd)",
    ),
    ("rows that are not there", change_manifest(rows={"auth_user": 2}), "rows"),
    ("another database", change_manifest(database="postgresql"), "PENNY_DATABASE_URL"),
]


FIRST = {"a bit", "a migration of the future", "only some of the migrations of 0.1.0"}
CASES = [pytest.param(*case[1:], id=case[0], marks=() if case[0] in FIRST else pytest.mark.long) for case in DAMAGE]


@pytest.mark.parametrize(("change", "words"), CASES)
def test_a_damaged_or_newer_backup_is_refused(
    restore_damaged: Callable[[Damage], str], change: Damage, words: str
) -> None:
    assert words in restore_damaged(change)


def test_half_a_backup_is_refused(backup: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.zip"
    half.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    assert "not a whole backup" in expect_refusal(half, tmp_path / "into")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in expect_refusal(tmp_path / "none.zip", tmp_path / "into")


def test_penny_does_not_start_after_an_interrupted_restore(backup: Path, tmp_path: Path) -> None:
    (tmp_path / ".restoring").mkdir()
    result = manage("up", data=tmp_path)
    assert (result.returncode, "restore" in result.stderr) == (2, True)
    assert manage("restore", str(backup), data=tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["penny.sqlite3"]
