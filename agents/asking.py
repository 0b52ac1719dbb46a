"""A question of a run, over a line of somebody else's: to the device that asked, or in the background to where the owner is told things.

Sockets show questions by themselves. A phone is not always in the hand, so that a turn from there waits longer for its answer. What
arises in the background while the owner is not to be disturbed is asked when that is over, and has its whole time then.
"""

from datetime import datetime, timedelta

from constance import config
from django.db import transaction
from django.utils import timezone

from agents import clock, days, muting
from agents.models import Run
from agents.sentences import escape_markdown
from devices import asks, asks_in_words
from devices.channels import routing
from devices.channels.registry import channel_of
from devices.links import link_to
from devices.models import Ask, Delivery, Device


def answer_s(run: Run) -> int:
    """Return for how many seconds a run's question is shown; a background run's stays open after that."""
    is_from_line = run.message is not None and run.message.device is not None and channel_of(run.message.device).is_queued
    return int(config.ASK_LINE_S if is_from_line else config.ASK_S)


def silent_until(now: datetime) -> datetime | None:
    """Return until when the owner is asked nothing that can wait, None where they can be: quiet hours, muted, asked enough today."""
    used_up = None if days.may_interrupt(now) else clock.next_day(now)
    return max(filter(None, (muting.muted_until(now), clock.quiet_until(now), used_up)), default=None)


def tell(run: Run, ask: Ask) -> None:
    """Queue an open question for the line that leads to the owner, once. A background run's waits until they can be asked."""
    now = timezone.now()
    if run.is_background and (ask.held_until or (_is_asleep_or_muted(now) and held(ask, now).held_until)):
        return
    asking = run.message.device if run.message else None
    device = next(routing.reachable(), None) if run.is_background else asking
    if device is None or device.revoked_at is not None or not channel_of(device).is_queued:
        return
    routing.queue(
        device,
        None,
        "Penny waits for your answer.",
        is_proactive=run.is_background,
        key=f"ask:{ask.prompt}:{device.pk}",
        text=_words(ask, device, is_background=run.is_background),
        prompt=ask.prompt,
    )


def _is_asleep_or_muted(now: datetime) -> bool:
    return bool(muting.muted_until(now) or clock.quiet_until(now))


def held(ask: Ask, now: datetime) -> Ask:
    """Hold a question where the owner is not asked now. Who could not be asked has not said no: it stays open for as long after that.

    They may have Penny speak again at any time, and then it is asked.
    """
    if (until := silent_until(now)) is None:
        return ask
    ask.held_until = (clock.quiet_until(now) or now) if muting.muted_until(now) else until
    ask.expires_at = until + _open_for()
    ask.save(update_fields=["held_until", "expires_at"])
    return ask


def _open_for() -> timedelta:
    return timedelta(hours=config.BACKGROUND_ASK_H)


def tell_held(now: datetime) -> None:
    """Ask what was held, as far as it still waits for an answer. Who is muted goes on holding it."""
    held = list(Ask.objects.filter(held_until__lte=now).order_by("created_at"))
    if held and not muting.muted_until(now):
        for ask in held:
            _tell_held(ask, now)


@transaction.atomic
def _tell_held(ask: Ask, now: datetime) -> None:
    mine = Ask.objects.filter(pk=ask.pk, held_until=ask.held_until)
    if not mine.update(held_until=None):  # another tick has it
        return
    ask.held_until = None
    run = Run.objects.filter(pk=ask.run_id).first()
    if run is None or not asks.is_waiting(ask.prompt) or held(ask, now).held_until:
        return
    ask.expires_at = now + _open_for()
    ask.save(update_fields=["expires_at"])
    if not _stands_there(ask, now):
        days.count_interruption()
        tell(run, ask)


def _stands_there(ask: Ask, now: datetime) -> bool:
    """Whether a line was asked about the same host, and still is: one answer is for all that wait for it."""
    if ask.kind != Ask.Kind.GRANT:
        return False
    same = asks.waiting(now).filter(kind=Ask.Kind.GRANT, host=ask.host, capability=ask.capability)
    return Delivery.objects.unfailed().filter(prompt__in=[each.prompt for each in same]).exists()


def over(answered: Delivery, question: Delivery) -> str:
    """Return what stands in the place of a question that is over: what it asked, and what came of it."""
    asked, _, _ = question.text.rpartition("\n\n")  # without how to answer it
    return f"{asked}\n\n{escape_markdown(answered.text)}"


def answered_at(is_background: bool) -> str:
    """Return where a question can be answered: the chat shows those of turns, while they wait, and another page all that wait."""
    return link_to("schedules") if is_background else link_to("chat")


def _words(ask: Ask, device: Device, *, is_background: bool) -> str:
    asked, now = escape_markdown(asks_in_words.question(ask)), timezone.now()
    if not routing.holds_conversation(device):
        return f"{asked} Answer here: {answered_at(is_background)}"
    return f"{asked}\n\n{asks_in_words.how_to_answer(ask, clock.in_words(ask.expires_at, now))}"
