"""Connections to Redis. It only wakes those who wait: it holds the only copy of nothing.

A Redis that stands still is treated like one that is gone: a command waits ANSWER_S for it, or tries for a second to
connect. Then all commands of this process fail at once for REST_S, with the same error. Then one command tries again.
"""

import asyncio
import copy
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
import structlog
from django.conf import settings
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

ANSWER_S, REST_S = 2.0, 2.0
log = structlog.get_logger("penny.redis")
_shared: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, "Async"]] = WeakKeyDictionary()
_TIMEOUTS = {"socket_connect_timeout": ANSWER_S, "socket_timeout": ANSWER_S}
# With a `socket_timeout` the asynchronous client sends by `asyncio.wait_for`, which swallows a cancellation of that
# moment (Python 3.11): a cancelled turn would go on. So `asking_together` bounds the whole command instead.
_ASYNC_OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": ANSWER_S,
    "socket_timeout": None,
    "max_connections": 2_000,  # of a client: each wait has one, and each of a worker's turns may wait for many pages
}
# A refused connection is tried again within a second, as while Redis restarts. A silence is not.
_RETRIES = (ExponentialBackoff(cap=0.5, base=0.05), 3, (redis.ConnectionError,))


class Stillness:
    """Whether a Redis stood still, or was gone, when this process last asked it."""

    def __init__(self) -> None:
        self._error: redis.RedisError | None = None
        self._rests_until = 0.0

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Note whether what is asked inside is answered. Raises the last error while nobody is to ask."""
        self._check()
        try:
            yield
        except redis.ResponseError:
            self._error = None
            raise
        except (redis.RedisError, OSError) as error:
            self._error = error if isinstance(error, redis.RedisError) else redis.ConnectionError(str(error))
            self._rests_until = time.monotonic() + REST_S
            raise
        self._error = None

    @asynccontextmanager
    async def asking_together(self, wait_s: float = 0.0) -> AsyncIterator[None]:
        """Like `asking`, for commands that together have ANSWER_S. `wait_s`: how long they may block besides."""
        with self.asking():
            try:
                async with asyncio.timeout(ANSWER_S + wait_s):
                    yield
            except TimeoutError:
                raise redis.TimeoutError("Timeout reading from socket") from None

    def _check(self) -> None:
        """The first caller after a rest tries Redis again; the others wait for how that goes."""
        if (error := self._error) is not None:
            if (now := time.monotonic()) < self._rests_until:
                raise copy.copy(error)
            self._rests_until = now + ANSWER_S + REST_S


@lru_cache
def _stillness_at(url: str) -> Stillness:
    return Stillness()


def own_stillness() -> Stillness:
    return _stillness_at(_own_url())


def _own_url() -> str:
    return settings.REDIS_URL or "unix:///nowhere"


class _SyncPipeline(redis.client.Pipeline):
    stillness: Stillness

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        with self.stillness.asking():
            return super().execute(raise_on_error)


class _SyncClient(redis.Redis):
    stillness: Stillness

    def execute_command(self, *args: Any, **options: Any) -> Any:
        with self.stillness.asking():
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> _SyncPipeline:
        pipe = _SyncPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipe.stillness = self.stillness
        return pipe


class _AsyncPipeline(redis.asyncio.client.Pipeline):
    stillness: Stillness

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        async with self.stillness.asking_together():
            return await super().execute(raise_on_error)


class Async(redis.asyncio.Redis):
    stillness: Stillness
    wait_s: float

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        async with self.stillness.asking_together(self.wait_s):
            return await super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    async def pop_within(self, key: str, timeout_s: float) -> str | None:
        """Return the next value pushed to the list `key`, None after `timeout_s`."""
        async with self.stillness.asking_together(timeout_s):
            item = await super().execute_command("BLPOP", key, timeout_s)  # type: ignore[no-untyped-call]
        return None if item is None else str(item[1])

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> _AsyncPipeline:
        pipe = _AsyncPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipe.stillness = self.stillness
        return pipe


@lru_cache
def sync_client(wait_s: float = 0.0) -> redis.Redis:
    """Return a client. `wait_s`: how long its commands may block."""
    timeouts = _TIMEOUTS | {"socket_timeout": ANSWER_S + wait_s}
    client = cast(
        _SyncClient, _SyncClient.from_url(_own_url(), decode_responses=True, retry=Retry(*_RETRIES), **timeouts)
    )
    client.stillness = own_stillness()
    return client


@lru_cache
def rate_limiter() -> MovingWindowRateLimiter:
    """Return the counter of the last minute, shared by all processes.

    Its calls raise RedisError, OSError.
    """
    url = _own_url()
    storage = storage_from_string(
        url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url,
        retry=Retry(*_RETRIES),  # type: ignore[arg-type]  # passed on to Redis's client
        **_TIMEOUTS,
    )
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


def async_client(url: str = "", wait_s: float = 0.0) -> Async:
    """Return a client for the running event loop. `wait_s`: how long its commands may block."""
    url = url or _own_url()
    client = cast(Async, Async.from_url(url, decode_responses=True, retry=AsyncRetry(*_RETRIES), **_ASYNC_OPTIONS))
    client.stillness, client.wait_s = _stillness_at(url), wait_s
    return client


def shared_client(url: str = "") -> Async:
    """Return the running loop's own client. Each command has a connection to itself meanwhile."""
    clients = _shared.setdefault(asyncio.get_running_loop(), {})
    if url not in clients:
        clients[url] = async_client(url)
    return clients[url]


async def wait_for(key: str, timeout_s: float) -> str | None:
    """Return the value pushed to the list `key`, None after `timeout_s`, also without Redis.

    A value that was pushed before the wait counts. The connection outlives the wait: one of its own would stay open
    if the wait was cancelled while it was closed.
    """
    ends_at = time.monotonic() + timeout_s
    try:
        return await shared_client().pop_within(key, timeout_s)
    except (redis.RedisError, OSError):
        await asyncio.sleep(ends_at - time.monotonic())
        return None


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
