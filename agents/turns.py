"""How a message becomes a run, and how a run's reply becomes a message. Each in one transaction."""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from agents import pictures, queue
from agents.models import Run
from agents.pages import header, shared_page
from agents.writing import Reply
from devices import conversation, disk, events, protocol
from devices.conversation import Written
from devices.models import Device, Message, MessageClaim
from thoughts.models import Page, Thought

USED_EVERY = timedelta(seconds=2)
# How many turns may wait for a worker. Who waits for few is not counted: an owner never meets this, a program that runs wild does.
WAITING_MAX, WAITING_HERE_FREE = 1000, 32


PUT_OFF = "Messages come faster than Penny can store them. This one is not stored yet: send it again in a moment."


class Unsupported(Exception):
    """A part of a message that this version cannot take; nothing of it is stored."""


class Busy(Exception):
    """Too many turns wait already; nothing of this one is stored, and the device sends it again by itself."""

    def __init__(self) -> None:
        super().__init__(
            f"{WAITING_MAX:,} messages wait for their answers. This one is not stored yet: send it again when there are fewer."
        )


def start_turn(owner: User, device: Device, frame: protocol.ChatSend, waiting_here: int = 0) -> Run | None:
    """Store the message, the page that is shared with it, and a queued run; None when this turn was stored before.

    `waiting_here`: for how many turns the sender waits already. Raises Unsupported, PageRefused, DiskFull, Busy.
    """
    _check(frame)
    if refusal := _refusal(waiting_here):
        if _is_stored(owner, frame.turn_id):
            return None
        raise refusal
    page = shared_page(frame.page, device.label) if frame.page else None
    words = conversation.written(frame.text)
    try:
        return _store_turn(owner, device, frame, page, words)
    except IntegrityError:
        if not _is_stored(owner, frame.turn_id):
            raise  # nothing was stored: what the message is about was deleted meanwhile
        return None


def _refusal(waiting_here: int) -> Exception | None:
    """Return why no turn can be taken now."""
    if not disk.has_room():
        return disk.DiskFull()
    if waiting_here >= WAITING_HERE_FREE and Run.objects.filter(state=Run.State.QUEUED).count() >= WAITING_MAX:
        return Busy()
    return None


def request_cancel(owner: User, turn_id: UUID) -> bool:
    """Ask for the end of a turn; False when there is no such open turn. A queued one ends at once."""
    run = Run.objects.filter(message__owner=owner, turn_id=turn_id, state__in=Run.OPEN).first()
    if run is None:
        return False
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    queue.wake_cancel(run)
    return True


def finish_turn(run: Run, reply: Reply) -> bool:
    """Store the reply and end the run, if this attempt still holds it."""
    words = conversation.written(reply.text, reply.links)
    with transaction.atomic():
        outcome, code = (str(reply.stopped), reply.stopped.code) if reply.stopped else ("", "")
        if not run.end(Run.State.DONE, outcome=outcome, error_code=code):
            return False
        Run.objects.filter(pk=run.pk).update(is_extractive=reply.is_extractive)
        shown = _show_picture(run)
        _announce(run, _store(run, words, Message.Kind.CHAT, reply, shown))
    return True


def fail_turn(run: Run, code: str, text: str, partial: Reply | None = None) -> bool:
    """End the run with a message that says why; what was written until then is kept, under its labels."""
    cancelled = code == "cancelled"
    whole = f"{partial.text.rstrip()}\n\n{text}".strip() if partial else text
    words = conversation.written(whole, partial.links if partial else [])
    with transaction.atomic():
        if not run.end(Run.State.CANCELLED if cancelled else Run.State.FAILED, outcome=text, error_code=code):
            return False
        kind = Message.Kind.CANCELLED if cancelled else Message.Kind.FAILURE
        _announce(run, _store(run, words, kind, partial))
    return True


@transaction.atomic
def _store_turn(owner: User, device: Device, frame: protocol.ChatSend, page: Page | None, words: Written) -> Run:
    _mark_used(device)
    parent = Message.objects.filter(owner=owner, pk=frame.parent_id).first() if frame.parent_id else None
    tried = _tried(parent, frame)
    if page is not None:
        page.save()
    elif tried is not None:
        page = tried.page
    message = conversation.store(
        owner,
        words,
        device=device,
        device_label=device.label,
        direction=Message.Direction.IN,
        turn_id=frame.turn_id,
        thread=frame.thread,
        parent=parent,
        thought=_thought(tried, frame),
        page=header(page) if page else None,
    )
    run = Run.objects.create(kind=Run.Kind.TURN, turn_id=frame.turn_id, message=message, page=page)
    if frame.page and (image := frame.page.image):
        transaction.on_commit(lambda: pictures.keep_for(run.pk, image))  # before the run is heard of
    queue.enqueue_on_commit(run)
    return run


def _mark_used(device: Device) -> None:
    """Note that the owner uses this device, at most every other second."""
    now = timezone.now()
    if device.used_at is None or now - device.used_at > USED_EVERY:
        Device.objects.filter(pk=device.pk).update(used_at=now)
        device.used_at = now


def _is_stored(owner: User, turn_id: UUID) -> bool:
    return Message.objects.filter(owner=owner, turn_id=turn_id, direction=Message.Direction.IN).exists()


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
    named = [name for name in ("attachments", "temporary") if getattr(frame, name)]
    if named:
        raise Unsupported(f"This version of Penny cannot take {' or '.join(named)} with a message yet. Send the text alone.")


def _show_picture(run: Run) -> dict[str, str] | None:
    """Show the picture of a shared page with the question, for whoever fetches it later, and return the header for the answer."""
    if run.message is None or run.page is None or run.page.picture is None:
        return None
    Message.objects.filter(pk=run.message.pk).update(page=header(run.page))
    return header(run.page)


def _store(run: Run, words: Written, kind: str, reply: Reply | None, page: dict[str, str] | None = None) -> Message:
    assert run.message is not None
    message = conversation.store(
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
        origin=reply.origin if reply else ["penny"],
        is_extractive=bool(reply and reply.is_extractive),
    )
    if reply:
        cite(run, message, reply)
    return message


def cite(run: Run, message: Message, reply: Reply) -> None:
    """Tie a message to the pages that it links, and to the claims behind its sentences."""
    if reply.links:
        message.sources.set(_linked(run, reply.links))
    if reply.claims:
        message.sources.add(*{claim.page for claim in reply.claims})
        message.claims.bulk_create(MessageClaim.of(message, number, *claim) for number, claim in enumerate(reply.claims, 1))


def _linked(run: Run, links: list[str]) -> QuerySet[Page]:
    """Return the pages that were read meanwhile and that these links lead to: what supports the message."""
    written = {link.replace("%28", "(").replace("%29", ")") for link in links}  # as Markdown spells them, and as they are stored
    return Page.objects.filter(url__in=written.union(links), fetched_at__gte=run.created_at)


def end_of(run: Run, message: Message) -> protocol.TurnDone | protocol.TurnFailed:
    """Return what tells a device that a turn is over, by its run and the message that ended it."""
    turn_id = _turn_id(run)
    if run.state == Run.State.DONE:
        return protocol.TurnDone(turn_id=turn_id, message=message.frame())
    error = protocol.ToolError(code=run.error_code, message=run.outcome)
    return protocol.TurnFailed(turn_id=turn_id, message=message.frame(), error=error)


def _announce(run: Run, message: Message) -> None:
    event = {"type": "turn.end", "seq": message.seq, "turn_id": str(run.turn_id), "frame": protocol.encode(end_of(run, message))}
    transaction.on_commit(lambda: events.send(event))


def _turn_id(run: Run) -> UUID:
    assert run.turn_id is not None
    return run.turn_id
