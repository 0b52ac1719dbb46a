"""What came in over Signal, one entry after the other: a message becomes a turn, an emoji a reaction or an answer, an
edit the same question anew.

An entry is stored before it is taken, or with what it is taken for, and is done with when its envelope is gone.
Whatever it starts is named by its moment, so that one that is taken twice changes nothing the second time.
"""

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone
from pydantic import ValidationError

from agents.commands.registry import name_of
from agents.outbox import progress, receipts
from agents.signal import files as signal_files
from agents.signal.deletions import delete, withdraw
from agents.signal.files import Brought
from agents.signal.messages import HELLO, PATIENT, store, store_answered, turn_id_of
from agents.signal.reactions import react
from agents.signal.read_receipts import Taken, mark_read_if_wanted, note_heard
from agents.turns import start
from devices import disk
from devices.channels import routing
from devices.channels.signal import frames, own_numbers
from devices.channels.signal.channel import CHANNEL, LINE, number
from devices.channels.signal.frames import DataMessage, Envelope
from devices.conversation import messages
from devices.db import in_db, redoable
from devices.models import Device, Message
from devices.models.deliveries import LineEntry, LineState
from devices.owner.account import the_owner
from thoughts.text.labels import HOUSE

log = structlog.get_logger("penny.heard")


@transaction.atomic
def note(frame: frames.Frame, raw: object, account: str) -> Taken | bool:
    """Store what came in, if it is the owner's. Strangers are counted, and not told. `account`: the number that Penny
    writes with.

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
    note_heard(timezone.now())
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
    """Whether a message shows that the number that it came from is the owner's. One that hides its number may be any of
    theirs.
    """
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
    """Take words in the transaction that stores them: that is one wait for the disk less. None where that cannot be, or
    does not work.

    Then they wait, and `take_all` comes to them, and says why. So they do where something waits before them, but for a
    stop: a voice note may take minutes to be understood.
    """
    device, same = entry.device, Q(author=entry.author, timestamp=entry.timestamp)
    before = same if name_of(data.words) == "stop" else same | Q(envelope__isnull=False)
    if device is None or not data.is_words or LineEntry.objects.filter(before, line=LINE).exists():
        return None
    try:
        with transaction.atomic():
            entry.message = store(entry, device, data, Brought([data.words]), None)
            entry.save(force_insert=True)  # the same moment once more takes all of it back
            if entry.message:
                return entry.message
    except (DatabaseError, start.Busy, disk.DiskFull) as error:
        log.info("entry.taken_later", error=type(error).__name__)
    except Exception:
        log.exception("entry.taken_later")
    return None


def _sender(envelope: Envelope, account: str) -> Device | None:
    """Return the owner's device that an envelope came from: its number, or the id that Signal was seen to give to that
    number.
    """
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
    """Take what came in, in the order in which it came. Raises TryLater, DatabaseError, turns.Busy, DiskFull: then it
    is taken later.
    """
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
    before = await in_db(withdraw)(device, edit.targetSentTimestamp) if edit else None
    if data.reaction is not None:
        await in_db(react)(entry, device, data.reaction, account)
    elif data.remoteDelete is not None:
        await in_db(delete)(device, data.remoteDelete.timestamp)
    elif not data.isExpirationUpdate:
        await _message(entry, device, data, before)


# Messages
# -------------------------------------------------------------------------------------------------------------------


async def _message(entry: LineEntry, device: Device, data: DataMessage, before: Message | None) -> None:
    """Take a message. `before`: what it stood for until its owner changed it."""
    came = await signal_files.brought(data, is_patient=timezone.now() - entry.received_at < PATIENT)
    if not came.text and not came.refused:
        return
    message = await in_db(store)(entry, device, data, came, before)
    await in_db(_let_go)(
        entry, message
    )  # behind the worker, who takes the turn: one that is taken twice changes nothing
    if message and not came.refused:
        progress.show_progress(message, device)
    await mark_read_if_wanted(device, data.timestamp)


def refuse(entry: LineEntry, why: str) -> None:
    """Answer what could not be taken, in the place of its message."""
    if entry.device is not None and entry.device.revoked_at is None:
        store_answered(entry.device, turn_id_of(entry), "(a message on Signal)", why, None)


# What is said about messages
# -------------------------------------------------------------------------------------------------


# Answers to questions
# --------------------------------------------------------------------------------------------------------
