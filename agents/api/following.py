"""Follow a turn for a program: its text while it is written, then its end.

The database is the source of truth; events of the channel layer are wake-ups and may be lost.
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
from agents.runs.stream import read_progress
from devices import protocol
from devices.db import in_db
from devices.events import OWNER_GROUP
from devices.models import Message
from devices.owner.account import the_owner

LOOK_S = 2.0
# Handles of pages and claims after a sentence. Their links are only known at the end.
_HANDLE = re.compile(r" ?\[(?:[kpsabt]\d+(?:\.[clr]\d+)?(?:, ?)?)+\]")
_BEGUN = re.compile(r" ?\[?$| ?\[[kpsabtclr\d., ]{0,40}$")


def shown_text(text: str) -> str:
    """Return a text without handles."""
    return _HANDLE.sub("", text)


@dataclass(frozen=True)
class TurnEnd:
    """The end of a turn. `code` is empty for an answer."""

    message: Message
    run: Run
    code: str = ""


@dataclass
class FollowedTurn:
    """A turn that is followed. Call `begin` before the turn is stored, to miss no event.

    `group`: where its events are sent. `is_to_come`: the turn has certainly not ended yet.
    """

    turn_id: UUID
    group: str = OWNER_GROUP
    is_to_come: bool = False
    attempt: int = -1
    index: int = -1
    text: str = ""
    _layer: Any = field(default_factory=get_channel_layer)
    _channel: str = ""

    async def begin(self) -> None:
        self._channel = await self._layer.new_channel()
        try:
            await self._layer.group_add(self.group, self._channel)
        except (RedisError, OSError):
            pass  # `states` polls as well

    async def end(self) -> None:
        await self._layer.group_discard(self.group, self._channel)

    async def states(self) -> AsyncIterator[str | TurnEnd | None]:
        """Yield the whole text after each change, None after LOOK_S without one, and last the end."""
        if not self.is_to_come and (over := await in_db(self._over)()):
            yield over
            return
        checked_at = time.monotonic()
        while True:
            try:
                async with asyncio.timeout(LOOK_S):
                    event = await self._layer.receive(self._channel)
            except (TimeoutError, RedisError, OSError):
                event = {"type": "look"}
            is_ours = event.get("turn_id") == str(self.turn_id)
            if is_ours and event["type"] == "turn.frame":
                if await self._heard(event):
                    yield self.text
            elif (
                event["type"] == "look"
                or (is_ours and event["type"] == "turn.end")
                or time.monotonic() - checked_at > LOOK_S
            ):
                checked_at = time.monotonic()  # also between events of other turns: the event of this end may be lost
                if over := await in_db(self._over)():
                    yield over
                    return
                yield None

    async def _heard(self, event: dict[str, Any]) -> bool:
        """Take in a frame. Returns whether the text has changed."""
        frame = protocol.parse_server(event["frame"])
        before = (self.attempt, self.text)
        if isinstance(frame, protocol.TurnStarted):
            self.attempt, self.index, self.text = frame.attempt, event["index"], frame.text
        elif isinstance(frame, protocol.TurnDelta) and (frame.attempt, frame.index) > (self.attempt, self.index):
            if (frame.attempt, frame.index) == (self.attempt, self.index + 1):
                self.index, self.text = frame.index, self.text + frame.text
            elif turn := await asyncio.to_thread(read_progress, self.turn_id):
                self.attempt, self.index, self.text = turn.attempt, turn.index, turn.text
        return before != (self.attempt, self.text)

    def _over(self) -> TurnEnd | None:
        owner = the_owner()
        run = Run.objects.filter(message__owner=owner, turn_id=self.turn_id).exclude(state__in=Run.OPEN).first()
        reply = Message.all_rows.filter(owner=owner, turn_id=self.turn_id, direction=Message.Direction.OUT).first()
        if run is None or reply is None:
            return None
        return TurnEnd(reply, run, "" if run.state == Run.State.DONE else run.error_code or "failed")


@dataclass
class Increments:
    """The new parts of a growing text, for a reader that cannot delete anything.

    If the text is withdrawn, the reader keeps the old one, and a new paragraph begins.
    """

    sent_text: str = ""  # without handles; empty again after the text was withdrawn
    _has_sent: bool = False
    _needs_gap: bool = False

    def of(self, text: str) -> str:
        """Return what to send, given the whole text so far."""
        visible = shown_text(text)
        if unfinished := _BEGUN.search(visible):
            visible = visible[: unfinished.start()]
        if not visible.startswith(self.sent_text):
            self.sent_text, self._needs_gap = "", self._has_sent
        new, self.sent_text = visible[len(self.sent_text) :], visible
        if not new:
            return ""
        gap = "\n\n" if self._needs_gap else ""
        self._has_sent, self._needs_gap = True, False
        return gap + new

    def rest(self, final: str, sources: list[tuple[str, str]]) -> str:
        """Return what to send at the end: all of the text, its end, or the list of its sources."""
        if not self.sent_text:
            return ("\n\n" if self._has_sent else "") + final
        if final.startswith(self.sent_text):
            return final[len(self.sent_text) :]
        return "\n\nFrom:\n" + "\n".join(f"- [{title}]({url})" for title, url in sources) if sources else ""
