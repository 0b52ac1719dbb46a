"""A backup holds what is kept, with its passages, vectors and word index, and without what was forgotten for good."""

from pathlib import Path

from tests import commands, databases
from tests.commands import environment
from tests.penny_site.backups.test_backup import back_up, manage

KEEP = """
from agents.vault import index
from agents.vault.keep import keep_page
from devices.models import Device
from tests.client import make_page
device = Device.objects.create(label="Desk", kind="browser")
for name in ("coffee", "garden"):
    keep_page(make_page(f"https://{name}.example/", name, f"{name} wants water, slowly."), device, "auto")
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
SEARCH = """
from agents.vault import index
from agents.vault.keep import keep_page
from agents.vault.search import Scope, search_kept
from agents.vault.by_words import by_words
from devices.models import Device
from tests.client import make_page
from thoughts.models import Kept
names = lambda result: sorted({Kept.objects.get(pk=one.entry).page.domain for one in result.passages})
print("HITS", names(search_kept("coffee water")), len(by_words("garden", Scope().of("chunk__kept__"), 10)))
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
    file = back_up(data)
    into.mkdir()
    assert manage("restore", str(file), data=into).returncode == 0
    lines = run_code(SEARCH, into).splitlines()
    assert "HITS ['coffee.example'] 0" in lines
    assert any(line.startswith("NEW") and "tea.example" in line for line in lines)
