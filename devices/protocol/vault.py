"""Frames of the vault: what the owner keeps of what they read."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from devices.protocol.base import Part, Time, is_none, no_nul
from devices.protocol.pages import Page

CONTACTS = 20
MASKED_MAX = 50_000
Email = Annotated[
    str,
    StringConstraints(
        max_length=254, pattern=r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z]{2,24}$"
    ),
]
Phone = Annotated[str, StringConstraints(pattern=r"^\+?[0-9]{5,15}$")]
Profile = Annotated[
    str,
    StringConstraints(max_length=200, pattern=r"^https://([a-z0-9-]{1,63}\.)+[a-z]{2,24}/[^\s?#]+(\?id=[0-9]{1,20})?$"),
    AfterValidator(no_nul),
]


class Contacts(Part):
    """How those whom a page names can be reached. Its addresses stand in attributes as well, which its text lacks.

    `emails`, `phones` (digits, with `+` before a country code) and `profiles` (web addresses). All of it is untrusted.
    """

    emails: Annotated[list[Email], Field(max_length=CONTACTS)] = Field(default_factory=list)
    phones: Annotated[list[Phone], Field(max_length=CONTACTS)] = Field(default_factory=list)
    profiles: Annotated[list[Profile], Field(max_length=CONTACTS)] = Field(default_factory=list)


class PageKeep(Part):
    """Keep a page. `auto`: the browser keeps it by itself, `asked`: the owner pressed a button for it.

    `masked`: how many secrets the browser covered in its text. `private_window`: the page stands in one. `asks_secret`:
    a field for a password, a card or a code can be seen on it. Without these two it is not kept. Answered by `ack`, or
    by an error that says why the page is not kept.
    """

    type: Literal["page.keep"] = "page.keep"
    ref: UUID
    page: Page
    why: Literal["auto", "asked"]
    contacts: Contacts | None = Field(default=None, exclude_if=is_none)
    masked: Annotated[int, Field(ge=0, le=MASKED_MAX)]
    private_window: bool | None = Field(default=None, exclude_if=is_none)
    asks_secret: bool | None = Field(default=None, exclude_if=is_none)


class KeptLook(Part):
    """Ask whether a page is kept. Answered by `kept.state`.

    `key`: the checksum of its address as it would be stored, so that asking tells the address of no page.
    """

    type: Literal["kept.look"] = "kept.look"
    ref: UUID
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class KeptState(Part):
    """When the page was kept, and the entry of its newest version. Both are absent where it is not kept."""

    type: Literal["kept.state"] = "kept.state"
    ref: UUID
    kept_at: Time | None = Field(default=None, exclude_if=is_none)
    entry: UUID | None = Field(default=None, exclude_if=is_none)
