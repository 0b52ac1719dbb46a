"""Thinking gives way to the conversation at once: what it just asks a model, the sandbox or a browser is dropped and
done again later.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, TypeVar

from django.utils import timezone

from agents.models import Run
from agents.runs.context import Context
from devices.db import in_db

LOOK_S = 0.5
FORGOTTEN_AFTER = timedelta(hours=1)  # a turn that nobody ends does not keep Penny from thinking for ever

Result = TypeVar("Result")
_interrupts: set[asyncio.Future[None]] = set()


def chat_began() -> None:
    """Interrupt what runs in the background in this process; called on its loop."""
    for interrupt in list(_interrupts):
        if not interrupt.done():
            interrupt.set_result(None)


async def behind_chats(context: Context, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Return the result of one piece of background work, made anew after each turn that interrupted it.

    Waiting and what was dropped count for nothing in the run's budget.
    """
    while True:
        await _silence(context)
        used = context.budget.steps, context.budget.pages
        interrupt = asyncio.get_running_loop().create_future()
        _interrupts.add(interrupt)
        work = asyncio.ensure_future(make())
        try:
            await asyncio.wait([work, interrupt], return_when=asyncio.FIRST_COMPLETED)
        finally:
            _interrupts.discard(interrupt)
            interrupt.cancel()
            if not work.done():
                work.cancel()
                await asyncio.wait([work])
        if not work.cancelled():
            return work.result()
        context.budget.steps, context.budget.pages = used


async def _silence(context: Context) -> None:
    """Return when no turn waits or runs."""
    began = time.monotonic()
    while await in_db(_is_talking)():  # noqa: ASYNC110  the turns may be another process's
        await asyncio.sleep(LOOK_S)
    context.budget.ends_at += time.monotonic() - began


def _is_talking() -> bool:
    turns = Run.objects.filter(kind=Run.Kind.TURN, state__in=(Run.State.QUEUED, Run.State.RUNNING))
    return turns.filter(created_at__gt=timezone.now() - FORGOTTEN_AFTER).exists()
