"""Frames of grants, asks and approvals."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from devices.protocol.acting import Shown
from devices.protocol.base import (
    Capability,
    GrantCapability,
    GrantState,
    Host,
    Part,
    Scope,
    Session,
    Text,
    Time,
    is_none,
)

ANSWER_CHARACTERS, OPTION_CHARACTERS = 500, 100


class GrantInfo(Part):
    """A grant. `used_at`: its last use, to the minute; absent if it was never used."""

    host: Host
    capability: GrantCapability
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
    """An answer to `approval.ask`. `words`: to a question of the operator."""

    type: Literal["approval.answer"] = "approval.answer"
    request_id: UUID
    decision: Literal["allow", "deny", "dismiss"]
    words: Annotated[Text, Field(max_length=ANSWER_CHARACTERS)] = ""


class AskLate(Part):
    """A yes to a question that nobody answered in time. The message is asked again as `turn_id`."""

    type: Literal["ask.late"] = "ask.late"
    ask_id: UUID
    turn_id: UUID


class GrantSet(Part):
    type: Literal["grant.set"] = "grant.set"
    host: Host
    capability: GrantCapability
    state: GrantState
    scope: Scope
    session: Session | None = Field(default=None, exclude_if=is_none)


class GrantRevoke(Part):
    type: Literal["grant.revoke"] = "grant.revoke"
    host: Host
    capability: GrantCapability


class GrantAsk(Part):
    """A question about a site. Nobody waits beside one of background work, which reads without the owner's logins.

    `engine`: the name of the search engine that the site is, else empty.
    """

    type: Literal["grant.ask"] = "grant.ask"
    request_id: UUID
    host: Host
    engine: str = ""
    capability: Capability
    reason: str
    is_background: bool = False
    expires_at: Time


class GrantDismiss(Part):
    type: Literal["grant.dismiss"] = "grant.dismiss"
    request_id: UUID


class PageQuestion(Part):
    """What an operator asks the owner, made by a page as likely as by Penny. `options`: answers to choose from."""

    host: Host
    options: Annotated[list[Annotated[Text, Field(max_length=OPTION_CHARACTERS)]], Field(max_length=4)]


class ApprovalAsk(Part):
    """A question about one act, with `details` of what it would send; or a `question` that is answered in words."""

    type: Literal["approval.ask"] = "approval.ask"
    request_id: UUID
    text: str
    details: Shown | None = Field(default=None, exclude_if=is_none)
    question: PageQuestion | None = Field(default=None, exclude_if=is_none)
    is_background: bool = False
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
