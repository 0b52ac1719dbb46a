"""Answer the frames of words for a passage."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from agents.models import Run, WordingAsk
from agents.runs import queue
from devices import disk, protocol
from devices.db import one_at_a_time
from devices.models import Device
from devices.web.hosts import HostInvalid, grant_host, is_own

Answers = list[protocol.ServerFrame]
AT_ONCE = 4
MANY = "Penny is writing four texts. Try again when one is done."
_TASKS = {
    "explain": "Explain a passage",
    "rewrite": "Rewrite a passage",
    "write": "Write into a field",
    "translate": "Translate a passage",
    "summarise": "Sum up a passage",
}


def ask_for_words(owner: User, device: Device, frame: protocol.TextAsk) -> Answers:
    """Store the ask with its queued run. Sent again, it is answered with what came of it.

    Raises DiskFull, HostInvalid.
    """
    ref = str(frame.ref)
    if device.kind not in (Device.Kind.BROWSER, Device.Kind.WEB):
        return [protocol.Error(code="unsupported", message="Only a browser of yours asks for words.", ref=ref)]
    if not (frame.text.strip() or frame.instruction.strip()):
        return [protocol.Error(code="empty", message="There is nothing to work on. Choose some text.", ref=ref)]
    host = _host_of(frame)
    disk.check_room()
    with transaction.atomic():
        one_at_a_time("wording")
        if before := WordingAsk.objects.filter(device=device, ref=frame.ref).select_related("run").first():
            return [_state_of(before)]
        if WordingAsk.objects.open().filter(device=device).count() >= AT_ONCE:
            return [
                protocol.Error(
                    code="too_many", message="Penny is writing four texts. Try again when one is done.", ref=ref
                )
            ]
        run = Run.objects.create(kind=Run.Kind.WORDING, task=f"{_TASKS[frame.task]} of {host}")
        fields = frame.model_copy(update={"host": host}).model_dump(mode="json")
        WordingAsk.objects.create(run=run, device=device, ref=frame.ref, frame=fields, is_temporary=frame.temporary)
        queue.enqueue_on_commit(run)
    return [protocol.Ack(ref=ref)]


def cancel_words(owner: User, device: Device, frame: protocol.TextCancel) -> Answers:
    ask = WordingAsk.objects.open().filter(device=device, ref=frame.ref).select_related("run").first()
    if ask is None:
        return [protocol.Error(code="over", message="That text is already finished.", ref=str(frame.ref))]
    Run.objects.filter(pk=ask.run_id).update(cancel_requested_at=timezone.now())
    queue.wake_cancel(ask.run)
    return [protocol.Ack(ref=str(frame.ref))]


def _host_of(frame: protocol.TextAsk) -> str:
    host = grant_host(f"http://{frame.host}")
    if is_own(host):
        raise HostInvalid("own", "On Penny's own pages, ask her in the chat.")
    return host


def _state_of(ask: WordingAsk) -> protocol.ServerFrame:
    if ask.done:
        return protocol.TextDone.model_validate(ask.done)
    if ask.run.state in Run.OPEN:
        return protocol.Ack(ref=str(ask.ref))
    return protocol.Error(code=ask.run.error_code or "internal", message=ask.run.outcome, ref=str(ask.ref))
