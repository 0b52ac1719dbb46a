"""One handler per type of client frame."""

import base64
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from agents.acting import steer
from agents.commands import delete, registry
from agents.frames import files, vault, wording
from agents.learning import history_reports, purpose
from agents.pages import pictures
from agents.turns import late_asks, start
from agents.vault.keep import NotKept
from devices import protocol
from devices.conversation import deletion, reactions, threads
from devices.conversation import messages as conversation_messages
from devices.grants import asks, grants
from devices.models import Device
from devices.owner.acting import look_at_acting
from devices.sockets import call_rows
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
    if call_rows.take_answer(device, frame):
        return [protocol.Ack(ref=ref)]
    return [protocol.Error(code="late", message="Nobody waits for that result any more.", ref=ref)]


def _grant_answer(owner: User, device: Device, frame: protocol.GrantAnswer) -> Answers:
    asks.answer_ask(frame.request_id, frame.decision, device, scope=frame.scope, host=frame.host, session=frame.session)
    return [protocol.Ack(ref=str(frame.request_id))]


def _approval_answer(owner: User, device: Device, frame: protocol.ApprovalAnswer) -> Answers:
    asks.answer_ask(frame.request_id, frame.decision, device, words=frame.words)
    return [protocol.Ack(ref=str(frame.request_id))]


def _ask_late(owner: User, device: Device, frame: protocol.AskLate) -> Answers:
    late_asks.allow_late(owner, device, frame.ask_id, frame.turn_id)
    return [protocol.Ack(ref=str(frame.turn_id))]


def _grant_set(owner: User, device: Device, frame: protocol.GrantSet) -> Answers:
    if frame.capability == "keep":
        _check_may_keep_pages(device, Device.Kind.BROWSER, Device.Kind.WEB)
    grants.set_grant(frame.host, frame.capability, frame.state, frame.scope, frame.session or "owner")
    return [protocol.Ack(ref=frame.host)]


def _check_may_keep_pages(device: Device, *kinds: Device.Kind) -> None:
    """The owner alone says what is kept by itself, and no program in their name. Raises NotKept."""
    if device.kind not in kinds:
        raise NotKept("unknown_capability", "Only a browser of yours keeps pages by itself.")


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
    rows, more = conversation_messages.messages_before(owner, frame.before_seq, frame.limit, frame.thread)
    return _pages([row.frame() for row in rows], more, frame.thread)


def _history_search(owner: User, device: Device, frame: protocol.HistorySearch) -> Answers:
    rows, more = (
        conversation_messages.messages_holding(owner, frame.text, frame.before_seq, FOUND_MAX, frame.thread)
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
    if frame.keeping is not None:
        _check_may_keep_pages(device, Device.Kind.BROWSER)
        fields["keeping"] = frame.keeping
    Device.objects.filter(pk=device.pk).update(**fields, seen_at=timezone.now())
    look_at_acting()
    device.label, device.tool_use = fields.get("label", device.label), fields.get("tool_use", device.tool_use)
    return [protocol.Ack(ref=str(frame.ref))]


def _purpose_set(owner: User, device: Device, frame: protocol.PurposeSet) -> Answers:
    purpose.set_purpose(frame.thinks, frame.likes)
    return [protocol.Ack(ref=str(frame.ref))]


def _threads_fetch(owner: User, device: Device, frame: protocol.ThreadsFetch) -> Answers:
    rows, more = threads.find_threads(owner, frame.text, protocol.THREADS_MAX)
    return [protocol.ThreadsFound(ref=frame.ref, threads=[row.info() for row in rows], more=more)]


def _thread_rename(owner: User, device: Device, frame: protocol.ThreadRename) -> Answers:
    threads.rename(owner, frame.thread_id, frame.name)
    return [protocol.Ack(ref=str(frame.ref))]


def _thread_delete(owner: User, device: Device, frame: protocol.ThreadDelete) -> Answers:
    delete.delete_thread(owner, frame.thread_id, timezone.now())
    return [protocol.Ack(ref=str(frame.ref))]


def _thread_restore(owner: User, device: Device, frame: protocol.ThreadRestore) -> Answers:
    deletion.restore_thread(owner, frame.thread_id)
    return [protocol.Ack(ref=str(frame.ref))]


def _message_delete(owner: User, device: Device, frame: protocol.MessageDelete) -> Answers:
    delete.delete_message(owner, frame.message_id, timezone.now())
    return [protocol.Ack(ref=str(frame.ref))]


def _message_restore(owner: User, device: Device, frame: protocol.MessageRestore) -> Answers:
    deletion.restore_message(owner, frame.message_id)
    return [protocol.Ack(ref=str(frame.ref))]


def _errand_command(owner: User, device: Device, frame: protocol.ErrandCommand) -> Answers:
    steer.steer(frame.errand_id, frame.do)
    return [protocol.Ack(ref=str(frame.ref))]


def _pages(messages: list[protocol.Message], more: bool, view: protocol.View | None) -> Answers:
    """Return the newest messages that fit one frame. The client asks for older ones again."""
    fitting, is_cut = _fitting(messages)
    return [protocol.HistoryPage(messages=fitting, more=more or is_cut, thread=view)]


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
    protocol.AskLate: _ask_late,
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
    protocol.ThreadsFetch: _threads_fetch,
    protocol.ThreadRename: _thread_rename,
    protocol.ThreadDelete: _thread_delete,
    protocol.ThreadRestore: _thread_restore,
    protocol.MessageDelete: _message_delete,
    protocol.MessageRestore: _message_restore,
    protocol.ErrandCommand: _errand_command,
    protocol.PageKeep: vault.keep_sent_page,
    protocol.KeptLook: vault.find_kept_page,
    protocol.FileBegin: files.begin_file,
    protocol.FilePart: files.take_part,
    protocol.FileEnd: files.end_file,
    protocol.TextAsk: wording.ask_for_words,
    protocol.TextCancel: wording.cancel_words,
}
