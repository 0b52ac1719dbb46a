from agents.models import Run
from agents.signal.messages import message_at
from agents.turns import start
from devices.channels.signal.channel import LINE
from devices.conversation import messages
from devices.models import Device, Message
from devices.models.deliveries import LineEntry
from devices.owner.account import the_owner


def withdraw(device: Device, timestamp: int) -> Message | None:
    """End the answering of a message that its owner changed; return it."""
    for version in _versions(device, timestamp):
        _end(version)
    changed = message_at(device, timestamp)
    return changed if changed is not None and changed.direction == Message.Direction.IN else None


def _versions(device: Device, timestamp: int) -> list[Message]:
    """Return a message of the owner's, and what they changed it from and to."""
    moments = LineEntry.versions(LINE, device, timestamp)
    entries = LineEntry.objects.filter(line=LINE, device=device, timestamp__in=moments)
    return list(Message.objects.filter(pk__in=entries.values("message"), direction=Message.Direction.IN))


def _end(message: Message) -> None:
    if message.turn_id and Run.objects.filter(turn_id=message.turn_id, state__in=Run.OPEN).exists():
        start.request_cancel(the_owner(), message.turn_id)


def delete(device: Device, timestamp: int) -> None:
    """Take the words and files of a message that the owner deleted from the conversation, in all its versions; that
    there was one stays.
    """
    for message in _versions(device, timestamp):
        _end(message)
        words = messages.written("(deleted)")
        message.text, message.html, message.page, message.attachments = words.text, words.html, None, None
        message.save(update_fields=["text", "html", "page", "attachments"])
        message.files.all().delete()
        messages.tell_changed(message)
