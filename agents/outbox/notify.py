"""For which finds the owner is interrupted: the few of a day that are worth it, at a good moment, on one device.

A find earns a place among the day's by its points: it is among the best of the last week, as many as there were places.
Everything else waits on the feed and in the digest. What a watch tells was asked for: it needs no points, and waits for
the quiet hours and the day's budget alone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from constance import config
from django.db import transaction

from agents.models import Digest
from agents.runs import day_budget
from agents.runs.failure_texts import LESS, PAUSE
from devices.channels import routing
from devices.conversation import messages
from devices.conversation.messages import is_idle
from devices.db import one_at_a_time
from devices.models import Interruption, Message
from devices.owner import clock, muting
from devices.owner.account import the_owner
from devices.redis import sync_client
from thoughts.models import Thought, ThoughtQuerySet
from thoughts.rendering import escape_markdown

LOOKBACK = timedelta(days=7)
FRESH = timedelta(hours=24)  # what is older is no news: the digest had it
EVERY_S = 300
LOOKED = "notify:looked"
log = structlog.get_logger("penny.notifying")


@dataclass(frozen=True)
class Waiting:
    """Why nobody is interrupted now, in a sentence, and until when where that is known."""

    why: str
    until: datetime | None = None


def notify_due(now: datetime) -> Message | None:
    """Tell the owner what a watch has to tell, or of the best new find, if now is a time for it and one earned it.
    Return what was said.
    """
    if _why_silent(now) is not None:
        return None
    with transaction.atomic():
        one_at_a_time("notify")
        found = _asked_for(now) or (None if why_waiting(now) else _worth_it(now))
        if found is None or _why_silent(now) is not None:
            return None
        message, reason = _say(found, now), _reason(found)
        device = routing.tell(message, reason)
        assert device is not None
        Interruption.objects.create(message=message, device=device, reason=reason, created_at=now)
        day_budget.count_interruption()
    log.info("find.told", kind=device.kind)
    return message


def look(now: datetime) -> None:
    """Look every few minutes, whatever ticks. A Redis that is away interrupts nobody."""
    if sync_client().set(LOOKED, "1", nx=True, ex=EVERY_S):
        notify_due(now)


def why_waiting(now: datetime) -> Waiting | None:
    """Return why the owner is not interrupted for a find now, None where nothing speaks against it."""
    if silent := _why_silent(now):
        return silent
    if len(_told_since(clock.next_day(now) - timedelta(days=1), now)) >= config.NOTIFY_FINDS_MAX:
        return _used_up(now)
    if (until := _cooled_down(now)) > now:
        return Waiting(
            f"You were told of a find not long ago. The next one at {clock.in_words(until, now)} at the earliest.",
            until,
        )
    return None


def _why_silent(now: datetime) -> Waiting | None:
    """Return why the owner is not interrupted by anything now."""
    if until := muting.muted_until(now):
        return Waiting(f"You muted me {muting.in_words(until, now)}.", until)
    if until := clock.quiet_until(now):
        return Waiting(f"Quiet hours until {clock.in_words(until, now)}: finds wait for the digest.", until)
    if not day_budget.may_interrupt(now):
        return _used_up(now)
    if not is_idle(now):
        return Waiting("You are chatting.")
    if next(routing.reachable(), None) is None:
        return Waiting("Nothing can be reached on which I would tell you: finds wait on the feed.")
    return None


def _used_up(now: datetime) -> Waiting:
    return Waiting("Today's interruptions are used up: finds wait on the feed.", clock.next_day(now))


def _told_since(since: datetime, now: datetime) -> list[Message]:
    """Return the finds that the owner was interrupted for, the latest first."""
    told = Message.objects.filter(interruption__isnull=False, thought__isnull=False, thought__watch=None)
    return list(told.filter(created_at__gte=since, created_at__lte=now).order_by("-seq"))


def _cooled_down(now: datetime) -> datetime:
    """Return when the next interruption may be: after the last, and twice as long for each that was left without an
    answer.
    """
    told = _told_since(now - LOOKBACK, now)
    if not told:
        return now
    heard = Message.objects.filter(direction=Message.Direction.IN, created_at__lte=now).order_by("-seq").first()
    unanswered = [message for message in told if heard is None or heard.seq < message.seq]
    minutes = min(
        config.NOTIFY_COOLDOWN_MAX_MIN, config.NOTIFY_COOLDOWN_MIN * 2 ** min(10, max(0, len(unanswered) - 1))
    )
    return told[0].created_at + timedelta(minutes=minutes)


def _unheard(now: datetime) -> ThoughtQuerySet:
    """Return what is new and was neither looked at nor told, by itself or in a digest's list."""
    heard_of = Message.objects.filter(thought__isnull=False, direction=Message.Direction.OUT)
    new = Thought.objects.unread().unfolded().filter(created_at__gt=now - FRESH, created_at__lte=now, opened_at=None)
    return new.exclude(pk__in=heard_of.values("thought")).exclude(
        pk__in=Digest.thoughts.through.objects.values("thought")
    )


def _asked_for(now: datetime) -> Thought | None:
    """Return what a watch found first of which the owner has not heard."""
    return _unheard(now).filter(watch__isnull=False).order_by("created_at", "pk").first()


def _worth_it(now: datetime) -> Thought | None:
    """Return the best find of which the owner has not heard, if it earned a place among the day's."""
    fresh = _unheard(now).filter(watch=None, points__gte=config.NOTIFY_POINTS_MIN)
    paused = Message.objects.filter(
        interruption__isnull=False, created_at__gt=now - timedelta(hours=config.NOTIFY_TOPIC_H)
    )
    rows = fresh.exclude(preference__muted=True)
    rows = rows.exclude(preference__in=paused.filter(thought__preference__isnull=False).values("thought__preference"))
    best = rows.order_by("-points", "-created_at").first()
    return best if best is not None and _has_place(best, now) else None


def _has_place(found: Thought, now: datetime) -> bool:
    """Whether a find is among the best of the last week, as many as there were places on the days on which anything was
    found.
    """
    recent = Thought.objects.filter(created_at__gt=now - LOOKBACK, created_at__lte=now, points__isnull=False)
    active = len({clock.today(at) for at in recent.values_list("created_at", flat=True)})
    better = recent.filter(points__gt=found.points).count()
    return better < max(1, active) * int(config.NOTIFY_FINDS_MAX)


def _say(found: Thought, now: datetime) -> Message:
    words = (
        f"**{escape_markdown(found.title)}**\n\n{found.text}\n\n*{_reason(found)} {PAUSE if found.watch_id else LESS}*"
    )
    message = messages.store(
        the_owner(),
        messages.written(words, []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        thought=found,
        origin=found.origin,
        is_extractive=found.is_extractive,
        created_at=now,
    )
    message.sources.set(found.pages.all())
    return message


def _reason(found: Thought) -> str:
    if found.watch_id is not None:
        return "You asked to be told, by a watch."
    about = f" about “{escape_markdown(found.seed_text)}”" if found.seed_text else ""
    return f"One of your best finds{about} this week."
