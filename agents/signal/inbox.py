"""What came in over Signal, one entry after the other: a message becomes a turn, an emoji a reaction or an answer, an edit the same
question anew.

An entry is stored before it is taken, or with what it is taken for, and is done with when its envelope is gone. Whatever it starts is
named by its moment, so that one that is taken twice changes nothing the second time.
"""

import asyncio
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

import structlog
from constance import config
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone
from pydantic import ValidationError

from agents.commands import consent
from agents.commands.registry import Answer, Meant, name_of
from agents.models import Proposal, Run
from agents.outbox import progress, receipts
from agents.signal import files as signal_files
from agents.signal.files import Brought
from agents.turns import start
from devices import disk, protocol
from devices.channels import routing
from devices.channels.signal import frames, own_numbers
from devices.channels.signal.channel import CHANNEL, LINE, mark_read, number
from devices.channels.signal.frames import DataMessage, Envelope, Reaction
from devices.conversation import messages, reactions
from devices.db import in_db, redoable
from devices.grants import asks
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought
from thoughts.text.labels import HOUSE

LIKES = set("👍❤🧡💛💚💙💜🖤🤍😍🥰😂😊😃🎉👏🔥⭐💯🙏🤩😮✅")
DISLIKES = set("👎😠😡🙄😒💩🤮😢❌🥱😴")
NO_ANSWER = "I do not know that emoji as an answer. Put 👍 on the question for yes, 👎 for not now, or answer in words."
HELLO = "I know now that this number is yours. Write to me here as in the browser; it is the same conversation. `/help` says what I can do."
TOO_LONG = "(The rest was too long.)"
TEXT_MAX = 32_000
PATIENT = timedelta(minutes=2)  # with a file that cannot be fetched: what came later waits behind it
log = structlog.get_logger("penny.heard")
_marking: set[asyncio.Task[None]] = set()


class Taken(NamedTuple):
    """What became a message: which one, the device that it came from, its moment as the line names it, and when it was heard."""

    message: Message
    device: Device
    sent_at: int | None
    heard_at: datetime


@transaction.atomic
def note(frame: frames.Frame, raw: object, account: str) -> Taken | bool:
    """Store what came in, if it is the owner's. Strangers are counted, and not told. `account`: the number that Penny writes with.

    Return what was taken with that, and otherwise whether there may be something to take.
    """
    envelope = frame.envelope
    device = _sender(envelope, account)
    data = envelope.dataMessage or envelope.to_self(account)
    edit = envelope.edit_by(account)
    said = edit.dataMessage if edit else data
    if device is None or (said is not None and said.groupInfo):
        if said is not None and not (data and not said.groupInfo and _is_shown_by(envelope, data)):
            LineState.of(LINE).refuse()
        return False
    named = {"line": LINE, "author": device.address, "timestamp": envelope.timestamp}
    if data is not None and edit is None and (message := _taken_at_once(LineEntry(device=device, **named), data)):
        return Taken(message, device, data.timestamp, timezone.now())
    _note_heard(timezone.now())
    if receipt := envelope.receiptMessage:
        receipts.take_receipts(CHANNEL.line, receipt.timestamps, receipt.isRead or receipt.isViewed, timezone.now())
        transaction.on_commit(routing.wake)
        return False
    if said is None:
        return False
    entry = LineEntry(device=device, envelope=raw, edits=edit.targetSentTimestamp if edit else None, **named)
    LineEntry.objects.bulk_create([entry], ignore_conflicts=True)  # another connection may have brought it
    return True


def _is_shown_by(envelope: Envelope, data: DataMessage) -> bool:
    """Whether a message shows that the number that it came from is the owner's. One that hides its number may be any of theirs."""
    now, number = timezone.now(), envelope.number
    for device in Device.objects.active().filter(kind=Device.Kind.SIGNAL):
        if number in ("", device.address) and own_numbers.show(device, data.words, envelope.sourceUuid or "", now):
            told = messages.store(
                the_owner(),
                messages.written(HELLO, []),
                device=None,
                device_label="Penny",
                direction=Message.Direction.OUT,
                kind=Message.Kind.NOTIFICATION,
                origin=sorted(HOUSE),
            )
            routing.queue(device, told, "You showed that this number is yours.")
            return True
    return False


def _taken_at_once(entry: LineEntry, data: DataMessage) -> Message | None:
    """Take words in the transaction that stores them: that is one wait for the disk less. None where that cannot be, or does not work.

    Then they wait, and `take_all` comes to them, and says why. So they do where something waits before them, but for a stop: a voice note
    may take minutes to be understood.
    """
    device, same = entry.device, Q(author=entry.author, timestamp=entry.timestamp)
    before = same if name_of(data.words) == "stop" else same | Q(envelope__isnull=False)
    if device is None or not data.is_words or LineEntry.objects.filter(before, line=LINE).exists():
        return None
    try:
        with transaction.atomic():
            entry.message = _store(entry, device, data, Brought([data.words]), None)
            entry.save(force_insert=True)  # the same moment once more takes all of it back
            if entry.message:
                return entry.message
    except (DatabaseError, start.Busy, disk.DiskFull) as error:
        log.info("entry.taken_later", error=type(error).__name__)
    except Exception:
        log.exception("entry.taken_later")
    return None


def show_taken(taken: Taken) -> None:
    """Note that a message was taken, and show that on the owner's phone. Nobody waits for that, and its answer goes first."""
    progress.show_progress(taken.message, taken.device)
    _marking.add(task := asyncio.create_task(_show_read_later(taken)))
    task.add_done_callback(_marking.discard)


async def _show_read_later(taken: Taken) -> None:
    await asyncio.sleep(progress.SHOWN_AFTER_S)
    try:
        await in_db(_note_heard)(taken.heard_at)
        await _mark_read(taken.device, taken.sent_at)
    except DatabaseError as error:
        log.info("heard.not_noted", error=type(error).__name__)


async def _mark_read(device: Device, sent_at: int | None) -> None:
    if sent_at and await in_db(_sends_receipts)():
        await mark_read(device, sent_at)


def _note_heard(at: datetime) -> None:
    """Whatever is heard of the owner's devices proves that the line is not deaf, and that Signal knows its number."""
    state = LineState.objects.filter(pk=LineState.of(LINE).pk)
    state.filter(problem__in=["deaf", "unregistered"]).update(problem="", said="")
    state.filter(Q(heard_at=None) | Q(heard_at__lt=at)).update(heard_at=at)  # more may have been heard since


def _sender(envelope: Envelope, account: str) -> Device | None:
    """Return the owner's device that an envelope came from: its number, or the id that Signal was seen to give to that number."""
    for device in own_numbers.shown():
        if device.address in envelope.authors:
            if envelope.sourceUuid and device.client != envelope.sourceUuid:
                Device.objects.filter(pk=device.pk).update(client=envelope.sourceUuid)
            own = device.address == account
            return None if own and envelope.dataMessage else device
        if device.client and device.client == envelope.sourceUuid and not envelope.sourceNumber:
            return device
    return None


async def take_all() -> None:
    """Take what came in, in the order in which it came. Raises TryLater, DatabaseError, turns.Busy, DiskFull: then it is taken later."""
    while entry := await in_db(next_entry)():
        await _take(entry)
        if entry.envelope is not None:
            await in_db(_let_go)(entry)


def next_entry() -> LineEntry | None:
    return LineEntry.objects.filter(line=LINE, envelope__isnull=False).select_related("device").order_by("id").first()


def _let_go(entry: LineEntry, message: Message | None = None) -> None:
    """Be done with an entry. A power cut may take that back: whatever is taken a second time changes nothing."""
    with redoable():
        LineEntry.objects.filter(pk=entry.pk).update(envelope=None, **({"message": message} if message else {}))
    entry.envelope = None


async def _take(entry: LineEntry) -> None:
    device = entry.device
    if device is None or device.revoked_at is not None:
        return
    try:
        envelope = frames.Frame.model_validate(entry.envelope).envelope
    except ValidationError:
        log.warning("entry.malformed", entry=entry.pk)
        return
    account = await in_db(number)()
    to_self = envelope.to_self(account)
    edit = envelope.edit_by(account)
    data = edit.dataMessage if edit else envelope.dataMessage or to_self
    if data is None:
        return
    before = await in_db(_withdraw)(device, edit.targetSentTimestamp) if edit else None
    if data.reaction is not None:
        await in_db(_react)(entry, device, data.reaction, account)
    elif data.remoteDelete is not None:
        await in_db(_delete)(device, data.remoteDelete.timestamp)
    elif not data.isExpirationUpdate:
        await _message(entry, device, data, before)


# Messages -------------------------------------------------------------------------------------------------------------------


async def _message(entry: LineEntry, device: Device, data: DataMessage, before: Message | None) -> None:
    """Take a message. `before`: what it stood for until its owner changed it."""
    came = await signal_files.brought(data, is_patient=timezone.now() - entry.received_at < PATIENT)
    if not came.text and not came.refused:
        return
    message = await in_db(_store)(entry, device, data, came, before)
    await in_db(_let_go)(entry, message)  # behind the worker, who takes the turn: one that is taken twice changes nothing
    if message and not came.refused:
        progress.show_progress(message, device)
    await _mark_read(device, data.timestamp)


def _store(entry: LineEntry, device: Device, data: DataMessage, came: Brought, before: Message | None) -> Message | None:
    """Store a message, as a turn where all of it could be taken, and return it. What could not is answered."""
    owner, parent, turn_id, text = the_owner(), before or _quoted(device, data), _turn_id(entry), _shortened(came.text)
    run = None
    if came.refused:
        _answer(device, turn_id, text or "(attachment)", "\n\n".join(came.refused), parent)
    elif not came.files and (meant := _answers(device, data, text)):
        run = start.obey(owner, device, protocol.ChatSend(turn_id=turn_id, text=text), meant)
    else:
        # What a message about a thought asks is about that thought, as in the feed.
        about, parent_id = (parent.thought_id, parent.pk) if parent else (None, None)
        files = came.files or None
        frame = protocol.ChatSend(turn_id=turn_id, text=text, parent_id=parent_id, thought_id=about, attachments=files)
        run = start.start_turn(owner, device, frame)
    stored = Message.objects.filter(owner=owner, turn_id=turn_id, direction=Message.Direction.IN)
    return run.message if run else stored.first()


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 100]}\n\n{TOO_LONG}"


def _turn_id(entry: LineEntry) -> UUID:
    return uuid5(NAMESPACE_URL, f"{LINE}:{entry.author}:{entry.timestamp}")


@transaction.atomic
def _answer(device: Device, turn_id: UUID, said: str, answer: str, parent: Message | None) -> None:
    """Store a message that no run answers, with its answer. Once: the same turn again changes nothing."""
    owner = the_owner()
    if Message.objects.filter(owner=owner, turn_id=turn_id).exists():
        return
    asked = messages.store(
        owner,
        messages.written(said),
        turn_id=turn_id,
        device=device,
        device_label=device.label,
        direction=Message.Direction.IN,
        parent=parent,
    )
    told = messages.store(
        owner,
        messages.written(answer, []),
        turn_id=turn_id,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        parent=asked,
        origin=sorted(HOUSE),
    )
    routing.reply(told, asked)


def _quoted(device: Device, data: DataMessage) -> Message | None:
    """Return the message of the conversation that a quote stands for. Its words are not looked at: whoever quotes may change them."""
    if data.quote is None:
        return None
    return _at(device, data.quote.id)


def _at(device: Device, timestamp: int) -> Message | None:
    """Return the message that was sent at a moment, by the owner's number or by Penny's."""
    entry = LineEntry.objects.filter(line=LINE, timestamp=timestamp, device=device).select_related("message").order_by("id").first()
    return entry.message if entry else None


def refuse(entry: LineEntry, why: str) -> None:
    """Answer what could not be taken, in the place of its message."""
    if entry.device is not None and entry.device.revoked_at is None:
        _answer(entry.device, _turn_id(entry), "(a message on Signal)", why, None)


# What is said about messages -------------------------------------------------------------------------------------------------


def _react(entry: LineEntry, device: Device, reaction: Reaction, account: str) -> None:
    """Turn an emoji on a thought into a reaction to it, one on a question into its answer; one on anything else changes nothing."""
    if not reaction.is_on_message_of(account, device.client) or _is_overtaken(entry, reaction):
        return
    message = _at(device, reaction.targetSentTimestamp)
    if message is not None and message.thought is not None:
        _react_to_thought(device, message.thought, reaction)
    elif not reaction.isRemove:  # what an answer did is done
        _answer_by_emoji(entry, device, message, reaction)


def _is_overtaken(entry: LineEntry, reaction: Reaction) -> bool:
    """Whether its owner took it back, or put another in its place, before anybody looked: it was never meant."""
    later = LineEntry.objects.filter(line=LINE, device=entry.device, id__gt=entry.pk, envelope__isnull=False).values_list(
        "envelope", flat=True
    )
    return any(_reacts_to(envelope) == reaction.targetSentTimestamp for envelope in later)


def _reacts_to(envelope: object) -> int | None:
    try:
        found = frames.Frame.model_validate(envelope).envelope
    except ValidationError:
        return None
    data = found.dataMessage or (found.syncMessage.sentMessage if found.syncMessage else None)
    return data.reaction.targetSentTimestamp if data and data.reaction else None


def _react_to_thought(device: Device, thought: Thought, reaction: Reaction) -> None:
    valence = _valence(reaction.emoji)
    if valence is None:
        return
    try:
        if reaction.isRemove:
            reactions.take_back(the_owner(), device, thought, valence)
        else:
            reactions.react(the_owner(), device, thought, valence)
    except reactions.ThoughtGone:
        return


# Answers to questions --------------------------------------------------------------------------------------------------------


def _answer_by_emoji(entry: LineEntry, device: Device, message: Message | None, reaction: Reaction) -> None:
    """Answer the question that an emoji was put on, if it is one."""
    proposal = Proposal.objects.filter(message=message, state=Proposal.State.OPEN).first() if message else None
    asked = Delivery.objects.asking(device, str(reaction.targetSentTimestamp))
    prompt = asked.prompt if asked else None
    if meant := _meant_by(reaction.emoji, proposal, prompt):
        start.obey(the_owner(), device, protocol.ChatSend(turn_id=_turn_id(entry), text=reaction.emoji), meant)


def _meant_by(emoji: str, proposal: Proposal | None, prompt: UUID | None) -> Meant | None:
    """Return what an emoji does to a question, None where that is nothing."""
    said = consent.understood(emoji)
    if said is None:
        is_open = proposal is not None or (prompt is not None and asks.is_waiting(prompt))
        return Meant(lambda order: Answer(NO_ANSWER), emoji) if is_open else None
    if proposal is not None:
        return consent.to_proposal(proposal, said, emoji)
    if prompt is None or consent.holds_already(prompt, said):
        return None
    return consent.to_questions([prompt], said, emoji, timezone.now())


def _answers(device: Device, data: DataMessage, text: str) -> Meant | None:
    """Return what words do that answer a question: the one that they quote, or those with which what was sent here ends."""
    said = consent.understood(text) if len(text) < consent.WORDS_MAX else None
    if said is None:
        return None
    quoted = Delivery.objects.asking(device, str(data.quote.id)) if data.quote else None
    asked = [quoted] if quoted else [] if data.quote else Delivery.objects.last_asked(device)
    prompts = [delivery.prompt for delivery in asked if delivery.prompt]
    return consent.to_questions(prompts, said, text, timezone.now()) if prompts else None


def _valence(emoji: str) -> int | None:
    first = emoji.replace("\ufe0f", "")[:1]
    return Preference.Valence.LIKE if first in LIKES else Preference.Valence.DISLIKE if first in DISLIKES else None


def _withdraw(device: Device, timestamp: int) -> Message | None:
    """End the answering of a message that its owner changed; return it."""
    for version in _versions(device, timestamp):
        _end(version)
    changed = _at(device, timestamp)
    return changed if changed is not None and changed.direction == Message.Direction.IN else None


def _versions(device: Device, timestamp: int) -> list[Message]:
    """Return a message of the owner's, and what they changed it from and to."""
    moments = LineEntry.versions(LINE, device, timestamp)
    entries = LineEntry.objects.filter(line=LINE, device=device, timestamp__in=moments)
    return list(Message.objects.filter(pk__in=entries.values("message"), direction=Message.Direction.IN))


def _end(message: Message) -> None:
    if message.turn_id and Run.objects.filter(turn_id=message.turn_id, state__in=Run.OPEN).exists():
        start.request_cancel(the_owner(), message.turn_id)


def _delete(device: Device, timestamp: int) -> None:
    """Take the words and files of a message that the owner deleted from the conversation, in all its versions; that there was one stays."""
    for message in _versions(device, timestamp):
        _end(message)
        words = messages.written("(deleted)")
        message.text, message.html, message.page, message.attachments = words.text, words.html, None, None
        message.save(update_fields=["text", "html", "page", "attachments"])
        message.files.all().delete()
        messages.tell_changed(message)


def _sends_receipts() -> bool:
    return bool(config.SIGNAL_READ_RECEIPTS)
