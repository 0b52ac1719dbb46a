"""Read and write skill files: a SKILL.md, or a zip of folders with one each.

Other files are left out: scripts are never executed.
"""

import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from agents.skills.documents import DOCUMENT_CHARACTERS, DocumentInvalid, parse
from agents.skills.models import SkillVersion

FILE_BYTES, SKILLS_MAX, ENTRIES_MAX = 2 * 1024 * 1024, 50, 2000
DOCUMENT_BYTES = 4 * DOCUMENT_CHARACTERS
REFUSED_SHOWN, NAME_SHOWN = 10, 80
UNREADABLE = "This zip file cannot be read. Export it again, without a password."


@dataclass(frozen=True)
class Bundle:
    """The documents of a file. `refusals`: what is no skill, by its name with the reason. `note`: what was left out."""

    documents: list[str]
    note: str = field(default="")
    refusals: tuple[str, ...] = field(default=())


def read_bundle(data: bytes) -> Bundle:
    """Return the skills in a file; of a zip those that can be read. Raises DocumentInvalid if there is none."""
    if len(data) > FILE_BYTES:
        raise DocumentInvalid(f"The file is too large: at most {FILE_BYTES // 1024 // 1024} MB.")
    if data.startswith(b"PK\x03\x04"):
        return _read_zip(data)
    text = _decode_text(data)
    parse(text)
    return Bundle([text])


def _read_zip(data: bytes) -> Bundle:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            entries = [entry for entry in folder.infolist() if not entry.is_dir()]
            if len(entries) > ENTRIES_MAX:
                raise DocumentInvalid(f"The file holds more than {ENTRIES_MAX} files.")
            skills = [entry for entry in entries if PurePosixPath(entry.filename).name.lower() == "skill.md"]
            if not 1 <= len(skills) <= SKILLS_MAX:
                raise DocumentInvalid(f"The file holds {len(skills) or 'no'} SKILL.md; it may hold up to {SKILLS_MAX}.")
            documents, refusals = _read_entries(folder, skills)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise DocumentInvalid(UNREADABLE) from None
    if not documents:
        raise DocumentInvalid(" ".join(refusals[:REFUSED_SHOWN]))
    others = len(entries) - len(skills)
    note = f"{others} other file{'s' if others > 1 else ''} stayed out: skills hold no code." if others else ""
    return Bundle(documents, note, tuple(refusals))


def _read_entries(folder: zipfile.ZipFile, entries: Iterable[zipfile.ZipInfo]) -> tuple[list[str], list[str]]:
    """Return the documents, and what is none: its name in the zip with the reason."""
    documents: dict[str, str] = {}
    refusals = []
    for entry in entries:
        try:
            text = _decode_text(_content(folder, entry))
            name = parse(text).name
            if name in documents:
                raise DocumentInvalid(f"name: another one in this file is called {name} too. Rename one of them.")
            documents[name] = text
        except DocumentInvalid as error:
            refusals.append(f"{shown_name(entry.filename)}: {error}")
    return list(documents.values()), refusals


def shown_name(path: str) -> str:
    """Return a name from a file, without signs that steer a terminal or a page, and not longer than a line."""
    name = "".join(sign if sign.isprintable() else "?" for sign in path)
    return name if len(name) <= NAME_SHOWN else f"…{name[1 - NAME_SHOWN :]}"


def _content(folder: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        with folder.open(entry) as file:
            content = file.read(DOCUMENT_BYTES + 1)  # the size in the entry may be wrong
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error):
        raise DocumentInvalid(UNREADABLE) from None
    if len(content) > DOCUMENT_BYTES:
        raise DocumentInvalid(f"The document is too long: at most {DOCUMENT_CHARACTERS:,} characters.")
    return content


def _decode_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DocumentInvalid("This is no text file in UTF-8. Choose a SKILL.md, or a zip of skill folders.") from None


def write_zip(versions: Iterable[SkillVersion]) -> bytes:
    """Return a zip of folders with a SKILL.md each; equal versions give equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as folder:
        for version in versions:
            entry = zipfile.ZipInfo(f"{version.skill.name}/SKILL.md", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            folder.writestr(entry, version.document)
    return file.getvalue()
