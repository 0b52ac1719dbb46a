"""Frames of the words that Penny writes where the owner's cursor is: one task on a passage of a page."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from devices.protocol.base import Host, Part, Text, is_none, no_nul

PASSAGE_CHARACTERS, INSTRUCTION_CHARACTERS = 20_000, 1_000

WordingTask = Literal["explain", "rewrite", "write", "translate", "summarise"]
Style = Literal[
    "shorter", "longer", "professional", "friendly", "improved", "simpler", "enthusiastic", "conversational", "custom"
]
Platform = Literal["mail", "chat", "review", "code", "social", "search", "form", "text"]
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$", max_length=35)]
Passage = Annotated[str, StringConstraints(max_length=PASSAGE_CHARACTERS), AfterValidator(no_nul)]


class TextAsk(Part):
    """Ask for one task on a passage. Answered by `text.started`, `text.delta`, and `text.done` or an error.

    `host`: the site of the passage, which labels it. `instruction`: in the owner's words. `to`: the language of the
    answer. `limit`: how many characters the field takes. Sent again with the same `ref` it is one ask.
    """

    type: Literal["text.ask"] = "text.ask"
    ref: UUID
    task: WordingTask
    host: Host
    text: Passage = ""
    instruction: Annotated[Text, Field(max_length=INSTRUCTION_CHARACTERS)] = ""
    style: Style | None = Field(default=None, exclude_if=is_none)
    to: Language | None = Field(default=None, exclude_if=is_none)
    platform: Platform = "text"
    limit: Annotated[int, Field(ge=1, le=PASSAGE_CHARACTERS)] | None = Field(default=None, exclude_if=is_none)
    temporary: bool = False


class TextCancel(Part):
    type: Literal["text.cancel"] = "text.cancel"
    ref: UUID


class TextStarted(Part):
    type: Literal["text.started"] = "text.started"
    ref: UUID


class TextDelta(Part):
    """A piece of the text. `index` counts from 1; a piece of index 1 begins anew."""

    type: Literal["text.delta"] = "text.delta"
    ref: UUID
    index: int
    text: str


class TextDone(Part):
    """The whole text, which holds in place of its pieces. `origin`: its labels. `made_by`: the name of the model."""

    type: Literal["text.done"] = "text.done"
    ref: UUID
    text: str
    origin: list[str]
    made_by: str
