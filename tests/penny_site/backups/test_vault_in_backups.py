"""A backup holds what is kept, with its passages, vectors and word index, and without what was forgotten for good."""

import zipfile
from pathlib import Path

import pytest

from tests import commands, databases
from tests.commands import environment
from tests.penny_site.backups.test_backup import back_up, manage

KEEP = """
from agents.vault import index
from agents.vault.keep import keep_page
from devices.models import Device
from tests.client import make_page
device = Device.objects.create(label="Desk", kind="browser")
for name in ("coffee", "garden", "meadow"):
    page = make_page(f"https://{name}.example/", name, f"{name} wants water, slowly, says zyzzyva{name}.")
    keep_page(page, device, "auto", {"emails": [f"{name}@mail.example"]})
while index.index_some() or index.embed_some():
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
from penny_site.backups.database_copy import WORD_INDEXES
def left():
    return [word for word in (b"zyzzyvagarden", b"garden@mail.example", b"garden.example") for path in
        Path(settings.DATA).glob("penny.sqlite3*") if word in path.read_bytes()]
before = bool(left())
reader = sqlite3.connect(Path(settings.DATA) / "penny.sqlite3")
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM thoughts_page").fetchone()
connection.cursor().execute("UPDATE thoughts_page SET device_label = 'x'")
read = connection.erase_deleted(*WORD_INDEXES)
reader.close()
print("ERASED", before, read, connection.erase_deleted(*WORD_INDEXES), left())
"""
SEARCH = """
from agents.vault import index
from agents.vault.keep import keep_page
from agents.vault.search import Scope, search_kept
from agents.vault.by_words import by_words
from devices.models import Device
from tests.client import make_page
from thoughts.models import Kept
names = lambda result: sorted({Kept.objects.get(pk=one.entry).page.domain for one in result.passages})
others = [len(by_words(word, Scope().of("chunk__kept__"), 10)) for word in ("garden", "meadow")]
print("HITS", names(search_kept("coffee water")), others)
keep_page(make_page("https://tea.example/", "tea", "Tea wants three minutes."), Device.objects.get(), "asked")
index.index_some()
print("NEW", names(search_kept("three minutes")))
"""


def run_code(code: str, data: Path) -> str:
    result = commands.run_command("shell", "-c", code, environment=environment(data))
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_what_is_kept_is_found_in_a_restored_backup_and_what_is_forgotten_is_not(tmp_path: Path) -> None:
    data, into = tmp_path / "one", tmp_path / "two"
    data.mkdir()
    databases.copy_into(data)
    run_code(KEEP, data)
    run_code(FORGET, data)
    assert "FORGOTTEN 1" in run_code(FORGET_JUST_NOW, data)
    file = back_up(data)
    into.mkdir()
    assert manage("restore", str(file), data=into).returncode == 0
    lines = run_code(SEARCH, into).splitlines()
    assert "HITS ['coffee.example'] [0, 0]" in lines
    assert any(line.startswith("NEW") and "tea.example" in line for line in lines)


@pytest.mark.skipif(databases.is_on_server(), reason="a dump of PostgreSQL holds whole tables")
def test_no_byte_of_what_is_forgotten_is_left_in_the_database_or_in_a_backup(tmp_path: Path) -> None:
    """The entry of the meadow can still be brought back: the database holds it, and no backup does."""
    data = tmp_path / "data"
    data.mkdir()
    databases.copy_into(data)
    run_code(KEEP, data)
    assert "ERASED True False True []" in run_code(f"{FORGET}\n{ERASED}", data).splitlines()
    run_code(FORGET_JUST_NOW, data)
    with zipfile.ZipFile(back_up(data)) as archive:
        copy = archive.read("penny.sqlite3")
    assert b"zyzzyvameadow" in (data / "penny.sqlite3").read_bytes()
    words = [b"zyzzyva%s", b"%s@mail.example", b"https://%s.example", b"%s wants"]
    assert [word for word in words if word % b"coffee" not in copy] == []
    assert [word % name for word in words for name in (b"garden", b"meadow") if word % name in copy] == []
