"""Wait for a browser that went away: its computer sleeps, or it starts anew. No other browser takes its place.

What is called again then happens at most once: an act keeps its number.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agents.acting import states
from agents.models import Errand
from agents.runs.context import Context, ToolRefused
from devices.db import in_db
from devices.models import Device

AWAY_S = 60.0
LOOK_S = 0.5
LINE = "Waiting for the browser: it went away"
_GONE = frozenset({"disconnected", "lost"})
R = TypeVar("R")


async def when_back(context: Context, errand: Errand, make: Callable[[], Awaitable[R]]) -> R:
    """Make a call, and make it again whenever its browser comes back within AWAY_S. Raises ToolRefused."""
    ends_at = 0.0
    while True:
        try:
            return await make()
        except ToolRefused as refused:
            ends_at = ends_at or time.monotonic() + AWAY_S
            if refused.code not in _GONE or not await is_back(context, errand, ends_at):
                raise


async def is_back(context: Context, errand: Errand, ends_at: float | None = None) -> bool:
    """Wait until the errand's browser is connected; return False at the end, or if it is not paired any more."""
    ends_at = ends_at or time.monotonic() + AWAY_S
    await in_db(states.show_line)(errand, LINE)
    await context.say(LINE)
    while time.monotonic() < ends_at and await in_db(_is_paired)(errand):
        await asyncio.sleep(LOOK_S)
        if await in_db(is_connected)(errand):
            return True
    return False


def is_connected(errand: Errand) -> bool:
    return Device.objects.connected().filter(errands=errand.pk).exists()


def _is_paired(errand: Errand) -> bool:
    return Device.objects.filter(errands=errand.pk, revoked_at=None).exists()
