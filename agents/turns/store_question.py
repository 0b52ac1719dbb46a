"""Store the owner's message, and find what it refers to: parent, page, thought, failed run."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from agents.answers.conversation.history import NOT_SAID
from agents.answers.going_on import is_go_on
from agents.models import Run
from devices import protocol
from devices.conversation import messages as conversation_messages
from devices.conversation import threads
from devices.conversation.messages import Content
from devices.models import Device, Message, Thread
from thoughts.models import Page, Thought

USED_EVERY = timedelta(seconds=2)


def store_question(
    owner: User, device: Device, frame: protocol.ChatSend, words: Content, repeats: Message | None = None, **fields: Any
) -> Message:
    """Store the message. `repeats`: the one that it asks again, whose mode it has."""
    fields |= question_fields(device, frame, repeats)
    if frame.temporary:
        return conversation_messages.store_temporary(owner, words, **fields)
    thread = _thread_of(owner, frame, fields.get("parent"))
    return conversation_messages.store_message(owner, words, thread=thread, **fields)


def _thread_of(owner: User, frame: protocol.ChatSend, parent: Message | None) -> Thread | None:
    """Return the thread of a message: that of what it replies to, or the one that its client names."""
    thread_id = parent.thread_id if parent else frame.thread
    return threads.write_in(owner, thread_id, frame.text) if thread_id else None


def question_fields(device: Device, frame: protocol.ChatSend, repeats: Message | None = None) -> dict[str, Any]:
    fields = {"direction": Message.Direction.IN, "turn_id": frame.turn_id}
    mode_before = repeats is not None and repeats.may_act
    may_act = (frame.mode == "act" or device.in_act_mode or mode_before) and not frame.temporary
    tab = frame.tab or (repeats.tab_host if repeats else "")
    acting = {"may_act": True, "tab_host": tab} if may_act else {}
    return {"device": device, "device_label": device.label} | fields | acting


def parent_of(owner: User, frame: protocol.ChatSend) -> Message | None:
    return Message.objects.filter(owner=owner, pk=frame.parent_id).first() if frame.parent_id else None


def own_message(parent: Message | None) -> Message | None:
    """Return the parent if the owner wrote it: its files or its page are asked about once more."""
    return parent if parent and parent.direction == Message.Direction.IN else None


def page_of(question: Message | None) -> Page | None:
    run = Run.objects.filter(message=question).select_related("page").first() if question and question.page else None
    return run.page if run and run.page and run.page.text else None  # a page without text is a drawn picture


def mark_used(device: Device) -> None:
    """Record that the owner uses this device, at most every USED_EVERY."""
    now = timezone.now()
    if device.used_at is None or now - device.used_at > USED_EVERY:
        Device.objects.filter(pk=device.pk).update(used_at=now)
        device.used_at = now


def is_stored(owner: User, turn_id: UUID) -> bool:
    return Message.all_rows.filter(owner=owner, turn_id=turn_id, direction=Message.Direction.IN).exists()


def failed_run(parent: Message | None, frame: protocol.ChatSend) -> Run | None:
    """Return the failed run that this message retries, if its text is the same.

    The new run then gets the page, the files and the thought of the failed one.
    """
    if parent is None or parent.kind not in (Message.Kind.FAILURE, Message.Kind.CANCELLED) or parent.turn_id is None:
        return None
    run = (
        Run.objects.filter(message__owner=parent.owner, turn_id=parent.turn_id)
        .select_related("message", "page")
        .first()
    )
    return run if run and run.message and run.message.text == frame.text else None


def unfinished_answer(owner: User, device: Device, frame: protocol.ChatSend) -> Message | None:
    """Return the last answer of the conversation if it is not whole and these words ask to go on with it.

    A program goes on with answers to its own questions alone: the page and the files of others come along.
    """
    if frame.temporary or not is_go_on(frame.text):
        return None
    earlier = Message.objects.filter(owner=owner, thread=frame.thread).exclude(kind__in=NOT_SAID)
    last = earlier.select_related("parent").order_by("-seq").first()
    if last is None or not last.goes_on:
        return None
    return last if not device.has_only_a_token or _is_answer_to(device, last) else None


def _is_answer_to(device: Device, answer: Message) -> bool:
    return answer.parent is not None and answer.parent.device_id == device.pk


def unfinished_run(parent: Message | None, frame: protocol.ChatSend) -> Run | None:
    """Return the run whose answer this message goes on with. The new run gets its page, files and thought."""
    if parent is None or not parent.goes_on or not is_go_on(frame.text):
        return None
    runs = Run.objects.filter(message__owner=parent.owner, turn_id=parent.turn_id)
    return runs.select_related("message", "page").first()


def thought_of(earlier_run: Run | None, frame: protocol.ChatSend) -> Thought | None:
    if frame.thought_id:
        return Thought.objects.filter(pk=frame.thought_id).first()
    return earlier_run.message.thought if earlier_run and earlier_run.message else None
