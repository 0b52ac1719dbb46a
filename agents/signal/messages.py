from datetime import timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.utils import timezone

from agents.commands import consent
from agents.commands.registry import Meant
from agents.signal.files import Brought
from agents.turns import obey_command, start
from devices import protocol
from devices.channels import routing
from devices.channels.signal.channel import LINE
from devices.channels.signal.frames import DataMessage
from devices.conversation import messages
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner.account import the_owner
from thoughts.text.labels import HOUSE

NO_ANSWER = "I do not know that emoji as an answer. Put 👍 on the question for yes, 👎 for not now, or answer in words."


HELLO = (
    "I know now that this number is yours. Write to me here as in the browser; it is the same "
    "conversation. `/help` says what I can do."
)


TOO_LONG = "(The rest was too long.)"


TEXT_MAX = 32_000


PATIENT = timedelta(minutes=2)  # with a file that cannot be fetched: what came later waits behind it


def store(entry: LineEntry, device: Device, data: DataMessage, came: Brought, before: Message | None) -> Message | None:
    """Store a message, as a turn where all of it could be taken, and return it. What could not is answered."""
    owner, parent, turn_id, text = (
        the_owner(),
        before or _quoted(device, data),
        turn_id_of(entry),
        _shortened(came.text),
    )
    run = None
    if came.refused:
        store_answered(device, turn_id, text or "(attachment)", "\n\n".join(came.refused), parent)
    elif not came.files and (meant := _answers(device, data, text)):
        run = obey_command.obey(owner, device, protocol.ChatSend(turn_id=turn_id, text=text), meant)
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


def turn_id_of(entry: LineEntry) -> UUID:
    return uuid5(NAMESPACE_URL, f"{LINE}:{entry.author}:{entry.timestamp}")


@transaction.atomic
def store_answered(device: Device, turn_id: UUID, said: str, answer: str, parent: Message | None) -> None:
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
    """Return the message of the conversation that a quote stands for. Its words are not looked at: whoever quotes may
    change them.
    """
    if data.quote is None:
        return None
    return message_at(device, data.quote.id)


def message_at(device: Device, timestamp: int) -> Message | None:
    """Return the message that was sent at a moment, by the owner's number or by Penny's."""
    entry = (
        LineEntry.objects.filter(line=LINE, timestamp=timestamp, device=device)
        .select_related("message")
        .order_by("id")
        .first()
    )
    return entry.message if entry else None


def _answers(device: Device, data: DataMessage, text: str) -> Meant | None:
    """Return what words do that answer a question: the one that they quote, or those with which what was sent here
    ends.
    """
    said = consent.understood(text) if len(text) < consent.WORDS_MAX else None
    if said is None:
        return None
    quoted = Delivery.objects.asking(device, str(data.quote.id)) if data.quote else None
    asked = [quoted] if quoted else [] if data.quote else Delivery.objects.last_asked(device)
    prompts = [delivery.prompt for delivery in asked if delivery.prompt]
    return consent.to_questions(prompts, said, text, timezone.now()) if prompts else None
