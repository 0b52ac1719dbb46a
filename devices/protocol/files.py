"""Frames of a file that the owner keeps, which arrives in parts."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from devices.protocol.base import Label, Part, Text, is_none

FILE_BYTES = 25 * 1024 * 1024
PART_BYTES = 252 * 1024
PARTS = -(-FILE_BYTES // PART_BYTES)
_PART_CHARACTERS = PART_BYTES // 3 * 4


class FileBegin(Part):
    """Begin to send a file, or go on with it after a lost connection. Answered by `file.state`.

    `sha256`: of its bytes. A file that is not whole after ten minutes is deleted.
    """

    type: Literal["file.begin"] = "file.begin"
    ref: UUID
    name: Label
    size_bytes: Annotated[int, Field(ge=1, le=FILE_BYTES)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class FilePart(Part):
    """The part of a file at `index`, in base64url: PART_BYTES; of the last one, the rest. Answered by `file.state`."""

    type: Literal["file.part"] = "file.part"
    ref: UUID
    index: Annotated[int, Field(ge=0, lt=PARTS)]
    data: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=_PART_CHARACTERS)]


class FileEnd(Part):
    """Keep the file: all of it was sent. Answered by `file.state`."""

    type: Literal["file.end"] = "file.end"
    ref: UUID


class FileState(Part):
    """How far a file is: it arrives, is read, is kept, or is refused with `message`. `parts`: those that arrived."""

    type: Literal["file.state"] = "file.state"
    ref: UUID
    step: Literal["arriving", "reading", "kept", "refused"]
    parts: Annotated[int, Field(ge=0, le=PARTS)]
    message: Annotated[Text, AfterValidator(str.strip)] | None = Field(default=None, exclude_if=is_none)
