"""Run tools in a browser: each call is sent through its socket and answered once.

The caller waits with BLPOP on a list of the call's own. If Redis loses something, that costs only time: the caller also
polls the row and sends the call again, which its socket passes on once.
"""

import asyncio
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from devices import events, protocol, redis
from devices.db import in_db
from devices.models import BrowserCall, Device, HostCount
from devices.owner import stop
from devices.sockets.call_rows import call_key, fail_call
from devices.sockets.permits import Permit, Sealed
from devices.web.hosts import url_to_store

GRACE_S = 2.0  # the extension ends a call by its deadline; the answer needs a moment to arrive
LOOK_S = 2.0  # interval at which a waiting call polls its row
# No answer came from the browser: it went away, or its answer was lost.
GONE = frozenset({"disconnected", "lost"})


class CallFailed(Exception):
    """A call without a result. `code` is typed; `detail` is the browser's and untrusted."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


async def call_browser(permit: Permit, arguments: protocol.ToolArguments) -> Sealed:
    """Run a tool on a connected device and return its result. Raises CallFailed, SealBroken.

    Cancelling this coroutine cancels the call in the browser.
    """
    permit.require(arguments)
    row = await _store_call(permit, arguments.model_dump(mode="json"))
    await _check_not_stopped(row)
    deadline_ms = int(permit.deadline_s * 1000)
    frame = protocol.ToolCall(call_id=row.id, tool=permit.tool, arguments=arguments, deadline_ms=deadline_ms)
    try:
        answer = await _wait_for_answer(row, frame, time.monotonic() + permit.deadline_s + GRACE_S)
    except asyncio.CancelledError:
        await asyncio.shield(_cancel_call(row, "cancelled"))
        raise
    if answer is None:
        await _cancel_call(row, "timeout")
        raise CallFailed("timeout")
    result = protocol.ToolResult.model_validate_json(answer)
    if result.error is not None:
        raise CallFailed(result.error.code, result.error.message)
    assert result.result is not None
    return Sealed(result.result)


async def _wait_for_answer(row: BrowserCall, frame: protocol.ToolCall, ends_at: float) -> str | None:
    """Return the browser's answer, None after the deadline.

    Raises CallFailed when no answer can come any more.
    """
    event = {"type": "tool.call", "call_id": str(row.id), "connection": row.connection, "frame": protocol.encode(frame)}
    while (left_s := ends_at - time.monotonic()) > 0:
        await events.asend(event, events.device_group(row.device_id))
        if answer := await redis.wait_for(call_key(row.id), min(left_s, LOOK_S)):
            return answer
        if code := await in_db(_why_over)(row):
            if answer := await redis.wait_for(call_key(row.id), 1.0):  # the answer may have been on its way
                return answer
            raise CallFailed(code)
    return None


def _why_over(row: BrowserCall) -> str:
    """Return why no answer can come any more, empty if one can."""
    row.refresh_from_db(fields=["state", "error_code"])
    if row.state != BrowserCall.State.PENDING:
        return row.error_code or "lost"
    if Device.objects.connected().filter(pk=row.device_id, connection=row.connection).exists():
        return ""
    fail_call(row, "disconnected")
    return "disconnected"


@in_db
@transaction.atomic
def _store_call(permit: Permit, arguments: dict[str, Any]) -> BrowserCall:
    device = permit.device
    device.refresh_from_db()
    if not device.is_connected or device.connection is None:
        raise CallFailed("disconnected")
    deadline_at = timezone.now() + timedelta(seconds=permit.deadline_s + GRACE_S)
    _count_host(arguments)
    return BrowserCall.objects.create(
        device=device,
        connection=device.connection,
        run_id=permit.run_id,
        tool=permit.tool,
        arguments=_without_secrets(arguments),
        deadline_at=deadline_at,
    )


def _count_host(arguments: dict[str, Any]) -> None:
    """Count the host of a page or of a search engine. Other calls leave the browser with no address."""
    way = HostCount.Way.SEARCH if "template" in arguments else HostCount.Way.PAGE
    if address := arguments.get("template") or arguments.get("url"):
        HostCount.objects.add(way, urlsplit(address).hostname or "")


@in_db
def _check_not_stopped(row: BrowserCall) -> None:
    """Raise CallFailed if everything is stopped.

    Called once the row is stored: either this check finds the stop, or the stop finds the row.
    """
    if stop.is_stopped():
        fail_call(row, "stopped")
        raise CallFailed("stopped")


def _without_secrets(arguments: dict[str, Any]) -> dict[str, Any]:
    return arguments | {"url": url_to_store(arguments["url"])} if "url" in arguments else arguments


async def _cancel_call(row: BrowserCall, code: str) -> None:
    await in_db(fail_call)(row, code)
    await events.asend_frame(protocol.ToolCancel(call_id=row.id), events.device_group(row.device_id))
