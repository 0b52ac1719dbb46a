"""To which device something goes: an answer to the one that asked, what nobody asked for to the one that the owner
chose.

The conversation holds every message in any case, and every socket reads it there. What goes over a line of somebody
else's is queued here, in the transaction that stores the message.
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

OUTBOX = "outbox"  # where who sends waits
SIGNS: dict[int, str] = {Preference.Valence.LIKE.value: "👍", Preference.Valence.DISLIKE.value: "👎"}


def reply(message: Message, asked: Message) -> Delivery | None:
    """Queue an answer for the device that asked, where that one does not read the conversation itself."""
    if delivery := answer_to(message, asked):
        delivery.save(force_insert=True)
        transaction.on_commit(wake)
    return delivery


def answer_to(message: Message, asked: Message) -> Delivery | None:
    """Return what queues an answer for the device that asked, not stored yet: of a message that is new nothing was
    queued before.
    """
    device = asked.device
    if device is None or device.revoked_at is not None or not channel_of(device).is_queued:
        return None
    return Delivery(key=_key(device, message), device=device, message=message, reason="You asked on this device.")


def unmark(message: Message, asked: Message) -> None:
    """Have the sign taken from a question that says that it is being answered. Within the transaction that ends its
    answering.
    """
    device = asked.device
    if device is not None and device.revoked_at is None and Can.REACT in channel_of(device).can:
        queue(device, message, "You cancelled it.", parts=[])


def tell(
    message: Message,
    reason: str,
    first: Device | None = None,
    despite: Delivery.Despite = Delivery.Despite.NOTHING,
    without: str = "",
) -> Device | None:
    """Send what nobody asked for to one device: the owner's choice, or the next that can be reached. Return which one.

    Where none can be, it waits for a line that may come back. `first`: a device that comes before these, where it is
    one of a line of somebody else's; a socket shows the message in any case. `without`: a kind of device that is told
    nothing. What is queued waits until the owner is neither muted nor in quiet hours, but for what it goes out
    `despite`.
    """
    others = (device for device in reachable() if device.kind != without)
    device = first if first and _takes(first) else next(others, None) or awaited(first, without)
    if device is not None and channel_of(device).is_queued:
        queue(device, message, reason, is_proactive=True, despite=despite)
    return device


def _takes(device: Device) -> bool:
    return device.revoked_at is None and channel_of(device).is_queued and channel_of(device).reaches(device)


def reachable() -> Iterator[Device]:
    """Return the devices for what nobody asked for, the owner's choice first, as far as they can be reached now."""
    return (device for device in _in_order() if channel_of(device).reaches(device))


def awaited(first: Device | None = None, without: str = "") -> Device | None:
    """Return the line that what nobody asked for waits for where nothing can be reached now: that one first, then the
    owner's choice.
    """
    lines = [device for device in _in_order() if channel_of(device).is_queued and device.kind != without]
    lines.sort(key=lambda device: device != first)
    return next((device for device in lines if channel_of(device).comes_back(device)), None)


def _in_order() -> list[Device]:
    chosen = config.NOTIFY_CHANNEL
    kinds = sorted(ROWS, key=lambda kind: kind != chosen)
    devices = Device.objects.active().filter(kind__in=kinds).order_by(F("used_at").desc(nulls_last=True), "-created_at")
    return sorted(devices, key=lambda device: (str(device.pk) != chosen, kinds.index(device.kind)))


def one_of_several() -> list[Device]:
    """Return the devices of which the owner may choose one for what nobody asked for: of lines of somebody else's that
    lead to several.
    """
    rows = list(Device.objects.active().filter(kind__in=chosen_kinds()).order_by("kind", "created_at"))
    counted = Counter(device.kind for device in rows)
    return [device for device in rows if counted[device.kind] > 1 and channel_of(device).is_queued]


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
    """Queue a message for a device, once. Within the caller's transaction, if there is one.

    `prompt`: the question that it asks; `replaces`: what it is put in the place of; `parts`: what is sent, where that
    need not be composed; `marks`: what a sign is put on, or with an empty one taken from.
    """
    key = key or _key(device, message)
    fields: dict[str, Any] = {"device": device, "message": message, "reason": reason[:300], "text": text}
    fields |= {"is_proactive": is_proactive, "despite": despite}
    fields |= {"prompt": prompt, "replaces": replaces, "parts": parts, "marks": marks, "sign": sign}
    delivery, is_new = Delivery.objects.get_or_create(key=key, defaults=fields)
    if is_new:
        transaction.on_commit(wake)
    return delivery


def _key(device: Device, message: Message | None) -> str:
    return f"{message.pk if message else ''}:{device.pk}"


def say_answered(prompt: UUID, said: str, by: Device | None) -> None:
    """Have a question that stands on other lines say what was answered. Within the transaction of the answer."""
    where = f"on {by.label}" if by else "elsewhere"
    _say_in_its_place(prompt, f"Answered {where}: {said}", "You answered it on another device.", by)


def say_expired(prompt: UUID) -> None:
    """Have a question that nobody waits for any more say so where it stands. Within the transaction that ends it."""
    _say_in_its_place(
        prompt, "I no longer wait for an answer to this. Nothing was stored.", "Nobody waits for its answer any more."
    )


def _say_in_its_place(prompt: UUID, text: str, reason: str, by: Device | None = None) -> None:
    """Put something in the place of a question wherever it stands but there: that makes no sound and is no message
    more.

    Also of one that is just being sent: whether it went out is looked at when this one is to follow. One that waits is
    not sent any more.
    """
    asked = Delivery.objects.unfailed().filter(prompt=prompt, replaces=None, device__revoked_at=None)
    for question in asked.select_for_update(of=("self",)).select_related(
        "device"
    ):  # nobody begins to send it before the answer stands
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


def show_thumb(said: Message) -> None:
    """Have a thought bear the thumb that stands after a reaction, wherever it was sent. Within the transaction that
    stores the reaction.

    What is being sent just now, or waits, gets it when it went out: `show_thumb_on`.
    """
    told = Delivery.objects.unfailed().filter(message__thought=said.thought_id, message__kind=Message.Kind.NOTIFICATION)
    for delivery in told.filter(device__revoked_at=None).select_for_update(of=("self",)).select_related("device"):
        _mark(delivery, said)


def show_thumb_on(delivery: Delivery) -> None:
    """Have a thought that went out bear the thumb that was given meanwhile, if one was."""
    message = delivery.message
    if message is None or message.thought_id is None or message.kind != Message.Kind.NOTIFICATION:
        return
    said = Message.objects.filter(thought=message.thought_id, kind=Message.Kind.REACTION).order_by("-seq").first()
    if said is not None:
        _mark(delivery, said)


def _mark(delivery: Delivery, said: Message) -> None:
    """Queue what makes the sign on a message the one that stands after a reaction: once for each reaction.

    On the device that it was given on the owner's own emoji stands; where Penny writes with their number, that has
    taken hers away.
    """
    device = delivery.device
    if not delivery.sent or Can.REACT not in channel_of(device).can:
        return
    is_own = said.device_id == device.pk
    sign = "" if is_own else SIGNS.get(said.reaction or 0, "")
    if sign == delivery.sign_shown() or (
        is_own and LineEntry.objects.filter(message=delivery.message, author=device.address).exists()
    ):
        return
    key, reason = f"thumb:{said.pk}:{delivery.pk}", "You reacted to it on another device."
    queue(device, None, reason, key=key, marks=delivery, sign=sign, parts=[])


def withdraw(messages: Iterable[Message]) -> None:
    """Have messages that go out of the conversation taken back from the devices that they were sent to, where the line
    can.
    """
    sent = (
        Delivery.objects.filter(message__in=list(messages), device__revoked_at=None)
        .exclude(sent=[])
        .select_related("device")
    )
    for delivery in sent:
        take_back(delivery.device, f"{delivery.pk}", delivery.sent)


def take_back(device: Device, key: str, sent: list[str]) -> None:
    """Have what was sent taken back from a device, by what the line called it, where the line can."""
    if Can.DELETE in channel_of(device).can:
        fields = {"device": device, "reason": "You had Penny forget it.", "withdraws": sent}
        Delivery.objects.get_or_create(key=f"withdraw:{key}", defaults=fields)
        transaction.on_commit(wake)


def fall_back(delivery: Delivery) -> Device | None:
    """Send what a device could not be told to the next one, where nobody asked for it on that device."""
    device = elsewhere(delivery)
    if device is not None and channel_of(device).is_queued:
        queue(device, delivery.message, delivery.reason, is_proactive=True, despite=Delivery.Despite(delivery.despite))
    return device


def elsewhere(delivery: Delivery) -> Device | None:
    """Return the next device that may be told the same, None for an answer, and where there is none."""
    if not delivery.is_proactive or delivery.message is None:
        return None
    tried = set(Delivery.objects.filter(message=delivery.message).values_list("device", flat=True))
    return next((device for device in reachable() if device.pk not in tried), None)


def holds_conversation(device: Device) -> bool:
    return Can.HOLD_CONVERSATION in channel_of(device).can


def wake() -> None:
    """Tell who sends that something waits. A hint: it also looks by itself."""
    redis.wake(OUTBOX, "1", 5)
