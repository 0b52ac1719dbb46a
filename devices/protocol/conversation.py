"""Frames of the conversation: messages, turns, history, pictures, commands."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, field_validator

from devices.protocol.base import Host, Label, Name, Part, Seq, Text, Time, Url, View, is_none
from devices.protocol.pages import Page, PageHeader

SEALED_CHARACTERS = 48_000
Sealed = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]+$", max_length=SEALED_CHARACTERS)]
MessageKind = Literal["chat", "notification", "reaction", "command", "cancelled", "failure"]


class AttachmentInfo(Part):
    """What a message shows of its file.

    `image`: of a picture, as soon as its question is being answered.
    """

    name: str
    mime: str
    size_bytes: int
    image: Url | None = Field(default=None, exclude_if=is_none)


class Receipt(Part):
    """What an answer took. `sites`, `searches` and `acts`: how many were read, made, and done on pages.

    `sent_to`: the hosts off this machine whose models got the owner's words. `cost`: in the owner's currency, as words;
    empty without a price. `unseen_before`: what was said before was not seen for it, which is told once.
    """

    sites: Annotated[int, Field(ge=0)]
    searches: Annotated[int, Field(ge=0)]
    acts: Annotated[int, Field(ge=0)] = 0
    sent_to: Annotated[list[str], Field(max_length=4)]
    cost: str
    unseen_before: Time | None = Field(default=None, exclude_if=is_none)


class LateAsk(Part):
    """A question of a turn that nobody answered in time. Until `until` a yes allows the hosts and asks again.

    `engine`: the name of the search engine that the host is, else empty.
    """

    ask_id: UUID
    hosts: Annotated[list[Host], Field(min_length=1, max_length=8)]
    engine: str = ""
    until: Time


class Message(Part):
    """One entry of the conversation.

    `html` is sanitised on the server. `origin`: where its words come from. `device_id`: the device that the owner wrote
    on, as long as Penny knows it. `reaction`: of a message of that kind, the reaction to its thought afterwards: 1, -1,
    or 0 for none. `temporary`: outside the conversation, with `seq` 0, and deleted soon. `sealed`: such a question and
    answer, which the device sends back with the next one. `goes_on`: an answer that is not whole; the reply “go on” has
    Penny go on with it.
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
    receipt: Receipt | None = Field(default=None, exclude_if=is_none)
    late_asks: list[LateAsk] | None = Field(default=None, exclude_if=is_none)
    goes_on: bool | None = Field(default=None, exclude_if=is_none)


class Attachment(Part):
    """A text file or a picture. Untrusted, its name too."""

    name: Label
    mime: Label
    data: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]*$")]


class ChatSend(Part):
    """A message from the owner.

    `thread`: begun by the first message with its id; a reply goes to the thread of its parent. `earlier`: of a
    temporary one, the `sealed` of those before, oldest first. `mode`: with `act`, Penny may do something on pages for
    this message; `tab`: the site in front of the owner, whose tab she may use then.
    """

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
    mode: Literal["ask", "act"] | None = Field(default=None, exclude_if=is_none)
    tab: Host | None = Field(default=None, exclude_if=is_none)

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
    """Ask for older messages: of one view, or of the whole conversation."""

    type: Literal["history.fetch"] = "history.fetch"
    before_seq: Seq
    limit: Annotated[int, Field(ge=1, le=100)]
    thread: View | None = Field(default=None, exclude_if=is_none)


class HistorySearch(Part):
    """Search for messages that hold all of these words.

    `before_seq`: only older ones. `thread`: only those of a view.
    """

    type: Literal["history.search"] = "history.search"
    ref: UUID
    text: Annotated[Text, Field(min_length=1, max_length=200)]
    before_seq: Seq | None = Field(default=None, exclude_if=is_none)
    thread: View | None = Field(default=None, exclude_if=is_none)


class PictureFetch(Part):
    """Ask for a picture. `name`: the part of its address before `.webp`."""

    type: Literal["picture.fetch"] = "picture.fetch"
    ref: UUID
    name: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class CommandsFetch(Part):
    """Ask for commands. `begun`: the beginning of a command's name, with or without its slash."""

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
    thread: View | None = Field(default=None, exclude_if=is_none)


class HistoryFound(Part):
    """At most 20 messages, oldest first. `more`: whether older ones match too."""

    type: Literal["history.found"] = "history.found"
    ref: UUID
    messages: list[Message]
    more: bool


class CommandInfo(Part):
    """One command: its name, its arguments, what it does."""

    name: str
    usage: str
    does: str


class Commands(Part):
    type: Literal["commands"] = "commands"
    ref: UUID
    commands: list[CommandInfo]


class Picture(Part):
    """A picture that Penny encoded: WebP, in base64."""

    type: Literal["picture"] = "picture"
    ref: UUID
    data: str


class TurnStarted(Part):
    """A turn began. `text`: all of its text so far, which replaces what the client shows."""

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


class TurnError(Part):
    code: Name
    message: Annotated[Text, Field(max_length=1000)]


class TurnFailed(Part):
    type: Literal["turn.failed"] = "turn.failed"
    turn_id: UUID
    message: Message
    error: TurnError
