"""Read and write skill files: a SKILL.md, or a zip of folders with one each.

Other files are left out: scripts are never executed.
"""

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from agents.skills.documents import DOCUMENT_CHARACTERS, DocumentInvalid
from agents.skills.models import SkillVersion

FILE_BYTES, SKILLS_MAX, ENTRIES_MAX = 2 * 1024 * 1024, 50, 2000
DOCUMENT_BYTES = 4 * DOCUMENT_CHARACTERS


@dataclass(frozen=True)
class Bundle:
    """The documents of a file. `note`: a sentence about what was left out."""

    documents: list[str]
    note: str = field(default="")


def read_bundle(data: bytes) -> Bundle:
    """Return the skills in a file. Raises DocumentInvalid."""
    if len(data) > FILE_BYTES:
        raise DocumentInvalid(f"The file is too large: at most {FILE_BYTES // 1024 // 1024} MB.")
    return _read_zip(data) if data.startswith(b"PK\x03\x04") else Bundle([_decode_text(data)])


def _read_zip(data: bytes) -> Bundle:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as folder:
            entries = [entry for entry in folder.infolist() if not entry.is_dir()]
            if len(entries) > ENTRIES_MAX:
                raise DocumentInvalid(f"The file holds more than {ENTRIES_MAX} files.")
            skills = [entry for entry in entries if PurePosixPath(entry.filename).name == "SKILL.md"]
            if not 1 <= len(skills) <= SKILLS_MAX:
                raise DocumentInvalid(f"The file holds {len(skills) or 'no'} SKILL.md; it may hold up to {SKILLS_MAX}.")
            documents = [_decode_text(_content(folder, entry)) for entry in skills]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise DocumentInvalid("This zip file cannot be read. Export it again, without a password.") from None
    others = len(entries) - len(skills)
    return Bundle(
        documents, f"{others} other file{'s' if others > 1 else ''} stayed out: skills hold no code." if others else ""
    )


def _content(folder: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with folder.open(entry) as file:
        content = file.read(DOCUMENT_BYTES + 1)  # the size in the entry may be wrong
    if len(content) > DOCUMENT_BYTES:
        raise DocumentInvalid(f"{entry.filename[:80]} is too long: at most {DOCUMENT_CHARACTERS:,} characters.")
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
