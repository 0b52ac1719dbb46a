"""Answer a question that nobody answered in time: allow what it names, and ask the owner's message again."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString

from agents.answers import attachments
from agents.commands.consent import Consent
from agents.commands.registry import Answer, Order, Understood
from agents.models import Run
from agents.runs import queue
from agents.turns.store_question import mark_used
from devices import disk
from devices.channels.registry import channel_of
from devices.conversation import messages as conversation_messages
from devices.conversation import threads
from devices.conversation.messages import Content
from devices.db import one_at_a_time
from devices.grants import ask_texts, asks, late_asks
from devices.models import Ask, Device, Grant, Message
from devices.owner import stop as owner_stop
from devices.owner.account import the_owner

OVER = (
    "That question is over, and this did nothing: it was answered, its day is past, or its message is gone. "
    "Ask again, and Penny asks you again."
)
GONE = "That message is gone, and nothing was allowed. Ask again, and Penny asks you again."
STOPPED = "Everything is stopped, and this did nothing. Let Penny go on, then allow it."
FOR_OWNER = "Only you can allow that, in a browser of yours or on Penny's pages."


@dataclass(frozen=True)
class LateQuestion:
    """A question that nobody answered in time, with the run that asked it."""

    ask: Ask
    run: Run


def late_questions(owner: User, now: datetime) -> list[LateQuestion]:
    """Return what the owner may still answer, newest first; of several about the same sites the newest."""
    rows = {tuple(ask.sites): ask for ask in _of_answered_turns(owner, late_asks.undecided(now))}
    runs = Run.objects.select_related("message").in_bulk([ask.run_id for ask in rows.values()])
    return [LateQuestion(ask, runs[ask.run_id]) for ask in reversed(rows.values())]


@transaction.atomic
def allow_late(owner: User, device: Device, ask_id: UUID, turn_id: UUID, scope: str = Grant.Scope.ALWAYS) -> Run:
    """Allow the sites of a late ask and ask its message again as `turn_id`; return the new run.

    Raises AskOver, HostInvalid, DiskFull. `scope`: of the grant for one site.
    """
    if device.kind == Device.Kind.API:
        raise asks.AskOver(FOR_OWNER)
    if owner_stop.is_stopped():
        raise asks.AskOver(STOPPED)
    now = timezone.now()
    run = _run_of(owner, _late(ask_id, now))
    if run is None or (run.message is not None and run.message.is_temporary and run.message.device_id != device.pk):
        raise asks.AskOver(GONE)
    if not disk.has_room():
        raise disk.DiskFull
    new = _ask_again(run, device, turn_id)
    one_at_a_time(asks.ASKS)  # after the message is stored, as for a yes in words: two orders could block each other
    ask = _late(ask_id, now)
    late_asks.allow_sites(ask, scope, new.pk)
    _close_all(owner, ask, Ask.State.ALLOWED, device, now)
    return new


@transaction.atomic
def decline_late(owner: User, device: Device, ask_id: UUID) -> None:
    """Say no to a late ask, and to the others about the same sites. Raises AskOver."""
    one_at_a_time(asks.ASKS)
    now = timezone.now()
    _close_all(owner, _late(ask_id, now), Ask.State.DISMISSED, device, now)


def _late(ask_id: UUID, now: datetime) -> Ask:
    """Return a late ask, locked. Raises AskOver."""
    ask = late_asks.late_ask(ask_id, now)
    if ask is None:
        raise asks.AskOver(OVER)
    return ask


def _close_all(owner: User, ask: Ask, state: Ask.State, device: Device, now: datetime) -> None:
    """Close an ask, and the others about the same sites."""
    for other in Ask.objects.late(now):
        if other.sites == ask.sites and (run := _run_of(owner, other)):
            _close(run, other, state, device)


def parse_late_yes(prompts: list[UUID], consent: Consent, words: str) -> Understood | None:
    """Return what a yes in words to a late ask does. None for any other answer."""
    if consent.decision != "allow" or len(set(prompts)) != 1 or asks.is_waiting(prompts[0]):
        return None
    ask = Ask.objects.late(timezone.now()).of_prompts(prompts).last()
    if ask is None or _run_of(the_owner(), ask) is None:
        return None
    return Understood(lambda order: _allow_in_words(order, ask, consent), words)


def _allow_in_words(order: Order, ask: Ask, consent: Consent) -> Answer:
    """Allow for as long as the words say: a plain yes is for once."""
    try:
        allow_late(order.owner, order.device, ask.pk, uuid4(), consent.scope or Grant.Scope.ONCE)
    except asks.AskOver as over:
        return Answer(str(over))
    return Answer(f"{ask_texts.answer_text(ask, 'allow', consent.scope)} I answer your message again.")


def _of_answered_turns(owner: User, rows: list[Ask]) -> list[Ask]:
    turns = _answered_turns(owner).filter(pk__in=[ask.run_id for ask in rows], message__seq__gt=0)
    keys = set(turns.values_list("pk", flat=True))
    return [ask for ask in rows if ask.run_id in keys]


def _run_of(owner: User, ask: Ask) -> Run | None:
    return _answered_turns(owner).filter(pk=ask.run_id).select_related("message__device", "page").first()


def _answered_turns(owner: User) -> QuerySet[Run]:
    """Return the finished turns of the owner's own messages: a program's words are not asked again in their name."""
    turns = Run.objects.filter(kind=Run.Kind.TURN, state=Run.State.DONE, message__owner=owner, message__deleted_at=None)
    return turns.exclude(message__device__kind=Device.Kind.API)


def _ask_again(run: Run, device: Device, turn_id: UUID) -> Run:
    """Store the message of a run once more, as it was, with a queued run.

    It comes from `device`, or from the line that it came from, where its answer goes.
    """
    before = run.message
    assert before is not None
    asking = before.device if before.device and _is_line(before.device) else device
    mark_used(device)
    store = conversation_messages.store_temporary if before.is_temporary else conversation_messages.store_message
    files = attachments.files_of(before)
    message = store(
        before.owner,
        Content(before.text, SafeString(before.html)),
        direction=Message.Direction.IN,
        turn_id=turn_id,
        device=asking,
        device_label=asking.label,
        thread=threads.write_in(before.owner, before.thread_id, before.text) if before.thread_id else None,
        may_act=before.may_act,
        tab_host=before.tab_host,
        parent=before.parent,
        thought=before.thought,
        page=before.page,
        attachments=before.attachments,
        origin=before.origin,
    )
    attachments.store_files(message, files)
    new = Run(kind=Run.Kind.TURN, turn_id=turn_id, message=message, page=run.page, earlier=run.earlier)
    queue.store_and_start(new)
    return new


def _is_line(device: Device) -> bool:
    return device.revoked_at is None and channel_of(device).is_queued


def _close(run: Run, ask: Ask, state: Ask.State, device: Device) -> None:
    answer = Message.all_rows.filter(parent=run.message, turn_id=run.turn_id, direction=Message.Direction.OUT).first()
    late_asks.close(ask, state, device, answer)
    if answer is not None and not answer.is_temporary:
        conversation_messages.tell_changed(answer)
