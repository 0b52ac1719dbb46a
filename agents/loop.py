"""The worker's one event loop, on a thread of its own: the tasks of the threads pool hand their runs to it."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import lru_cache
from typing import Any
from uuid import UUID

import redis.exceptions
import structlog

from agents import execution, llm
from agents.providers import Endpoint
from agents.queue import CANCEL_CHANNEL, START_CHANNEL
from devices.redis import async_client

log = structlog.get_logger("penny.worker")
_listeners: list[Future[None]] = []


@lru_cache
def worker_loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process, started on first use."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="runs", daemon=True).start()
    return loop


def run_on_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run to the end on the worker's loop while the calling thread waits."""
    asyncio.run_coroutine_threadsafe(coroutine, worker_loop()).result()


def start(endpoint: Endpoint | None) -> None:
    """Listen for turns that wait and for cancellations, and import what the first model request needs before the owner waits for it."""
    loop = worker_loop()
    _listeners.append(asyncio.run_coroutine_threadsafe(_listen(), loop))
    if endpoint is not None:
        loop.call_soon_threadsafe(llm.warm_up, endpoint)


def stop() -> None:
    """Give the runs of this process back to the queue."""
    for listener in _listeners:
        listener.cancel()
    run_on_loop(execution.release_all())


async def _listen() -> None:
    while True:
        try:
            async with async_client() as client, client.pubsub() as channel:
                await channel.subscribe(CANCEL_CHANNEL, START_CHANNEL)
                async for message in channel.listen():
                    if message["type"] == "message":
                        hear = execution.start if message["channel"] == START_CHANNEL else execution.cancel
                        hear(UUID(message["data"]))
        except (redis.exceptions.RedisError, OSError) as error:
            log.warning("listener.lost", error=type(error).__name__)
            await asyncio.sleep(1)
