"""How a message becomes a run, and how a run's reply becomes a message. Each in one transaction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from agents.answers import attachments, temporary_chat
from agents.answers.cited_pages import cite, linked_pages, spelled
from agents.answers.writer import Reply
from agents.commands import understand
from agents.commands.registry import Answer, Meant, Order
from agents.gateway.permits import Context
from agents.models import Run
from agents.outbox import send
from agents.pages import pictures
from agents.pages.store import header, shared_page
from agents.runs import queue
from devices import disk, events, protocol
from devices.channels import routing
from devices.conversation import messages as conversation_messages
from devices.conversation.messages import Written
from devices.models import Device, Message
from thoughts.models import Page, Thought

USED_EVERY = timedelta(seconds=2)
# How many turns may wait for a worker, and for how many ends one socket. Who waits for few is not counted: an owner never meets this, a
# program that runs wild does.
WAITING_MAX, WAITING_HERE_MAX, WAITING_HERE_FREE = 1000, 128, 32


PUT_OFF = "Messages come faster than Penny can store them. This one is not stored yet: send it again in a moment."
FILES_LEFT = "What came with it I left aside, for a command takes no files. Send it in a message of its own, with what you want to know."


class Unsupported(Exception):
    """A part of a message that this version cannot take; nothing of it is stored."""


class Busy(Exception):
    """Too many turns wait already; nothing of this one is stored, and the device sends it again by itself."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting:,} messages wait for their answers. This one is not stored yet: send it again when there are fewer.")


def start_turn(owner: User, device: Device, frame: protocol.ChatSend, waiting_here: int = 0) -> Run | None:
    """Store the message, the page that is shared with it, and a queued run; None when this turn was stored before.

    A command is obeyed at once, and its run is over; whatever channel it comes from, it comes here.
    `waiting_here`: for how many turns the sender waits already. Raises Unsupported, PageRefused, AttachmentRefused, SealBroken, DiskFull,
    Busy.
    """
    _check(frame)
    if meant := understand.meant(owner, frame.text, frame.parent_id, timezone.now()):
        return obey(owner, device, frame, meant)
    if refusal := _refusal(waiting_here):
        if _is_stored(owner, frame.turn_id):
            return None
        raise refusal
    page = shared_page(frame.page, device.label) if frame.page else None
    files = attachments.taken(frame.attachments)
    words = conversation_messages.written(frame.text)
    try:
        return _store_turn(owner, device, frame, page, words, files)
    except IntegrityError:
        if not _is_stored(owner, frame.turn_id):
            raise  # nothing was stored: what the message is about was deleted meanwhile
        return None


def is_plain(frame: protocol.ChatSend) -> bool:
    """Whether a message is words alone: nothing came with it, and it is about nothing that was there before."""
    return not (frame.page or frame.attachments or frame.earlier or frame.temporary or frame.parent_id or frame.thought_id)


def start_together(owner: User, device: Device, frames: Sequence[protocol.ChatSend], waiting_here: int) -> bool:
    """Store several plain messages, and their runs, in one transaction. False: nothing of them was stored, and each has to be started by
    itself: one is a command, cannot be taken now, or was stored before.
    """
    if _refusal(waiting_here) or understand.is_any_meant(owner, [frame.text for frame in frames], timezone.now()):
        return False
    words = [conversation_messages.written(frame.text) for frame in frames]
    try:
        with transaction.atomic():
            _mark_used(device)
            messages = conversation_messages.store_all(
                owner, [(each, _asked(device, frame)) for frame, each in zip(frames, words, strict=True)]
            )
            runs = [Run(kind=Run.Kind.TURN, turn_id=message.turn_id, message=message) for message in messages]
            queue.enqueue_on_commit(*Run.objects.bulk_create(runs))
    except DatabaseError:
        return False
    return True


def obey(owner: User, device: Device, frame: protocol.ChatSend, meant: Meant) -> Run | None:
    """Do what the owner's words say, once, and answer: in one transaction, whatever waits for a worker. None where it was done before."""
    words = conversation_messages.written(frame.text)
    try:
        with transaction.atomic():
            _mark_used(device)
            asked = {"kind": meant.kind, "parent": _parent(owner, frame), "thought": _thought(None, frame)}
            message = _store_question(owner, device, frame, words, **asked)
            run = Run.objects.create(kind=Run.Kind.TURN, turn_id=frame.turn_id, message=message)
            answer = meant.obey(Order(owner, device, message, run, meant.words, timezone.now()))
            if frame.attachments and meant.kind == Message.Kind.COMMAND:
                answer = _without_files(answer)
            if answer is None:
                queue.enqueue_on_commit(run)
            else:
                _answer_at_once(run, answer)
            return run
    except IntegrityError:
        if not _is_stored(owner, frame.turn_id):
            raise
        return None


def _without_files(answer: Answer | None) -> Answer:
    """Say that files were left aside. What a worker would do is not done: the files may have been what it was meant for."""
    if answer is None:
        return Answer("I draw from words alone, and nothing was drawn. Send it again without the file.")
    return replace(answer, text=f"{answer.text}\n\n{FILES_LEFT}")


def _answer_at_once(run: Run, answer: Answer) -> None:
    now = timezone.now()
    run.state, run.outcome, run.started_at, run.ended_at = Run.State.DONE, "Done by code.", now, now
    run.save(update_fields=["state", "outcome", "started_at", "ended_at"])
    reply = Reply(answer.text, answer.links, answer.origin)
    message = _store(run, conversation_messages.written(answer.text, answer.links), Message.Kind.COMMAND, reply, thought=answer.thought)
    answer.stored(message)
    _announce(run, message)


def _refusal(waiting_here: int) -> Exception | None:
    """Return why no turn can be taken now."""
    if not disk.has_room():
        return disk.DiskFull()
    if waiting_here >= WAITING_HERE_MAX:
        return Busy(waiting_here)
    if waiting_here >= WAITING_HERE_FREE and Run.objects.filter(state=Run.State.QUEUED).count() >= WAITING_MAX:
        return Busy(WAITING_MAX)
    return None


def request_cancel(owner: User, turn_id: UUID) -> bool:
    """Ask for the end of a turn; False when there is no such open turn. A queued one ends at once."""
    run = Run.objects.filter(message__owner=owner, turn_id=turn_id, state__in=Run.OPEN).first()
    if run is None:
        return False
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    queue.wake_cancel(run)
    return True


def finish_turn(run: Run, reply: Reply, context: Context | None = None) -> bool:
    """Store the reply and end the run, if this attempt still holds it, with what it used up and the last step of its `context`."""
    words = conversation_messages.written(reply.text, reply.links)
    with transaction.atomic():
        outcome, code = (str(reply.stopped), reply.stopped.code) if reply.stopped else ("", "")
        used = context.budget.used() if context else {}
        if not run.end(Run.State.DONE, outcome=outcome, error_code=code, is_extractive=reply.is_extractive, **used):
            return False
        if context and context.last:
            context.last.save()
        shown = _show_picture(run) or _header_of(run, reply)
        _announce(run, _store(run, words, Message.Kind.CHAT, reply, shown))
    return True


def fail_turn(run: Run, code: str, text: str, partial: Reply | None = None) -> bool:
    """End the run with a message that says why; what was written until then is kept, under its labels."""
    cancelled = code == "cancelled"
    whole = f"{partial.text.rstrip()}\n\n{text}".strip() if partial else text
    words = conversation_messages.written(whole, partial.links if partial else [])
    with transaction.atomic():
        if not run.end(Run.State.CANCELLED if cancelled else Run.State.FAILED, outcome=text, error_code=code):
            return False
        kind = Message.Kind.CANCELLED if cancelled else Message.Kind.FAILURE
        _announce(run, _store(run, words, kind, partial))
    return True


@transaction.atomic
def _store_turn(
    owner: User, device: Device, frame: protocol.ChatSend, page: Page | None, words: Written, files: list[attachments.Taken]
) -> Run:
    _mark_used(device)
    parent = _parent(owner, frame)
    tried = _tried(parent, frame)
    if page is not None:
        page.save()
    elif tried is not None:
        page = tried.page
        files = files or attachments.of(tried.message)
    elif not files:
        own = _own(parent)
        files = attachments.of(own)
        page = _page_of(own)
    message = _store_question(
        owner,
        device,
        frame,
        words,
        parent=parent,
        thought=_thought(tried, frame),
        page=header(page) if page else None,
        attachments=[file.info() for file in files] or None,
    )
    attachments.store(message, files)
    earlier = temporary_chat.opened(frame.earlier)
    run = Run(kind=Run.Kind.TURN, turn_id=frame.turn_id, message=message, page=page, earlier=earlier)
    if frame.page and (image := frame.page.image):
        transaction.on_commit(lambda: pictures.keep_for(run.pk, image))  # before the run is heard of
    queue.add(run)
    return run


def _store_question(owner: User, device: Device, frame: protocol.ChatSend, words: Written, **fields: Any) -> Message:
    store = conversation_messages.store_temporary if frame.temporary else conversation_messages.store
    return store(owner, words, **_asked(device, frame), **fields)


def _asked(device: Device, frame: protocol.ChatSend) -> dict[str, Any]:
    """Return what is stored of every question."""
    said = {"direction": Message.Direction.IN, "turn_id": frame.turn_id, "thread": frame.thread}
    return {"device": device, "device_label": device.label} | said


def _parent(owner: User, frame: protocol.ChatSend) -> Message | None:
    return Message.objects.filter(owner=owner, pk=frame.parent_id).first() if frame.parent_id else None


def _own(parent: Message | None) -> Message | None:
    """Return the owner's own message that they reply to: its files, or its page, are asked about once more."""
    return parent if parent and parent.direction == Message.Direction.IN else None


def _page_of(question: Message | None) -> Page | None:
    run = Run.objects.filter(message=question).select_related("page").first() if question and question.page else None
    return run.page if run and run.page and run.page.text else None  # one without words is a picture that was drawn


def _mark_used(device: Device) -> None:
    """Note that the owner uses this device, at most every other second."""
    now = timezone.now()
    if device.used_at is None or now - device.used_at > USED_EVERY:
        Device.objects.filter(pk=device.pk).update(used_at=now)
        device.used_at = now


def _is_stored(owner: User, turn_id: UUID) -> bool:
    return Message.all_rows.filter(owner=owner, turn_id=turn_id, direction=Message.Direction.IN).exists()


def _tried(parent: Message | None, frame: protocol.ChatSend) -> Run | None:
    """Return the run of a turn that failed, if a message is that turn's question once more: what the question was about comes along."""
    if parent is None or parent.kind not in (Message.Kind.FAILURE, Message.Kind.CANCELLED) or parent.turn_id is None:
        return None
    run = Run.objects.filter(message__owner=parent.owner, turn_id=parent.turn_id).select_related("message", "page").first()
    return run if run and run.message and run.message.text == frame.text else None


def _thought(tried: Run | None, frame: protocol.ChatSend) -> Thought | None:
    if frame.thought_id:
        return Thought.objects.filter(pk=frame.thought_id).first()
    return tried.message.thought if tried and tried.message else None


def _check(frame: protocol.ChatSend) -> None:
    if frame.attachments and frame.page:
        raise Unsupported("Send the page and the files in two messages: an answer comes from one or the other.")
    if frame.earlier and not frame.temporary:
        raise Unsupported("What was said in a temporary chat goes with a temporary question alone.")


def _show_picture(run: Run) -> dict[str, str] | None:
    """Show the picture of a shared page with the question, for whoever fetches it later, and return the header for the answer."""
    if run.message is None or run.page is None or run.page.picture is None:
        return None
    Message.all_rows.filter(pk=run.message.pk).update(page=header(run.page))
    return header(run.page)


def _header_of(run: Run, reply: Reply) -> dict[str, str] | None:
    """Return the header of the page that a reply rests on most: the one that was shared, the one cited most often, or the first linked."""
    if run.page is not None:
        return header(run.page)
    cited = Counter(claim.page for claim in reply.claims).most_common(1)
    pages = Page.objects.select_related("picture").defer("text", "links", "metadata")
    found = pages.filter(pk=cited[0][0]).first() if cited else None
    if found is None and reply.links:
        linked = linked_pages(run, reply.links).select_related("picture").defer("text", "links", "metadata")
        found = min(linked, key=lambda page: _place(page.url, reply.links), default=None)
    return header(found) if found else None


def _place(url: str, links: list[str]) -> int:
    return next((place for place, link in enumerate(links) if spelled(link) == url), len(links))


def _store(
    run: Run, words: Written, kind: str, reply: Reply | None, page: dict[str, str] | None = None, thought: Thought | None = None
) -> Message:
    assert run.message is not None
    taken = send.sends_first()
    store = conversation_messages.store_temporary if run.message.is_temporary else conversation_messages.store
    message = store(
        run.message.owner,
        words,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=kind,
        turn_id=run.turn_id,
        thread=run.message.thread,
        parent=run.message,
        page=page,
        thought=thought,
        origin=reply.origin if reply else ["penny"],
        is_extractive=bool(reply and reply.is_extractive),
    )
    if reply:
        cite(run, message, reply)
    if kind == Message.Kind.CANCELLED:  # who cancelled it knows
        routing.unmark(message, run.message)
    elif delivery := routing.answer_to(message, run.message):
        send.queue_answer(delivery, taken)
    return message


def end_of(run: Run, message: Message) -> protocol.TurnDone | protocol.TurnFailed:
    """Return what tells a device that a turn is over, by its run and the message that ended it."""
    turn_id, told = _turn_id(run), message.frame()
    if message.is_temporary:
        told = told.model_copy(update={"sealed": temporary_chat.sealed(message)})
    if run.state == Run.State.DONE:
        return protocol.TurnDone(turn_id=turn_id, message=told)
    error = protocol.ToolError(code=run.error_code, message=run.outcome)
    return protocol.TurnFailed(turn_id=turn_id, message=told, error=error)


def _announce(run: Run, message: Message) -> None:
    frame, group = end_of(run, message), group_of(run)
    event = {"type": "turn.end", "seq": frame.message.seq, "turn_id": str(run.turn_id), "frame": protocol.encode(frame)}
    event |= {"is_private": group != events.OWNER_GROUP}
    transaction.on_commit(lambda: events.send(event, group))


def group_of(run: Run) -> str:
    """Return who hears of a turn while it runs: every device, or of a temporary one the device alone that asked."""
    if run.message is None or not run.message.is_temporary:
        return events.OWNER_GROUP
    return events.device_group(run.message.device_id) if run.message.device_id else events.NOBODY


def _turn_id(run: Run) -> UUID:
    assert run.turn_id is not None
    return run.turn_id
