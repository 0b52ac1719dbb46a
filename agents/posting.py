"""The outbox: what waits for a line of somebody else's is composed, sent in order, and left with what is known of how that went.

Accepted is what the line took; failed what it refused; unknown what it neither took nor refused. An unknown one is settled by proof: a
receipt for a moment at which nothing else was sent says that it arrived; a sign of life from the owner's device without one says that it
did not, and then it is sent once more.
"""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import Context
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone
from redis.exceptions import RedisError

from agents import asking, clock, muting
from agents.models import Run
from agents.relaying import relayable, sites_in
from agents.sentences import without_thumbs
from devices import asks, reactions, redis
from devices.channels import routing
from devices.channels.interface import Can, Channel, Line, NotSent, OutcomeUnknown, Piece, Target, TryLater
from devices.channels.parts import split
from devices.channels.registry import channel_of
from devices.db import in_db
from devices.deliveries import REFUSALS, Delivery, LineEntry, LineState
from devices.links import link_to
from devices.models import Device, Message
from thoughts.models import Picture
from thoughts.rendering import plain

LOOK_S = 5.0
SHOWN_AFTER_S = 0.25  # an answer that comes at once needs no sign that it will
TYPING_S = 10.0  # Signal shows it for fifteen seconds
AGAIN_S = 5.0  # after words could not be composed
ATTEMPTS_MAX = 60  # of what nobody asked for, where another device can be told
SLACK_MS = 3_000  # between the clock of the line and ours
SIGN_SLACK_MS = 20  # most signs are put beside a message: what is not from that very time is none
ACT_MS = 70_000  # for so long one request may take
NO_SIGN_S = 10.0
RENEW_S = 20.0  # of the lease on what is being sent
PROVED_WITHIN = timedelta(hours=1)  # later nobody waits for it any more
AGAIN = "(Perhaps you have this already: I did not hear whether it came through.)"
PICTURE_BYTES = 2 * 1024 * 1024
QUOTED_CHARACTERS = 200
SEEN = "👀"
AT_ONCE_CHARACTERS = 2_000
log = structlog.get_logger("penny.posting")
_showing: set[asyncio.Task[None]] = set()
_sending: set[asyncio.Task[None]] = set()
_loop: asyncio.AbstractEventLoop | None = None  # on which this process sends, if it does


async def post() -> None:
    """Send what waits, for as long as this process lives."""
    global _loop
    _loop = asyncio.get_running_loop()
    try:
        while True:
            try:
                await redis.wait_for(routing.OUTBOX, LOOK_S)
            except (RedisError, OSError):
                await asyncio.sleep(LOOK_S)
            await _post_all()
    finally:
        _loop = None


async def _post_all() -> None:
    try:
        await post_due()
    except DatabaseError as error:
        log.warning("posting.put_off", error=type(error).__name__)
    except Exception:  # the next look begins anew; nobody else would look
        log.exception("posting.failed")


def sends_first() -> list[Delivery]:
    """Return where `queue_answer` puts what it took. Within a transaction, before anything else that is done when it is committed.

    What is put there is sent at that moment, before the devices that saw the answer being written are told that it is whole.
    """
    taken = list[Delivery]()
    # In a context of its own: in that of the transaction nobody may wait for the database's thread.
    transaction.on_commit(
        lambda: [_loop.call_soon_threadsafe(_send_soon, each, _first_at_once(each), context=Context()) for each in taken if _loop],
        robust=True,
    )
    return taken


def queue_answer(delivery: Delivery, taken: list[Delivery]) -> None:
    """Queue an answer, and take it in the same transaction where this process sends and nothing goes before it. `taken`: of `sends_first`.

    It is sent as soon as that is committed: who waits for it waits neither for a second commit nor until the outbox is looked through.
    A long one is left to that: composing it takes its time, in which nobody else could write.
    """
    if parts := _parts_to_take(delivery, now := timezone.now()):
        delivery.take(now, parts)
        taken.append(delivery)
    else:
        transaction.on_commit(routing.wake)
    delivery.save(force_insert=True)


def _parts_to_take(delivery: Delivery, now: datetime) -> list[str] | None:
    message = delivery.message
    if _loop is None or message is None or len(message.text) > AT_ONCE_CHARACTERS or delivery.waits_behind_others(now):
        return None
    return _parts_at_once(delivery)


def _first_at_once(delivery: Delivery) -> Piece | None:
    """Return the first part; None where that fails: `_post` comes to it, and says why."""
    assert delivery.parts is not None
    try:
        return _piece(delivery, channel_of(delivery.device), delivery.parts, 0)
    except Exception:
        log.exception("delivery.composed_later", delivery=delivery.pk)
        return None


def _send_soon(delivery: Delivery, first: Piece | None) -> None:
    _sending.add(task := asyncio.create_task(_send(delivery, first)))
    task.add_done_callback(_sending.discard)


async def _send(delivery: Delivery, first: Piece | None) -> None:
    """Send what was taken, and what waited behind it."""
    try:
        await _post(delivery, first)
    except DatabaseError as error:
        log.warning("posting.put_off", error=type(error).__name__)
    await _post_all()


async def post_due() -> int:
    """Send all that may be sent now, and what follows it; return how many went out or were given up."""
    count, heads = 0, await in_db(_first_claimed)()
    while heads:
        count += sum(await asyncio.gather(*(_post(delivery) for delivery in heads)))
        if all(delivery.state == Delivery.State.QUEUED for delivery in heads):
            break
        heads = await in_db(_claimed)()
    return count


def _first_claimed() -> list[Delivery]:
    settle_unknown()
    _give_up_with_their_devices()
    return _claimed()


def _claimed() -> list[Delivery]:
    """Take the oldest of each device."""
    now = timezone.now()
    left = Delivery.objects.filter(state=Delivery.State.QUEUED, lease_until__lt=now)
    if left.exists():  # what writes waits for who else does, also where there is nothing to write
        for delivery in left.select_related("device"):
            _take_up(delivery)
    heads = Delivery.objects.heads(now, _held(now)).select_related("device", "message__parent", "message__thought", "replaces", "marks")
    first = {delivery.device_id: delivery for delivery in heads.order_by("-id")}
    return [delivery for delivery in first.values() if delivery.claim(now, _parts_at_once(delivery))]


@transaction.atomic
def _take_up(delivery: Delivery) -> None:
    """Have what was left when its process died sent again, or say that nobody knows what came of it: where its sending had begun, and a
    second time would show. A sign that is put there twice stands there once."""
    if not Delivery.objects.filter(pk=delivery.pk, lease_until=delivery.lease_until).update(lease_until=None):
        return  # it lives, or another process takes it up
    if delivery.parts is not None and delivery.marks_id is None and Can.REPEAT not in channel_of(delivery.device).can:
        _leave_unknown(delivery, "Penny was stopped while it was sent.")


def _held(now: datetime) -> list[str]:
    """Return what of that which nobody asked for waits now, by what it goes out despite."""
    if not Delivery.objects.open().filter(is_proactive=True).exists():
        return []
    if muting.muted_until(now):
        held = [Delivery.Despite.NOTHING, Delivery.Despite.QUIET]
        Delivery.objects.note_held(held)
        return list(held)
    return [Delivery.Despite.NOTHING] if clock.quiet_until(now) else []


async def _post(delivery: Delivery, first: Piece | None = None) -> bool:
    """Send one, and write what came of it; return whether it is settled. `first`: its first part, where that was made already."""
    keeper = asyncio.create_task(_keep(delivery))
    try:
        return await _try(delivery, first)
    finally:
        keeper.cancel()


async def _keep(delivery: Delivery) -> None:
    """Renew the lease for as long as it is being sent: a model may say it otherwise first, and a line may take a minute for each part."""
    while True:
        await asyncio.sleep(RENEW_S)
        try:
            if not await in_db(delivery.renew)(timezone.now()):
                return
        except DatabaseError as error:  # tried again in time
            log.warning("lease.not_renewed", delivery=delivery.pk, error=type(error).__name__)


async def _try(delivery: Delivery, first: Piece | None) -> bool:
    channel = channel_of(delivery.device)
    try:
        for called in delivery.withdraws:
            async with _noted(delivery.device):
                await channel.delete(delivery.device, called)
        if delivery.marks is not None:
            target = await in_db(_marked)(delivery.marks)
            async with _noted(delivery.device):
                await channel.react(delivery.device, target, delivery.sign or None)
        if delivery.prompt and not delivery.sent:
            await in_db(_check_question)(delivery)
        parts = delivery.parts if delivery.parts is not None else await _compose(delivery, channel)
        for number in range(len(delivery.sent), len(parts)):
            piece = first if first and number == 0 else await in_db(_piece)(delivery, channel, parts, number)
            called = await channel.send(delivery.device, piece)
            await in_db(_note)(delivery, called)
    except TryLater as error:
        return await in_db(_put_off)(delivery, error)
    except NotSent as error:
        await in_db(_give_up)(delivery, str(error))
    except OutcomeUnknown as error:
        if delivery.marks is not None or delivery.withdraws:  # done twice, either is as if it was done once
            return await in_db(_put_off)(delivery, TryLater(str(error), AGAIN_S))
        await in_db(_leave_unknown)(delivery, str(error))
    except DatabaseError:
        raise
    except Exception as error:
        log.exception("delivery.failed", delivery=delivery.pk)
        await in_db(_give_up)(delivery, f"Something went wrong inside Penny ({type(error).__name__}).")
    else:
        await in_db(_accepted)(delivery)
        await _unmark(delivery, channel)
    return delivery.state != Delivery.State.QUEUED


def _check_question(delivery: Delivery) -> None:
    """Raises NotSent for a question that is over, and for what says so where the question itself did not go out whole."""
    assert delivery.prompt is not None
    if delivery.replaces is None and not asks.is_waiting(delivery.prompt):
        raise NotSent("It was answered, or its time was over, before it could be sent.")
    if delivery.replaces is not None and len(delivery.replaces.sent) != 1:
        raise NotSent("The question did not go out.")


def _marked(told: Delivery) -> Target:
    """Return what a sign is put on, as the line names it: the first part. Raises NotSent where that is not known any more."""
    line = channel_of(told.device).line
    named = LineEntry.objects.filter(line=line.name if line else "", device=told.device_id, timestamp=int(told.sent[0]))
    if (entry := named.order_by("id").first()) is None:
        raise NotSent("Nobody knows any more under which name it went out.")
    return Target(entry.author, entry.timestamp)


# Composing ------------------------------------------------------------------------------------------------------------------


async def _compose(delivery: Delivery, channel: Channel) -> list[str]:
    """Return the parts of what is sent, and keep them: another attempt sends the same ones."""
    message = delivery.message
    if delivery.withdraws:
        return []
    if message is None:
        markdown = asking.over(delivery, delivery.replaces) if delivery.replaces else delivery.text
    elif Can.PAGE_WORDS in channel.can:
        markdown = message.text
    else:
        markdown = await relayable(message)
    parts = _parts(channel, markdown)
    await in_db(Delivery.objects.filter(pk=delivery.pk).update)(parts=parts)
    delivery.parts = parts
    return parts


def _parts_at_once(delivery: Delivery) -> list[str] | None:
    """Return the parts of an answer that has no words of pages: they are stored as it is taken, and the disk is waited for once.

    None where they were stored before or have to be composed, and where that fails: `_post` comes to it, and says why.
    """
    message, channel = delivery.message, channel_of(delivery.device)
    if delivery.parts is not None or message is None or delivery.withdraws or sites_in(message):
        return None
    try:
        return _parts(channel, message.text)
    except Exception:
        log.exception("delivery.composed_later", delivery=delivery.pk)
        return None


def _parts(channel: Channel, markdown: str) -> list[str]:
    if Can.REACT not in channel.can:  # there a link does that
        markdown = without_thumbs(markdown)
    return split(channel.written(markdown), channel.limits, link_to("chat")) or ["…"]


def _piece(delivery: Delivery, channel: Channel, parts: list[str], number: int) -> Piece:
    message, key, kept_s = delivery.message, f"{delivery.key}:{number}", _kept_s(delivery)
    if message is None and delivery.prompt:
        return Piece(parts[number], key=key, link=asking.answered_at(delivery.is_proactive), edits=_replaced(delivery), kept_s=kept_s)
    if message is None or number > 0:
        return Piece(parts[number], key=key, kept_s=kept_s)
    thought = message.thought
    return Piece(
        parts[number],
        key=key,
        link=link_to("thought", thought.pk) if thought else link_to("chat"),
        less=reactions.less_of(thought) if thought else None,
        pictures=_pictures(message) if Can.IMAGES in channel.can else [],
        quotes=_quoted(delivery) if Can.QUOTE in channel.can else None,
        edits=_replaced(delivery) if Can.EDIT in channel.can and len(parts) == 1 else "",
        kept_s=kept_s,
    )


def _kept_s(delivery: Delivery) -> float | None:
    """Return for how long a line may keep what nobody asked for: it is not to sound in the quiet hours of a phone that was off."""
    if not delivery.is_proactive or delivery.despite != Delivery.Despite.NOTHING:
        return None
    begins = clock.quiet_begins(now := timezone.now())
    return (begins - now).total_seconds() if begins else None


def _pictures(message: Message) -> list[str]:
    """Return the picture of a message or of its thought: one that we encoded ourselves."""
    image = (message.page or {}).get("image", "")
    named = Picture.objects.filter(sha256=image.rsplit("/", 1)[-1].removesuffix(".webp")).first() if image else None
    found = named or (message.thought.picture if message.thought else None)
    if found is None or len(found.data) > PICTURE_BYTES:
        return []
    return [f"data:image/webp;filename=picture.webp;base64,{base64.b64encode(bytes(found.data)).decode()}"]


def _quoted(delivery: Delivery) -> Target | None:
    """Return the message that this one answers, where others were said since, or sent: otherwise it is plain what it answers."""
    message = delivery.message
    if message is None or message.parent is None:
        return None
    between = Message.objects.filter(owner=message.owner_id, seq__gt=message.parent.seq, seq__lt=message.seq)
    is_next = message.seq == message.parent.seq + 1 or not between.exists()  # who waits for an answer waits for no look that is in vain
    if is_next and not _is_late(delivery):
        return None
    return _target(message.parent, delivery.device)


def _is_late(delivery: Delivery) -> bool:
    """Whether something that was said later went out first, while nobody knew whether this one had."""
    return delivery.attempts > 1 and Delivery.objects.filter(device=delivery.device, id__gt=delivery.pk).exclude(sent=[]).exists()


def _replaced(delivery: Delivery) -> str:
    """Return what the line called that whose place this one takes: a question that is answered, the answer to one that was changed."""
    if delivery.replaces is not None:
        return str(delivery.replaces.sent[0])
    asked = delivery.message.parent if delivery.message else None
    if asked is None or asked.parent is None or not LineEntry.objects.filter(message=asked, edits__isnull=False).exists():
        return ""
    old = Delivery.objects.filter(message__parent=asked.parent, device=delivery.device, state=Delivery.State.ACCEPTED).first()
    return str(old.sent[0]) if old and len(old.sent) == 1 and old.pk != delivery.pk else ""


def _target(message: Message, device: Device) -> Target | None:
    """Return a message as the line names it, None where it did not go over this line."""
    entry = LineEntry.objects.filter(message=message, device=device).order_by("id").first()
    return Target(entry.author, entry.timestamp, plain(message.html)[:QUOTED_CHARACTERS]) if entry else None


# What came of it ------------------------------------------------------------------------------------------------------------


def _note(delivery: Delivery, called: str) -> None:
    """Write down that a part was taken, before the next is sent. Raises OutcomeUnknown where another process sends it meanwhile, and
    where it was forgotten meanwhile: then it is taken back."""
    if _is_noted(delivery, called):
        return
    if not Delivery.objects.filter(pk=delivery.pk).exists():
        routing.take_back(delivery.device, f"{delivery.pk}:{called}", [called])
    raise OutcomeUnknown("Another process sends it, or nobody is to any more.")


@transaction.atomic
def _is_noted(delivery: Delivery, called: str) -> bool:
    delivery.sent = [*delivery.sent, called]
    if not Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).update(sent=delivery.sent):
        return False
    if line := channel_of(delivery.device).line:
        fields = {"device": delivery.device, "message": delivery.message}
        LineEntry.objects.get_or_create(line=line.name, author=line.author(), timestamp=int(called), defaults=fields)
    return True


def _accepted(delivery: Delivery) -> None:
    now = timezone.now()
    with transaction.atomic():
        delivery.settle(Delivery.State.ACCEPTED, accepted_at=now)
        routing.show_thumb_on(delivery)
    line = channel_of(delivery.device).line
    if line and delivery.sent:
        LineState.of(line.name).note_accepted(now)
        _match_receipts(delivery, line)


def _match_receipts(delivery: Delivery, line: Line) -> None:
    """A receipt may come before the line has answered. What it took since then has been heard of already: the line is not deaf."""
    state, mine = LineState.of(line.name), Delivery.objects.filter(pk=delivery.pk)
    if any(int(called) in state.receipts for called in delivery.sent):
        mine.update(arrived_at=timezone.now())
        LineState.objects.filter(pk=state.pk).update(receipts=[at for at in state.receipts if str(at) not in delivery.sent])
    if mine.filter(arrived_at__isnull=False).exists():
        LineState.objects.filter(pk=state.pk).update(heard_at=timezone.now())


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
    if delivery.attempts >= ATTEMPTS_MAX and routing.elsewhere(delivery) is not None:
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
    """Leave it to what proves that it came or did not. Where nothing ever will, better twice than not at all."""
    delivery.settle(Delivery.State.UNKNOWN, why)
    if delivery.state == Delivery.State.UNKNOWN and channel_of(delivery.device).line is None:
        _tell_elsewhere(delivery)


def _give_up_with_their_devices() -> None:
    """Give up what waits for a device that was removed since: nobody sends it any more, and what nobody asked for goes to the next one.

    Nobody is told what waited for one that is gone for longer.
    """
    gone = Delivery.objects.open().filter(device__revoked_at__gt=timezone.now() - Delivery.LATEST, lease_until=None)
    for delivery in gone.select_related("device", "message"):
        _give_up(delivery, "That device was removed before it could be sent.")


def _tell_elsewhere(delivery: Delivery) -> None:
    if delivery.prompt is None:
        routing.fall_back(delivery)
    elif delivery.replaces is None:
        asking.tell_elsewhere(delivery)


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
        is_sure = state.listening_since is not None and state.listening_since <= delivery.tried_at and not _receipts_while(delivery, state)
        parts = delivery.parts if is_sure else _said_again(delivery.parts, len(delivery.sent))
        mine.update(state=Delivery.State.QUEUED, error="", not_before=None, lease_until=None, parts=parts)


def _proves_nothing_came(delivery: Delivery, state: LineState, now: datetime) -> bool:
    """Whether the owner's device, which says what it has, was heard of a while later and did not say that it has this."""
    assert delivery.tried_at is not None
    is_silent = state.heard_at is not None and state.heard_at > delivery.tried_at + timedelta(seconds=NO_SIGN_S)
    return is_silent and now - delivery.tried_at < PROVED_WITHIN and _has_receipts(delivery.device)


def _said_again(parts: list[str], sent: int) -> list[str]:
    """Return the parts, of which the next says that it may have come before: where nobody listened, silence proves nothing."""
    if sent >= len(parts) or parts[sent].startswith(AGAIN):
        return parts
    return [*parts[:sent], f"{AGAIN}\n\n{parts[sent]}", *parts[sent + 1 :]]


def _receipt_for(delivery: Delivery, state: LineState) -> int | None:
    """Return the moment, of those that the owner's device has and that nothing known was sent at, at which this one was under way.

    Signs have such moments too, one each: what is left when each has the first that it may have is no sign's.
    """
    found = _receipts_while(delivery, state)
    spans = [(begun - SIGN_SLACK_MS, (ended or begun + ACT_MS) + SIGN_SLACK_MS) for begun, ended in state.signs]
    for first, last in sorted(spans, key=lambda span: span[1]):
        if (own := next((at for at in found if first <= at <= last), None)) is not None:
            found.remove(own)
    return next(iter(found), None)


def _receipts_while(delivery: Delivery, state: LineState) -> list[int]:
    """Return the moments that the owner's device has, and nothing known was sent at, from when this one was under way, in their order."""
    assert delivery.tried_at is not None
    first, last = _ms(delivery.tried_at) - SLACK_MS, _ms(delivery.tried_at) + ACT_MS + SLACK_MS
    return sorted(at for at in state.receipts if first <= at <= last)


def _has_receipts(device: Device) -> bool:
    """Whether the owner's device says what arrives: not all do, and without that silence proves nothing."""
    return Delivery.objects.filter(device=device, arrived_at__isnull=False).exists()


def take_receipts(line: Line, moments: list[int], is_read: bool, now: datetime) -> None:
    """Note what the owner's device says that it has. A moment that nothing is known of yet is kept: it may prove something."""
    with transaction.atomic():
        state = LineState.objects.select_for_update().get_or_create(line=line.name)[0]
        unknown = [at for at in moments if not _mark(line, at, is_read, now)]
        if unknown and not is_read:
            LineState.objects.filter(pk=state.pk).update(receipts=[*state.receipts, *unknown][-50:])


def _mark(line: Line, at: int, is_read: bool, now: datetime) -> bool:
    entry = LineEntry.objects.filter(line=line.name, timestamp=at, author=line.author()).first()
    if entry is None:
        return False
    found = Delivery.objects.filter(message=entry.message_id, device=entry.device_id) if entry.message_id else Delivery.objects.none()
    found.filter(arrived_at=None).update(arrived_at=now)
    if is_read:
        found.filter(read_at=None).update(read_at=now)
    return True


# Progress -------------------------------------------------------------------------------------------------------------------


def show_progress(message: Message, device: Device) -> None:
    """Say on the owner's message that it is being answered. Nobody waits for that: a line may be slow, and the answer goes first."""
    _showing.add(task := asyncio.create_task(_show_progress_later(message, device)))
    task.add_done_callback(_showing.discard)


async def _show_progress_later(message: Message, device: Device) -> None:
    await asyncio.sleep(SHOWN_AFTER_S)
    if await in_db(_is_open)(message):
        await _show_progress(message, device)


async def _show_progress(message: Message, device: Device) -> None:
    """Put eyes on a message, and show that an answer is being written. In vain is no harm."""
    channel = channel_of(device)
    if Can.TYPE in channel.can:
        await _quietly(channel.type(device, True))
    target = await in_db(_target)(message, device)
    if target and Can.REACT in channel.can:
        await _put(device, target, SEEN)
        if not await in_db(_is_open)(message):  # the answer was quicker
            await _put(device, target, None)


def _is_open(message: Message) -> bool:
    return Run.objects.filter(message=message, state__in=Run.OPEN).exists()


async def keep_typing() -> None:
    """Show again and again that answers are being written, as long as they are."""
    while True:
        await asyncio.sleep(TYPING_S)
        try:
            for device in await in_db(_waiting_devices)():
                await _quietly(channel_of(device).type(device, True))
        except DatabaseError as error:
            log.warning("typing.put_off", error=type(error).__name__)


def _waiting_devices() -> list[Device]:
    running = Run.objects.filter(state=Run.State.RUNNING, message__isnull=False)
    devices = Device.objects.active().filter(pk__in=running.values("message__device"))
    return [device for device in devices if channel_of(device).is_queued and Can.TYPE in channel_of(device).can]


async def _unmark(delivery: Delivery, channel: Channel) -> None:
    """Take the eyes from a message that is answered."""
    asked = delivery.message.parent if delivery.message and not delivery.is_proactive else None
    if asked is None or Can.REACT not in channel.can or asked.direction != Message.Direction.IN:
        return
    if target := await in_db(_target)(asked, delivery.device):
        await _put(delivery.device, target, None)


async def _put(device: Device, target: Target, sign: str | None) -> None:
    async with _noted(device):
        await _quietly(channel_of(device).react(device, target, sign))


@asynccontextmanager
async def _noted(device: Device) -> AsyncIterator[None]:
    """Note when something is done that the line gives no name to: the owner's device says that it has that, as it does of a message."""
    line = channel_of(device).line
    if line is None:
        yield
        return
    begun = _ms(timezone.now())
    await in_db(LineState.note_sign)(line.name, begun, None)
    try:
        yield
    finally:
        await in_db(LineState.note_sign)(line.name, begun, _ms(timezone.now()))


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


async def _quietly(doing: object) -> None:
    try:
        await doing  # type: ignore[misc]
    except (TryLater, NotSent, OutcomeUnknown) as error:
        log.info("progress.not_shown", error=type(error).__name__)
