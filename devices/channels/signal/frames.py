"""Frames from signal-cli-rest-api (receive.* of its API description), as far as needed."""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

# Kinds of messages without words, by their fields.
KINDS = {
    "sticker": "a sticker",
    "contacts": "a contact card",
    "pollCreate": "a poll",
    "payment": "a payment",
    "giftBadge": "a gift",
    "location": "a location",
    "storyContext": "a reply to a story",
}
# What stands beside words, or changes another message.
_BESIDE = frozenset({
    "mentions", "previews", "textStyles", "pollVote", "pollTerminate", "pinMessage", "unpinMessage", "adminDelete",
    "groupCallUpdate",
})  # fmt: skip
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # as in JSON: not after a backslash that is escaped itself


class Unreadable(Exception):
    """A frame looks like a message but does not match the description; names the fields."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, data: Any) -> Any:
        """Drop null values: null means absent."""
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data


class Attachment(_Part):
    id: str = Field(max_length=200)
    contentType: str = Field(default="", max_length=200)  # noqa: N815  as it is on the wire, here and below
    filename: str | None = Field(default=None, max_length=500)
    size: int | None = None
    voiceNote: bool | None = None  # noqa: N815  where the server says it

    @property
    def is_sound(self) -> bool:
        return self.contentType.startswith("audio/")

    @property
    def may_be_recorded(self) -> bool:
        """Whether the sender may have recorded it in Signal. A recording has no name there, as a file has."""
        return self.is_sound and (not self.filename if self.voiceNote is None else self.voiceNote)

    @property
    def is_picture(self) -> bool:
        return self.contentType.startswith("image/")


class Quote(_Part):
    id: int
    author: str | None = None
    authorNumber: str | None = None  # noqa: N815
    authorUuid: str | None = None  # noqa: N815

    @property
    def authors(self) -> set[str]:
        return {name for name in (self.author, self.authorNumber, self.authorUuid) if name}


class Reaction(_Part):
    emoji: str = Field(max_length=64)
    isRemove: bool = False  # noqa: N815
    targetAuthor: str | None = None  # noqa: N815
    targetAuthorNumber: str | None = None  # noqa: N815
    targetAuthorUuid: str | None = None  # noqa: N815
    targetSentTimestamp: int  # noqa: N815

    def is_on_message_of(self, account: str, reactor: str) -> bool:
        """Return whether the reaction is on a message of this account.

        If the author is known by id alone, any author but the reactor counts as the account.
        """
        number = self.targetAuthorNumber or (self.targetAuthor if (self.targetAuthor or "").startswith("+") else None)
        return number == account if number else self.targetAuthorUuid != reactor or not reactor


class RemoteDelete(_Part):
    timestamp: int


class DataMessage(_Part):
    model_config = ConfigDict(extra="allow", frozen=True)

    timestamp: int | None = None
    message: str | None = None
    attachments: list[Attachment] = []
    quote: Quote | None = None
    reaction: Reaction | None = None
    remoteDelete: RemoteDelete | None = None  # noqa: N815
    groupInfo: dict[str, Any] | None = None  # noqa: N815
    isExpirationUpdate: bool = False  # noqa: N815
    viewOnce: bool = False  # noqa: N815

    @property
    def words(self) -> str:
        return (self.message or "").strip()

    @property
    def kind(self) -> str:
        """What the message is, if that is nothing to be read; empty for words, files and what changes a message.

        A kind that is not known has a field of its own with more than a number in it.
        """
        more = {name for name, value in (self.model_extra or {}).items() if value and isinstance(value, dict | list)}
        if self.words or self.attachments:
            more = (more & KINDS.keys()) - {"storyContext"}  # the words answer the story
        return next((KINDS.get(name, "this kind of message") for name in sorted(more - _BESIDE)), "")

    @property
    def is_words(self) -> bool:
        """Whether the message is text and nothing else."""
        return bool(self.words) and not (
            self.attachments or self.reaction or self.remoteDelete or self.isExpirationUpdate or self.kind
        )


class EditMessage(_Part):
    targetSentTimestamp: int  # noqa: N815
    dataMessage: DataMessage  # noqa: N815


class SentMessage(DataMessage):
    destination: str | None = None
    destinationNumber: str | None = None  # noqa: N815
    destinationUuid: str | None = None  # noqa: N815
    editMessage: EditMessage | None = None  # noqa: N815


class SyncMessage(_Part):
    sentMessage: SentMessage | None = None  # noqa: N815


class ReceiptMessage(_Part):
    isDelivery: bool = False  # noqa: N815
    isRead: bool = False  # noqa: N815
    isViewed: bool = False  # noqa: N815
    timestamps: list[int] = []


class Envelope(_Part):
    source: str | None = None
    sourceNumber: str | None = None  # noqa: N815
    sourceUuid: str | None = None  # noqa: N815
    timestamp: int
    dataMessage: DataMessage | None = None  # noqa: N815
    editMessage: EditMessage | None = None  # noqa: N815
    syncMessage: SyncMessage | None = None  # noqa: N815
    receiptMessage: ReceiptMessage | None = None  # noqa: N815

    @property
    def authors(self) -> set[str]:
        return {name for name in (self.source, self.sourceNumber, self.sourceUuid) if name}

    @property
    def number(self) -> str:
        """The sender's number, empty if they hide it."""
        return next((name for name in (self.sourceNumber, self.source) if name and name.startswith("+")), "")

    def to_self(self, account: str) -> SentMessage | None:
        """Return what the owner wrote to themselves from another device of this account."""
        message = self.syncMessage.sentMessage if self.syncMessage else None
        if message is None:
            return None
        to = {message.destination, message.destinationNumber, message.destinationUuid} - {None}
        return message if to and to <= (self.authors | {account}) else None

    def edit_by(self, account: str) -> EditMessage | None:
        """Return the owner's edit of a message, also of one to themselves."""
        to_self = self.to_self(account)
        return self.editMessage or (to_self.editMessage if to_self else None)


class Frame(_Part):
    account: str = ""
    envelope: Envelope


def without_nul(text: str | bytes) -> str:
    """Remove the character NUL from a frame: PostgreSQL cannot store it."""
    return _NUL.sub(r"\1", text if isinstance(text, str) else text.decode(errors="replace"))


def parse_frame(text: str) -> Frame | None:
    """Parse a frame; None for other texts, as a server error. Raises Unreadable."""
    try:
        return Frame.model_validate_json(text)
    except ValidationError as error:
        wrong = [".".join(map(str, item["loc"])) for item in error.errors(include_input=False, include_url=False)]
    if any(where.startswith("envelope.") for where in wrong):
        raise Unreadable(", ".join(wrong)[:200])
    return None
