"""What comes in from Signal, as signal-cli-rest-api describes it (receive.* of its API description). What is not needed
is left out.
"""

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # as JSON writes it: not where a backslash stands for itself before it


class Unreadable(Exception):
    """Something came in that looks like a message and is not as described: where it is not."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, data: Any) -> Any:
        """What is null is as good as left out."""
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data


class Attachment(_Part):
    id: str = Field(max_length=200)
    contentType: str = Field(default="", max_length=200)  # noqa: N815  as it is on the wire, here and below
    filename: str | None = Field(default=None, max_length=500)
    size: int | None = None

    @property
    def is_voice(self) -> bool:
        return self.contentType.startswith("audio/")

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
        """Whether it is on a message of an account's. Where that is named by an id alone, it is, unless that is the id
        of who reacts.
        """
        number = self.targetAuthorNumber or (self.targetAuthor if (self.targetAuthor or "").startswith("+") else None)
        return number == account if number else self.targetAuthorUuid != reactor or not reactor


class RemoteDelete(_Part):
    timestamp: int


class DataMessage(_Part):
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
    def is_words(self) -> bool:
        """Whether it says something, and that is all there is to it."""
        return bool(self.words) and not (
            self.attachments or self.reaction or self.remoteDelete or self.isExpirationUpdate
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
        """The names under which the sender is known: a number, an id, or both."""
        return {name for name in (self.source, self.sourceNumber, self.sourceUuid) if name}

    @property
    def number(self) -> str:
        """The sender's number, empty where they hide it."""
        return next((name for name in (self.sourceNumber, self.source) if name and name.startswith("+")), "")

    def to_self(self, account: str) -> SentMessage | None:
        """Return what the owner wrote to themselves from another device, where the account is the owner's own."""
        sent = self.syncMessage.sentMessage if self.syncMessage else None
        if sent is None:
            return None
        to = {sent.destination, sent.destinationNumber, sent.destinationUuid} - {None}
        return sent if to and to <= (self.authors | {account}) else None

    def edit_by(self, account: str) -> EditMessage | None:
        """Return what the owner changed a message to, also one to themselves."""
        to_self = self.to_self(account)
        return self.editMessage or (to_self.editMessage if to_self else None)


class Frame(_Part):
    account: str = ""
    envelope: Envelope


def without_nul(text: str | bytes) -> str:
    """Return a frame without the character NUL, which no database of ours may hold."""
    return _NUL.sub(r"\1", text if isinstance(text, str) else text.decode(errors="replace"))


def read(text: str) -> Frame | None:
    """Return a frame, or None for what is none (an error of the server's, say). Raises Unreadable."""
    try:
        return Frame.model_validate_json(text)
    except ValidationError as error:
        wrong = [".".join(map(str, each["loc"])) for each in error.errors(include_input=False, include_url=False)]
    if any(where.startswith("envelope.") for where in wrong):
        raise Unreadable(", ".join(wrong)[:200])
    return None
