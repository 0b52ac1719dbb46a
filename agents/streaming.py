"""A turn's text on its way to the devices. Hints only: the stored message is the truth."""

import asyncio
import json
from uuid import UUID

from redis.exceptions import RedisError

from agents.models import Run
from devices import events, protocol, redis

KEEP_S = 3600


def snapshot_key(turn_id: UUID) -> str:
    return f"turn:{turn_id}"


class Stream:
    """One attempt after the other of a turn's text."""

    def __init__(self, run: Run, device_label: str) -> None:
        assert run.turn_id is not None
        self.turn_id, self.attempt, self.device_label = run.turn_id, run.attempt, device_label
        self.text, self.index = "", 0

    async def start(self) -> None:
        """Say that the turn runs. Whatever an attempt before this one showed is reset."""
        if self.attempt > 1:
            self.attempt = max(self.attempt, await self._attempt_shown() + 1)
        await self._reset()

    async def delta(self, text: str) -> None:
        """Send a piece of the text, as agents/coalescing.py has cut it."""
        self.text += text
        self.index += 1
        frame = protocol.TurnDelta(turn_id=self.turn_id, attempt=self.attempt, index=self.index, text=text)
        await asyncio.gather(self._send(frame), self._save())

    async def withdraw(self) -> None:
        """What was shown was not the answer: start the next attempt with nothing."""
        if self.text:
            self.attempt += 1
            await self._reset()

    async def status(self, text: str) -> None:
        """Say in a few words what is being done."""
        await events.asend_frame(protocol.TurnStatus(turn_id=self.turn_id, text=text))

    async def _reset(self) -> None:
        self.text, self.index = "", 0
        frame = protocol.TurnStarted(turn_id=self.turn_id, attempt=self.attempt, device_label=self.device_label, text="")
        await self._send(frame)
        if self.attempt > 1:  # of a first attempt everything is known without
            await self._save()

    async def _send(self, frame: protocol.TurnStarted | protocol.TurnDelta) -> None:
        event = {"type": "turn.frame", "turn_id": str(self.turn_id), "attempt": self.attempt, "index": self.index}
        await events.asend(event | {"frame": protocol.encode(frame)})

    async def _attempt_shown(self) -> int:
        try:
            kept = await redis.shared_client().get(snapshot_key(self.turn_id))
        except (RedisError, OSError):
            return 0
        return int(json.loads(kept)["attempt"]) if kept else 0

    async def _save(self) -> None:
        """Keep the text so far for a device that connects in mid-turn."""
        snapshot = {"attempt": self.attempt, "index": self.index, "text": self.text, "device_label": self.device_label}
        try:
            await redis.shared_client().set(snapshot_key(self.turn_id), json.dumps(snapshot, ensure_ascii=False), ex=KEEP_S)
        except (RedisError, OSError):
            return  # a hint: a device that connects now sees the turn without its text so far
