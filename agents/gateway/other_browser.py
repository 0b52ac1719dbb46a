"""A call whose browser goes away is made in another one, or in the same one when it comes back, if it only reads."""

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
RETURN_S = 6.0  # how long a browser that went away is waited for; it comes back within a second or two
LOOK_S = 0.5


async def call_one_of(context: Context, tool: Tool, allowed: Permit, arguments: protocol.ToolArguments) -> Any:
    """Return the result of a call on the device that it is allowed on, or on one that takes its place. Raises
    CallFailed.
    """
    ends_at = time.monotonic() + allowed.deadline_s
    device = allowed.device
    for left in reversed(range(CALLS_MAX)):
        try:
            return await browser_calls.call(device, context.run.id, tool.name, arguments, ends_at - time.monotonic())
        except browser_calls.CallFailed as failed:
            if failed.code not in browser_calls.GONE or tool.acts or not left:
                raise
            found = await _another(context, tool, device, min(ends_at, time.monotonic() + RETURN_S))
            if found is None:
                raise
            device = found
    raise AssertionError("the last call returns or raises")


async def _another(context: Context, tool: Tool, gone: Device, until: float) -> Device | None:
    """Return a connected device that can run the tool now, another one if there is one; None if there is none until
    then.
    """
    is_told = False
    while time.monotonic() < until:
        if capable := await in_db(Device.objects.capable)(tool.name):
            return next((device for device in capable if device.id != gone.id), capable[0])
        if not is_told:
            await context.say("Waiting for your browser to come back")
            is_told = True
        await asyncio.sleep(LOOK_S)
    return None
