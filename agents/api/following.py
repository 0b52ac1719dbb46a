"""A turn as a program follows it: what is written as it is written, then how it ended. The database is the truth, what
is heard a hint.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from agents.models import Run
from agents.runs.stream import so_far
from devices import protocol
from devices.db import in_db
from devices.events import OWNER_GROUP
from devices.models import Message
from devices.owner.account import the_owner

LOOK_S = 2.0
# The handle of a page or claim, which a writer puts behind a sentence: what it leads to is only known at the end.
_HANDLE = re.compile(r" ?\[(?:[psabt]\d+(?:\.[clr]\d+)?(?:, ?)?)+\]")
_BEGUN = re.compile(r" ?\[?$| ?\[[psabtclr\d., ]{0,40}$")


@dataclass(frozen=True)
class Over:
    """How a turn ended. `code` is empty for one that was answered; `read_back`: what was said beside the answer and
    waits for a yes.
    """

    message: Message
    run: Run
    code: str = ""
    read_back: str = ""


@dataclass
class Following:
    """Joined before the turn is begun, so that nothing of it is missed. `is_to_come`: it is certainly not over yet."""

    turn_id: UUID
    is_to_come: bool = False
    attempt: int = -1
    index: int = -1
    text: str = ""
    _layer: Any = field(default_factory=get_channel_layer)
    _channel: str = ""

    async def begin(self) -> None:
        self._channel = await self._layer.new_channel()
        try:
            await self._layer.group_add(OWNER_GROUP, self._channel)
        except (RedisError, OSError):
            pass  # what is not heard is looked for

    async def end(self) -> None:
        await self._layer.group_discard(OWNER_GROUP, self._channel)

    async def states(self) -> AsyncIterator[str | Over | None]:
        """Yield the whole text so far each time that it has changed, None where nothing happened for a while, the end
        at last.
        """
        if not self.is_to_come and (over := await in_db(self._over)()):
            yield over
            return
        looked = time.monotonic()
        while True:
            try:
                event = await asyncio.wait_for(self._layer.receive(self._channel), LOOK_S)
            except (TimeoutError, RedisError, OSError):
                event = {"type": "look"}
            is_ours = event.get("turn_id") == str(self.turn_id)
            if is_ours and event["type"] == "turn.frame":
                if await self._heard(event):
                    yield self.text
            elif (
                event["type"] == "look"
                or (is_ours and event["type"] == "turn.end")
                or time.monotonic() - looked > LOOK_S
            ):
                looked = time.monotonic()  # also while others are heard of: the word of this one's end may be lost
                if over := await in_db(self._over)():
                    yield over
                    return
                yield None

    async def _heard(self, event: dict[str, Any]) -> bool:
        """Take a piece in; return whether it says anything new of the text."""
        frame = protocol.parse_server(event["frame"])
        before = (self.attempt, self.text)
        if isinstance(frame, protocol.TurnStarted):
            self.attempt, self.index, self.text = frame.attempt, event["index"], frame.text
        elif isinstance(frame, protocol.TurnDelta) and (frame.attempt, frame.index) > (self.attempt, self.index):
            if (frame.attempt, frame.index) == (self.attempt, self.index + 1):
                self.index, self.text = frame.index, self.text + frame.text
            elif found := await asyncio.to_thread(so_far, self.turn_id):
                self.attempt, self.index, self.text = found.attempt, found.index, found.text
        return before != (self.attempt, self.text)

    def _over(self) -> Over | None:
        owner = the_owner()
        run = Run.objects.filter(message__owner=owner, turn_id=self.turn_id).exclude(state__in=Run.OPEN).first()
        said = Message.objects.filter(owner=owner, turn_id=self.turn_id, direction=Message.Direction.OUT).first()
        if run is None or said is None:
            return None
        beside = Message.objects.filter(
            parent=run.message, turn_id=None, direction=Message.Direction.OUT, kind=Message.Kind.COMMAND
        )
        read_back = "\n\n".join(beside.order_by("seq").values_list("text", flat=True))
        return Over(said, run, "" if run.state == Run.State.DONE else run.error_code or "failed", read_back)


@dataclass
class Increments:
    """What of a growing text is new to a reader from whom nothing can be taken back.

    What is withdrawn stays, and a new paragraph begins.
    """

    written: str = ""  # of the text as it stands, without handles
    _has_said: bool = False
    _begins_anew: bool = False

    def of(self, text: str) -> str:
        """Return what to send now that the text so far is this."""
        shown = _HANDLE.sub("", text)
        if begun := _BEGUN.search(shown):
            shown = shown[: begun.start()]
        if not shown.startswith(self.written):
            self.written, self._begins_anew = "", self._has_said
        new, self.written = shown[len(self.written) :], shown
        if not new:
            return ""
        gap = "\n\n" if self._begins_anew else ""
        self._has_said, self._begins_anew = True, False
        return gap + new

    def rest(self, final: str, sources: list[tuple[str, str]]) -> str:
        """Return what is still to be said once the whole is known: all of it, its end, or where its words come from."""
        if not self.written:
            return ("\n\n" if self._has_said else "") + final
        if final.startswith(self.written):
            return final[len(self.written) :]
        return "\n\nFrom:\n" + "\n".join(f"- [{title}]({url})" for title, url in sources) if sources else ""
