"""Start a turn: store the message of the owner and its queued run in one transaction."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from agents.answers import attachments
from agents.answers.conversation import temporary_chat
from agents.answers.going_on import is_go_on
from agents.commands import proposals, understand
from agents.commands.registry import Answer, Order
from agents.models import Run
from agents.pages import pictures
from agents.pages.store import page_header, shared_page
from agents.runs import queue
from agents.turns.confirm_words import ACT
from agents.turns.obey_command import obey
from agents.turns.store_question import (
    failed_run,
    is_stored,
    mark_used,
    own_message,
    page_of,
    parent_of,
    question_fields,
    store_question,
    thought_of,
    unfinished_answer,
    unfinished_run,
)
from devices import disk, protocol
from devices.conversation import messages as conversation_messages
from devices.conversation.messages import Content
from devices.models import Device, Message
from thoughts.models import Page

# Queued turns in all, and open turns of one socket. Below WAITING_HERE_FREE the queue is not counted: this stops a
# program out of control, and never the owner.
WAITING_MAX, WAITING_HERE_MAX, WAITING_HERE_FREE = 1000, 128, 32


FLOODING = "Messages come faster than Penny can store them. This one is not stored yet: send it again in a moment."


class Unsupported(Exception):
    """A combination of parts that a message cannot have. Nothing of the message is stored."""


class Busy(Exception):
    """Too many turns are queued. Nothing is stored; the device sends the message again by itself."""

    def __init__(self, waiting: int) -> None:
        super().__init__(
            f"{waiting:,} messages wait for their answers. This one is not stored yet: send it again when there "
            "are fewer."
        )


def start_turn(
    owner: User,
    device: Device,
    frame: protocol.ChatSend,
    waiting_here: int = 0,
    earlier: Sequence[temporary_chat.Exchange] = (),
) -> Run | None:
    """Store the message, its shared page and a queued run. None if the turn was stored before.

    A command is run at once instead, and its run is already over. All channels start their turns here. `waiting_here`:
    the open turns of the sender. `earlier`: what was said before in a program's own list. Raises
    Unsupported, PageRefused, AttachmentRefused, SealBroken, DiskFull, Busy.
    """
    _check_combination(frame)
    thread = None if frame.temporary else frame.thread
    if command := understand.parse_command(owner, device, frame.text, frame.parent_id, timezone.now(), thread):
        return obey(owner, device, frame, command)
    if refusal := _why_refused(waiting_here):
        if is_stored(owner, frame.turn_id):
            return None
        raise refusal
    page = shared_page(frame.page, device.label) if frame.page else None
    files = attachments.check_files(frame.attachments)
    words = conversation_messages.render_content(frame.text)
    try:
        return _store_turn(owner, device, frame, page, words, files, earlier)
    except IntegrityError:
        if not is_stored(owner, frame.turn_id):
            raise  # what the message refers to was deleted meanwhile
        return None


def is_plain(frame: protocol.ChatSend) -> bool:
    """Whether a message is only text of the main conversation, without reference to anything stored."""
    return not (
        frame.page
        or frame.attachments
        or frame.earlier
        or frame.temporary
        or frame.parent_id
        or frame.thought_id
        or frame.thread
        or is_go_on(frame.text)
    )


def start_plain_turns(owner: User, device: Device, frames: Sequence[protocol.ChatSend], waiting_here: int) -> bool:
    """Store several plain messages and their runs in one transaction.

    Returns False, and stores nothing, if any of them is a command, a resend, or refused now; the caller then starts
    them one by one.
    """
    if _why_refused(waiting_here) or understand.any_is_command(owner, device, [f.text for f in frames], timezone.now()):
        return False
    words = [conversation_messages.render_content(frame.text) for frame in frames]
    try:
        with transaction.atomic():
            mark_used(device)
            messages = conversation_messages.store_messages(
                owner, [(text, question_fields(device, frame)) for frame, text in zip(frames, words, strict=True)]
            )
            runs = [Run(kind=Run.Kind.TURN, turn_id=message.turn_id, message=message) for message in messages]
            queue.enqueue_on_commit(*Run.objects.bulk_create(runs))
    except DatabaseError:
        return False
    return True


def _why_refused(waiting_here: int) -> Exception | None:
    if not disk.has_room():
        return disk.DiskFull()
    if waiting_here >= WAITING_HERE_MAX:
        return Busy(waiting_here)
    if waiting_here >= WAITING_HERE_FREE and Run.objects.filter(state=Run.State.QUEUED).count() >= WAITING_MAX:
        return Busy(WAITING_MAX)
    return None


def request_cancel(owner: User, turn_id: UUID) -> bool:
    """Ask the worker to end a turn. False if no such turn is open. A queued turn ends at once."""
    run = Run.objects.filter(message__owner=owner, turn_id=turn_id, state__in=Run.OPEN).first()
    if run is None:
        return False
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    queue.wake_cancel(run)
    return True


@transaction.atomic
def _store_turn(
    owner: User,
    device: Device,
    frame: protocol.ChatSend,
    page: Page | None,
    words: Content,
    files: list[attachments.CheckedFile],
    earlier: Sequence[temporary_chat.Exchange],
) -> Run:
    mark_used(device)
    parent = parent_of(owner, frame) or unfinished_answer(owner, device, frame)
    failed = failed_run(parent, frame)
    earlier_run = failed or unfinished_run(parent, frame)
    if page is not None:
        page.save()
    elif earlier_run is not None:
        page = earlier_run.page
        files = files or attachments.files_of(earlier_run.message)
    elif not files:
        own = own_message(parent)
        files = attachments.files_of(own)
        page = page_of(own)
    message = store_question(
        owner,
        device,
        frame,
        words,
        repeats=failed.message if failed else None,
        parent=parent,
        thought=thought_of(earlier_run, frame),
        page=page_header(page) if page else None,
        attachments=[file.info() for file in files] or None,
    )
    attachments.store_files(message, files)
    before = [*earlier, *temporary_chat.open_seals(frame.earlier)]
    run = Run(kind=Run.Kind.TURN, turn_id=frame.turn_id, message=message, page=page, earlier=before)
    if frame.page and (image := frame.page.image):
        transaction.on_commit(lambda: pictures.keep_run_picture(run.pk, image))  # before a worker is woken for the run
    queue.store_and_start(run)
    return run


def _check_combination(frame: protocol.ChatSend) -> None:
    if frame.attachments and frame.page:
        raise Unsupported("Send the page and the files in two messages: an answer comes from one or the other.")
    if frame.mode == "act" and frame.temporary:
        raise Unsupported("In a temporary chat Penny does nothing on pages. Switch to Ask, or to the usual chat.")
    if frame.earlier and not frame.temporary:
        raise Unsupported("What was said in a temporary chat goes with a temporary question alone.")


def _say_as_confirmed(arguments: dict[str, Any], order: Order) -> Answer:
    frame = protocol.ChatSend(turn_id=UUID(arguments["turn_id"]), text=arguments["text"])

    def begin(_: Message) -> None:
        start_turn(order.owner, order.device, frame)

    return Answer("Then I take it as yours.", on_stored=begin)


proposals.ACTS[ACT] = _say_as_confirmed
