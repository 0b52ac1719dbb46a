"""Interrupt the owner for a find: a few a day, at a good moment, on one device.

A find qualifies by its points: it must be among the best of the last week, for as many finds as had a place. The others
wait on the feed and in the digest. The owner asked for a watch report, so it needs no points; it waits for quiet hours
and the day's budget.
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
FRESH = timedelta(hours=24)  # older finds were in the digest already
EVERY_S = 300
LOOKED = "notify:looked"
log = structlog.get_logger("penny.notifying")


@dataclass(frozen=True)
class Waiting:
    """Why nobody is interrupted now, and until when if that is known."""

    why: str
    until: datetime | None = None


def notify_due(now: datetime) -> Message | None:
    """Notify the owner of a watch report or of the best new find, if now is a good moment.

    Return the notification, None if there was none.
    """
    if _why_silent(now) is not None:
        return None
    with transaction.atomic():
        one_at_a_time("notify")
        find = _oldest_watch_report(now) or (None if why_waiting(now) else _best_find(now))
        if find is None or _why_silent(now) is not None:
            return None
        message, reason = _store_notification(find, now), _reason(find)
        device = routing.send_proactive(message, reason)
        assert device is not None
        Interruption.objects.create(message=message, device=device, reason=reason, created_at=now)
        day_budget.count_interruption()
    log.info("find.told", kind=device.kind)
    return message


def notify_now_and_then(now: datetime) -> None:
    """Call `notify_due` at most every 5 minutes. Raises RedisError: then nobody is interrupted."""
    if sync_client().set(LOOKED, "1", nx=True, ex=EVERY_S):
        notify_due(now)


def why_waiting(now: datetime) -> Waiting | None:
    """Return why the owner is not interrupted for a find now, None if nothing prevents it."""
    if silent := _why_silent(now):
        return silent
    if len(_finds_told_since(clock.next_day(now) - timedelta(days=1), now)) >= config.NOTIFY_FINDS_MAX:
        return _used_up(now)
    if (until := _next_interruption(now)) > now:
        return Waiting(
            f"You were told of a find not long ago. The next one at {clock.time_in_words(until, now)} at the earliest.",
            until,
        )
    return None


def _why_silent(now: datetime) -> Waiting | None:
    """Return why the owner is not interrupted by anything now, None if nothing prevents it."""
    if until := muting.muted_until(now):
        return Waiting(f"You muted me {muting.muted_in_words(until, now)}.", until)
    if until := clock.quiet_until(now):
        return Waiting(f"Quiet hours until {clock.time_in_words(until, now)}: finds wait for the digest.", until)
    if not day_budget.may_interrupt(now):
        return _used_up(now)
    if not is_idle(now):
        return Waiting("You are chatting.")
    if next(routing.reachable(), None) is None:
        return Waiting("Nothing can be reached on which I would tell you: finds wait on the feed.")
    return None


def _used_up(now: datetime) -> Waiting:
    return Waiting("Today's interruptions are used up: finds wait on the feed.", clock.next_day(now))


def _finds_told_since(since: datetime, now: datetime) -> list[Message]:
    rows = Message.objects.filter(interruption__isnull=False, thought__isnull=False, thought__watch=None)
    return list(rows.filter(created_at__gte=since, created_at__lte=now).order_by("-seq"))


def _next_interruption(now: datetime) -> datetime:
    """Return when the next interruption may be; each unanswered one doubles the pause."""
    notifications = _finds_told_since(now - LOOKBACK, now)
    if not notifications:
        return now
    last_message = Message.objects.filter(direction=Message.Direction.IN, created_at__lte=now).order_by("-seq").first()
    unanswered = [message for message in notifications if last_message is None or last_message.seq < message.seq]
    minutes = min(
        config.NOTIFY_COOLDOWN_MAX_MIN, config.NOTIFY_COOLDOWN_MIN * 2 ** min(10, max(0, len(unanswered) - 1))
    )
    return notifications[0].created_at + timedelta(minutes=minutes)


def _unseen_finds(now: datetime) -> ThoughtQuerySet:
    """Return new finds that the owner neither opened nor was told of, alone or in a digest."""
    heard_of = Message.objects.filter(thought__isnull=False, direction=Message.Direction.OUT)
    new = Thought.objects.unread().unfolded().filter(created_at__gt=now - FRESH, created_at__lte=now, opened_at=None)
    return new.exclude(pk__in=heard_of.values("thought")).exclude(
        pk__in=Digest.thoughts.through.objects.values("thought")
    )


def _oldest_watch_report(now: datetime) -> Thought | None:
    return _unseen_finds(now).filter(watch__isnull=False).order_by("created_at", "pk").first()


def _best_find(now: datetime) -> Thought | None:
    fresh = _unseen_finds(now).filter(watch=None, points__gte=config.NOTIFY_POINTS_MIN)
    paused = Message.objects.filter(
        interruption__isnull=False, created_at__gt=now - timedelta(hours=config.NOTIFY_TOPIC_H)
    )
    rows = fresh.exclude(preference__muted=True)
    rows = rows.exclude(preference__in=paused.filter(thought__preference__isnull=False).values("thought__preference"))
    best = rows.order_by("-points", "-created_at").first()
    return best if best is not None and _has_place(best, now) else None


def _has_place(find: Thought, now: datetime) -> bool:
    """Return whether a find is among the best of the last week.

    Places: the daily limit times the number of days with a find.
    """
    recent = Thought.objects.filter(created_at__gt=now - LOOKBACK, created_at__lte=now, points__isnull=False)
    active = len({clock.today(at) for at in recent.values_list("created_at", flat=True)})
    better = recent.filter(points__gt=find.points).count()
    return better < max(1, active) * int(config.NOTIFY_FINDS_MAX)


def _store_notification(find: Thought, now: datetime) -> Message:
    words = f"**{escape_markdown(find.title)}**\n\n{find.text}\n\n*{_reason(find)} {PAUSE if find.watch_id else LESS}*"
    message = messages.store_message(
        the_owner(),
        messages.render_content(words, []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        thought=find,
        origin=find.origin,
        is_extractive=find.is_extractive,
        created_at=now,
    )
    message.sources.set(find.pages.all())
    return message


def _reason(find: Thought) -> str:
    if find.watch_id is not None:
        return "You asked to be told, by a watch."
    about = f" about “{escape_markdown(find.seed_text)}”" if find.seed_text else ""
    return f"One of your best finds{about} this week."
