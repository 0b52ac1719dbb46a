"""What every channel can be told. Who speaks to one knows what it can do, never which it is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from devices.models import Device


class Can(StrEnum):
    """What a channel may be able to do besides carrying words."""

    REACT = "react"
    TYPE = "type"
    EDIT = "edit"
    DELETE = "delete"
    QUOTE = "quote"
    IMAGES = "images"
    REPEAT = "repeat"  # the same sent again takes the place of what came before
    HOLD_CONVERSATION = "conversation"  # what is sent over it can be answered there
    PAGE_WORDS = (
        "page words"  # it stays between the owner's devices and Penny: words of pages may go over it as they are
    )


@dataclass(frozen=True)
class Limits:
    """What one part of a message may hold on this channel, in characters, and how many parts one message may come in.
    `marks`: what stands before and behind styled words, the longer ones first: a style in which a part ends is closed
    there and opened again in the next.
    """

    characters: int
    parts: int
    marks: tuple[str, ...] = ()


class NotSent(Exception):
    """Nothing was sent, and sending the same again would be in vain. The text says why."""


class TryLater(NotSent):
    """Nothing was sent; the same may be sent again after so many seconds. `problem`: the line's own, where it has
    one.
    """

    def __init__(self, why: str, after_s: float, problem: str = "") -> None:
        super().__init__(why)
        self.after_s, self.problem = after_s, problem


class OutcomeUnknown(Exception):
    """The line took the request and did not say what came of it: sending the same again might send it twice."""


@dataclass(frozen=True)
class Target:
    """A message of the other side's or of ours, as the line names it."""

    author: str
    timestamp: int
    text: str = ""


@dataclass(frozen=True)
class Less:
    """Where the owner says that they want less of what was sent, and what that is called."""

    link: str
    called: str = "Less like this"


@dataclass(frozen=True)
class Piece:
    """One part of what is sent. `key`: the same when the same is sent again; `link`: where the owner reads it; `less`:
    how they get less like it where they can give no thumb; `pictures`: data: URLs; `edits`: what the line called the
    part whose place it takes; `kept_s`: for how long the line may keep it for a device that is away, None where that is
    up to the line.
    """

    text: str
    key: str = ""
    link: str = ""
    less: Less | None = None
    pictures: list[str] = field(default_factory=list)
    quotes: Target | None = None
    edits: str = ""
    kept_s: float | None = None


@dataclass(frozen=True)
class Line:
    """A line that names each message, and of which proofs come back: how it stands is kept by its name. `author`:
    returns as whom Penny writes there; `explain`: returns what a problem that sending found means, and what to do.
    """

    name: str
    author: Callable[[], str]
    explain: Callable[[str], str]


class Channel(Protocol):
    """One kind of line. The calls raise TryLater, NotSent or OutcomeUnknown, and nothing else."""

    @property
    def can(self) -> frozenset[Can]: ...

    @property
    def limits(self) -> Limits: ...

    @property
    def is_queued(self) -> bool:
        """Whether what goes out waits in the outbox; sockets read the conversation themselves."""
        ...

    @property
    def line(self) -> Line | None:
        """None where nothing comes back but whether something was taken."""
        ...

    def reaches(self, device: Device) -> bool:
        """Whether something that is sent to this device now has a way to it, as far as anybody knows."""
        ...

    def comes_back(self, device: Device) -> bool:
        """Whether it may be reached again before long, where it is not now: what is queued for it waits for that."""
        ...

    def written(self, markdown: str) -> str:
        """Return Markdown as this channel shows it."""
        ...

    async def send(self, device: Device, piece: Piece) -> str:
        """Send one part and return what the line calls it."""
        ...

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """Put an emoji on a message, or take ours away."""
        ...

    async def type(self, device: Device, is_typing: bool) -> None:
        """Show that an answer is being written, or no longer."""
        ...

    async def delete(self, device: Device, sent: str) -> None:
        """Take back a part that was sent, by what the line called it."""
        ...
