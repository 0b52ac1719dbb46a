"""Store Signal messages: as a turn, as an answer to a question, or with a refusal."""

from datetime import timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.utils import timezone

from agents.commands import consent
from agents.commands.registry import Answer, Understood
from agents.signal.files import MessageContent
from agents.turns import confirm_words, late_asks, obey_command, start
from devices import protocol
from devices.channels import routing
from devices.channels.signal.channel import LINE
from devices.channels.signal.frames import DataMessage
from devices.conversation import messages
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner.account import the_owner

NO_ANSWER = "I do not know that emoji as an answer. Put 👍 on the question for yes, 👎 for not now, or answer in words."
HELLO = (
    "I know now that this number is yours. Write to me here as in the browser; it is the same "
    "conversation. `/help` says what I can do."
)
VOICE_NOTE = "(a voice note)"
TOO_LONG = "(The rest was too long.)"
TEXT_MAX = 32_000
PATIENT = timedelta(minutes=2)  # to retry a file that cannot be fetched; later entries wait behind it


def store_signal_message(
    entry: LineEntry, device: Device, data: DataMessage, content: MessageContent, before: Message | None
) -> Message | None:
    owner, parent, turn_id, text = (
        the_owner(),
        before or _quoted_message(device, data),
        turn_id_of(entry),
        _cut(content.text),
    )
    run = None
    if content.refusals:
        refusal = Answer("\n\n".join(content.refusals))
        store_answered(device, turn_id, text or f"({content.name})", refusal, parent)
    elif content.voice:
        store_answered(device, turn_id, VOICE_NOTE, confirm_words.ask_whether(turn_id, content.voice), parent)
    elif not content.files and (command := _consent_command(device, data, text)):
        run = obey_command.obey(owner, device, protocol.ChatSend(turn_id=turn_id, text=text), command)
    else:
        # A reply to a thought asks about that thought, as in the feed.
        about, parent_id = (parent.thought_id, parent.pk) if parent else (None, None)
        files = content.files or None
        frame = protocol.ChatSend(turn_id=turn_id, text=text, parent_id=parent_id, thought_id=about, attachments=files)
        run = start.start_turn(owner, device, frame)
    rows = Message.objects.filter(owner=owner, turn_id=turn_id, direction=Message.Direction.IN)
    return run.message if run else rows.first()


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 100]}\n\n{TOO_LONG}"


def turn_id_of(entry: LineEntry) -> UUID:
    return uuid5(NAMESPACE_URL, f"{LINE}:{entry.author}:{entry.timestamp}")


@transaction.atomic
def store_answered(device: Device, turn_id: UUID, text: str, answer: Answer, parent: Message | None) -> None:
    """Store a message that no run answers, with its answer; once for each turn id."""
    owner = the_owner()
    if Message.objects.filter(owner=owner, turn_id=turn_id).exists():
        return
    question = messages.store_message(
        owner,
        messages.render_content(text),
        turn_id=turn_id,
        device=device,
        device_label=device.label,
        direction=Message.Direction.IN,
        parent=parent,
    )
    reply = messages.store_message(
        owner,
        messages.render_content(answer.text, []),
        turn_id=turn_id,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        parent=question,
        origin=answer.origin,
    )
    answer.on_stored(reply)
    routing.queue_reply(reply, question)


def _quoted_message(device: Device, data: DataMessage) -> Message | None:
    """Return the quoted message, found by its timestamp: the sender may change its text."""
    if data.quote is None:
        return None
    return message_at(device, data.quote.id)


def message_at(device: Device, timestamp: int) -> Message | None:
    entry = (
        LineEntry.objects.filter(line=LINE, timestamp=timestamp, device=device)
        .select_related("message")
        .order_by("id")
        .first()
    )
    return entry.message if entry else None


def _consent_command(device: Device, data: DataMessage, text: str) -> Understood | None:
    """Return the command for a yes or no to the quoted question, or to the last questions."""
    decision = consent.parse_consent(text)
    if decision is None:
        return None
    question = Delivery.objects.asking(device, str(data.quote.id)) if data.quote else None
    deliveries = [question] if question else [] if data.quote else Delivery.objects.last_asked(device)
    prompts = [delivery.prompt for delivery in deliveries if delivery.prompt]
    if late := late_asks.parse_late_yes(prompts, decision, text):
        return late
    return consent.answer_prompts(prompts, decision, text, timezone.now()) if prompts else None
