"""Choose the device that a message goes to, and queue it for external channels.

An answer goes to the device that asked, a proactive message to the owner's choice. Sockets read every message in the
conversation. A delivery is queued in the transaction that stores its message.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from constance import config
from django.db import transaction
from django.db.models import F

from devices import redis
from devices.channels.channel import Can
from devices.channels.registry import ROWS, channel_of, chosen_kinds
from devices.models import Delivery, Device, LineEntry, Message
from thoughts.models import Preference

OUTBOX = "outbox"  # the key on which the sender waits
SIGNS: dict[int, str] = {Preference.Valence.LIKE.value: "👍", Preference.Valence.DISLIKE.value: "👎"}


def queue_reply(message: Message, question: Message) -> Delivery | None:
    """Queue an answer for the device that asked, unless that one reads the conversation."""
    if delivery := answer_to(message, question):
        delivery.save(force_insert=True)
        transaction.on_commit(wake_sender)
    return delivery


def answer_to(message: Message, question: Message) -> Delivery | None:
    """Return the unsaved delivery of an answer, None if the device reads the conversation."""
    device = question.device
    if device is None or device.revoked_at is not None or not channel_of(device).is_queued:
        return None
    return Delivery(
        key=_delivery_key(device, message), device=device, message=message, reason="You asked on this device."
    )


def queue_unmark(message: Message, question: Message) -> None:
    """Remove the progress reaction from a cancelled question, in the caller's transaction."""
    device = question.device
    if device is not None and device.revoked_at is None and Can.REACT in channel_of(device).can:
        queue(device, message, "You cancelled it.", parts=[])


def send_proactive(
    message: Message,
    reason: str,
    first: Device | None = None,
    despite: Delivery.Despite = Delivery.Despite.NOTHING,
    without: str = "",
) -> Device | None:
    """Send a proactive message to one device: the owner's choice, or the next reachable one.

    Return the device. If none can be reached, the message waits for a line that may come back. `first`: a device to
    prefer if it has an external channel; a socket shows the message anyway. `without`: a kind of device to skip. A
    queued message waits for the end of muting and quiet hours, except those that `despite` names.
    """
    others = (device for device in reachable() if device.kind != without)
    device = first if first and _takes(first) else next(others, None) or device_to_wait_for(first, without)
    if device is not None and channel_of(device).is_queued:
        queue(device, message, reason, is_proactive=True, despite=despite)
    return device


def _takes(device: Device) -> bool:
    return device.revoked_at is None and channel_of(device).is_queued and channel_of(device).reaches(device)


def reachable() -> Iterator[Device]:
    """Yield the reachable devices for proactive messages, the owner's choice first."""
    return (device for device in _devices_in_order() if channel_of(device).reaches(device))


def device_to_wait_for(first: Device | None = None, without: str = "") -> Device | None:
    """Return the device that proactive messages wait for: `first`, then the owner's choice."""
    lines = [device for device in _devices_in_order() if channel_of(device).is_queued and device.kind != without]
    lines.sort(key=lambda device: device != first)
    return next((device for device in lines if channel_of(device).comes_back(device)), None)


def _devices_in_order() -> list[Device]:
    preference = config.NOTIFY_CHANNEL
    kinds = sorted(ROWS, key=lambda kind: kind != preference)
    devices = Device.objects.active().filter(kind__in=kinds).order_by(F("used_at").desc(nulls_last=True), "-created_at")
    return sorted(devices, key=lambda device: (str(device.pk) != preference, kinds.index(device.kind)))


def one_of_several() -> list[Device]:
    """Return the devices with an external channel whose kind has several devices.

    The owner may choose one of these for proactive messages.
    """
    rows = list(Device.objects.active().filter(kind__in=chosen_kinds()).order_by("kind", "created_at"))
    counts = Counter(device.kind for device in rows)
    return [device for device in rows if counts[device.kind] > 1 and channel_of(device).is_queued]


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
    marks: Delivery | None = None,
    sign: str = "",
) -> Delivery:
    """Queue a message for a device, once for each key, in the caller's transaction if any.

    `prompt`: the question that it asks. `replaces`: the delivery that it edits. `parts`: the content, if composed.
    `marks`: the delivery that gets the reaction `sign`; an empty sign removes it.
    """
    key = key or _delivery_key(device, message)
    fields: dict[str, Any] = {"device": device, "message": message, "reason": reason[:300], "text": text}
    fields |= {"is_proactive": is_proactive, "despite": despite}
    fields |= {"prompt": prompt, "replaces": replaces, "parts": parts, "marks": marks, "sign": sign}
    delivery, is_new = Delivery.objects.get_or_create(key=key, defaults=fields)
    if is_new:
        transaction.on_commit(wake_sender)
    return delivery


def _delivery_key(device: Device, message: Message | None) -> str:
    return f"{message.pk if message else ''}:{device.pk}"


def say_answered(prompt: UUID, result: str, by: Device | None) -> None:
    """Replace a question on the other devices by its answer, in the transaction of the answer."""
    where = f"on {by.label}" if by else "elsewhere"
    _say_in_its_place(prompt, f"Answered {where}: {result}", "You answered it on another device.", by)


def say_expired(prompt: UUID) -> None:
    """Replace an expired question wherever it stands, in the transaction that ends it."""
    _say_in_its_place(
        prompt, "I no longer wait for an answer to this. Nothing was stored.", "Nobody waits for its answer any more."
    )


def _say_in_its_place(prompt: UUID, text: str, reason: str, by: Device | None = None) -> None:
    """Edit a question wherever it stands, except on `by`: silent, and no new message.

    Includes a question that is being sent: the edit checks later whether it went out. A question that still waits is
    not sent any more.
    """
    deliveries = Delivery.objects.unfailed().filter(prompt=prompt, replaces=None, device__revoked_at=None)
    # The lock keeps a queued question from being sent before the answer is stored.
    for question in deliveries.select_for_update(of=("self",)).select_related("device"):
        if question.went_out() and question.device != by and Can.EDIT in channel_of(question.device).can:
            queue(
                question.device,
                None,
                reason,
                key=f"answered:{question.pk}",
                text=text,
                prompt=prompt,
                replaces=question,
            )


def show_thumb(reaction: Message) -> None:
    """Show the thumb of a reaction on the thought wherever it was sent, in its transaction.

    A delivery that waits or is being sent gets it afterwards: `show_thumb_on`.
    """
    notifications = Delivery.objects.unfailed().filter(
        message__thought=reaction.thought_id, message__kind=Message.Kind.NOTIFICATION
    )
    for delivery in (
        notifications.filter(device__revoked_at=None).select_for_update(of=("self",)).select_related("device")
    ):
        _queue_thumb(delivery, reaction)


def show_thumb_on(delivery: Delivery) -> None:
    """Show the thumb that was given while this delivery went out, if any."""
    message = delivery.message
    if message is None or message.thought_id is None or message.kind != Message.Kind.NOTIFICATION:
        return
    reaction = Message.objects.filter(thought=message.thought_id, kind=Message.Kind.REACTION).order_by("-seq").first()
    if reaction is not None:
        _queue_thumb(delivery, reaction)


def _queue_thumb(delivery: Delivery, reaction: Message) -> None:
    """Queue the thumb of a reaction on a delivery, once for each reaction.

    The reacting device shows the owner's own emoji. If Penny writes with the owner's number, that emoji has replaced
    hers.
    """
    device = delivery.device
    if not delivery.sent or Can.REACT not in channel_of(device).can:
        return
    is_own = reaction.device_id == device.pk
    sign = "" if is_own else SIGNS.get(reaction.reaction or 0, "")
    if sign == delivery.sign_shown() or (
        is_own and LineEntry.objects.filter(message=delivery.message, author=device.address).exists()
    ):
        return
    key, reason = f"thumb:{reaction.pk}:{delivery.pk}", "You reacted to it on another device."
    queue(device, None, reason, key=key, marks=delivery, sign=sign, parts=[])


def withdraw(messages: Iterable[Message]) -> None:
    """Take deleted messages back from the devices that they were sent to, where possible."""
    deliveries = (
        Delivery.objects.filter(message__in=list(messages), device__revoked_at=None)
        .exclude(sent=[])
        .select_related("device")
    )
    for delivery in deliveries:
        take_back(delivery.device, f"{delivery.pk}", delivery.sent)


def take_back(device: Device, key: str, part_ids: list[str]) -> None:
    if Can.DELETE in channel_of(device).can:
        fields = {"device": device, "reason": "You had Penny forget it.", "withdraws": part_ids}
        Delivery.objects.get_or_create(key=f"withdraw:{key}", defaults=fields)
        transaction.on_commit(wake_sender)


def fall_back(delivery: Delivery) -> Device | None:
    device = next_device(delivery)
    if device is not None and channel_of(device).is_queued:
        queue(device, delivery.message, delivery.reason, is_proactive=True, despite=Delivery.Despite(delivery.despite))
    return device


def next_device(delivery: Delivery) -> Device | None:
    """Return the next device for a proactive message, None for an answer or if there is none."""
    if not delivery.is_proactive or delivery.message is None:
        return None
    device_ids = set(Delivery.objects.filter(message=delivery.message).values_list("device", flat=True))
    return next((device for device in reachable() if device.pk not in device_ids), None)


def holds_conversation(device: Device) -> bool:
    return Can.HOLD_CONVERSATION in channel_of(device).can


def wake_sender() -> None:
    """Wake the sender. It also polls, so a lost wake-up only delays."""
    redis.wake(OUTBOX, "1", 5)
