"""What proves that something of which a line did not say what came of it arrived, or did not.

A receipt for a moment at which nothing else was sent says that it arrived; a sign of life from the owner's device
without one says that it did not, and then it is sent once more.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from devices.channels import routing
from devices.channels.channel import Line
from devices.channels.registry import channel_of
from devices.models import Device
from devices.models.deliveries import Delivery, LineEntry, LineState

SLACK_MS = 3_000  # between the clock of the line and ours
SIGN_SLACK_MS = 20  # most signs are put beside a message: what is not from that very time is none
ACT_MS = 70_000  # for so long one request may take
NO_SIGN_S = 10.0
PROVED_WITHIN = timedelta(hours=1)  # later nobody waits for it any more
AGAIN = "(Perhaps you have this already: I did not hear whether it came through.)"


def settle_unknown() -> None:
    """Settle what proof there is for."""
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
        parts = delivery.parts if is_sure else _said_again(delivery.parts, len(delivery.sent))
        mine.update(state=Delivery.State.QUEUED, error="", not_before=None, lease_until=None, parts=parts)


def _proves_nothing_came(delivery: Delivery, state: LineState, now: datetime) -> bool:
    """Whether the owner's device, which says what it has, was heard of a while later and did not say that it has
    this.
    """
    assert delivery.tried_at is not None
    is_silent = state.heard_at is not None and state.heard_at > delivery.tried_at + timedelta(seconds=NO_SIGN_S)
    return is_silent and now - delivery.tried_at < PROVED_WITHIN and _has_receipts(delivery.device)


def _said_again(parts: list[str], sent: int) -> list[str]:
    """Return the parts, of which the next says that it may have come before: where nobody listened, silence proves
    nothing.
    """
    if sent >= len(parts) or parts[sent].startswith(AGAIN):
        return parts
    return [*parts[:sent], f"{AGAIN}\n\n{parts[sent]}", *parts[sent + 1 :]]


def _receipt_for(delivery: Delivery, state: LineState) -> int | None:
    """Return the moment, of those that the owner's device has and that nothing known was sent at, at which this one was
    under way.

    Signs have such moments too, one each: what is left when each has the first that it may have is no sign's.
    """
    found = _receipts_while(delivery, state)
    spans = [(begun - SIGN_SLACK_MS, (ended or begun + ACT_MS) + SIGN_SLACK_MS) for begun, ended in state.signs]
    for first, last in sorted(spans, key=lambda span: span[1]):
        if (own := next((at for at in found if first <= at <= last), None)) is not None:
            found.remove(own)
    return next(iter(found), None)


def _receipts_while(delivery: Delivery, state: LineState) -> list[int]:
    """Return the moments that the owner's device has, and nothing known was sent at, from when this one was under way,
    in their order.
    """
    assert delivery.tried_at is not None
    first, last = in_ms(delivery.tried_at) - SLACK_MS, in_ms(delivery.tried_at) + ACT_MS + SLACK_MS
    return sorted(at for at in state.receipts if first <= at <= last)


def _has_receipts(device: Device) -> bool:
    """Whether the owner's device says what arrives: not all do, and without that silence proves nothing."""
    return Delivery.objects.filter(device=device, arrived_at__isnull=False).exists()


def take_receipts(line: Line, moments: list[int], is_read: bool, now: datetime) -> None:
    """Note what the owner's device says that it has. A moment that nothing is known of yet is kept: it may prove
    something.
    """
    with transaction.atomic():
        state = LineState.objects.select_for_update().get_or_create(line=line.name)[0]
        unknown = [at for at in moments if not _mark(line, at, is_read, now)]
        if unknown and not is_read:
            LineState.objects.filter(pk=state.pk).update(receipts=[*state.receipts, *unknown][-50:])


def _mark(line: Line, at: int, is_read: bool, now: datetime) -> bool:
    entry = LineEntry.objects.filter(line=line.name, timestamp=at, author=line.author()).first()
    if entry is None:
        return False
    found = (
        Delivery.objects.filter(message=entry.message_id, device=entry.device_id)
        if entry.message_id
        else Delivery.objects.none()
    )
    found.filter(arrived_at=None).update(arrived_at=now)
    if is_read:
        found.filter(read_at=None).update(read_at=now)
    return True


def match_receipts(delivery: Delivery, line: Line) -> None:
    """A receipt may come before the line has answered. What it took since then has been heard of already: the line is
    not deaf.
    """
    state, mine = LineState.of(line.name), Delivery.objects.filter(pk=delivery.pk)
    if any(int(called) in state.receipts for called in delivery.sent):
        mine.update(arrived_at=timezone.now())
        LineState.objects.filter(pk=state.pk).update(
            receipts=[at for at in state.receipts if str(at) not in delivery.sent]
        )
    if mine.filter(arrived_at__isnull=False).exists():
        LineState.objects.filter(pk=state.pk).update(heard_at=timezone.now())


def in_ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
