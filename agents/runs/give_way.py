"""Preempt background work when a turn starts: cancel its current request, repeat it later."""

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
FORGOTTEN_AFTER = timedelta(hours=1)  # a turn that never ends does not block thinking for ever

Result = TypeVar("Result")
_interrupts: set[asyncio.Future[None]] = set()


def preempt_background() -> None:
    """Cancel the current background work of this process. Called on its loop."""
    for interrupt in list(_interrupts):
        if not interrupt.done():
            interrupt.set_result(None)


async def run_between_turns(context: Context, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Return the result of background work, repeated after each turn that cancelled it.

    Waiting and cancelled attempts do not count against the run's budget.
    """
    while True:
        await _wait_for_turns(context)
        counts = context.budget.steps, context.budget.pages
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
        context.budget.steps, context.budget.pages = counts


async def _wait_for_turns(context: Context) -> None:
    start_s = time.monotonic()
    while await in_db(_is_turn_open)():  # noqa: ASYNC110  another process may run the turns
        await asyncio.sleep(LOOK_S)
    context.budget.ends_at += time.monotonic() - start_s


def _is_turn_open() -> bool:
    turns = Run.objects.filter(kind__in=Run.FOR_THE_OWNER, state__in=(Run.State.QUEUED, Run.State.RUNNING))
    return turns.filter(created_at__gt=timezone.now() - FORGOTTEN_AFTER).exists()
