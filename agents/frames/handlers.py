"""One handler per type of client frame."""

import base64
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from agents.commands import registry
from agents.learning import history_reports, purpose
from agents.pages import pictures
from agents.turns import start
from devices import protocol
from devices.conversation import messages as conversation_messages
from devices.conversation import reactions
from devices.grants import asks, grants
from devices.models import Device
from devices.sockets import browser_calls
from thoughts.models import Thought

Answers = list[protocol.ServerFrame]


FOUND_MAX = 20


def _turn_cancel(owner: User, device: Device, frame: protocol.TurnCancel) -> Answers:
    ref = str(frame.turn_id)
    if start.request_cancel(owner, frame.turn_id):
        return [protocol.Ack(ref=ref)]
    return [protocol.Error(code="over", message="That answer is already finished.", ref=ref)]


def _tool_result(owner: User, device: Device, frame: protocol.ToolResult) -> Answers:
    ref = str(frame.call_id)
    if browser_calls.take_answer(device, frame):
        return [protocol.Ack(ref=ref)]
    return [protocol.Error(code="late", message="Nobody waits for that result any more.", ref=ref)]


def _grant_answer(owner: User, device: Device, frame: protocol.GrantAnswer) -> Answers:
    asks.answer_ask(frame.request_id, frame.decision, device, scope=frame.scope, host=frame.host, session=frame.session)
    return [protocol.Ack(ref=str(frame.request_id))]


def _approval_answer(owner: User, device: Device, frame: protocol.ApprovalAnswer) -> Answers:
    asks.answer_ask(frame.request_id, frame.decision, device)
    return [protocol.Ack(ref=str(frame.request_id))]


def _grant_set(owner: User, device: Device, frame: protocol.GrantSet) -> Answers:
    grants.set_grant(frame.host, frame.capability, frame.state, frame.scope, frame.session or "owner")
    return [protocol.Ack(ref=frame.host)]


def _grant_revoke(owner: User, device: Device, frame: protocol.GrantRevoke) -> Answers:
    if grants.revoke_grant(frame.host, frame.capability):
        return [protocol.Ack(ref=frame.host)]
    return [protocol.Error(code="not_found", message=f"There is no grant for {frame.host}.", ref=frame.host)]


def _thought_react(owner: User, device: Device, frame: protocol.ThoughtReact | protocol.ThoughtUnreact) -> Answers:
    thought = Thought.objects.filter(pk=frame.thought_id).first()
    if thought is None:
        raise reactions.ThoughtGone
    act = reactions.react if isinstance(frame, protocol.ThoughtReact) else reactions.take_back
    act(owner, device, thought, frame.valence)
    return [protocol.Ack(ref=str(frame.thought_id))]


def _history_fetch(owner: User, device: Device, frame: protocol.HistoryFetch) -> Answers:
    rows, more = conversation_messages.messages_before(owner, frame.before_seq, frame.limit)
    return _pages([row.frame() for row in rows], more)


def _history_search(owner: User, device: Device, frame: protocol.HistorySearch) -> Answers:
    rows, more = (
        conversation_messages.messages_holding(owner, frame.text, frame.before_seq, FOUND_MAX)
        if frame.text.strip()
        else ([], False)
    )
    messages, is_cut = _fitting([row.frame() for row in rows])
    return [protocol.HistoryFound(ref=frame.ref, messages=messages, more=more or is_cut)]


def _picture_fetch(owner: User, device: Device, frame: protocol.PictureFetch) -> Answers:
    """Serve a picture over the socket: an extension has no session to fetch it by its URL."""
    data = pictures.picture_bytes(frame.name)
    if data is None:
        return [protocol.Error(code="not_found", message="That picture is gone.", ref=str(frame.ref))]
    return [protocol.Picture(ref=frame.ref, data=base64.b64encode(data).decode())]


def _commands_fetch(owner: User, device: Device, frame: protocol.CommandsFetch) -> Answers:
    commands = [
        protocol.CommandInfo(name=command.name, usage=command.usage, does=command.does)
        for command in registry.completions(frame.begun)
    ]
    return [protocol.Commands(ref=frame.ref, commands=commands)]


def _history_report(owner: User, device: Device, frame: protocol.HistoryReport) -> Answers:
    history_reports.store_report(device, frame.visits)
    return [protocol.Ack(ref=str(frame.ref))]


def _device_update(owner: User, device: Device, frame: protocol.DeviceUpdate) -> Answers:
    fields: dict[str, Any] = {}
    if frame.label is not None:
        fields["label"] = frame.label
    if frame.tool_use is not None:
        fields["tool_use"] = frame.tool_use
    if frame.history is not None and device.kind != Device.Kind.WEB:
        fields["shares_history"] = frame.history
    Device.objects.filter(pk=device.pk).update(**fields, seen_at=timezone.now())
    device.label, device.tool_use = fields.get("label", device.label), fields.get("tool_use", device.tool_use)
    return [protocol.Ack(ref=str(frame.ref))]


def _purpose_set(owner: User, device: Device, frame: protocol.PurposeSet) -> Answers:
    purpose.set_purpose(frame.thinks, frame.likes)
    return [protocol.Ack(ref=str(frame.ref))]


def _pages(messages: list[protocol.Message], more: bool) -> Answers:
    """Return the newest messages that fit one frame. The client asks for older ones again."""
    fitting, is_cut = _fitting(messages)
    return [protocol.HistoryPage(messages=fitting, more=more or is_cut)]


def _fitting(messages: list[protocol.Message]) -> tuple[list[protocol.Message], bool]:
    """Return the last messages that fit one frame, at least one, and whether some are missing."""
    count, size = 0, 0
    for message in reversed(messages):
        size += len(message.model_dump_json().encode())
        if size > protocol.FRAME_BYTES - 1024 and count:
            break
        count += 1
    return messages[len(messages) - count :], count < len(messages)


ACTIONS: dict[type[protocol.ClientFrame], Callable[[User, Device, Any], Answers]] = {
    protocol.TurnCancel: _turn_cancel,
    protocol.ToolResult: _tool_result,
    protocol.GrantAnswer: _grant_answer,
    protocol.ApprovalAnswer: _approval_answer,
    protocol.GrantSet: _grant_set,
    protocol.GrantRevoke: _grant_revoke,
    protocol.ThoughtReact: _thought_react,
    protocol.ThoughtUnreact: _thought_react,
    protocol.HistoryFetch: _history_fetch,
    protocol.HistorySearch: _history_search,
    protocol.PictureFetch: _picture_fetch,
    protocol.CommandsFetch: _commands_fetch,
    protocol.HistoryReport: _history_report,
    protocol.DeviceUpdate: _device_update,
    protocol.PurposeSet: _purpose_set,
}
