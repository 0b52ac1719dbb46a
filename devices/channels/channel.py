"""The interface of every channel. Callers ask what a channel can do, never which it is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from devices.models import Device


class Can(StrEnum):
    """Abilities of a channel besides carrying text."""

    REACT = "react"
    TYPE = "type"
    EDIT = "edit"
    DELETE = "delete"
    QUOTE = "quote"
    IMAGES = "images"
    REPEAT = "repeat"  # a part that is sent again replaces the first copy
    HOLD_CONVERSATION = "conversation"  # the owner can answer there
    PAGE_WORDS = "page words"  # no third party sees it: it may carry words of pages


@dataclass(frozen=True)
class Limits:
    """The limits of a channel: characters of one part, and parts of one message.

    `in_bytes`: a part is measured in bytes of UTF-8. `close_parts`: closes a style in which a part ends, and opens it
    again in the next part.
    """

    characters: int
    parts: int
    in_bytes: bool = False
    close_parts: Callable[[list[str]], list[str]] | None = None

    def fitting(self, text: str) -> int:
        """Return how many characters from the start of a text fit into one part."""
        if not self.in_bytes:
            return self.characters
        return len(text[: self.characters].encode()[: self.characters].decode(errors="ignore"))


class NotSent(Exception):
    """Nothing was sent, and a retry would be in vain. The text says why."""


class TryLater(NotSent):
    """Nothing was sent; a retry is possible after `after_s`.

    `problem`: the problem code of the line, if it has one.
    """

    def __init__(self, why: str, after_s: float, problem: str = "") -> None:
        super().__init__(why)
        self.after_s, self.problem = after_s, problem


class OutcomeUnknown(Exception):
    """The channel gave no clear answer: a retry might send a second copy."""


@dataclass(frozen=True)
class Target:
    """A message on the channel, by its author and timestamp."""

    author: str
    timestamp: int
    text: str = ""


@dataclass(frozen=True)
class Less:
    """The link for "less like this", and its label."""

    link: str
    label: str = "Less like this"


@dataclass(frozen=True)
class Piece:
    """One part to send.

    `key`: equal for another attempt at the same part. `link`: where the owner reads it. `less`: for owners who cannot
    give a thumb there. `pictures`: data: URLs. `edits`: the channel's id of the part to replace. `kept_s`: how long the
    channel may hold the part for an absent device; None leaves that to the channel.
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
    """A line that identifies messages and returns receipts; its state is stored by name.

    `author`: returns the number that Penny writes with. `explain`: returns what a problem code means, and what to do.
    """

    name: str
    author: Callable[[], str]
    explain: Callable[[str], str]


class Channel(Protocol):
    """One kind of channel. Its calls raise only TryLater, NotSent or OutcomeUnknown."""

    @property
    def can(self) -> frozenset[Can]: ...

    @property
    def limits(self) -> Limits: ...

    @property
    def is_queued(self) -> bool:
        """Whether deliveries wait in the outbox; sockets read the conversation themselves."""
        ...

    @property
    def line(self) -> Line | None:
        """The line; None if nothing comes back but whether a part was accepted."""
        ...

    def reaches(self, device: Device) -> bool:
        """Return whether the device can be reached now, as far as is known."""
        ...

    def comes_back(self, device: Device) -> bool:
        """Return whether the device may be reached before long; its queue waits for that."""
        ...

    def written(self, markdown: str) -> str:
        """Return Markdown in the format of this channel."""
        ...

    async def send(self, device: Device, piece: Piece) -> str:
        """Send one part; return the channel's id of it."""
        ...

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """Put an emoji on a message; None removes Penny's own."""
        ...

    async def type(self, device: Device, is_typing: bool) -> None:
        """Show or hide the typing indicator."""
        ...

    async def delete(self, device: Device, part_id: str) -> None:
        """Take a part back, by the channel's id of it."""
        ...
