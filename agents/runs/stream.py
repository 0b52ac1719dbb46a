"""Send a turn's text to the devices while it is written. A lost piece is harmless.

The stored message is the source of truth.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from agents.models import Run
from devices import events, protocol, redis

KEEP_S = 3600
PIECE_CHARACTERS = 16_000  # at most in one frame; a model may hand over a whole answer at once
log = structlog.get_logger("penny.streaming")


def _keys(turn_id: UUID) -> tuple[str, str]:
    return f"turn:{turn_id}", f"turn:{turn_id}:text"


@dataclass(frozen=True)
class TurnProgress:
    attempt: int
    index: int
    device_label: str
    text: str

    @classmethod
    def of(cls, fields: Mapping[str, str], text: str | None) -> Self | None:
        return cls(int(fields["attempt"]), int(fields["index"]), fields["device_label"], text or "") if fields else None

    def frame(self, turn_id: UUID) -> protocol.TurnStarted:
        return protocol.TurnStarted(
            turn_id=turn_id, attempt=self.attempt, device_label=self.device_label, text=self.text
        )


def read_progress(turn_id: UUID) -> TurnProgress | None:
    place, text = _keys(turn_id)
    try:
        with redis.sync_client().pipeline() as pipe:
            pipe.hgetall(place)
            pipe.get(text)
            return TurnProgress.of(*pipe.execute())
    except (RedisError, OSError) as error:
        log.warning("so_far.lost", error=type(error).__name__)
        return None


class Stream:
    """The text of a turn, attempt by attempt."""

    def __init__(self, run: Run, device_label: str, group: str = events.OWNER_GROUP) -> None:
        assert run.turn_id is not None
        self.turn_id, self.attempt, self.device_label, self.group = run.turn_id, run.attempt, device_label, group
        self.text, self.index, self._kept_bytes = "", 0, 0

    @property
    def is_private(self) -> bool:
        """Whether only the asking socket may receive it.

        Other windows of the web page are the same device.
        """
        return self.group != events.OWNER_GROUP

    async def start(self) -> None:
        """Announce the turn. Devices drop the text of an earlier attempt."""
        if self.attempt > 1:
            self.attempt = max(self.attempt, await self._attempt_shown() + 1)
        await self._reset()

    async def delta(self, text: str) -> None:
        for start in range(0, len(text), PIECE_CHARACTERS):
            await self._piece(text[start : start + PIECE_CHARACTERS])

    async def _piece(self, text: str) -> None:
        self.text += text
        self.index += 1
        frame = protocol.TurnDelta(turn_id=self.turn_id, attempt=self.attempt, index=self.index, text=text)
        await asyncio.gather(self._send(frame), self._append(text))

    async def withdraw(self) -> None:
        """Withdraw the text, which was not the answer: start the next attempt empty."""
        if self.text:
            self.attempt += 1
            await self._reset()

    def withdraw_to_here(self) -> Callable[[], Awaitable[None]]:
        """Return what withdraws the text that comes after now."""
        text_before = self.text

        async def withdraw() -> None:
            await self.withdraw()
            if text_before:
                await self.delta(text_before)

        return withdraw

    async def forget(self) -> None:
        with suppress(RedisError, OSError):  # the keys expire after an hour
            await redis.shared_client().delete(*_keys(self.turn_id))

    async def status(self, text: str) -> None:
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
        if self.attempt > 1:  # a device can tell the state of a first attempt without Redis
            await self._save()

    async def _send(self, frame: protocol.TurnStarted | protocol.TurnDelta) -> None:
        event = {"type": "turn.frame", "turn_id": str(self.turn_id), "attempt": self.attempt, "index": self.index}
        await events.asend(event | {"frame": protocol.encode(frame), "is_private": self.is_private}, self.group)

    async def _attempt_shown(self) -> int:
        progress = await asyncio.to_thread(read_progress, self.turn_id)
        return progress.attempt if progress else 0

    async def _append(self, text: str) -> None:
        """Add a piece to the text for devices that connect during the turn.

        If Redis lost some of it, the whole text is saved again.
        """
        place, text_key = _keys(self.turn_id)
        self._kept_bytes += len(text.encode())
        try:
            async with redis.shared_client().pipeline() as pipe:
                pipe.append(text_key, text)
                pipe.hset(place, mapping=self._place())
                if self.index == 1:
                    pipe.expire(text_key, KEEP_S)
                    pipe.expire(place, KEEP_S)
                size_bytes, *_ = await pipe.execute()
        except (RedisError, OSError):
            return  # harmless: a device that connects now sees the turn without its text so far
        if size_bytes != self._kept_bytes:
            await self._save()

    async def _save(self) -> None:
        place, text_key = _keys(self.turn_id)
        try:
            async with redis.shared_client().pipeline() as pipe:
                pipe.set(text_key, self.text, ex=KEEP_S)
                pipe.hset(place, mapping=self._place())
                pipe.expire(place, KEEP_S)
                await pipe.execute()
        except (RedisError, OSError):
            return

    def _place(self) -> Mapping[Any, Any]:
        return {"attempt": str(self.attempt), "index": str(self.index), "device_label": self.device_label}


class SilentStream(Stream):
    """The stream of a task.

    No device waits for it, so it sends nothing before the message is stored.
    """

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
