"""A file that is imported is untrusted: what nobody exported is refused, with a reason, and nothing of it is stored."""

import io
import json
import subprocess
import sys
import zipfile
from typing import Any

import pytest
from constance.test import override_config
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import Memory, VaultImport
from agents.sandbox import vault_file
from agents.vault.transfer import forms
from devices.access import api_tokens
from devices.owner.account import the_owner
from tests.agents.vault.exports import PAGE, TEXT, archive_of, fact_row, import_file, markdown, row_for, send_file
from tests.commands import ROOT
from thoughts.models import Kept, Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]

MB = 1024 * 1024
DEEP = "[" * 200_000
BOMB = b"\0" * (3 * MB)


def messages_of(data: bytes) -> list[list[Any]]:
    """Return what the reading of a file writes, in this process."""
    written = io.StringIO()
    vault_file.write_messages(io.BytesIO(data), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def refusal_of(data: bytes) -> str:
    [[kind, reason]] = messages_of(data)
    assert kind == "refused"
    return str(reason)


def plain_zip(**members: str | bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


def with_members(count: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for number in range(count):
            archive.writestr(f"pages/{number}.md", "")
    return data.getvalue()


def damaged() -> bytes:
    """Return an export with one byte of a text changed."""
    names = ["pages/1.md", "pages/2.md"]
    whole = archive_of([row_for(file=name) for name in names], files={name: markdown(TEXT * 50) for name in names})
    data, place = bytearray(whole), whole.index(b"pages/2.md") + 30
    data[place] ^= 0xFF
    return bytes(data)


REFUSED = {
    "no zip": (b"PK\x03\x04 and nothing more", "This is no zip file"),
    "another zip": (plain_zip(readme__txt="hello"), "This is no export of what Penny kept"),
    "facts of another program": (archive_of(files={"facts.json": '{"facts": []}'}), "no export of what Penny kept"),
    "facts that are none": (archive_of(files={"facts.json": "[1]"}), "no export of what Penny kept"),
    "a newer version": (archive_of(version=2), "newer Penny"),
    "no JSON": (archive_of(files={"kept.jsonl": "{"}), "no JSON that Penny wrote in line 1"),
    "no page": (archive_of(files={"kept.jsonl": "[1]\n"}), "Line 1 of kept.jsonl is no page"),
    "a number that is none": (archive_of(files={"kept.jsonl": '{"masked": NaN}\n'}), "no JSON that Penny wrote"),
    "a nested list": (archive_of(files={"kept.jsonl": f'{{"links": {DEEP}\n'}), "no JSON that Penny wrote"),
    "nested facts": (archive_of(files={"facts.json": '{"a":' * 40 + "1" + "}" * 40}), "no JSON that Penny wrote"),
    "too many facts": (archive_of(facts=[{}] * (vault_file.FACTS_MAX + 1)), "more than 1000 facts"),
    "facts too large": (archive_of(files={"facts.json": BOMB}), "larger than 2 MB"),
    "a long line": (archive_of(files={"kept.jsonl": b" " * (5 * MB)}), "Line 1 of kept.jsonl is too long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_export_is_refused_whole(name: str) -> None:
    data, reason = REFUSED[name]
    assert reason in refusal_of(data)


def test_a_damaged_file_changes_nothing(owner_client: Client) -> None:
    """The damage is in the last of its pages; the first would be good."""
    good, bad = archive_of(), damaged()
    assert messages_of(good)[-1] == ["end"]
    row = import_file(owner_client, bad)
    assert row.refusal == vault_file.DAMAGED
    assert (Kept.objects.count(), Page.objects.count(), row.facts) == (0, 0, [])
    html = owner_client.get(f"/kept/imports/{row.pk}/").content.decode()
    assert "Export it again, and import that file." in html


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten texts of 3 MB of nothing are 30 kB in the zip."""
    names = [f"pages/{number}.md" for number in range(10)]
    rows = [row_for(file=name) for name in names]
    bomb = archive_of(rows, files=dict.fromkeys(names, BOMB))
    assert len(bomb) < 60_000
    assert messages_of(bomb)[-1] == ["end"]
    monkeypatch.setattr(vault_file, "UNPACKED_BYTES", 10 * MB)
    assert "unpacks to more than" in refusal_of(bomb)


def test_a_text_that_unpacks_to_too_much_is_left_out_before_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = list[int]()
    monkeypatch.setattr(vault_file.Archive, "_count", lambda self, size: sizes.append(size))
    messages = messages_of(archive_of(files={PAGE: b"\0" * (64 * MB)}))
    assert messages[2] == ["left_out", 1, "Water", "its text is too long"]
    assert sum(sizes) < 12 * MB


def test_a_directory_that_is_a_bomb_ends_that_process_alone() -> None:
    """Its memory is bounded by the kernel, so that a list of members of any length is none of ours."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_DATA, (60_000_000, 60_000_000))"
    code = f"{limit}\nimport sys\nfrom agents.sandbox import vault_file\n"
    code += "vault_file.write_messages(sys.stdin.buffer, sys.stdout)"
    result = subprocess.run(
        [sys.executable, "-c", code], input=with_members(60_000), capture_output=True, cwd=ROOT, check=False
    )
    assert b"entry" not in result.stdout


def test_a_file_with_too_many_members_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_file, "MEMBERS_MAX", 10)
    assert "more than 50000 pages" in refusal_of(with_members(11))


@pytest.mark.parametrize(
    "name",
    ["../secret_key", "/etc/passwd", "pages/../../secret_key.md", "pages/a/b.md", "C:\\secret.md", "pages/a\0.md", ""],
)
def test_a_name_that_leads_elsewhere_opens_nothing(owner_client: Client, name: str) -> None:
    files = {} if "\0" in name or not name else {name: markdown()}
    row = import_file(owner_client, archive_of([row_for(file=name)], files=files))
    assert row.left_out == {"its text is not in the file": 1}
    assert not Kept.objects.exists()


def test_the_reading_process_opens_no_file_and_starts_no_program() -> None:
    code = (
        "from agents.sandbox import vault_file; import os; vault_file.close_in()\n"
        "for act in (lambda: open('/etc/passwd'), lambda: open('manage.py'), os.fork):\n"
        "    try: act(); print('done')\n"
        "    except OSError: print('refused')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True, check=False)
    assert result.stdout.split() == ["refused"] * 3, result.stderr


LEFT_OUT: dict[str, tuple[dict[str, Any], str]] = {
    "no address": ({"url": "javascript:alert(1)"}, "its address is none of the web"),
    "Penny's own": ({"url": "http://127.0.0.1:8787/admin/"}, "it is a page of Penny's own"),
    "a file as a page": ({"url": "file:///etc/passwd"}, "its address is none of the web"),
    "an unknown source": ({"source": "owner"}, "it is no page that Penny writes"),
    "a contact that is none": ({"contacts": {"emails": ["<script>@x"]}}, "it is no page that Penny writes"),
    "a year of no calendar": ({"kept_at": "99999-01-01"}, "it is no page that Penny writes"),
    "a time without a zone": ({"kept_at": "2026-11-28T10:00:00"}, "it is no page that Penny writes"),
    "a huge count": ({"masked": 10**400}, "it is no page that Penny writes"),
    "a time that is over": ({"source": "auto", "keep_until": "2020-01-01T00:00:00Z"}, "its time to be kept is over"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_page_that_no_browser_may_send_is_left_out(owner_client: Client, name: str) -> None:
    values, reason = LEFT_OUT[name]
    row = import_file(owner_client, archive_of([row_for(**values)]))
    assert row.left_out == {reason: 1}
    assert not Page.objects.exists()


def test_what_a_file_says_of_a_page_is_worked_out_anew(owner_client: Client) -> None:
    """Secrets in its address and text, invisible signs, halves of signs, and times that no page could show."""
    text = "Water\u202e is wet, says 4111 1111 1111 1111."
    values = {
        "url": "https://a.example/x?token=abcdefghijklmnopqrst&page=2",
        "title": "A\u200b title \ud800",
        "kept_at": "2999-01-01T00:00:00Z",
        "last_seen_at": "0001-01-01T00:00:00+00:00",
        "domain": "bank.example",
        "language": "xx",
        "device": "0" * 32,
        "id": "00000000-0000-0000-0000-000000000000",
    }
    import_file(owner_client, archive_of([row_for(text, **values)], files={PAGE: markdown(text)}))
    row = Kept.objects.select_related("page").get()
    assert (row.page.url, row.page.domain, row.page.title) == ("https://a.example/x?page=2", "a.example", "A title")
    assert (row.page.text, row.device, row.language, row.pk.int != 0) == ("Water is wet, says ▮.", "", "", True)
    assert row.kept_at.year < 2100
    assert row.last_seen_at.year == 2000


def test_a_fact_that_is_none_is_left_out(owner_client: Client) -> None:
    bad = [
        fact_row(text="x" * 601),
        fact_row(name="Not A Name", value="x"),
        fact_row(text="both", name="email", value="x"),
        {"text": "no time"},
        fact_row(text="\u202e"),
    ]
    row = import_file(owner_client, archive_of(facts=[*bad, fact_row(text="I like\n tea.\u200b")]))
    owner_client.post(f"/kept/imports/{row.pk}/facts/", {"fact": range(6), "then": "remember"})
    row.refresh_from_db()
    assert row.facts_left_out == [["a line", "it is no fact that Penny writes"]] * 5
    assert Memory.objects.get().text == "I like tea."


def test_an_import_takes_no_room_from_what_is_here(owner_client: Client) -> None:
    names = ["pages/1.md", "pages/2.md"]
    rows = [row_for(file=name, url=f"https://a.example/{name}") for name in names]
    with override_config(KEPT_PAGES_MAX=1):
        row = import_file(owner_client, archive_of(rows, files=dict.fromkeys(names, markdown())))
    assert (row.added, list(row.left_out)) == (1, ["there is no more room for pages: forget some, then import again"])
    assert Kept.objects.kept().count() == 1


# Who may
# ---------------------------------------------------------------------------------------------------------------------


def test_nobody_but_the_signed_in_owner_exports_or_imports(client: Client) -> None:
    _, token = api_tokens.new_token("A program")
    bearer = {"Authorization": f"Bearer {token}"}
    VaultImport.objects.create(name="kept.zip")
    for headers in ({}, bearer):
        for method, address in (
            ("get", "/kept/export/"),
            ("get", "/kept/move/"),
            ("post", "/kept/move/"),
            ("get", "/kept/imports/1/"),
            ("post", "/kept/imports/1/facts/"),
        ):
            answer = getattr(client, method)(address, headers=headers)
            assert answer.status_code in (302, 401, 403), address
            assert "Location" not in answer.headers or answer["Location"].startswith("/sign-in/"), address


def test_another_site_can_neither_export_nor_import(owner_client: Client) -> None:
    cross = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = owner_client.get("/kept/export/", headers=cross)
    assert (answer.status_code, answer.streaming) == (403, False)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(the_owner())
    file = SimpleUploadedFile("kept.zip", archive_of())
    assert strict.post("/kept/move/", {"file": file}).status_code == 403
    row = VaultImport.objects.create(name="kept.zip", is_waiting=False, facts=[fact_row(text="I like tea.")])
    assert strict.post(f"/kept/imports/{row.pk}/facts/", {"fact": 0, "then": "remember"}).status_code == 403
    assert not Memory.objects.exists()


def test_a_file_has_a_bound_and_has_to_be_a_zip(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "This is no zip file." in send_file(owner_client, b"%PDF-1.7").content.decode()
    assert "This file is empty." in send_file(owner_client, b"").content.decode()
    assert "Choose a file first." in owner_client.post("/kept/move/").content.decode()
    monkeypatch.setattr(forms, "FILE_BYTES", 10)
    assert "This file is larger than 512 MB." in send_file(owner_client, archive_of()).content.decode()
    assert not VaultImport.objects.exists()
