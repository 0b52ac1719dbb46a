"""A backup holds what is kept, with its passages, vectors and word index, and without what was forgotten for good."""

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from penny_site.backups import forgotten
from tests import commands, databases, postgresql
from tests.commands import environment
from tests.penny_site.backups.test_backup import back_up, manage

KEEP = """
from agents.vault import index
from agents.vault.keep import keep_page
from devices.models import Device
from tests.client import make_page
from thoughts.index import passages
from thoughts.models import WrongReading
device = Device.objects.create(label="Desk", kind="browser")
for name in ("coffee", "garden", "meadow"):
    page = make_page(f"https://{name}.example/", name, f"{name} wants water, slowly, says zyzzyva{name}.")
    row = keep_page(page, device, "auto", {"emails": [f"{name}@mail.example"]}).page
    columns = ("url", "domain", "title", "text", "extracted_with", "fetched_at")
    copied = {column: getattr(row, column) for column in columns}
    WrongReading.objects.create(**copied, left_out="", complaint="The table is missing.")
while passages.index_some() or index.embed_some():
    pass
"""
FORGET = """
from datetime import timedelta
from django.utils import timezone
from agents.worker.forget_kept import delete_forgotten
from thoughts.models import Kept
Kept.objects.filter(page__domain="garden.example").set_deleted(timezone.now())
delete_forgotten(timezone.now() + timedelta(minutes=11))
"""
FORGET_JUST_NOW = """
from uuid import uuid4
from agents.models import Run, Step
from agents.vault.forget.entries import Selection, forget
from devices.models import Message, MessageClaim
from django.contrib.auth.models import User
from thoughts.models import Page
ada, page, turn = User.objects.create_user("Ada"), Page.objects.get(domain="meadow.example"), uuid4()
fields = {"owner": ada, "direction": "out", "turn_id": turn}
message = Message.objects.create(seq=1, text="It wants water.", html="", origin=["meadow.example"], **fields)
message.sources.add(page)
MessageClaim.of(message, 1, page.pk, "It wants water", page.text, 0, len(page.text)).save()
run = Run.objects.create(kind=Run.Kind.TURN, turn_id=turn, state=Run.State.DONE)
Step.objects.create(run=run, kind="model", zone="writer", origin=["meadow.example"], request={"turns": [page.text]})
print("FORGOTTEN", forget(ada, Selection(site="meadow.example"))[1])
"""
ERASED = """
import sqlite3
from pathlib import Path
from django.conf import settings
from django.db import connection
from thoughts.index.words import INDEXED, fts5_table
indexes = [*map(fts5_table, INDEXED)]
def left():
    return [word for word in (b"zyzzyvagarden", b"garden@mail.example", b"garden.example") for path in
        Path(settings.DATA).glob("penny.sqlite3*") if word in path.read_bytes()]
before = bool(left())
reader = sqlite3.connect(Path(settings.DATA) / "penny.sqlite3")
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM thoughts_page").fetchone()
connection.cursor().execute("UPDATE thoughts_page SET device_label = 'x'")
read = connection.erase_deleted(*indexes)
reader.close()
print("ERASED", before, read, connection.erase_deleted(*indexes), left())
"""
SEARCH = """
from agents.vault.keep import keep_page
from agents.vault.search import Scope, search_kept
from devices.models import Device
from tests.client import make_page
from thoughts.index import passages
from thoughts.models import Kept
names = lambda result: sorted({Kept.objects.get(pk=one.entry).page.domain for one in result.passages})
others = [len(passages.by_words(word, None, 10)) for word in ("garden", "meadow")]
print("HITS", names(search_kept("coffee water")), others)
keep_page(make_page("https://tea.example/", "tea", "Tea wants three minutes."), Device.objects.get(), "asked")
passages.index_some()
print("NEW", names(search_kept("three minutes")))
"""


LEFT = """
from thoughts.models import Page
print("LEFT", Page.objects.get(domain="meadow.example").text.split()[-1])
"""


def runner_with(settings: dict[str, str]) -> commands.Runner:
    return lambda *arguments, environment: commands.run_command(*arguments, environment=environment | settings)


def run_code(code: str, data: Path, database: dict[str, str]) -> str:
    result = commands.run_command("shell", "-c", code, environment=environment(data, **database))
    assert result.returncode == 0, result.stderr
    return result.stdout


def bytes_in(file: Path, folder: Path) -> bytes:
    """Return the database in a backup; a dump of PostgreSQL, which is compressed, as the script that restores it."""
    with zipfile.ZipFile(file) as archive:
        if not databases.is_on_server():
            return archive.read("penny.sqlite3")
        dump = archive.extract("penny.pgdump", folder)
        script = subprocess.run(["pg_restore", "--file=-", dump], capture_output=True, check=True).stdout
        return script + archive.read("penny.pgrows")


def test_what_is_kept_is_found_in_a_restored_backup_and_what_is_forgotten_is_not(
    tmp_path: Path, new_database: dict[str, str]
) -> None:
    data, into = tmp_path / "one", tmp_path / "two"
    data.mkdir()
    databases.copy_into(data)
    run_code(KEEP, data, new_database)
    run_code(FORGET, data, new_database)
    assert "FORGOTTEN 1" in run_code(FORGET_JUST_NOW, data, new_database)
    file = back_up(data, runner=runner_with(new_database))
    into.mkdir()
    empty = {"PENNY_DATABASE_URL": postgresql.new_database(os.environ[databases.SERVER])} if new_database else {}
    result = manage("restore", str(file), data=into, runner=runner_with(empty))
    assert result.returncode == 0, result.stderr
    lines = run_code(SEARCH, into, empty).splitlines()
    assert "HITS ['coffee.example'] [0, 0]" in lines
    assert any(line.startswith("NEW") and "tea.example" in line for line in lines)


def test_no_byte_of_what_is_forgotten_is_left_in_the_database_or_in_a_backup(
    tmp_path: Path, new_database: dict[str, str]
) -> None:
    """The entry of the meadow can still be brought back: the database holds it, and no backup does."""
    data = tmp_path / "data"
    data.mkdir()
    databases.copy_into(data)
    run_code(KEEP, data, new_database)
    lines = run_code(FORGET if new_database else f"{FORGET}\n{ERASED}", data, new_database).splitlines()
    assert new_database or "ERASED True False True []" in lines, "PostgreSQL cleans up its own files"
    run_code(FORGET_JUST_NOW, data, new_database)
    copy = bytes_in(back_up(data, runner=runner_with(new_database)), tmp_path)
    assert "LEFT zyzzyvameadow." in run_code(LEFT, data, new_database)
    words = [b"zyzzyva%s", b"%s@mail.example", b"https://%s.example", b"%s wants"]
    assert [word for word in words if word % b"coffee" not in copy] == []
    assert [word % name for word in words for name in (b"garden", b"meadow") if word % name in copy] == []


@pytest.mark.parametrize(
    "content",
    [
        'auth_user: "id"\n1\n\\.\n',
        "thoughts_kept: id) FROM PROGRAM 'id'; --\n\\.\n",
        'thoughts_kept: "id"\n1\n',
        'thoughts_kept: "id"\n1\n\\.\n\\! id\n',
    ],
    ids=["another table", "no columns", "no end", "a command"],
)
def test_rows_that_penny_did_not_write_become_no_script(content: str, tmp_path: Path) -> None:
    source = tmp_path / "penny.pgrows"
    source.write_text('thoughts_page: "id", "text"\n1\ttext\n\\.\n')
    forgotten.write_script(source, tmp_path / "good.sql")
    assert (tmp_path / "good.sql").read_text() == 'COPY public.thoughts_page ("id", "text") FROM stdin;\n1\ttext\n\\.\n'
    source.write_text(content)
    with pytest.raises(ValueError, match=r"in it|no table"):
        forgotten.write_script(source, tmp_path / "bad.sql")
