"""Repeat a reading call after a disconnect: in another browser, or when its own is back."""

import asyncio
import time
from typing import Any

from agents.gateway.catalog import Tool
from agents.gateway.permits import Permit
from agents.runs.context import Context
from devices import protocol
from devices.db import in_db
from devices.models import Device
from devices.sockets import browser_calls

CALLS_MAX = 3
RETURN_S = 6.0  # wait for a disconnected browser, which usually is back within 2 s
LOOK_S = 0.5


async def call_one_of(context: Context, tool: Tool, permission: Permit, arguments: protocol.ToolArguments) -> Any:
    """Return the result of a call on its device or a replacement. Raises CallFailed."""
    ends_at = time.monotonic() + permission.deadline_s
    device = permission.device
    for calls_left in reversed(range(CALLS_MAX)):
        try:
            return await browser_calls.call_browser(
                device, context.run.id, tool.name, arguments, ends_at - time.monotonic()
            )
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
