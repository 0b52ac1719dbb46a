"""Read an export of what is kept, in a process of its own: `python -m agents.sandbox.vault_file < FILE`.

The file is untrusted. The process closes itself in as far as the system can, and unpacks nothing to a disk. It looks
through the whole file before it writes the first page, so that a damaged file changes nothing.
"""

import json
import re
import resource
import sys
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any, BinaryIO, NoReturn

from agents.sandbox import seccomp
from agents.sandbox.confinement import confine, confine_reader
from agents.sandbox.settings import SandboxSettings

MEMORY_BYTES, CPU_S = 512 * 1024 * 1024, 300
PAGES_MAX, MEMBERS_MAX = 50_000, 50_002
ROW_BYTES, TEXT_BYTES, FACTS_BYTES = 4 * 1024 * 1024, 4 * 1024 * 1024, 2 * 1024 * 1024
UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
FACTS_MAX, JSON_DEPTH = 1000, 12
PIECE_BYTES = 64 * 1024
PAGES, FACTS = "kept.jsonl", "facts.json"
FORMAT, VERSION = "penny-memory", 1
CHOOSE = "Choose the zip file that Penny made under Kept pages › Export and import."
LARGE = f"This file unpacks to more than {UNPACKED_BYTES // 1024**3} GB. Penny's own exports are smaller. {CHOOSE}"
DAMAGED = "This file is damaged. Export it again, and import that file."
# The name of a text in the zip. It is looked up and never opened on a disk.
_TEXT_NAME = re.compile(r"pages/[a-z0-9][a-z0-9-]{0,120}\.md")
_HEAD_END = "\n---\n\n"
_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error, ValueError)


class Refused(Exception):
    """A file of which nothing is imported. The text says what to do."""


class _LeftOut(Exception):
    """An entry that is left out; the others are imported."""


class Archive:
    """The pages and facts of an export. Raises Refused."""

    def __init__(self, file: BinaryIO) -> None:
        self._unpacked = 0
        try:
            self._zip = zipfile.ZipFile(file)
        except _BROKEN:
            raise Refused(f"This is no zip file. {CHOOSE}") from None
        members = self._zip.infolist()
        self._members = {member.filename: member for member in members}
        if len(members) > MEMBERS_MAX:
            raise Refused(f"This file holds more than {PAGES_MAX} pages. Export them in parts, and import each.")
        if len(self._members) < len(members) or PAGES not in self._members or FACTS not in self._members:
            raise Refused(f"This is no export of what Penny kept. {CHOOSE}")
        if any(member.flag_bits & 1 for member in members):
            raise Refused("This file is locked with a password. Export it again, without one.")
        if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
            raise Refused(f"This file is packed in a way that Penny does not use. {CHOOSE}")

    def facts(self) -> list[dict[str, Any]]:
        value = _parse_json(self._read(FACTS, FACTS_BYTES), FACTS)
        rows = value.get("facts") if isinstance(value, dict) else None
        if not isinstance(value, dict) or value.get("format") != FORMAT or not isinstance(rows, list):
            raise Refused(f"This is no export of what Penny kept. {CHOOSE}")
        if value.get("version") != VERSION:
            raise Refused("This file was made by a newer Penny. Update this one, then import it again.")
        if len(rows) > FACTS_MAX or not all(isinstance(row, dict) for row in rows):
            raise Refused(f"{FACTS} holds more than {FACTS_MAX} facts, or something else. {DAMAGED}")
        return rows

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of the list of pages."""
        try:
            with self._zip.open(PAGES) as lines:
                for number, line in enumerate(iter(lambda: lines.readline(ROW_BYTES + 1), b""), 1):
                    self._count(len(line))
                    if number > PAGES_MAX:
                        raise Refused(f"This file lists more than {PAGES_MAX} pages. Export them in parts.")
                    if len(line) > ROW_BYTES:
                        raise Refused(f"Line {number} of {PAGES} is too long. {DAMAGED}")
                    row = _parse_json(line, f"line {number} of {PAGES}")
                    if not isinstance(row, dict):
                        raise Refused(f"Line {number} of {PAGES} is no page. {DAMAGED}")
                    yield row
        except _BROKEN:
            raise Refused(DAMAGED) from None

    def text_of(self, row: dict[str, Any]) -> str:
        """Return the text of a page. Raises _LeftOut, Refused."""
        name = row.get("file")
        if not isinstance(name, str) or not _TEXT_NAME.fullmatch(name) or name not in self._members:
            raise _LeftOut("its text is not in the file")
        try:
            document = self._read(name, TEXT_BYTES).decode()
        except UnicodeDecodeError:
            raise _LeftOut("its text is not UTF-8") from None
        head, end, text = document.partition(_HEAD_END)
        if not end or not head.startswith("---\n"):
            raise _LeftOut("its Markdown file does not begin as Penny writes it")
        return text

    def _read(self, name: str, most: int) -> bytes:
        """Return the bytes of a member. What it says about its size is not believed."""
        pieces, length = [], 0
        try:
            with self._zip.open(self._members[name]) as file:
                while piece := file.read(PIECE_BYTES):
                    pieces.append(piece)
                    length += len(piece)
                    self._count(len(piece))
                    if length > most:
                        _too_long(name)
        except _BROKEN:
            raise Refused(DAMAGED) from None
        return b"".join(pieces)

    def _count(self, size_bytes: int) -> None:
        self._unpacked += size_bytes
        if self._unpacked > 2 * UNPACKED_BYTES:  # it is read twice
            raise Refused(LARGE)


def _too_long(name: str) -> NoReturn:
    if name == FACTS:
        raise Refused(f"{FACTS} is larger than {FACTS_BYTES // 1024**2} MB. {DAMAGED}")
    raise _LeftOut("its text is too long")


def _parse_json(data: bytes, where: str) -> Any:
    """Return a value that can be stored: without numbers that are none, and not nested deeply. Raises Refused."""
    try:
        value = json.loads(data, parse_constant=_refuse_constant)
        _check_depth(value, 0)
    except (ValueError, RecursionError):
        raise Refused(f"There is no JSON that Penny wrote in {where}. {DAMAGED}") from None
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check_depth(value: object, depth: int) -> None:
    if depth > JSON_DEPTH:
        raise ValueError("nested too deeply")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(inner, depth + 1)


def write_messages(file: BinaryIO, into: IO[str]) -> None:
    """Write the messages facts, count, entry (number, row, text) and left_out (number, title, reason), then end.

    Of a file that is refused, `refused` with the reason alone.
    """
    try:
        archive = Archive(file)
        facts = archive.facts()
        count = sum(1 for _ in _entries(archive))
        messages = ([["facts", facts], ["count", count]], _entries(archive), [["end"]])
        for part in messages:
            for message in part:
                into.write(json.dumps(message) + "\n")
    except Refused as refusal:
        into.write(json.dumps(["refused", str(refusal)]) + "\n")
    except MemoryError:
        into.write(json.dumps(["refused", LARGE]) + "\n")


def _entries(archive: Archive) -> Iterator[list[Any]]:
    for number, row in enumerate(archive.rows(), 1):
        try:
            yield ["entry", number, row, archive.text_of(row)]
        except _LeftOut as reason:
            yield ["left_out", number, str(row.get("title", ""))[:300], str(reason)]


def close_in() -> None:
    """Take files, sockets, memory and time from this process, as far as the system can."""
    nothing = SandboxSettings("", None)
    confine(nothing)
    confine_reader(nothing)
    seccomp.filter_calls(())
    limits = [(resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_DATA, MEMORY_BYTES)]
    for kind, most in limits:
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS knows not all of them; the bounds of the form hold there
            continue


if __name__ == "__main__":
    close_in()
    write_messages(sys.stdin.buffer, sys.stdout)
