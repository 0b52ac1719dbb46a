"""The channel layer. Sockets open, stay open and close while Redis is away: they look into the database, and hear again once it is back.

A socket that cannot keep up with what it is told loses pieces of running turns first: it finds the whole again at the next piece.
"""

import asyncio
from uuid import uuid4

import structlog
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

EVENTS_WAITING = 256  # for one socket; beyond that the pieces of running turns are left out
log = structlog.get_logger("penny.events")


class _Waiting(asyncio.Queue[bytes]):
    def put_nowait(self, item: bytes) -> None:
        if self.qsize() < EVENTS_WAITING or b"turn.frame" not in item[:32]:  # an event begins with its type
            super().put_nowait(item)


class Layer(RedisPubSubChannelLayer):
    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a name to receive under. Without Redis nobody can send to it, but groups can be joined with it."""
        layer = self._get_layer()
        try:
            name = str(await layer.new_channel(prefix))
        except (RedisError, OSError):
            name = f"{layer.prefix}{prefix}{uuid4().hex}"
        layer.channels[name] = _Waiting()
        return name

    async def group_discard(self, group: str, channel: str) -> None:
        try:
            await self._get_layer().group_discard(group, channel)
        except (RedisError, OSError) as error:
            log.warning("group.kept", error=type(error).__name__)  # nobody of this process is told through it
