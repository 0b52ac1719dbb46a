"""The worker's event loop, on its own thread; Celery's threads pass their runs to it."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future
from contextvars import Context
from functools import lru_cache
from importlib import import_module
from typing import Any
from uuid import UUID

import redis.exceptions
import structlog
from django.conf import settings
from django.db import DatabaseError

from agents.answers import begin
from agents.llm import client as llm_client
from agents.llm import windows
from agents.llm.providers import Endpoint
from agents.models import Run
from agents.runs import give_way, queue
from agents.runs.queue import CANCEL_CHANNEL, START_CHANNEL
from agents.worker import execute, tick
from devices.channels import registry
from devices.db import in_db
from devices.redis import ANSWER_S, async_client, shared_client

LOOK_S, SILENT_S = 2.0, 5.0
HEARD_S = 1.0  # how long the listener hears nothing before it sends itself a word, and how long that may take
log = structlog.get_logger("penny.worker")
_listeners: list[Future[None]] = []
_beat_heard_at = time.monotonic()


@lru_cache
def worker_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="runs", daemon=True).start()
    return loop


def run_on_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on the worker's loop and wait for its end."""
    asyncio.run_coroutine_threadsafe(coroutine, worker_loop()).result()


def start_worker(endpoint: Endpoint | None) -> None:
    """Listen for turns and cancellations, and import what the first model request needs."""
    loop = worker_loop()
    lines = channel_listeners()
    queue.use_own(queue.Slots(execute.has_room, _start_claimed))
    _listeners.extend(
        asyncio.run_coroutine_threadsafe(listener, loop) for listener in (_listen(), _tick_when_silent(), *lines)
    )
    if endpoint is not None:
        loop.call_soon_threadsafe(llm_client.warm_up, endpoint)
        windows.ask_beside(endpoint)


def _start_claimed(run: Run) -> None:
    [material] = begin.gather_materials([run.message])
    assert material is not None
    # A new context: within that of the transaction, waiting for the database thread is not allowed.
    worker_loop().call_soon_threadsafe(execute.start_claimed, run, material, context=Context())


def channel_listeners() -> list[Coroutine[Any, Any, None]]:
    """Return the listeners and senders of the external channels that are set up.

    Modules of other channels are not imported.
    """
    from agents.outbox import progress, send

    listeners = [
        row.listener
        for row in registry.ROWS.values()
        if row.listener and (not row.needs or getattr(settings, row.needs))
    ]
    lines = [send.post_for_ever(), *(import_module(listener).listen() for listener in listeners)]
    return [*lines, progress.keep_typing()] if listeners else lines


def record_beat() -> None:
    global _beat_heard_at
    _beat_heard_at = time.monotonic()


def stop() -> None:
    """Give the runs of this process back to the queue."""
    queue.use_own(None)
    for listener in _listeners:
        listener.cancel()
    run_on_loop(execute.release_all())


async def _listen() -> None:
    while True:
        try:
            async with async_client() as client, client.pubsub() as channel:
                async with asyncio.timeout(ANSWER_S):
                    await channel.subscribe(CANCEL_CHANNEL, START_CHANNEL)
                is_asked = True  # Redis confirms a subscription
                while True:
                    message = await channel.get_message(timeout=HEARD_S)
                    if message is None and is_asked:
                        raise redis.exceptions.TimeoutError("Nothing is heard")
                    if is_asked := message is None:
                        async with asyncio.timeout(HEARD_S):
                            await shared_client().publish(START_CHANNEL, "")
                    elif message["type"] == "message":
                        for run_id in message["data"].split():
                            _dispatch(message["channel"], UUID(run_id))
        except (redis.exceptions.RedisError, OSError) as error:
            log.warning("listener.lost", error=type(error).__name__)
            await _tick_here()
            await asyncio.sleep(1)


def _dispatch(channel: str, run_id: UUID) -> None:
    if channel == CANCEL_CHANNEL:
        execute.cancel(run_id)
        return
    give_way.preempt_background()  # also if another worker claims the turn
    execute.queue_turn(run_id)


async def _tick_when_silent() -> None:
    """Tick here while no tick comes from the beat: the beat or the broker may be down."""
    while True:
        await asyncio.sleep(LOOK_S)
        if time.monotonic() - _beat_heard_at > SILENT_S:
            await _tick_here()


async def _tick_here() -> None:
    """Find due work without Redis, and start it here."""
    try:
        for run_id in await in_db(_tick)():
            execute.queue_turn(run_id)
    except DatabaseError as error:
        log.warning("look.failed", error=type(error).__name__)


def _tick() -> list[UUID]:
    tick.tick()
    runs = Run.objects.filter(state=Run.State.QUEUED).order_by("created_at")
    return list(runs.values_list("pk", flat=True)[: tick.SENT_AGAIN])
