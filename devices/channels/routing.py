"""To which device something goes: an answer to the one that asked, what nobody asked for to the one that the owner chose.

The conversation holds every message in any case, and every socket reads it there. What goes over a line of somebody else's is queued
here, in the transaction that stores the message.
"""

from collections.abc import Iterable, Iterator
from uuid import UUID

from constance import config
from django.db import transaction
from django.db.models import F

from devices import redis
from devices.channels.interface import Can
from devices.channels.registry import channel_of
from devices.models import Delivery, Device, Message

OUTBOX = "outbox"  # where who sends waits
FALLBACK = (Device.Kind.SIGNAL, Device.Kind.PUSH, Device.Kind.APPRISE, Device.Kind.BROWSER, Device.Kind.WEB)


def reply(message: Message, asked: Message) -> Delivery | None:
    """Queue an answer for the device that asked, where that one does not read the conversation itself."""
    device = asked.device
    if device is None or device.revoked_at is not None or not channel_of(device).is_queued:
        return None
    return queue(device, message, "You asked on this device.")


def unmark(message: Message, asked: Message) -> None:
    """Have the sign taken from a question that says that it is being answered. Within the transaction that ends its answering."""
    device = asked.device
    if device is not None and device.revoked_at is None and Can.REACT in channel_of(device).can:
        queue(device, message, "You cancelled it.", parts=[])


def tell(message: Message, reason: str, first: Device | None = None, despite: Delivery.Despite = Delivery.Despite.NOTHING) -> Device | None:
    """Send what nobody asked for to one device: the owner's choice, or the next that can be reached. Return which one.

    `first`: a device that comes before these, where it is one of a line of somebody else's; a socket shows the message in any case.
    What is queued waits until the owner is neither muted nor in quiet hours, but for what it goes out `despite`.
    """
    device = first if first and _takes(first) else next(reachable(), None)
    if device is not None and channel_of(device).is_queued:
        queue(device, message, reason, is_proactive=True, despite=despite)
    return device


def _takes(device: Device) -> bool:
    return device.revoked_at is None and channel_of(device).is_queued and channel_of(device).reaches(device)


def reachable() -> Iterator[Device]:
    """Return the devices for what nobody asked for, the owner's choice first, as far as they can be reached now."""
    kinds = sorted(FALLBACK, key=lambda kind: kind != config.NOTIFY_CHANNEL)
    devices = Device.objects.active().filter(kind__in=kinds).order_by(F("used_at").desc(nulls_last=True), "-created_at")
    for kind in kinds:
        yield from (device for device in devices if device.kind == kind and channel_of(device).reaches(device))


def queue(
    device: Device,
    message: Message | None,
    reason: str,
    *,
    is_proactive: bool = False,
    despite: Delivery.Despite = Delivery.Despite.NOTHING,
    key: str = "",
    text: str = "",
    prompt: UUID | None = None,
    replaces: Delivery | None = None,
    parts: list[str] | None = None,
) -> Delivery:
    """Queue a message for a device, once. Within the caller's transaction, if there is one.

    `prompt`: the question that it asks; `replaces`: what it is put in the place of; `parts`: what is sent, where that need not be
    composed.
    """
    key = key or f"{message.pk if message else ''}:{device.pk}"
    fields = {"device": device, "message": message, "reason": reason[:300], "is_proactive": is_proactive, "despite": despite, "text": text}
    delivery, is_new = Delivery.objects.get_or_create(key=key, defaults=fields | {"prompt": prompt, "replaces": replaces, "parts": parts})
    if is_new:
        transaction.on_commit(wake)
    return delivery


def say_answered(prompt: UUID, said: str, by: Device | None) -> None:
    """Have a question that stands on other lines say what was answered. Within the transaction of the answer."""
    where = f"on {by.label}" if by else "elsewhere"
    _say_in_its_place(prompt, f"Answered {where}: {said}", "You answered it on another device.", by)


def say_expired(prompt: UUID) -> None:
    """Have a question that nobody waits for any more say so where it stands. Within the transaction that ends it."""
    _say_in_its_place(prompt, "I no longer wait for an answer to this. Nothing was stored.", "Nobody waits for its answer any more.")


def _say_in_its_place(prompt: UUID, text: str, reason: str, by: Device | None = None) -> None:
    """Put something in the place of a question wherever it stands but there: that makes no sound and is no message more.

    Also of one that is just being sent: whether it went out is looked at when this one is to follow. One that waits is not sent any more.
    """
    asked = Delivery.objects.unfailed().filter(prompt=prompt, replaces=None, device__revoked_at=None)
    for question in asked.select_for_update(of=("self",)).select_related("device"):  # nobody begins to send it before the answer stands
        if question.went_out() and question.device != by and Can.EDIT in channel_of(question.device).can:
            queue(question.device, None, reason, key=f"answered:{question.pk}", text=text, prompt=prompt, replaces=question)


def withdraw(messages: Iterable[Message]) -> None:
    """Have messages that go out of the conversation taken back from the devices that they were sent to, where the line can."""
    sent = Delivery.objects.filter(message__in=list(messages), device__revoked_at=None).exclude(sent=[]).select_related("device")
    for delivery in sent:
        if Can.DELETE in channel_of(delivery.device).can:
            fields = {"device": delivery.device, "reason": "You had Penny forget it.", "withdraws": delivery.sent}
            Delivery.objects.get_or_create(key=f"withdraw:{delivery.pk}", defaults=fields)
            transaction.on_commit(wake)


def fall_back(delivery: Delivery) -> Device | None:
    """Send what a device could not be told to the next one, where nobody asked for it on that device."""
    if not delivery.is_proactive or delivery.message is None:
        return None
    tried = set(Delivery.objects.filter(message=delivery.message).values_list("device", flat=True))
    device = next((device for device in reachable() if device.pk not in tried), None)
    if device is not None and channel_of(device).is_queued:
        queue(device, delivery.message, delivery.reason, is_proactive=True, despite=Delivery.Despite(delivery.despite))
    return device


def holds_conversation(device: Device) -> bool:
    return Can.HOLD_CONVERSATION in channel_of(device).can


def wake() -> None:
    """Tell who sends that something waits. A hint: it also looks by itself."""
    redis.wake(OUTBOX, "1", 5)
