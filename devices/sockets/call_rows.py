"""The rows of calls to browsers: their answers, and their ends when a socket, a run or everything ends."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from devices import events, protocol, redis
from devices.models import BrowserCall, Device


def call_key(call_id: UUID) -> str:
    return f"call:{call_id}"


def take_answer(device: Device, result: protocol.ToolResult) -> bool:
    """Pass an answer to its waiting caller.

    Return False, and drop it, if it is late, a duplicate, or of another device's call.
    """
    state = BrowserCall.State.FAILED if result.error else BrowserCall.State.DONE
    mine = BrowserCall.objects.filter(pk=result.call_id, device=device, connection=device.connection or "")
    pending = mine.filter(state=BrowserCall.State.PENDING, deadline_at__gt=timezone.now())
    if not pending.update(state=state, error_code=result.error.code if result.error else ""):
        return False
    redis.wake(call_key(result.call_id), result.model_dump_json())
    return True


def fail_pending(connection: str) -> None:
    """Fail the calls of a closed socket; those of other devices go on."""
    _fail_all(BrowserCall.objects.filter(connection=connection))


def fail_older(device: Device) -> None:
    """Fail the calls of a device's earlier sockets: a killed server could not do it."""
    _fail_all(BrowserCall.objects.filter(device=device).exclude(connection=device.connection or ""))


def abandon(run_id: UUID) -> None:
    """Fail the calls of a dead attempt, so that the browser closes its tabs."""
    for row in BrowserCall.objects.filter(run_id=run_id, state=BrowserCall.State.PENDING):
        fail_call(row, "cancelled")
        events.send_frame(protocol.ToolCancel(call_id=row.id), events.device_group(row.device_id))


def cancel_all() -> None:
    """Cancel every pending call, so that every browser closes what it opened for Penny."""
    for run_id in set(BrowserCall.objects.filter(state=BrowserCall.State.PENDING).values_list("run_id", flat=True)):
        abandon(run_id)


def _fail_all(calls: QuerySet[BrowserCall]) -> None:
    error = protocol.ToolError(code="disconnected", message="The browser disconnected.")
    for row in calls.filter(state=BrowserCall.State.PENDING):
        if BrowserCall.objects.filter(pk=row.pk, state=BrowserCall.State.PENDING).update(
            state="failed", error_code=error.code
        ):
            redis.wake(call_key(row.id), protocol.ToolResult(call_id=row.id, error=error).model_dump_json())


def fail_call(row: BrowserCall, code: str) -> None:
    BrowserCall.objects.filter(pk=row.pk, state=BrowserCall.State.PENDING).update(
        state=BrowserCall.State.FAILED, error_code=code
    )
