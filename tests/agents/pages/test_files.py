"""The words of files are read by a process that can reach nothing, and what it cannot read is told by a code."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings

from agents.pages import files
from agents.pages.files import FileUnread, file_words, kind_of
from tests.stand_ins.pdfs import pdf, show

WORDS = "Espresso is brewed at 93 degrees."


def read_words(name: str, data: bytes) -> str:
    return async_to_sync(file_words)(name, data).text


@pytest.mark.parametrize(
    ("name", "data", "kind", "text"),
    [
        (
            "a.pdf",
            pdf([show(WORDS, 72, 700), show("The second page.", 72, 700)]),
            "pdf",
            f"{WORDS}\n\nThe second page.",
        ),
        ("a.txt", b"junk\n" + pdf([show(WORDS, 72, 700)]), "pdf", WORDS),
        ("a.txt", WORDS.encode(), "text", WORDS),
        ("a.md", "Größe".encode("utf-16"), "text", "Größe"),
        ("a.txt", "Größe €".encode("cp1252"), "text", "Größe €"),
        ("a.html", b"<p>One <b>two</b></p><script>three()</script><p hidden>four</p>", "html", "One\ntwo"),
        ("a", b"  <!DOCTYPE html><title>No</title><p>Yes", "html", "Yes"),
        ("a.json", b'{"cup": {"sizes": [30, 60]}, "empty": ""}', "json", "cup.sizes[1]: 30\ncup.sizes[2]: 60"),
        ("a.jsonl", b'{"a": 1}\n{"a": 2}\n', "json", "[1].a: 1\n[2].a: 2"),
    ],
)
def test_the_words_of_a_file_are_read_by_what_it_is(name: str, data: bytes, kind: str, text: str) -> None:
    assert kind_of(name, data) == kind
    assert read_words(name, data) == text


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.pdf", pdf([show(WORDS, 72, 700)], is_locked=True), "file_locked"),
        ("a.pdf", b"%PDF-1.7\n\xff\xfe nothing of a PDF", "file_broken"),
        ("a.pdf", pdf([b""]), "file_empty"),
        ("a.bin", b"a\0b", "file_broken"),
        ("a.json", b"{" * 5_000, "file_broken"),
        ("a.json", b"[" * 200 + b"1" + b"]" * 200, "file_broken"),
        ("a.txt", b" \n ", "file_empty"),
    ],
)
def test_what_has_no_words_is_told_by_a_code(name: str, data: bytes, code: str) -> None:
    with pytest.raises(FileUnread) as unread:
        read_words(name, data)
    assert unread.value.code == code


def test_a_text_without_end_is_cut_and_says_so() -> None:
    reply = async_to_sync(file_words)("a.txt", b"word " * 300_000)
    assert len(reply.text) == 1_000_000
    assert reply.is_cut


def test_a_stream_that_unfolds_without_end_is_refused() -> None:
    data = zlib.compress(b"BT /F 12 Tf (x) Tj ET " * 5_000_000, 9)
    content = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(data), data)
    bomb = pdf([show(WORDS, 72, 700)]).replace(b"/Contents", b"/Contents 99 0 R /Old", 1)
    bomb = bomb.replace(b"xref\n", b"99 0 obj\n" + content + b"\nendobj\nxref\n", 1)
    with pytest.raises(FileUnread) as unread:
        read_words("a.pdf", bomb)
    assert unread.value.code == "file_broken"


def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REPLY_BYTES", 1_000)
    with pytest.raises(FileUnread) as unread:
        read_words("a.txt", b"word " * 100_000)
    assert unread.value.code == "file_large"


@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize("deed", ["print(open({file!r}).read())", "import socket; socket.socket(); print('open')"])
def test_a_file_that_took_its_process_over_reaches_nothing(tmp_path: Path, deed: str, is_closed: bool) -> None:
    secret = tmp_path / "secret"
    secret.write_text("open")
    close = "from agents.sandbox.file_child import close_in; assert close_in()\n" if is_closed else ""
    outcome = subprocess.run(
        [sys.executable, "-c", close + deed.format(file=str(secret))],
        capture_output=True, text=True, cwd=settings.ROOT, env={"PYTHONPATH": str(settings.ROOT)}, check=False,
    )  # fmt: skip
    assert ("open" in outcome.stdout) is not is_closed, outcome.stderr
