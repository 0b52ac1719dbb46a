"""Apply edits and deletions of Signal messages to the conversation."""

from django.utils import timezone

from agents.models import Run
from agents.signal.messages import message_at
from agents.turns import start
from devices.channels.signal.channel import LINE
from devices.conversation import messages
from devices.grants import late_asks
from devices.models import Device, Message
from devices.models.deliveries import LineEntry
from devices.owner.account import the_owner


def withdraw(device: Device, timestamp: int) -> Message | None:
    """Cancel the answering of a message that the owner edited; return that message."""
    for version in _versions(device, timestamp):
        _cancel_run(version)
    message = message_at(device, timestamp)
    return message if message is not None and message.direction == Message.Direction.IN else None


def _versions(device: Device, timestamp: int) -> list[Message]:
    moments = LineEntry.versions(LINE, device, timestamp)
    entries = LineEntry.objects.filter(line=LINE, device=device, timestamp__in=moments)
    return list(Message.objects.filter(pk__in=entries.values("message"), direction=Message.Direction.IN))


def _cancel_run(message: Message) -> None:
    """Cancel the answering of a message. What it asked in vain is not asked again."""
    run = Run.objects.filter(turn_id=message.turn_id).first() if message.turn_id else None
    if run is None or message.turn_id is None:
        return
    if run.state in Run.OPEN:
        start.request_cancel(the_owner(), message.turn_id)
    late_asks.drop(run.pk, timezone.now())


def delete(device: Device, timestamp: int) -> None:
    """Remove the text and files of a deleted message, in all its versions. The row stays."""
    for message in _versions(device, timestamp):
        _cancel_run(message)
        words = messages.render_content("(deleted)")
        message.text, message.html, message.page, message.attachments = words.text, words.html, None, None
        message.save(update_fields=["text", "html", "page", "attachments"])
        message.files.all().delete()
        messages.tell_changed(message)
