"""Resolve deliveries of unknown outcome by delivery receipts.

A receipt for a time at which nothing else was sent proves arrival. A sign of life of the owner's device without a
receipt proves that the delivery is missing: it is sent again.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from devices.channels import routing
from devices.channels.channel import Line
from devices.channels.registry import channel_of
from devices.models import Device
from devices.models.deliveries import Delivery, LineEntry, LineState

SLACK_MS = 3_000  # between the clock of the channel and ours
SIGN_SLACK_MS = 20  # small: most reactions are sent beside a message
ACT_MS = 70_000  # longest duration of one request
NO_SIGN_S = 10.0
PROVED_WITHIN = timedelta(hours=1)  # later a missing receipt proves nothing
AGAIN = "(Perhaps you have this already: I did not hear whether it came through.)"


def settle_unknown() -> None:
    now = timezone.now()
    for delivery in Delivery.objects.filter(state=Delivery.State.UNKNOWN).select_related("device"):
        if line := channel_of(delivery.device).line:
            _settle_by_proof(delivery, line, now)


@transaction.atomic
def _settle_by_proof(delivery: Delivery, line: Line, now: datetime) -> None:
    state = LineState.objects.select_for_update().filter(line=line.name).first()
    if state is None or delivery.tried_at is None or delivery.parts is None:
        return
    mine = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.UNKNOWN)
    if at := _receipt_for(delivery, state):
        LineState.objects.filter(pk=state.pk).update(receipts=[other for other in state.receipts if other != at])
        delivery.sent = [*delivery.sent, str(at)]
        is_whole = len(delivery.sent) >= len(delivery.parts)
        accepted = {"state": Delivery.State.ACCEPTED, "accepted_at": now, "arrived_at": now}
        settled = accepted if is_whole else {"state": Delivery.State.QUEUED}
        if mine.update(error="", sent=delivery.sent, **settled):
            fields = {"device": delivery.device, "message_id": delivery.message_id}
            LineEntry.objects.get_or_create(line=line.name, author=line.author(), timestamp=at, defaults=fields)
            routing.show_thumb_on(delivery)
    elif _proves_nothing_came(delivery, state, now):
        is_sure = (
            state.listening_since is not None
            and state.listening_since <= delivery.tried_at
            and not _receipts_while(delivery, state)
        )
        parts = delivery.parts if is_sure else _marked_as_repetition(delivery.parts, len(delivery.sent))
        mine.update(state=Delivery.State.QUEUED, error="", not_before=None, lease_until=None, parts=parts)


def _proves_nothing_came(delivery: Delivery, state: LineState, now: datetime) -> bool:
    """Return whether the owner's device was heard later and did not confirm this delivery.

    Only a device that sends receipts counts, and only within an hour.
    """
    assert delivery.tried_at is not None
    is_silent = state.heard_at is not None and state.heard_at > delivery.tried_at + timedelta(seconds=NO_SIGN_S)
    return is_silent and now - delivery.tried_at < PROVED_WITHIN and _has_receipts(delivery.device)


def _marked_as_repetition(parts: list[str], count: int) -> list[str]:
    """Mark the next part as a possible repetition: while nobody listened, silence proves little."""
    if count >= len(parts) or parts[count].startswith(AGAIN):
        return parts
    return [*parts[:count], f"{AGAIN}\n\n{parts[count]}", *parts[count + 1 :]]


def _receipt_for(delivery: Delivery, state: LineState) -> int | None:
    """Return the time of the receipt that belongs to this delivery, None if there is none.

    Reactions are confirmed without an id too. Each reaction takes the first receipt within its time span. The first
    receipt that is left belongs to the delivery.
    """
    times = _receipts_while(delivery, state)
    spans = [(start - SIGN_SLACK_MS, (end or start + ACT_MS) + SIGN_SLACK_MS) for start, end in state.signs]
    for first, last in sorted(spans, key=lambda span: span[1]):
        if (own := next((at for at in times if first <= at <= last), None)) is not None:
            times.remove(own)
    return next(iter(times), None)


def _receipts_while(delivery: Delivery, state: LineState) -> list[int]:
    """Return the receipts without a message since this delivery was tried, in order."""
    assert delivery.tried_at is not None
    first, last = in_ms(delivery.tried_at) - SLACK_MS, in_ms(delivery.tried_at) + ACT_MS + SLACK_MS
    return sorted(at for at in state.receipts if first <= at <= last)


def _has_receipts(device: Device) -> bool:
    """Return whether the owner's device sends delivery receipts; not all do."""
    return Delivery.objects.filter(device=device, arrived_at__isnull=False).exists()


def take_receipts(line: Line, moments: list[int], is_read: bool, now: datetime) -> None:
    """Record receipts. One that matches no message is kept: it may resolve a delivery."""
    with transaction.atomic():
        state = LineState.objects.select_for_update().get_or_create(line=line.name)[0]
        unknown = [at for at in moments if not _apply_receipt(line, at, is_read, now)]
        if unknown and not is_read:
            LineState.objects.filter(pk=state.pk).update(receipts=[*state.receipts, *unknown][-50:])


def _apply_receipt(line: Line, at: int, is_read: bool, now: datetime) -> bool:
    entry = LineEntry.objects.filter(line=line.name, timestamp=at, author=line.author()).first()
    if entry is None:
        return False
    deliveries = (
        Delivery.objects.filter(message=entry.message_id, device=entry.device_id)
        if entry.message_id
        else Delivery.objects.none()
    )
    deliveries.filter(arrived_at=None).update(arrived_at=now)
    if is_read:
        deliveries.filter(read_at=None).update(read_at=now)
    return True


def match_receipts(delivery: Delivery, line: Line) -> None:
    """Apply receipts that came before the server's own answer.

    Sets the receive time then, so that the line does not count as deaf.
    """
    state, mine = LineState.of(line.name), Delivery.objects.filter(pk=delivery.pk)
    if any(int(timestamp) in state.receipts for timestamp in delivery.sent):
        mine.update(arrived_at=timezone.now())
        LineState.objects.filter(pk=state.pk).update(
            receipts=[at for at in state.receipts if str(at) not in delivery.sent]
        )
    if mine.filter(arrived_at__isnull=False).exists():
        LineState.objects.filter(pk=state.pk).update(heard_at=timezone.now())


def in_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
