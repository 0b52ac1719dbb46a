"""Tool calls to a browser: sent through its socket, answered once, waited for with BLPOP on a list of the call's own.

What Redis loses costs time and nothing else: who waits also looks at the row, and sends the call again, which its
socket passes on once.
"""

import asyncio
import time
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

from devices import events, protocol, redis
from devices.db import in_db
from devices.models import BrowserCall, Device
from devices.owner import stop
from devices.web.hosts import url_to_store

GRACE_S = 2.0  # the extension ends a call by its deadline; the answer needs a moment to arrive
LOOK_S = 2.0  # how often one who waits looks at the row
GONE = frozenset(
    {"disconnected", "lost"}
)  # no answer of the browser's: it went away, or what it said was lost on the way


class CallFailed(Exception):
    """A call without a result. `code` is typed; `detail` comes from the browser and is untrusted."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def call_key(call_id: UUID) -> str:
    return f"call:{call_id}"


async def call(
    device: Device, run_id: UUID, tool: str, arguments: protocol.ToolArguments, deadline_s: float
) -> protocol.ToolOutcome:
    """Run a tool on a connected device and return its result. Raises CallFailed. Cancelling this cancels the call in
    the browser.
    """
    row = await _record(device, run_id, tool, arguments.model_dump(), deadline_s)
    await _check_not_stopped(row)
    frame = protocol.ToolCall(call_id=row.id, tool=tool, arguments=arguments, deadline_ms=int(deadline_s * 1000))
    try:
        answer = await _answer(row, frame, time.monotonic() + deadline_s + GRACE_S)
    except asyncio.CancelledError:
        await asyncio.shield(_give_up(row, "cancelled"))
        raise
    if answer is None:
        await _give_up(row, "timeout")
        raise CallFailed("timeout")
    result = protocol.ToolResult.model_validate_json(answer)
    if result.error is not None:
        raise CallFailed(result.error.code, result.error.message)
    assert result.result is not None
    return result.result


async def _answer(row: BrowserCall, frame: protocol.ToolCall, ends_at: float) -> str | None:
    """Return what the browser said, None when it says nothing in time. Raises CallFailed when nothing can come any
    more.
    """
    event = {"type": "tool.call", "call_id": str(row.id), "connection": row.connection, "frame": protocol.encode(frame)}
    while (left_s := ends_at - time.monotonic()) > 0:
        await events.asend(event, events.device_group(row.device_id))
        if answer := await _said(row, min(left_s, LOOK_S)):
            return answer
        if code := await in_db(_over)(row):
            if answer := await _said(row, 1.0):  # it was on its way in this moment
                return answer
            raise CallFailed(code)
    return None


async def _said(row: BrowserCall, within_s: float) -> str | None:
    began = time.monotonic()
    try:
        return await redis.wait_for(call_key(row.id), within_s)
    except (RedisError, OSError):
        await asyncio.sleep(max(0.0, began + within_s - time.monotonic()))
        return None


def _over(row: BrowserCall) -> str:
    """Return why no answer can come any more, nothing while one can."""
    row.refresh_from_db(fields=["state", "error_code"])
    if row.state != BrowserCall.State.PENDING:
        return row.error_code or "lost"
    if Device.objects.connected().filter(pk=row.device_id, connection=row.connection).exists():
        return ""
    _fail(row, "disconnected")
    return "disconnected"


def take_answer(device: Device, result: protocol.ToolResult) -> bool:
    """Hand an answer to whoever waits for it. False: it is late, a second one, or not this device's call; then it is
    dropped.
    """
    state = BrowserCall.State.FAILED if result.error else BrowserCall.State.DONE
    mine = BrowserCall.objects.filter(pk=result.call_id, device=device, connection=device.connection or "")
    pending = mine.filter(state=BrowserCall.State.PENDING, deadline_at__gt=timezone.now())
    if not pending.update(state=state, error_code=result.error.code if result.error else ""):
        return False
    redis.wake(call_key(result.call_id), result.model_dump_json())
    return True


def fail_pending(connection: str) -> None:
    """The socket is gone, and with it the calls that were sent through it; those of other devices go on."""
    _fail_all(BrowserCall.objects.filter(connection=connection))


def fail_older(device: Device) -> None:
    """The device has a new socket. Nobody failed the calls of the one before if its server was killed."""
    _fail_all(BrowserCall.objects.filter(device=device).exclude(connection=device.connection or ""))


def abandon(run_id: UUID) -> None:
    """The attempt that waited for these calls is gone: the browser may close its tabs."""
    for row in BrowserCall.objects.filter(run_id=run_id, state=BrowserCall.State.PENDING):
        _fail(row, "cancelled")
        events.send_frame(protocol.ToolCancel(call_id=row.id), events.device_group(row.device_id))


def cancel_all() -> None:
    """Have every browser close what it opened for Penny: nobody waits for any of it."""
    for run_id in set(BrowserCall.objects.filter(state=BrowserCall.State.PENDING).values_list("run_id", flat=True)):
        abandon(run_id)


def _fail_all(calls: QuerySet[BrowserCall]) -> None:
    error = protocol.ToolError(code="disconnected", message="The browser disconnected.")
    for row in calls.filter(state=BrowserCall.State.PENDING):
        if BrowserCall.objects.filter(pk=row.pk, state=BrowserCall.State.PENDING).update(
            state="failed", error_code=error.code
        ):
            redis.wake(call_key(row.id), protocol.ToolResult(call_id=row.id, error=error).model_dump_json())


@in_db
def _record(device: Device, run_id: UUID, tool: str, arguments: dict[str, Any], deadline_s: float) -> BrowserCall:
    device.refresh_from_db()
    if not device.is_connected or device.connection is None:
        raise CallFailed("disconnected")
    deadline_at = timezone.now() + timedelta(seconds=deadline_s + GRACE_S)
    return BrowserCall.objects.create(
        device=device,
        connection=device.connection,
        run_id=run_id,
        tool=tool,
        arguments=_without_secrets(arguments),
        deadline_at=deadline_at,
    )


@in_db
def _check_not_stopped(row: BrowserCall) -> None:
    """Look once the row is stored: either this look finds the stop, or the stop finds this row. Raises CallFailed."""
    if stop.is_stopped():
        _fail(row, "stopped")
        raise CallFailed("stopped")


def _without_secrets(arguments: dict[str, Any]) -> dict[str, Any]:
    return arguments | {"url": url_to_store(arguments["url"])} if "url" in arguments else arguments


async def _give_up(row: BrowserCall, code: str) -> None:
    await in_db(_fail)(row, code)
    await events.asend_frame(protocol.ToolCancel(call_id=row.id), events.device_group(row.device_id))


def _fail(row: BrowserCall, code: str) -> None:
    BrowserCall.objects.filter(pk=row.pk, state=BrowserCall.State.PENDING).update(
        state=BrowserCall.State.FAILED, error_code=code
    )
