"""Whether this machine's clock can be believed. While it cannot, nothing is deleted.

A clock that jumped may be wrong (an empty battery, a time server), or Penny was off for long. The two look alike. The
clock is believed again once it is back where it was, or after it ran evenly for a while.
"""

from datetime import datetime, timedelta

import structlog
from django.db import transaction

from devices.db import one_at_a_time
from devices.models import MachineClock
from devices.owner import clock

BACK_MOST, AHEAD_MOST = timedelta(minutes=1), timedelta(days=30)  # of one tick after another
WRITTEN_EVERY, TICKS_APART_MOST = timedelta(seconds=20), timedelta(minutes=2)
PROVED_AFTER, PROVED_AFTER_YEARS = timedelta(hours=1), timedelta(days=1)
YEARS = timedelta(days=400)
SINGLE = {"pk": 1}
log = structlog.get_logger("penny.clock")


@transaction.atomic
def record_tick(now: datetime) -> bool:
    """Record that a tick saw the clock at `now`. Return whether a doubt about the clock ended with it."""
    one_at_a_time("machine_clock")
    row, _ = MachineClock.objects.get_or_create(**SINGLE, defaults={"ticked_at": now})
    if timedelta() <= now - row.ticked_at < WRITTEN_EVERY:
        return False
    is_jump, was_in_doubt = not _follows(row.ticked_at, now), row.jumped_from is not None
    if row.jumped_from and _follows(row.jumped_from, now):
        row.jumped_from = None
    elif is_jump:
        row.jumped_from, row.jumped_to, row.steady_s = row.jumped_from or row.ticked_at, now, 0
        log.warning("clock.jumped", since=str(row.jumped_from), to=str(now))
    elif row.jumped_from:
        row.steady_s += min(max(now - row.ticked_at, timedelta()), TICKS_APART_MOST).total_seconds()
        row.jumped_from = None if row.steady_s >= _needed(row).total_seconds() else row.jumped_from
    row.ticked_at = now
    row.save()
    return was_in_doubt and row.jumped_from is None


def is_right(now: datetime) -> bool:
    """Whether `now` can be believed. Only then records may be deleted for their age."""
    row = MachineClock.objects.filter(**SINGLE).first()
    return row is None or (row.jumped_from is None and _follows(row.ticked_at, now))


def holds_once(due_at: datetime | None, now: datetime) -> bool:
    """Whether something that comes once and was due at `due_at` has to wait, since the clock may be wrong.

    What was due after the jump was most likely set after it.
    """
    row = MachineClock.objects.filter(**SINGLE).first()
    if row is None or due_at is None:
        return False
    if not _follows(row.ticked_at, now):
        return True
    return row.jumped_to is not None and _is_fresh(row) and due_at <= row.jumped_to


def describe_doubt(now: datetime) -> str:
    """Return what happened to the clock, in words for the owner; empty if it can be believed."""
    row = MachineClock.objects.filter(**SINGLE).first()
    if row is None or row.jumped_from is None or row.jumped_to is None:
        return ""
    until = now + _needed(row) - timedelta(seconds=row.steady_s)
    return (
        f"The clock of this machine jumped from {_in_words(row.jumped_from)} to {_in_words(row.jumped_to)}. Nothing is "
        f"deleted until it ran evenly to {_in_words(until)}, and no reminder from before the jump is sent for an hour"
    )


ADVICE = "If Penny was off in between, that is right. Otherwise set the clock, for example: timedatectl set-ntp true"


def _follows(before: datetime, now: datetime) -> bool:
    return -BACK_MOST <= now - before <= AHEAD_MOST


def _needed(row: MachineClock) -> timedelta:
    """Return how long the clock has to run evenly. A clock years ahead is most likely wrong."""
    assert row.jumped_from is not None
    assert row.jumped_to is not None
    return PROVED_AFTER_YEARS if row.jumped_to - row.jumped_from > YEARS else PROVED_AFTER


def _is_fresh(row: MachineClock) -> bool:
    return row.jumped_from is not None and row.steady_s < PROVED_AFTER.total_seconds()


def _in_words(moment: datetime) -> str:
    return f"{moment.astimezone(clock.zone()):%-d %B %Y, %H:%M}"
