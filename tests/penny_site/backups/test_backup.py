"""A backup is whole or not there, a restore brings all of it back or nothing, and what lets people in stays out unless
it is asked for.
"""

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


def manage(*arguments: str, data: Path, how: commands.Runner = commands.run_command) -> commands.CompletedCommand:
    return how(*arguments, "--data", str(data), environment=environment(data))


def back_up(data: Path, *options: str, how: commands.Runner = commands.run_command) -> Path:
    done = manage("backup", *options, data=data, how=how)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def refused(file: Path, into: Path) -> str:
    """Return the one line with which a restore refused, after it was seen that it left nothing."""
    done = manage("restore", str(file), data=into)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stdout + done.stderr
    assert not list(into.glob("*"))
    assert not list(into.glob(".*"))
    return done.stderr


def changed(file: Path, to: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Write a backup anew with other contents."""
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    change(contents)
    with zipfile.ZipFile(to, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return to


def in_manifest(**values: object) -> Callable[[dict[str, bytes]], None]:
    def change(contents: dict[str, bytes]) -> None:
        contents["manifest.json"] = json.dumps(json.loads(contents["manifest.json"]) | values).encode()

    return change


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as opened:
        return opened.execute(query).fetchall()


def acknowledged(client: Client, turns: list[UUID]) -> list[UUID]:
    """Return which of these turns came as messages of the owner's, in their order."""
    messages = [frame.message for frame in client.frames_of(p.MessageNew)]
    return [message.turn_id for message in messages if message.direction == "in" and message.turn_id in turns]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a database, an owner who has a password, and a session."""
    data = tmp_path_factory.mktemp("data")
    databases.copy_into(data)
    assert manage("sign_in_link", data=data).returncode == 0
    with closing(sqlite3.connect(data / "penny.sqlite3")) as opened, opened:
        opened.execute(
            "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, "
            "last_name, email, date_joined)"
            " VALUES ('owner', 'pbkdf2-of-a-password', 1, 1, 1, '', '', '', '2026-01-01')"
        )
        opened.execute("INSERT INTO django_session VALUES ('key-of-a-session', 'x', '2100-01-01')")
        opened.execute("INSERT INTO thoughts_picture (sha256, data, width, height) VALUES ('0', x'00ff52494646', 1, 1)")
    return data


@pytest.fixture(scope="module")
def backup(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it, and a copy elsewhere, since only the newest are kept."""
    return Path(shutil.copy(back_up(data), tmp_path_factory.mktemp("copied")))


# A running Penny
# --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_backup_of_a_penny_at_work_is_restored_elsewhere_with_all_that_was_acknowledged(
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
    restored = Penny(tmp_path / "new")
    restored.port, restored.url = penny.port, address
    restored.manage("restore", str(file))
    try:
        restored.start()
        with Client(pairing, cursor=0) as client:  # the server's key and the pairing came along
            until(lambda: len(acknowledged(client, before)) >= len(before), "what was said before comes back")
            assert acknowledged(client, before) == before
    finally:
        restored.stop()


# What is in it
# ----------------------------------------------------------------------------------------------------------------


def test_everything_comes_back_byte_for_byte_with_secrets(data: Path, tmp_path: Path) -> None:
    file = back_up(data, "--with-secrets", "--to", str(tmp_path / "elsewhere"), how=commands.run_in_new_python)
    assert file.parent == tmp_path / "elsewhere"
    into = tmp_path / "into"
    assert manage("restore", str(file), data=into, how=commands.run_in_new_python).returncode == 0
    assert sorted(path.name for path in into.iterdir()) == ["penny.sqlite3", "secret_key", "server_key.pem"]
    assert {path.stat().st_mode & 0o077 for path in [into, file, *into.iterdir()]} == {0}
    for name in ("secret_key", "server_key.pem"):
        assert (into / name).read_text().strip() == (data / name).read_text().strip()
    for table in ("auth_user", "django_session", "thoughts_picture", "django_migrations", "agents_schedule"):
        query = f"SELECT * FROM {table} ORDER BY 1"
        assert rows(into / "penny.sqlite3", query) == rows(data / "penny.sqlite3", query)


def test_words_of_a_thought_that_was_deleted_are_not_in_it(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "penny.sqlite3")) as opened:
        for statement in (
            "INSERT INTO thoughts_words (id, thought_id, text) VALUES (1, '0', 'zyzzyva')",
            "DELETE FROM thoughts_words",
        ):
            with opened:
                opened.execute(statement)
    with zipfile.ZipFile(back_up(data, "--to", str(tmp_path))) as archive:
        assert b"zyzzyva" not in archive.read("penny.sqlite3")


def test_without_being_asked_for_no_secret_is_in_it(data: Path, backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert sorted(contents) == ["manifest.json", "penny.sqlite3"]
    link = rows(data / "penny.sqlite3", "SELECT digest FROM devices_signinlink")[0][0]
    for secret in ("pbkdf2-of-a-password", "key-of-a-session", str(link), (data / "secret_key").read_text().strip()):
        assert all(secret.encode() not in content for content in contents.values())
    assert rows(data / "penny.sqlite3", "SELECT password FROM auth_user") == [("pbkdf2-of-a-password",)]


def test_a_copy_of_a_damaged_database_is_no_backup(data: Path, tmp_path: Path) -> None:
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
    done = manage("backup", data=broken)
    assert (done.returncode, done.stdout) == (2, "")
    assert "thoughts_thought_pages" in done.stderr
    assert [path.name for path in (broken / "backups").iterdir()] == [".penny.lock"]


# What is kept
# -----------------------------------------------------------------------------------------------------------------


def test_the_newest_are_kept_and_files_of_others_are_left_alone(data: Path, backup: Path) -> None:
    (data / "backups" / "penny-notes.zip").write_text("mine")
    with closing(sqlite3.connect(data / "penny.sqlite3")) as opened, opened:
        opened.execute("UPDATE constance_constance SET value = ? WHERE key = 'BACKUPS_KEPT'", [codecs.dumps(2)])
    made = [back_up(data) for _ in range(2)]
    assert backup.name not in {path.name for path in made}
    assert sorted((data / "backups").glob("*.zip")) == sorted([*made, data / "backups" / "penny-notes.zip"])


def test_a_backup_that_was_killed_has_no_name_and_the_next_one_sweeps_it_up(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HANG)
    hung = tmp_path / "hung"
    assert backup.exists()
    before = sorted((data / "backups").iterdir())
    surroundings = environment(data, PYTHONPATH=str(tmp_path), HUNG=str(hung))
    process = subprocess.Popen([sys.executable, "manage.py", "backup"], cwd=ROOT, env=surroundings)
    until(hung.exists, "it is written, and not yet named", 60)
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


def test_an_update_backs_the_database_up_first_and_does_nothing_where_that_fails(data: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    shutil.copy(data / "penny.sqlite3", old)
    last = "0002_first_schedules"
    assert manage("migrate", "--no-backup", "agents", "0001", data=old).returncode == 0
    (old / "backups").write_text("in the way")
    done = manage("migrate", data=old)
    assert (done.returncode, "--no-backup" in done.stderr) == (2, True)
    assert rows(old / "penny.sqlite3", f"SELECT count(*) FROM django_migrations WHERE name = '{last}'") == [(0,)]
    (old / "backups").unlink()
    for _ in range(2):  # the second has nothing to change, and backs nothing up
        assert manage("migrate", data=old).returncode == 0
    (file,) = (old / "backups").glob("*.zip")
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["reason"], last in manifest["migrations"]["agents"]) == ("before an update", False)


# What is refused
# --------------------------------------------------------------------------------------------------------------


def test_a_folder_that_holds_something_is_refused_and_left_alone(data: Path, backup: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = manage("restore", str(backup), data=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "mine.txt" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.fixture
def damaged(backup: Path, tmp_path: Path) -> Callable[[Callable[[dict[str, bytes]], None]], str]:
    """Return what a restore says of a backup that was changed."""

    def restore(change: Callable[[dict[str, bytes]], None]) -> str:
        return refused(changed(backup, tmp_path / "changed.zip", change), tmp_path / "into")

    return restore


def _flip(contents: dict[str, bytes]) -> None:
    database = bytearray(contents["penny.sqlite3"])
    database[5000] ^= 1
    contents["penny.sqlite3"] = bytes(database)


def _without(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(contents: dict[str, bytes]) -> None:
        del contents[name]

    return change


Damage = Callable[[dict[str, bytes]], None]
DAMAGE: list[tuple[str, Damage, str]] = [
    ("a bit", _flip, "checksum differs"),
    ("the database cut short", lambda c: c.update({"penny.sqlite3": c["penny.sqlite3"][:-4096]}), "checksum differs"),
    ("no database", _without("penny.sqlite3"), "does not hold"),
    ("no manifest", _without("manifest.json"), "manifest.json is missing"),
    ("a file that it does not name", lambda c: c.update({"../evil": b"x"}), "does not hold"),
    ("a newer format", in_manifest(format=2), "newer Penny"),
    ("a newer version", in_manifest(version="99.0"), "update Penny"),
    ("a migration of the future", in_manifest(migrations={"agents": ["9999_future"]}), "agents.9999_future"),
    (
        "only some of the migrations of 0.1.0",
        in_manifest(migrations={"agents": ["0001_initial"]}),
        "Penny 0.1.0 (git checkout 45bd4cd)",
    ),
    ("rows that are not there", in_manifest(rows={"auth_user": 2}), "rows"),
    ("another database", in_manifest(database="postgresql"), "PENNY_DATABASE_URL"),
]


FIRST = {"a bit", "a migration of the future", "only some of the migrations of 0.1.0"}
CASES = [pytest.param(*case[1:], id=case[0], marks=() if case[0] in FIRST else pytest.mark.long) for case in DAMAGE]


@pytest.mark.parametrize(("change", "words"), CASES)
def test_what_is_damaged_or_newer_is_refused(damaged: Callable[[Damage], str], change: Damage, words: str) -> None:
    assert words in damaged(change)


def test_a_backup_that_is_half_there_is_refused(backup: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.zip"
    half.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    assert "not a whole backup" in refused(half, tmp_path / "into")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "none.zip", tmp_path / "into")


def test_penny_does_not_start_where_a_restore_was_interrupted(backup: Path, tmp_path: Path) -> None:
    (tmp_path / ".restoring").mkdir()
    done = manage("up", data=tmp_path)
    assert (done.returncode, "restore" in done.stderr) == (2, True)
    assert manage("restore", str(backup), data=tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["penny.sqlite3"]
