"""Connections to Redis. It only wakes those who wait: nothing in it is the only copy of anything."""

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
    """Return the counter of what happened within the last minute, whatever process it happened in. Its calls raise
    RedisError, OSError.
    """
    url = settings.REDIS_URL or "unix:///nowhere"
    storage = storage_from_string(
        url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url, **_TIMEOUTS
    )
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


def async_client(url: str = "") -> Async:
    """Return a client for the running event loop. Whoever waits in BLPOP needs one of their own: the connection is
    busy.
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
    """Return what is pushed to the list `key`, or None when nothing comes within `timeout_s`. It may have come before
    the wait began.
    """
    async with async_client(url) as client:
        found = await client.blpop([key], timeout=timeout_s)
        return None if found is None else str(found[1])


async def wait_with_others(key: str, timeout_s: float) -> str | None:
    """Like `wait_for`, where several wait for the same: a push wakes one, and each hands on what it got."""
    value = await wait_for(key, timeout_s)
    if value is not None:
        await asyncio.to_thread(wake, key, value)
    return value


def wake(key: str, value: str, keep_s: int = 120) -> None:
    """Wake whoever waits for `key`; forgotten after `keep_s`. A Redis that is away is no error: those who wait also
    look at the row.
    """
    try:
        with sync_client().pipeline() as pipe:
            pipe.rpush(key, value)
            pipe.expire(key, keep_s)
            pipe.execute()
    except redis.RedisError as error:
        log.warning("wake.lost", error=type(error).__name__)
