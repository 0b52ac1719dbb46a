"""Repeat a reading call after a disconnect: in another browser, or when its own is back."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from agents.gateway.browser import Checked, R, call_permitted
from agents.gateway.catalog import Tool
from agents.runs.context import Context
from devices import protocol
from devices.db import in_db
from devices.models import Device
from devices.sockets import browser_calls
from devices.sockets.permits import PERMIT_SEAL, Permit

CALLS_MAX = 3
RETURN_S = 6.0  # wait for a disconnected browser, which usually is back within 2 s
LOOK_S = 0.5


async def call_one_of(
    context: Context,
    tool: Tool,
    permission: Permit,
    arguments: protocol.ToolArguments,
    kind: type[R],
    check: Callable[[R], Awaitable[Checked]],
) -> tuple[R, Checked]:
    """Return what `call_permitted` returns, of the permit's device or a replacement. Raises ToolRefused, CallFailed."""
    ends_at = time.monotonic() + permission.deadline_s
    device = permission.device
    for calls_left in reversed(range(CALLS_MAX)):
        try:
            there = replace(permission, device=device, deadline_s=ends_at - time.monotonic(), seal=PERMIT_SEAL)
            return await call_permitted(there, arguments, kind, check)
        except browser_calls.CallFailed as failed:
            if failed.code not in browser_calls.GONE or tool.acts or not calls_left:
                raise
            other = await _another(context, tool, device, min(ends_at, time.monotonic() + RETURN_S))
            if other is None:
                raise
            device = other
    raise AssertionError("the last call returns or raises")


async def _another(context: Context, tool: Tool, lost: Device, until: float) -> Device | None:
    """Return a connected device that can run the tool, preferably another; None after `until`."""
    is_told = False
    while time.monotonic() < until:
        if capable := await in_db(Device.objects.capable)(tool.name):
            return next((device for device in capable if device.id != lost.id), capable[0])
        if not is_told:
            await context.say("Waiting for your browser to come back")
            is_told = True
        await asyncio.sleep(LOOK_S)
    return None
