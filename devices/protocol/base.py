"""Limits, close codes and base types of the wire contract."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints

VERSION = 1
FRAME_BYTES = 512 * 1024
UNAUTHENTICATED_BYTES = 4 * 1024
UNAUTHENTICATED_S = 5
UNACKNOWLEDGED_MESSAGES = 64
UNREAD_BYTES = 4 * 1024 * 1024
IMAGE_CHARACTERS = 350_000  # 256 KiB in base64, with its prefix
FIRST_MESSAGES = 50
CLOSE_MALFORMED = 4400
CLOSE_NOT_PROVEN = 4401
CLOSE_REVOKED = 4403
CLOSE_REPLACED = 4409
CLOSE_TOO_LARGE = 4413
CLOSE_WAITS = 4423
CLOSE_VERSION = 4426
CLOSE_TOO_SLOW = 4429


class Malformed(ValueError):
    """A frame outside the contract; the socket closes with 4400."""


def no_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("a text may not hold the character NUL")
    return value


def _rfc3339(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_none(value: object) -> bool:
    return value is None


Text = Annotated[str, AfterValidator(no_nul)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=64, strip_whitespace=True), AfterValidator(no_nul)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[a-z][a-z0-9_]*$")]
Base64Url = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=1024)]
Nonce = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", min_length=22, max_length=86)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=8192), AfterValidator(no_nul)]
Image = Annotated[str, StringConstraints(min_length=1, max_length=IMAGE_CHARACTERS), AfterValidator(no_nul)]
Host = Annotated[str, StringConstraints(min_length=1, max_length=260), AfterValidator(no_nul)]
Time = Annotated[AwareDatetime, PlainSerializer(_rfc3339, return_type=str, when_used="json")]
Seq = Annotated[int, Field(ge=0, le=2**53 - 1)]
Capability = Literal["read", "act"]
GrantCapability = Literal["read", "act", "keep"]  # the last one is never asked for
Keeping = Literal["off", "sites", "all"]
GrantState = Literal["allowed", "blocked"]
Scope = Literal["once", "run", "hour", "always"]
Session = Literal["owner", "clean"]
View = UUID | Literal["main"]  # the messages of one thread, or those of none


class Part(BaseModel):
    """Base of everything on the wire: frozen, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
