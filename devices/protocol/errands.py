"""Frames of an errand: how far it has come, and what the owner has Penny do with it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from devices.protocol.base import Host, Part, Text, is_none

ERRAND_GOAL_CHARACTERS = 200
ErrandState = Literal["running", "waiting", "paused", "done", "partial", "failed", "cancelled"]


class ErrandCommand(Part):
    """What the owner wants of an errand: end it, have its page themselves, or give the page back.

    Answered by `ack`, or by the error `no_errand` where it is over, or is not in a state for that.
    """

    type: Literal["errand.command"] = "errand.command"
    ref: UUID
    errand_id: UUID
    do: Literal["stop", "take_over", "hand_back"]


class ErrandInfo(Part):
    """An errand as it stands. `turn_id`: of the message that it was asked for in. `code`: why it ended or waits.

    `goal`: its beginning, in the owner's words. `line`: what Penny is doing there. Both are empty for a temporary chat.
    `waiting`: the question to the owner that it waits for.
    """

    id: UUID
    turn_id: UUID | None = Field(default=None, exclude_if=is_none)
    state: ErrandState
    code: str
    goal: Annotated[Text, Field(max_length=ERRAND_GOAL_CHARACTERS)]
    host: Host
    steps: Annotated[int, Field(ge=0)]
    steps_max: Annotated[int, Field(ge=0)]
    line: Annotated[Text, Field(max_length=160)]
    waiting: UUID | None = Field(default=None, exclude_if=is_none)


class ErrandChanged(Part):
    type: Literal["errand.changed"] = "errand.changed"
    errand: ErrandInfo
