"""Send queued deliveries to external channels, in order.

Each ends as *accepted*, *failed* (the channel refused it) or *unknown* (no clear answer; `agents/outbox/receipts.py`
resolves it later).
"""

import asyncio
from contextvars import Context
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone

from agents.gateway import questions
from agents.outbox import receipts
from agents.outbox.compose import compose, parts_at_once, piece_of
from agents.outbox.progress import reaction_recorded, remove_progress
from devices import redis
from devices.channels import routing
from devices.channels.channel import Can, NotSent, OutcomeUnknown, Piece, Target, TryLater
from devices.channels.registry import channel_of
from devices.db import in_db
from devices.grants import asks
from devices.models.deliveries import REFUSALS, Delivery, LineEntry, LineState
from devices.owner import clock, muting

LOOK_S = 5.0
AGAIN_S = 5.0  # before a reaction or a withdrawal is repeated
ATTEMPTS_MAX = 60  # of a proactive delivery that another device can get
RENEW_S = 20.0  # lease of a delivery that is being sent
AT_ONCE_CHARACTERS = 2_000
log = structlog.get_logger("penny.posting")
_sending: set[asyncio.Task[None]] = set()
_loop: asyncio.AbstractEventLoop | None = None  # set while this process sends


async def post_for_ever() -> None:
    global _loop
    _loop = asyncio.get_running_loop()
    try:
        while True:
            await redis.wait_for(routing.OUTBOX, LOOK_S)
            await _post_all()
    finally:
        _loop = None


async def _post_all() -> None:
    try:
        await post_due()
    except DatabaseError as error:
        log.warning("posting.put_off", error=type(error).__name__)
    except Exception:  # the next poll tries again; no other code would restart this loop
        log.exception("posting.failed")


def on_commit_outbox() -> list[Delivery]:
    """Return the list for `queue_answer`; its deliveries are sent right after the commit.

    Call it in the transaction before any other on_commit callback. An answer then goes out before the sockets that
    streamed it learn that it is complete.
    """
    deliveries = list[Delivery]()
    # With a context of its own: code in the transaction's context must not wait for the database thread.
    transaction.on_commit(
        lambda: [
            _loop.call_soon_threadsafe(_send_soon, delivery, _first_at_once(delivery), context=Context())
            for delivery in deliveries
            if _loop
        ],
        robust=True,
    )
    return deliveries


def queue_answer(delivery: Delivery, outbox: list[Delivery]) -> None:
    """Queue an answer; claim it at once if this process sends and nothing is ahead of it.

    `outbox`: the list from `on_commit_outbox`. The answer is sent at the commit: without a second commit, and without
    waiting for the poll. A long answer is left to the poll: composing it would hold up other writers.
    """
    if parts := _parts_to_take(delivery, now := timezone.now()):
        delivery.take(now, parts)
        outbox.append(delivery)
    else:
        transaction.on_commit(routing.wake_sender)
    delivery.save(force_insert=True)


def _parts_to_take(delivery: Delivery, now: datetime) -> list[str] | None:
    message = delivery.message
    if _loop is None or message is None or len(message.text) > AT_ONCE_CHARACTERS or delivery.waits_behind_others(now):
        return None
    return parts_at_once(delivery)


def _first_at_once(delivery: Delivery) -> Piece | None:
    """Return the first part, None if composing fails; `_post_one` then reports the reason."""
    assert delivery.parts is not None
    try:
        return piece_of(delivery, channel_of(delivery.device), delivery.parts, 0)
    except Exception:
        log.exception("delivery.composed_later", delivery=delivery.pk)
        return None


def _send_soon(delivery: Delivery, first: Piece | None) -> None:
    _sending.add(task := asyncio.create_task(_send_and_follow(delivery, first)))
    task.add_done_callback(_sending.discard)


async def _send_and_follow(delivery: Delivery, first: Piece | None) -> None:
    try:
        await _post_one(delivery, first)
    except DatabaseError as error:
        log.warning("posting.put_off", error=type(error).__name__)
    await _post_all()


async def post_due() -> int:
    """Send all that may be sent now, and the queue behind it; return how many were settled."""
    count, heads = 0, await in_db(_settle_and_claim)()
    while heads:
        count += sum(await asyncio.gather(*(_post_one(delivery) for delivery in heads)))
        if all(delivery.state == Delivery.State.QUEUED for delivery in heads):
            break
        heads = await in_db(_claim_heads)()
    return count


def _settle_and_claim() -> list[Delivery]:
    receipts.settle_unknown()
    _give_up_with_their_devices()
    return _claim_heads()


def _claim_heads() -> list[Delivery]:
    """Claim the oldest delivery of each device."""
    now = timezone.now()
    stale = Delivery.objects.filter(state=Delivery.State.QUEUED, lease_until__lt=now)
    if stale.exists():  # an UPDATE waits for other writers even if it changes nothing
        for delivery in stale.select_related("device"):
            _requeue_stale(delivery)
    heads = Delivery.objects.heads(now, _held_despite(now)).select_related(
        "device", "message__parent", "message__thought", "replaces", "marks"
    )
    first = {delivery.device_id: delivery for delivery in heads.order_by("-id")}
    return [delivery for delivery in first.values() if delivery.claim(now, parts_at_once(delivery))]


@transaction.atomic
def _requeue_stale(delivery: Delivery) -> None:
    """Requeue a delivery whose process died; mark it unknown if a second copy would show.

    A reaction that is sent twice shows once.
    """
    if not Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until).update(lease_until=None):
        return  # its process lives, or another one requeued it
    if delivery.parts is not None and delivery.marks_id is None and Can.REPEAT not in channel_of(delivery.device).can:
        _leave_unknown(delivery, "Penny was stopped while it was sent.")


def _held_despite(now: datetime) -> list[str]:
    """Return the `despite` values whose proactive deliveries wait now."""
    if not Delivery.objects.open().filter(is_proactive=True).exists():
        return []
    if muting.muted_until(now):
        despite = [Delivery.Despite.NOTHING, Delivery.Despite.QUIET]
        Delivery.objects.note_held(despite)
        return list(despite)
    return [Delivery.Despite.NOTHING] if clock.quiet_until(now) else []


async def _post_one(delivery: Delivery, first: Piece | None = None) -> bool:
    """Send one delivery and store its outcome; return whether it is settled.

    `first`: its first part, if composed already.
    """
    keeper = asyncio.create_task(_renew_lease(delivery))
    try:
        return await _send_parts(delivery, first)
    finally:
        keeper.cancel()


async def _renew_lease(delivery: Delivery) -> None:
    """Renew the lease while sending: rewording takes time, and each part up to a minute."""
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            if not await in_db(delivery.renew)(timezone.now()):
                return
        except DatabaseError as error:  # tried again before the lease ends
            log.warning("lease.not_renewed", delivery=delivery.pk, error=type(error).__name__)


async def _send_parts(delivery: Delivery, first: Piece | None) -> bool:
    channel = channel_of(delivery.device)
    try:
        for part_id in delivery.withdraws:
            async with reaction_recorded(delivery.device):
                await channel.delete(delivery.device, part_id)
        if delivery.marks is not None:
            target = await in_db(_target_of_reaction)(delivery.marks)
            async with reaction_recorded(delivery.device):
                await channel.react(delivery.device, target, delivery.sign or None)
        if delivery.prompt and not delivery.sent:
            await in_db(_check_question)(delivery)
        parts = delivery.parts if delivery.parts is not None else await compose(delivery, channel)
        for number in range(len(delivery.sent), len(parts)):
            piece = first if first and number == 0 else await in_db(piece_of)(delivery, channel, parts, number)
            part_id = await channel.send(delivery.device, piece)
            await in_db(_record_part)(delivery, part_id)
    except TryLater as error:
        return await in_db(_put_off)(delivery, error)
    except NotSent as error:
        await in_db(_give_up)(delivery, str(error))
    except OutcomeUnknown as error:
        if delivery.marks is not None or delivery.withdraws:  # repeating either has no further effect
            return await in_db(_put_off)(delivery, TryLater(str(error), AGAIN_S))
        await in_db(_leave_unknown)(delivery, str(error))
    except DatabaseError:
        raise
    except Exception as error:
        log.exception("delivery.failed", delivery=delivery.pk)
        await in_db(_give_up)(delivery, f"Something went wrong inside Penny ({type(error).__name__}).")
    else:
        await in_db(_settle_accepted)(delivery)
        await remove_progress(delivery, channel)
    return delivery.state != Delivery.State.QUEUED


def _check_question(delivery: Delivery) -> None:
    """Raise NotSent for a question that no longer waits.

    Also for its replacement, if the question itself did not go out whole.
    """
    assert delivery.prompt is not None
    if delivery.replaces is None and not asks.is_waiting(delivery.prompt):
        raise NotSent("It was answered, or its time was over, before it could be sent.")
    if delivery.replaces is not None and len(delivery.replaces.sent) != 1:
        raise NotSent("The question did not go out.")


def _target_of_reaction(delivery: Delivery) -> Target:
    """Return the message to put a reaction on, by its first part. Raises NotSent if unknown."""
    line = channel_of(delivery.device).line
    entries = LineEntry.objects.filter(
        line=line.name if line else "", device=delivery.device_id, timestamp=int(delivery.sent[0])
    )
    if (entry := entries.order_by("id").first()) is None:
        raise NotSent("Nobody knows any more under which name it went out.")
    return Target(entry.author, entry.timestamp)


def _record_part(delivery: Delivery, part_id: str) -> None:
    """Store the channel's id of a part before the next part is sent.

    Raises OutcomeUnknown if another process sends the delivery, or if it was deleted meanwhile. In the second case the
    part is taken back.
    """
    if _store_part_id(delivery, part_id):
        return
    if not Delivery.objects.filter(pk=delivery.pk).exists():
        routing.take_back(delivery.device, f"{delivery.pk}:{part_id}", [part_id])
    raise OutcomeUnknown("Another process sends it, or nobody is to any more.")


@transaction.atomic
def _store_part_id(delivery: Delivery, part_id: str) -> bool:
    delivery.sent = [*delivery.sent, part_id]
    if not Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).update(sent=delivery.sent):
        return False
    if line := channel_of(delivery.device).line:
        fields = {"device": delivery.device, "message": delivery.message}
        LineEntry.objects.get_or_create(line=line.name, author=line.author(), timestamp=int(part_id), defaults=fields)
    return True


def _settle_accepted(delivery: Delivery) -> None:
    now = timezone.now()
    with transaction.atomic():
        delivery.settle(Delivery.State.ACCEPTED, accepted_at=now)
        routing.show_thumb_on(delivery)
    line = channel_of(delivery.device).line
    if line and delivery.sent:
        LineState.of(line.name).note_accepted(now)
        receipts.match_receipts(delivery, line)


def _put_off(delivery: Delivery, error: TryLater) -> bool:
    now = timezone.now()
    if error.problem:
        log.info("delivery.put_off", problem=error.problem, attempt=delivery.attempts)
    line = channel_of(delivery.device).line
    if line and error.problem in REFUSALS:
        LineState.of(line.name).note_refusal(error.problem, line.explain(error.problem))
    if delivery.is_late(now):
        _give_up(delivery, f"Not within a day: {error}")
        return True
    if delivery.attempts >= ATTEMPTS_MAX and routing.next_device(delivery) is not None:
        _give_up(delivery, f"Not after {delivery.attempts} attempts: {error}")
        return True
    wait_s = error.after_s * min(6, delivery.attempts)
    delivery.put_off(now + timedelta(seconds=wait_s), str(error))
    return False


@transaction.atomic
def _give_up(delivery: Delivery, why: str) -> None:
    delivery.settle(Delivery.State.FAILED, why)
    if delivery.state == Delivery.State.FAILED:
        log.warning("delivery.refused", delivery=delivery.pk)
        _tell_elsewhere(delivery)


@transaction.atomic
def _leave_unknown(delivery: Delivery, why: str) -> None:
    """Leave a delivery to its receipts; without receipts notify another device too.

    Better twice than never.
    """
    delivery.settle(Delivery.State.UNKNOWN, why)
    if delivery.state == Delivery.State.UNKNOWN and channel_of(delivery.device).line is None:
        _tell_elsewhere(delivery)


def _give_up_with_their_devices() -> None:
    """Give up deliveries to removed devices; proactive ones go to the next device.

    Ignores devices that were removed more than a day ago.
    """
    deliveries = Delivery.objects.open().filter(
        device__revoked_at__gt=timezone.now() - Delivery.LATEST, lease_until=None
    )
    for delivery in deliveries.select_related("device", "message"):
        _give_up(delivery, "That device was removed before it could be sent.")


def _tell_elsewhere(delivery: Delivery) -> None:
    if delivery.prompt is None:
        routing.fall_back(delivery)
    elif delivery.replaces is None:
        questions.ask_next_device(delivery)
