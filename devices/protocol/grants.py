"""Frames of grants, asks and approvals."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from devices.protocol.base import Capability, GrantState, Host, Part, Scope, Session, Time, is_none


class GrantInfo(Part):
    """A grant. `used_at`: its last use, to the minute; absent if it was never used."""

    host: Host
    capability: Capability
    state: GrantState
    scope: Scope
    session: Session
    expires_at: Time | None
    used_at: Time | None = Field(default=None, exclude_if=is_none)


class GrantAnswer(Part):
    type: Literal["grant.answer"] = "grant.answer"
    request_id: UUID
    decision: Literal["allow", "block", "dismiss"]
    scope: Scope | None = Field(default=None, exclude_if=is_none)
    host: Host | None = Field(default=None, exclude_if=is_none)
    session: Session | None = Field(default=None, exclude_if=is_none)


class ApprovalAnswer(Part):
    type: Literal["approval.answer"] = "approval.answer"
    request_id: UUID
    decision: Literal["allow", "deny", "dismiss"]


class GrantSet(Part):
    type: Literal["grant.set"] = "grant.set"
    host: Host
    capability: Capability
    state: GrantState
    scope: Scope
    session: Session | None = Field(default=None, exclude_if=is_none)


class GrantRevoke(Part):
    type: Literal["grant.revoke"] = "grant.revoke"
    host: Host
    capability: Capability


class GrantAsk(Part):
    type: Literal["grant.ask"] = "grant.ask"
    request_id: UUID
    host: Host
    capability: Capability
    reason: str
    expires_at: Time


class GrantDismiss(Part):
    type: Literal["grant.dismiss"] = "grant.dismiss"
    request_id: UUID


class ApprovalAsk(Part):
    type: Literal["approval.ask"] = "approval.ask"
    request_id: UUID
    text: str
    expires_at: Time


class ApprovalDismiss(Part):
    type: Literal["approval.dismiss"] = "approval.dismiss"
    request_id: UUID


class GrantsPage(Part):
    """The place of a frame among those that bring many grants: page `number` of `count`, all with the same `set`."""

    set: Annotated[str, StringConstraints(max_length=64)]
    number: int
    count: int


class GrantsSync(Part):
    """All current grants; with `page` a part of them, which count once each page of the set is there."""

    type: Literal["grants.sync"] = "grants.sync"
    grants: list[GrantInfo]
    page: GrantsPage | None = Field(default=None, exclude_if=is_none)
