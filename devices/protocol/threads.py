"""Frames of threads, and of what is deleted from the conversation."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from devices.protocol.base import Part, Seq, Text, Time, no_nul

THREAD_NAME_CHARACTERS = 80
THREADS_MAX = 100
GONE_MAX = 200
ThreadName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=THREAD_NAME_CHARACTERS, strip_whitespace=True),
    AfterValidator(no_nul),
]


class ThreadInfo(Part):
    """`used_at`: when the owner last wrote in it."""

    id: UUID
    name: str
    used_at: Time


class ThreadsFetch(Part):
    """Search for threads whose name holds a text."""

    type: Literal["threads.fetch"] = "threads.fetch"
    ref: UUID
    text: Annotated[Text, Field(max_length=200)]


class ThreadRename(Part):
    type: Literal["thread.rename"] = "thread.rename"
    ref: UUID
    thread_id: UUID
    name: ThreadName


class ThreadDelete(Part):
    """Delete a thread with its messages. `thread.restore` takes that back for a day."""

    type: Literal["thread.delete"] = "thread.delete"
    ref: UUID
    thread_id: UUID


class ThreadRestore(Part):
    type: Literal["thread.restore"] = "thread.restore"
    ref: UUID
    thread_id: UUID


class MessageDelete(Part):
    """Delete a message, a question with its answer. `message.restore` takes that back for a day."""

    type: Literal["message.delete"] = "message.delete"
    ref: UUID
    message_id: UUID


class MessageRestore(Part):
    type: Literal["message.restore"] = "message.restore"
    ref: UUID
    message_id: UUID


class ThreadsSync(Part):
    """The threads that were used last, newest first: after `welcome`, and whenever one is begun, renamed or deleted.

    `more`: whether there are others, which `threads.fetch` finds.
    """

    type: Literal["threads.sync"] = "threads.sync"
    threads: list[ThreadInfo]
    more: bool


class ThreadsFound(Part):
    type: Literal["threads.found"] = "threads.found"
    ref: UUID
    threads: list[ThreadInfo]
    more: bool


class SeqRange(Part):
    """Numbers of messages, both ends included."""

    first: Seq
    last: Seq


class MessagesGone(Part):
    """Messages that were deleted: remove what is stored of them."""

    type: Literal["messages.gone"] = "messages.gone"
    ranges: list[SeqRange]
