"""A question of a run, over a line of somebody else's: to the device that asked, or in the background to where the
owner is told things.

Sockets show questions by themselves. Where that which asked shows none, a turn's goes to where the owner is told things
too. A phone is not always in the hand, so that a turn from there waits longer for its answer. What arises in the
background while the owner is not to be disturbed is asked when that is over, and has its whole time then.
"""

from datetime import datetime

from constance import config
from django.db import transaction
from django.utils import timezone

from agents.models import Run
from agents.runs import day_budget, stop
from devices.channels import routing
from devices.channels.registry import channel_of
from devices.db import one_at_a_time
from devices.grants import ask_texts, asks
from devices.models import Ask, Delivery, Device
from devices.owner import clock, muting
from devices.web.links import link_to
from thoughts.rendering import escape_markdown


def answer_s(run: Run) -> int:
    """Return for how many seconds a turn's question is shown; a background run's is while the run waits."""
    return int(config.ASK_S if run.is_background or _line(run, timezone.now()) is None else config.ASK_LINE_S)


def _line(run: Run, now: datetime) -> Device | None:
    """Return the line that a run's question goes to, None where sockets alone show it.

    A turn's goes where it was asked. Where a program asked, or a browser that is gone, the owner is asked as in the
    background: not at night, not while muted, and not more often in a day than they like.
    """
    if not run.is_background:
        asking = (
            Device.objects.active().filter(message=run.message).first() if run.message else None
        )  # as it is connected now
        if asking is None:
            return None
        if channel_of(asking).is_queued:
            return asking
        if _shows_questions(asking) or silent_until(now) is not None:
            return None
    device = next(routing.reachable(), None) or (routing.awaited() if run.is_background else None)
    return device if device is not None and channel_of(device).is_queued else None


def _shows_questions(asking: Device) -> bool:
    """Whether the owner sees a question where they asked: in a browser that is connected, and on the web page, which
    they just used.
    """
    return asking.kind == Device.Kind.WEB or (asking.kind == Device.Kind.BROWSER and asking.is_connected)


def silent_until(now: datetime) -> datetime | None:
    """Return until when the owner is asked nothing that can wait, None where they can be: quiet hours, muted, asked
    enough today.
    """
    used_up = None if day_budget.may_interrupt(now) else clock.next_day(now)
    return max(filter(None, (muting.muted_until(now), clock.quiet_until(now), used_up)), default=None)


def tell(run: Run, ask: Ask) -> None:
    """Queue an open question for the line that leads to the owner, once. A background run's waits until they can be
    asked.
    """
    now = timezone.now()
    if run.is_background and (ask.held_until or (_is_asleep_or_muted(now) and held(ask, now).held_until)):
        return
    device = _line(run, now)
    if device is None:
        return
    is_elsewhere = run.message is None or run.message.device_id != device.pk
    if is_elsewhere and not run.is_background and not Delivery.objects.filter(key=_key(ask, device)).exists():
        day_budget.count_interruption()
    _ask_on(device, run, ask)


def tell_elsewhere(delivery: Delivery) -> None:
    """Ask on the next device what one could not be asked, where nobody asked for it on that device, and it still
    waits.
    """
    if not delivery.is_proactive or delivery.prompt is None:
        return
    ask = asks.waiting(timezone.now()).of_prompts([delivery.prompt]).order_by("created_at").first()
    run = Run.objects.filter(pk=ask.run_id).first() if ask else None
    if ask is None or run is None:
        return
    tried = set(Delivery.objects.filter(prompt=delivery.prompt, replaces=None).values_list("device", flat=True))
    device = next((device for device in routing.reachable() if device.pk not in tried), None)
    if device is not None and channel_of(device).is_queued:
        _ask_on(device, run, ask)


def _ask_on(device: Device, run: Run, ask: Ask) -> None:
    routing.queue(
        device,
        None,
        "Penny waits for your answer.",
        is_proactive=run.message is None or run.message.device_id != device.pk,
        key=_key(ask, device),
        text=_words(ask, device, is_background=run.is_background),
        prompt=ask.prompt,
    )


def _key(ask: Ask, device: Device) -> str:
    return f"ask:{ask.prompt}:{device.pk}"


def _is_asleep_or_muted(now: datetime) -> bool:
    return bool(muting.muted_until(now) or clock.quiet_until(now))


def held(ask: Ask, now: datetime) -> Ask:
    """Hold a question where the owner is not asked now, so that no device shows it. Who could not be asked has not said
    no: it stays open.

    They may have Penny speak again at any time, and then it is asked.
    """
    if (until := silent_until(now)) is None:
        return ask
    ask.held_until = (clock.quiet_until(now) or now) if muting.muted_until(now) else until
    ask.prompt_until = ask.expires_at = until + asks.SHOWN_FOR
    ask.save(update_fields=["held_until", "prompt_until", "expires_at"])
    return ask


def go_on_asking(now: datetime) -> None:
    """Have what a background run asks stand for as long as it waits: silence is no answer. Nobody is told of it
    anew.
    """
    for ask in asks.running_out(now):
        run = Run.objects.filter(pk=ask.run_id, state__in=Run.OPEN).select_related("schedule", "watch").first()
        if run is None:
            asks.expire(ask)
        elif _is_called_off(run):
            _end(run, now)
        else:
            asks.renew(ask)


def _is_called_off(run: Run) -> bool:
    """Whether what it is for was deleted: it can be brought back for a while, and after that the run waits for
    nothing.
    """
    return any(each is not None and each.deleted_at is not None for each in (run.schedule, run.watch))


@transaction.atomic
def _end(run: Run, now: datetime) -> None:
    stop.end_runs(Run.objects.filter(pk=run.pk), now)


def tell_held(now: datetime) -> None:
    """Ask what was held, as far as it still waits for an answer. Who is muted goes on holding it."""
    held = list(Ask.objects.filter(held_until__lte=now).order_by("created_at"))
    if held and not muting.muted_until(now):
        for ask in held:
            _tell_held(ask, now)


@transaction.atomic
def _tell_held(ask: Ask, now: datetime) -> None:
    one_at_a_time(asks.ASKS)
    mine = Ask.objects.filter(pk=ask.pk, held_until=ask.held_until)
    if not mine.update(held_until=None):  # another tick has it
        return
    ask.held_until = None
    run = Run.objects.filter(pk=ask.run_id).first()
    if run is None or not asks.is_waiting(ask.prompt) or held(ask, now).held_until:
        return
    asks.ask_now(ask)
    if not _stands_there(ask, now):
        day_budget.count_interruption()
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
    """Return where a question can be answered: the chat shows those of turns, while they wait, and another page all
    that wait.
    """
    return link_to("schedules") if is_background else link_to("chat")


def _words(ask: Ask, device: Device, *, is_background: bool) -> str:
    asked, now = escape_markdown(ask_texts.question(ask)), timezone.now()
    if not routing.holds_conversation(device):
        return f"{asked} Answer here: {answered_at(is_background)}"
    return f"{asked}\n\n{ask_texts.how_to_answer(ask, clock.in_words(ask.expires_at, now))}"
