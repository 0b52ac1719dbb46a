"""Connections to Redis. It only wakes those who wait: it holds the only copy of nothing."""

import asyncio
from functools import lru_cache
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
import structlog
from django.conf import settings
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

log = structlog.get_logger("penny.redis")
Async = redis.asyncio.Redis
_shared: WeakKeyDictionary[asyncio.AbstractEventLoop, Async] = WeakKeyDictionary()
_TIMEOUTS = {"socket_connect_timeout": 2.0, "socket_timeout": 5.0}


@lru_cache
def sync_client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL or "unix:///nowhere", decode_responses=True, **_TIMEOUTS)


@lru_cache
def rate_limiter() -> MovingWindowRateLimiter:
    """Return the counter of the last minute, shared by all processes.

    Its calls raise RedisError, OSError.
    """
    url = settings.REDIS_URL or "unix:///nowhere"
    storage = storage_from_string(
        url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url, **_TIMEOUTS
    )
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


def async_client(url: str = "") -> Async:
    """Return a client for the running event loop.

    BLPOP keeps a connection busy, so each waiting caller needs its own client.
    """
    return redis.asyncio.Redis.from_url(
        url or settings.REDIS_URL or "unix:///nowhere", decode_responses=True, socket_timeout=None
    )


def shared_client() -> Async:
    """Return the running loop's own client, for commands that do not block."""
    loop = asyncio.get_running_loop()
    if loop not in _shared:
        _shared[loop] = async_client()
    return _shared[loop]


async def wait_for(key: str, timeout_s: float, url: str = "") -> str | None:
    """Return the value pushed to the list `key`, None after `timeout_s`.

    A value that was pushed before the wait counts.
    """
    async with async_client(url) as client:
        item = await client.blpop([key], timeout=timeout_s)
        return None if item is None else str(item[1])


async def wait_with_others(key: str, timeout_s: float) -> str | None:
    """Wait like `wait_for`, and pass the value on to others that wait for the same key."""
    value = await wait_for(key, timeout_s)
    if value is not None:
        await asyncio.to_thread(wake, key, value)
    return value


def wake(key: str, value: str, keep_s: int = 120) -> None:
    """Wake whoever waits for `key`; the value expires after `keep_s`.

    Redis being away is no error: those who wait also poll their row.
    """
    try:
        with sync_client().pipeline() as pipe:
            pipe.rpush(key, value)
            pipe.expire(key, keep_s)
            pipe.execute()
    except redis.RedisError as error:
        log.warning("wake.lost", error=type(error).__name__)
