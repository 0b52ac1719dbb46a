"""The channel layer. Sockets open, stay open and close while Redis is away: they look into the database, and hear again once it is back."""

import asyncio
from uuid import uuid4

import structlog
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

log = structlog.get_logger("penny.events")


class Layer(RedisPubSubChannelLayer):
    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a name to receive under. Without Redis nobody can send to it, but groups can be joined with it."""
        layer = self._get_layer()
        try:
            return str(await layer.new_channel(prefix))
        except (RedisError, OSError):
            name = f"{layer.prefix}{prefix}{uuid4().hex}"
            layer.channels[name] = asyncio.Queue()
            return name

    async def group_discard(self, group: str, channel: str) -> None:
        try:
            await self._get_layer().group_discard(group, channel)
        except (RedisError, OSError) as error:
            log.warning("group.kept", error=type(error).__name__)  # nobody of this process is told through it
