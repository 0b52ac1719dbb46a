"""The channel layer: sockets open, stay open and close while Redis is away or stands still.

They poll the database, and receive again once Redis is back. A socket that cannot keep up first loses pieces of running
turns: the next piece brings the whole text. Then it loses wake-ups: its next poll finds all messages and ends of turns.
"""

import asyncio
import math
from typing import Any
from uuid import uuid4

import structlog
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

from devices import events
from devices.redis import own_stillness

# Limits of one socket's queue, beyond which pieces, then wake-ups are dropped.
PIECES_WAITING, EVENTS_WAITING = 256, 512
# In an event's msgpack: a byte for the map, five for its first key `type`, one for the length of the value.
TYPE_AT = 7
log = structlog.get_logger("penny.events")


class _Waiting(asyncio.Queue[bytes]):
    def put_nowait(self, item: bytes) -> None:
        is_piece, is_found_again = (
            item.startswith(b"turn.frame", TYPE_AT),
            item.startswith((b"wake", b"turn."), TYPE_AT),
        )
        limit = PIECES_WAITING if is_piece else EVENTS_WAITING if is_found_again else math.inf
        if self.qsize() < limit:
            super().put_nowait(item)


class Layer(RedisPubSubChannelLayer):
    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a name to receive under.

        Without Redis nobody can send to it, but it can join groups.
        """
        layer = self._get_layer()
        try:
            async with own_stillness().asking_together():
                name = str(await layer.new_channel(prefix))
        except (RedisError, OSError):
            name = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[name] = _Waiting()
        return name

    async def receive(self, channel: str) -> dict[str, Any]:
        """Return the next event of a channel.

        What no part of Penny sends is dropped: it would end the socket, or be taken for a frame of the other side.
        """
        while True:
            try:
                event = events.parse_event(await self._get_layer().receive(channel))
            except ValueError as error:  # no msgpack
                log.warning("event.malformed", error=type(error).__name__)
                continue
            if event is not None:
                return event

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        async with own_stillness().asking_together():
            await self._get_layer().group_send(group, message)

    async def group_add(self, group: str, channel: str) -> None:
        async with own_stillness().asking_together():
            await self._get_layer().group_add(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        try:
            async with own_stillness().asking_together():
                await self._get_layer().group_discard(group, channel)
        except (RedisError, OSError) as error:
            log.warning("group.kept", error=type(error).__name__)  # no socket of this process uses it any more
