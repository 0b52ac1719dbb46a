"""Frames of the handshake, and the bodies of pairing."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from devices.protocol.base import Base64Url, Keeping, Label, Name, Nonce, Part, Seq, is_none
from devices.protocol.grants import GrantInfo


class Client(Part):
    name: Label
    version: Label
    browser: Label


class DeviceInfo(Part):
    id: UUID
    label: str
    tool_use: bool
    keeping: Keeping


class OwnerInfo(Part):
    name: str
    timezone: str


class Misfit(Part):
    """The extension is of another release than Penny, whose version is `version`."""

    extension: Literal["older", "newer"]
    version: Label


class AuthHello(Part):
    type: Literal["auth.hello"] = "auth.hello"
    device_id: UUID
    nonce: Nonce
    protocol: int
    client: Client


class AuthProof(Part):
    type: Literal["auth.proof"] = "auth.proof"
    signature: Base64Url
    tools: Annotated[list[Name], Field(max_length=64)]
    cursor: Seq | None


class AuthChallenge(Part):
    type: Literal["auth.challenge"] = "auth.challenge"
    nonce: Nonce
    signature: Base64Url


class Welcome(Part):
    """The state at the start of a connection. `has_model`: whether a model writes the answers."""

    type: Literal["welcome"] = "welcome"
    device: DeviceInfo
    owner: OwnerInfo
    grants: list[GrantInfo]
    unread_thoughts: int
    seq: Seq
    has_model: bool = True
    misfit: Misfit | None = Field(default=None, exclude_if=is_none)


class PairRequest(Part):
    """A request to pair. `code`: 8 digits, spaces and hyphens ignored; `public_key`: SPKI DER.

    The key is P-256, in base64url.
    """

    code: Annotated[str, StringConstraints(max_length=32)]
    label: Label
    kind: Literal["browser", "api"]
    public_key: Base64Url


class PairResponse(Part):
    device_id: UUID
    server_public_key: Base64Url
