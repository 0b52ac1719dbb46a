"""Process stored Signal entries in order: messages, edits, reactions, deletions.

An entry is finished when its `envelope` is empty. Ids derive from the entry's timestamp, so processing one twice has no
effect.
"""

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone
from pydantic import ValidationError

from agents.commands.registry import Answer, name_of
from agents.outbox import progress, receipts
from agents.signal import files as signal_files
from agents.signal.deletions import delete, withdraw
from agents.signal.files import MessageContent
from agents.signal.messages import HELLO, PATIENT, store_answered, store_signal_message, turn_id_of
from agents.signal.reactions import apply_emoji
from agents.signal.read_receipts import Received, mark_read_if_wanted, record_receive_time
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
def store_frame(frame: frames.Frame, raw: object, account: str) -> Received | bool:
    """Store a frame of the owner; count one of a stranger, and do not answer it.

    `account`: the number that Penny writes with. Return the message if its turn was stored at once. Otherwise return
    whether an entry may wait to be processed.
    """
    envelope = frame.envelope
    device = _sender(envelope, account)
    data = envelope.dataMessage or envelope.to_self(account)
    edit = envelope.edit_by(account)
    content = edit.dataMessage if edit else data
    if device is None or (content is not None and content.groupInfo):
        if content is not None and not (data and not content.groupInfo and _proves_number(envelope, data)):
            LineState.of(LINE).refuse()
        return False
    key = {"line": LINE, "author": device.address, "timestamp": envelope.timestamp}
    if data is not None and edit is None and (message := _store_immediately(LineEntry(device=device, **key), data)):
        return Received(message, device, data.timestamp, timezone.now())
    record_receive_time(timezone.now())
    if receipt := envelope.receiptMessage:
        receipts.take_receipts(CHANNEL.line, receipt.timestamps, receipt.isRead or receipt.isViewed, timezone.now())
        transaction.on_commit(routing.wake_sender)
        return False
    if content is None:
        return False
    entry = LineEntry(device=device, envelope=raw, edits=edit.targetSentTimestamp if edit else None, **key)
    LineEntry.objects.bulk_create([entry], ignore_conflicts=True)  # another connection may have stored it
    return True


def _proves_number(envelope: Envelope, data: DataMessage) -> bool:
    """Return whether a message holds the code that proves a number, and greet the owner then.

    A sender who hides the number may prove any number that is not proven yet.
    """
    now, number = timezone.now(), envelope.number
    # Locked: two connections at once count each wrong code.
    for device in Device.objects.active().filter(kind=Device.Kind.SIGNAL).select_for_update():
        if number in ("", device.address) and own_numbers.prove_number(
            device, data.words, envelope.sourceUuid or "", now
        ):
            greeting = messages.store_message(
                the_owner(),
                messages.render_content(HELLO, []),
                device=None,
                device_label="Penny",
                direction=Message.Direction.OUT,
                kind=Message.Kind.NOTIFICATION,
                origin=sorted(HOUSE),
            )
            routing.queue(device, greeting, "You showed that this number is yours.")
            return True
    return False


def _store_immediately(entry: LineEntry, data: DataMessage) -> Message | None:
    """Store a text message with its turn in one transaction: one disk sync less.

    Return None if that is impossible or fails. The entry then waits for `process_entries`, which reports the reason.
    A message also waits behind older entries, except /stop: transcribing a voice note may take minutes.
    """
    device, same = entry.device, Q(author=entry.author, timestamp=entry.timestamp)
    before = same if name_of(data.words) == "stop" else same | Q(envelope__isnull=False)
    if device is None or not data.is_words or LineEntry.objects.filter(before, line=LINE).exists():
        return None
    try:
        with transaction.atomic():
            entry.message = store_signal_message(entry, device, data, MessageContent([data.words]), None)
            entry.save(force_insert=True)  # a duplicate timestamp rolls the turn back too
            if entry.message:
                return entry.message
    except (DatabaseError, start.Busy, disk.DiskFull) as error:
        log.info("entry.taken_later", error=type(error).__name__)
    except Exception:
        log.exception("entry.taken_later")
    return None


def _sender(envelope: Envelope, account: str) -> Device | None:
    """Return the owner's device that sent an envelope, by its number or its Signal id.

    A data message from Penny's own number has no sender.
    """
    for device in own_numbers.proven_numbers():
        if device.address in envelope.authors:
            if envelope.sourceUuid and device.client != envelope.sourceUuid:
                Device.objects.filter(pk=device.pk).update(client=envelope.sourceUuid)
            own = device.address == account
            return None if own and envelope.dataMessage else device
        if device.client and device.client == envelope.sourceUuid and not envelope.sourceNumber:
            return device
    return None


async def process_entries() -> None:
    """Process the stored entries in order.

    Raises TryLater, DatabaseError, turns.Busy, DiskFull. The entry then stays for a later attempt.
    """
    while entry := await in_db(next_entry)():
        await _process_entry(entry)
        if entry.envelope is not None:
            await in_db(_mark_processed)(entry)


def next_entry() -> LineEntry | None:
    return LineEntry.objects.filter(line=LINE, envelope__isnull=False).select_related("device").order_by("id").first()


def _mark_processed(entry: LineEntry, message: Message | None = None) -> None:
    """Mark an entry as processed, without waiting for the disk.

    After a power cut the entry may be processed again, which has no effect.
    """
    with redoable():
        LineEntry.objects.filter(pk=entry.pk).update(envelope=None, **({"message": message} if message else {}))
    entry.envelope = None


async def _process_entry(entry: LineEntry) -> None:
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
        await in_db(apply_emoji)(entry, device, data.reaction, account)
    elif data.remoteDelete is not None:
        await in_db(delete)(device, data.remoteDelete.timestamp)
    elif not data.isExpirationUpdate:
        await _process_message(entry, device, data, before)


# Messages
# -------------------------------------------------------------------------------------------------------------------


async def _process_message(entry: LineEntry, device: Device, data: DataMessage, before: Message | None) -> None:
    """Process a message. `before`: the version that this message replaces."""
    content = await signal_files.fetch_content(data, is_patient=timezone.now() - entry.received_at < PATIENT)
    if not (content.text or content.voice or content.refusals):
        return
    message = await in_db(store_signal_message)(entry, device, data, content, before)
    # The worker may run the turn already: processing the entry again has no effect.
    await in_db(_mark_processed)(entry, message)
    if message and not (content.refusals or content.voice):
        progress.show_progress(message, device)
    await mark_read_if_wanted(device, data.timestamp)


def store_refusal(entry: LineEntry, why: str) -> None:
    if entry.device is not None and entry.device.revoked_at is None:
        store_answered(entry.device, turn_id_of(entry), "(a message on Signal)", Answer(why), None)
