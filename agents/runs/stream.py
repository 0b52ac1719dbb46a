"""A turn's text on its way to the devices. Hints only: the stored message is the truth."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from agents.models import Run
from devices import events, protocol, redis

KEEP_S = 3600
PIECE_CHARACTERS = 16_000  # at most in one frame; a model may hand over a whole answer at once
log = structlog.get_logger("penny.streaming")


def _keys(turn_id: UUID) -> tuple[str, str]:
    """Return where Redis keeps how far a turn is, and its text so far."""
    return f"turn:{turn_id}", f"turn:{turn_id}:text"


@dataclass(frozen=True)
class SoFar:
    """A running turn as it stands."""

    attempt: int
    index: int
    device_label: str
    text: str

    @classmethod
    def of(cls, kept: Mapping[str, str], text: str | None) -> "SoFar | None":
        return cls(int(kept["attempt"]), int(kept["index"]), kept["device_label"], text or "") if kept else None

    def frame(self, turn_id: UUID) -> protocol.TurnStarted:
        return protocol.TurnStarted(
            turn_id=turn_id, attempt=self.attempt, device_label=self.device_label, text=self.text
        )


def so_far(turn_id: UUID) -> SoFar | None:
    """Return a turn as it stands, None where Redis knows nothing of it."""
    place, text = _keys(turn_id)
    try:
        with redis.sync_client().pipeline() as pipe:
            pipe.hgetall(place)
            pipe.get(text)
            return SoFar.of(*pipe.execute())
    except (RedisError, OSError) as error:
        log.warning("so_far.lost", error=type(error).__name__)
        return None


class Stream:
    """One attempt after the other of a turn's text."""

    def __init__(self, run: Run, device_label: str, group: str = events.OWNER_GROUP) -> None:
        assert run.turn_id is not None
        self.turn_id, self.attempt, self.device_label, self.group = run.turn_id, run.attempt, device_label, group
        self.text, self.index, self._kept_bytes = "", 0, 0

    @property
    def is_private(self) -> bool:
        """Whether only the socket hears of it that asked: other windows of the web page are the same device."""
        return self.group != events.OWNER_GROUP

    async def start(self) -> None:
        """Say that the turn runs. Whatever an attempt before this one showed is reset."""
        if self.attempt > 1:
            self.attempt = max(self.attempt, await self._attempt_shown() + 1)
        await self._reset()

    async def delta(self, text: str) -> None:
        """Send a piece of the text, as agents/llm/event_stream.py has cut it."""
        for start in range(0, len(text), PIECE_CHARACTERS):
            await self._piece(text[start : start + PIECE_CHARACTERS])

    async def _piece(self, text: str) -> None:
        self.text += text
        self.index += 1
        frame = protocol.TurnDelta(turn_id=self.turn_id, attempt=self.attempt, index=self.index, text=text)
        await asyncio.gather(self._send(frame), self._append(text))

    async def withdraw(self) -> None:
        """What was shown was not the answer: start the next attempt with nothing."""
        if self.text:
            self.attempt += 1
            await self._reset()

    async def forget(self) -> None:
        """Keep nothing of a turn that is over: the conversation has it."""
        with suppress(RedisError, OSError):  # it is forgotten after an hour
            await redis.shared_client().delete(*_keys(self.turn_id))

    async def status(self, text: str) -> None:
        """Say in a few words what is being done."""
        frame = protocol.encode(protocol.TurnStatus(turn_id=self.turn_id, text=text))
        await events.asend(
            {"type": "turn.status", "turn_id": str(self.turn_id), "frame": frame, "is_private": self.is_private},
            self.group,
        )

    async def _reset(self) -> None:
        self.text, self.index, self._kept_bytes = "", 0, 0
        frame = protocol.TurnStarted(
            turn_id=self.turn_id, attempt=self.attempt, device_label=self.device_label, text=""
        )
        await self._send(frame)
        if self.attempt > 1:  # of a first attempt everything is known without
            await self._save()

    async def _send(self, frame: protocol.TurnStarted | protocol.TurnDelta) -> None:
        event = {"type": "turn.frame", "turn_id": str(self.turn_id), "attempt": self.attempt, "index": self.index}
        await events.asend(event | {"frame": protocol.encode(frame), "is_private": self.is_private}, self.group)

    async def _attempt_shown(self) -> int:
        kept = await asyncio.to_thread(so_far, self.turn_id)
        return kept.attempt if kept else 0

    async def _append(self, text: str) -> None:
        """Add a piece to what is kept for a device that connects in mid-turn. What Redis lost meanwhile is saved again
        as a whole.
        """
        place, kept = _keys(self.turn_id)
        self._kept_bytes += len(text.encode())
        try:
            async with redis.shared_client().pipeline() as pipe:
                pipe.append(kept, text)
                pipe.hset(place, mapping=self._place())
                if self.index == 1:
                    pipe.expire(kept, KEEP_S)
                    pipe.expire(place, KEEP_S)
                size_bytes, *_ = await pipe.execute()
        except (RedisError, OSError):
            return  # a hint: a device that connects now sees the turn without its text so far
        if size_bytes != self._kept_bytes:
            await self._save()

    async def _save(self) -> None:
        place, kept = _keys(self.turn_id)
        try:
            async with redis.shared_client().pipeline() as pipe:
                pipe.set(kept, self.text, ex=KEEP_S)
                pipe.hset(place, mapping=self._place())
                pipe.expire(place, KEEP_S)
                await pipe.execute()
        except (RedisError, OSError):
            return

    def _place(self) -> Mapping[Any, Any]:
        return {"attempt": str(self.attempt), "index": str(self.index), "device_label": self.device_label}


class Unheard(Stream):
    """The text of a task. Nobody waits for it, so that nothing of it is sent before it is stored."""

    def __init__(self, run: Run) -> None:
        self.turn_id, self.attempt, self.device_label = run.pk, run.attempt, "Penny"
        self.text, self.index, self._kept_bytes = "", 0, 0

    async def status(self, text: str) -> None:
        pass

    async def forget(self) -> None:
        pass

    async def _send(self, frame: protocol.TurnStarted | protocol.TurnDelta) -> None:
        pass

    async def _append(self, text: str) -> None:
        pass

    async def _save(self) -> None:
        pass
