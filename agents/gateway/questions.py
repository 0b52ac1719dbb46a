"""Send the questions of runs to external channels, hold them back, and keep them open.

Sockets show questions without this module. A turn's question goes to the asking device; if that shows no questions, it
goes to the notification channel, as those of background runs do. A turn from a phone waits longer for its answer.
Background questions during quiet hours or while muted are held until those end, and then get their full time.
"""

from datetime import datetime, timedelta

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

WANTED_FOR = timedelta(minutes=15)


def answer_s(run: Run) -> int:
    """Return how many seconds a turn's question is shown. Background questions stay open longer."""
    return int(config.ASK_S if run.is_background or _channel_device(run, timezone.now()) is None else config.ASK_LINE_S)


def _channel_device(run: Run, now: datetime) -> Device | None:
    """Return the external channel's device for a run's question, None if sockets alone show it.

    A turn is asked where it came from. If that was a program or a disconnected browser, it is asked like background
    work: not in quiet hours, not while muted, and within the daily limit.
    """
    if not run.is_background:
        # Read again: its connection may have changed.
        asking = Device.objects.active().filter(message=run.message).first() if run.message else None
        if asking is None:
            return None
        if channel_of(asking).is_queued:
            return asking
        if _shows_questions(asking) or silent_until(now) is not None:
            return None
    device = next(routing.reachable(), None) or (routing.device_to_wait_for() if run.is_background else None)
    return device if device is not None and channel_of(device).is_queued else None


def _shows_questions(asking: Device) -> bool:
    """Whether the asking device shows questions: a connected browser, or the web page.

    The owner just used the web page.
    """
    return asking.kind == Device.Kind.WEB or (asking.kind == Device.Kind.BROWSER and asking.is_connected)


def silent_until(now: datetime) -> datetime | None:
    """Return until when no deferrable question may be asked, None if it may now.

    Reasons: quiet hours, muted, the day's limit of interruptions.
    """
    used_up = None if day_budget.may_interrupt(now) else clock.next_day(now)
    return max(filter(None, (muting.muted_until(now), clock.quiet_until(now), used_up)), default=None)


def is_wanted(run: Run, now: datetime) -> bool:
    """Whether the owner just started this search for a find themselves, and did not mute Penny.

    Its questions are no interruption: they are asked at any hour, and count for no limit of the day.
    """
    is_own = run.kind == Run.Kind.THINKING and run.schedule_id is None
    return is_own and run.created_at > now - WANTED_FOR and muting.muted_until(now) is None


def queue_question(run: Run, ask: Ask) -> None:
    """Queue an open question for the external channel, once.

    Hold a background run's if necessary.
    """
    now = timezone.now()
    may_wait = run.is_background and not is_wanted(run, now)
    if may_wait and (ask.held_until or (_is_asleep_or_muted(now) and hold_question(ask, now).held_until)):
        return
    device = _channel_device(run, now)
    if device is None:
        return
    is_elsewhere = run.message is None or run.message.device_id != device.pk
    if is_elsewhere and not run.is_background and not Delivery.objects.filter(key=_delivery_key(ask, device)).exists():
        day_budget.count_interruption()
    _ask_on(device, run, ask)


def ask_next_device(delivery: Delivery) -> None:
    """Ask on the next device if a proactive question could not be delivered and still waits."""
    if not delivery.is_proactive or delivery.prompt is None:
        return
    ask = asks.waiting_asks(timezone.now()).of_prompts([delivery.prompt]).order_by("created_at").first()
    run = Run.objects.filter(pk=ask.run_id).first() if ask else None
    if ask is None or run is None:
        return
    earlier_devices = set(
        Delivery.objects.filter(prompt=delivery.prompt, replaces=None).values_list("device", flat=True)
    )
    device = next((device for device in routing.reachable() if device.pk not in earlier_devices), None)
    if device is not None and channel_of(device).is_queued:
        _ask_on(device, run, ask)


def _ask_on(device: Device, run: Run, ask: Ask) -> None:
    routing.queue(
        device,
        None,
        "Penny waits for your answer.",
        is_proactive=run.message is None or run.message.device_id != device.pk,
        key=_delivery_key(ask, device),
        text=_question_text(ask, device, is_background=run.is_background),
        prompt=ask.prompt if ask_texts.fits_line(ask) else None,
    )


def _delivery_key(ask: Ask, device: Device) -> str:
    return f"ask:{ask.prompt}:{device.pk}"


def _is_asleep_or_muted(now: datetime) -> bool:
    return bool(muting.muted_until(now) or clock.quiet_until(now))


def hold_question(ask: Ask, now: datetime) -> Ask:
    """Hold a question that may not be asked now: no device shows it, and it stays open.

    Unmuting releases it.
    """
    if (until := silent_until(now)) is None:
        return ask
    ask.held_until = (clock.quiet_until(now) or now) if muting.muted_until(now) else until
    ask.prompt_until = ask.expires_at = until + asks.SHOWN_FOR
    ask.save(update_fields=["held_until", "prompt_until", "expires_at"])
    return ask


def renew_background_asks(now: datetime) -> None:
    """Renew the questions of waiting background runs, without a new notification.

    Silence is no answer. The question of a finished run expires; a run whose origin was deleted ends.
    """
    for ask in asks.running_out(now):
        run = Run.objects.filter(pk=ask.run_id, state__in=Run.OPEN).select_related("schedule", "watch").first()
        if run is None:
            asks.expire(ask)
        elif _is_origin_deleted(run):
            _end_run(run, now)
        else:
            asks.renew(ask)


def _is_origin_deleted(run: Run) -> bool:
    return any(origin is not None and origin.deleted_at is not None for origin in (run.schedule, run.watch))


@transaction.atomic
def _end_run(run: Run, now: datetime) -> None:
    stop.end_runs(Run.objects.filter(pk=run.pk), now)


def ask_held(now: datetime) -> None:
    held_asks = list(Ask.objects.filter(held_until__lte=now).order_by("created_at"))
    if held_asks and not muting.muted_until(now):
        for ask in held_asks:
            _ask_held(ask, now)


@transaction.atomic
def _ask_held(ask: Ask, now: datetime) -> None:
    one_at_a_time(asks.ASKS)
    mine = Ask.objects.filter(pk=ask.pk, held_until=ask.held_until)
    if not mine.update(held_until=None):  # another tick claimed it
        return
    ask.held_until = None
    run = Run.objects.filter(pk=ask.run_id).first()
    if run is None or not asks.is_waiting(ask.prompt) or hold_question(ask, now).held_until:
        return
    asks.ask_now(ask)
    if not _is_asked_on_channel(ask, now):
        day_budget.count_interruption()
        queue_question(run, ask)


def _is_asked_on_channel(ask: Ask, now: datetime) -> bool:
    """Whether a channel already shows a question about the same host: one answer is for all."""
    if ask.kind != Ask.Kind.GRANT:
        return False
    same = asks.waiting_asks(now).filter(kind=Ask.Kind.GRANT, host=ask.host, capability=ask.capability)
    return Delivery.objects.unfailed().filter(prompt__in=[ask_row.prompt for ask_row in same]).exists()


def answered_text(reply: Delivery, question: Delivery) -> str:
    text, _, _ = question.text.rpartition("\n\n")  # without the instructions for an answer
    return f"{text}\n\n{escape_markdown(reply.text)}"


def answer_link(is_background: bool) -> str:
    """Return the link to the page that shows the question.

    The chat shows the questions of running turns, the schedules page all that wait.
    """
    return link_to("activity") if is_background else link_to("chat")


def _question_text(ask: Ask, device: Device, *, is_background: bool) -> str:
    text, now = escape_markdown(ask_texts.question_text(ask)), timezone.now()
    if not ask_texts.fits_line(ask):
        return f"Something on a page needs your answer. Answer here: {answer_link(is_background)}"
    if not routing.holds_conversation(device):
        return f"{text} Answer here: {answer_link(is_background)}"
    return f"{text}\n\n{ask_texts.how_to_answer(ask, clock.time_in_words(ask.expires_at, now))}"
