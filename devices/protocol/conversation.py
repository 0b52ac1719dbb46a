from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, field_validator

from devices.protocol.base import Label, Part, Seq, Text, Time, Url, is_none
from devices.protocol.pages import Page, PageHeader
from devices.protocol.tools import ToolError

SEALED_CHARACTERS = 48_000


Sealed = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]+$", max_length=SEALED_CHARACTERS)]


MessageKind = Literal["chat", "notification", "reaction", "command", "cancelled", "failure"]


class AttachmentInfo(Part):
    """What a message shows of a file that came with it. `image`: of a picture, once its question is being answered."""

    name: str
    mime: str
    size_bytes: int
    image: Url | None = Field(default=None, exclude_if=is_none)


class Message(Part):
    """One entry of the conversation. `html` is sanitised on the server; `origin` names the labels of DESIGN.md §4.

    `device_id`: of a message of the owner's, the device that it was written on, as long as Penny knows it. `reaction`:
    of a message of that kind, what stands of its thought after it: 1, -1, or 0 where it was taken back. `temporary`: it
    belongs to no conversation, has no place in one (`seq` 0), and is gone soon. `sealed`: what a device gives back of
    such an answer and its question with the next one.
    """

    id: UUID
    seq: Seq
    thread: UUID | None = Field(default=None, exclude_if=is_none)
    device_label: str
    device_id: UUID | None = Field(default=None, exclude_if=is_none)
    direction: Literal["in", "out"]
    kind: MessageKind
    text: str
    html: str
    created_at: Time
    turn_id: UUID | None = Field(default=None, exclude_if=is_none)
    thought_id: UUID | None = Field(default=None, exclude_if=is_none)
    parent_id: UUID | None = Field(default=None, exclude_if=is_none)
    origin: list[str]
    page: PageHeader | None = Field(default=None, exclude_if=is_none)
    reaction: Literal[1, -1, 0] | None = Field(default=None, exclude_if=is_none)
    temporary: bool | None = Field(default=None, exclude_if=is_none)
    sealed: Sealed | None = Field(default=None, exclude_if=is_none)
    attachments: list[AttachmentInfo] | None = Field(default=None, exclude_if=is_none)


class Attachment(Part):
    """A text file or a picture. Always untrusted, its name too."""

    name: Label
    mime: Label
    data: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]*$")]


class ChatSend(Part):
    """`earlier`: of a temporary question, what `sealed` said of those before it, the oldest first."""

    type: Literal["chat.send"] = "chat.send"
    turn_id: UUID
    text: Annotated[Text, Field(min_length=1, max_length=32_000)]
    page: Page | None = Field(default=None, exclude_if=is_none)
    attachments: Annotated[list[Attachment], Field(max_length=8)] | None = Field(default=None, exclude_if=is_none)
    thread: UUID | None = Field(default=None, exclude_if=is_none)
    parent_id: UUID | None = Field(default=None, exclude_if=is_none)
    thought_id: UUID | None = Field(default=None, exclude_if=is_none)
    temporary: bool | None = Field(default=None, exclude_if=is_none)
    earlier: Annotated[list[Sealed], Field(max_length=8)] | None = Field(default=None, exclude_if=is_none)

    @field_validator("text")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("a message needs some text")
        return value


class TurnCancel(Part):
    type: Literal["turn.cancel"] = "turn.cancel"
    turn_id: UUID


class HistoryFetch(Part):
    type: Literal["history.fetch"] = "history.fetch"
    before_seq: Seq
    limit: Annotated[int, Field(ge=1, le=100)]


class HistorySearch(Part):
    """The messages that hold all of these words, the newest first looked at; `before_seq`: only older ones than
    that.
    """

    type: Literal["history.search"] = "history.search"
    ref: UUID
    text: Annotated[Text, Field(min_length=1, max_length=200)]
    before_seq: Seq | None = Field(default=None, exclude_if=is_none)


class PictureFetch(Part):
    """`name`: of a picture that Penny serves, as it stands in its address before `.webp`."""

    type: Literal["picture.fetch"] = "picture.fetch"
    ref: UUID
    name: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class CommandsFetch(Part):
    """`begun`: what was typed of a command's name, with its slash or without."""

    type: Literal["commands.fetch"] = "commands.fetch"
    ref: UUID
    begun: Annotated[str, StringConstraints(max_length=32)] = ""


class MessageAck(Part):
    type: Literal["message.ack"] = "message.ack"
    seq: Seq


class MessageNew(Part):
    type: Literal["message.new"] = "message.new"
    message: Message


class HistoryPage(Part):
    type: Literal["history.page"] = "history.page"
    messages: list[Message]
    more: bool


class HistoryFound(Part):
    """At most 20 messages, oldest first; `more`: whether older ones hold the words too."""

    type: Literal["history.found"] = "history.found"
    ref: UUID
    messages: list[Message]
    more: bool


class CommandInfo(Part):
    """One command: its name, what follows it, what it does."""

    name: str
    usage: str
    does: str


class Commands(Part):
    type: Literal["commands"] = "commands"
    ref: UUID
    commands: list[CommandInfo]


class Picture(Part):
    """A picture as Penny encoded it: a WebP, in base64."""

    type: Literal["picture"] = "picture"
    ref: UUID
    data: str


class TurnStarted(Part):
    """`text` is the whole text so far and replaces what was shown of the turn."""

    type: Literal["turn.started"] = "turn.started"
    turn_id: UUID
    attempt: int
    device_label: str
    text: str


class TurnDelta(Part):
    type: Literal["turn.delta"] = "turn.delta"
    turn_id: UUID
    attempt: int
    index: int
    text: str


class TurnStatus(Part):
    type: Literal["turn.status"] = "turn.status"
    turn_id: UUID
    text: str


class TurnDone(Part):
    type: Literal["turn.done"] = "turn.done"
    turn_id: UUID
    message: Message


class TurnFailed(Part):
    type: Literal["turn.failed"] = "turn.failed"
    turn_id: UUID
    message: Message
    error: ToolError
