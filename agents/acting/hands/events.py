"""What `manage.py hands` prints: one JSON object a line. The handbook has an example of each."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Snapshot(_Event):
    """The page, or a part of it, as the operator sees it. Words of the page."""

    event: Literal["snapshot"] = "snapshot"
    url: str
    title: str
    part: int
    parts: int
    lines: int
    refs: int
    text: str


class Match(_Event):
    line: str
    part: int
    ref: str | None


class Matches(_Event):
    event: Literal["found"] = "found"
    words: str
    matches: list[Match]


class Effect(_Event):
    """What `go` or `wait` did. `dialog`: what the page said in a window of the browser."""

    event: Literal["effect"] = "effect"
    did: Literal["go", "wait"]
    url: str
    has_navigated: bool
    dialog: str | None
    changes: str


class Question(_Event):
    """The owner is asked on their devices."""

    event: Literal["asked"] = "asked"
    site: str
    text: str


class Refusal(_Event):
    """One line was not carried out. The session goes on."""

    event: Literal["refused"] = "refused"
    code: str
    text: str


class ReadPage(_Event):
    """The page as a reader would get it. `notice`: what the page shows in place of its content."""

    event: Literal["read"] = "read"
    url: str
    title: str
    text: str
    words: int | None
    is_cut: bool
    notice: str | None


class End(_Event):
    event: Literal["end"] = "end"
    code: str
    text: str


Event = Annotated[
    Snapshot | Matches | Effect | Question | Refusal | ReadPage | End,
    Field(discriminator="event"),
]
