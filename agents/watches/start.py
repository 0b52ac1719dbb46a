"""Start visits of watches: by the tick when they are due, or at the owner's request."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q, Sum

from agents.gateway.catalog import BROWSE_URL
from agents.models import Run, money
from agents.runs import day_budget, queue
from agents.runs.mends import Mend, known_mends
from agents.watches import mends
from devices import disk
from devices.conversation import messages
from devices.models import Device
from devices.owner import clock, machine_clock
from thoughts.models.watches import NOT_NOW_FOR, SLOWER_MAX, Watch

AHEAD_MOST = NOT_NOW_FOR + timedelta(hours=14)  # beyond the usual: a site that was not allowed, another time zone
AT_ONCE = 3  # concurrent visits: the browser is the owner's


@transaction.atomic
def start_visit(watch: Watch) -> Run | None:
    """Store a queued run and wake the worker; None if another is open. Raises DiskFull."""
    disk.check_room()
    if open_run(watch) is not None:
        return None
    run = Run.objects.create(kind=Run.Kind.WATCH, watch=watch)
    queue.enqueue_on_commit(run)
    return run


def open_run(watch: Watch) -> Run | None:
    return Run.objects.filter(watch=watch, state__in=Run.OPEN).first()


def can_visit() -> bool:
    """Return whether a browser that can open pages is connected."""
    return bool(Device.objects.capable(BROWSE_URL.name))


@dataclass(frozen=True)
class Cost:
    """The cost of visits. `money`: in words, empty if no model had a price."""

    runs: int
    failed: int
    pages: int
    tokens: int
    money: str


def cost(watch: Watch, since: datetime) -> Cost:
    rows = Run.objects.filter(watch=watch, created_at__gte=since)
    failed = Count("pk", filter=Q(state=Run.State.FAILED))
    sums = rows.aggregate(Count("pk"), Sum("spent_pages"), Sum("spent_tokens"), Sum("spent_micros"), failed=failed)
    pages, tokens = sums["spent_pages__sum"] or 0, sums["spent_tokens__sum"] or 0
    return Cost(sums["pk__count"], sums["failed"], pages, tokens, money(sums["spent_micros__sum"]))


@dataclass(frozen=True)
class Pause:
    """Why due visits wait, in words for the owner, and what the owner can do about it."""

    words: str
    mends: tuple[Mend, ...]


def why_waiting(now: datetime) -> Pause | None:
    """Return why due visits wait; None if only the conversation delays them."""
    if not can_visit():
        return Pause("waits for a browser", known_mends("no_browser"))
    if end := clock.quiet_until(now):
        words = f"rests in your quiet hours, until {clock.time_in_words(end, now)}"
        return Pause(words, (mends.quiet_hours(),))
    spent = day_budget.why_paused(now, asks_model=False)
    return Pause(str(spent), known_mends(spent.code)) if spent else None


def start_due_visits(now: datetime, *, was_wrong: bool = False) -> None:
    """Start due visits, the longest due first and few at once. `was_wrong`: as for schedules.

    They stay due while the owner chats, without a browser or disk room, in quiet hours, and when background work has
    used up its day.
    """
    if machine_clock.is_right(now):
        _bring_back(now, was_wrong=was_wrong)
    if (
        not Watch.objects.due(now).exists()
        or not messages.is_idle(now)
        or _a_turn_waits()
        or not disk.has_room()
        or not can_visit()
    ):
        return
    if clock.quiet_until(now) or day_budget.why_paused(now, asks_model=False):
        return
    visits = Run.objects.filter(kind=Run.Kind.WATCH, state__in=[Run.State.QUEUED, Run.State.RUNNING])
    free = AT_ONCE - visits.due(now).count()
    for watch in Watch.objects.due(now)[: max(free, 0)]:
        _start_due_visit(watch, now)


def _bring_back(now: datetime, *, was_wrong: bool) -> None:
    """Set the next visit anew where it lies further ahead than any rule puts it: the clock was wrong then."""
    for watch in Watch.objects.active().filter(next_check_at__gt=now + (timedelta() if was_wrong else AHEAD_MOST)):
        latest = watch.next_visit(now, slower=1 if was_wrong else SLOWER_MAX)
        if watch.next_check_at > latest + (timedelta() if was_wrong else AHEAD_MOST):
            mine = Watch.objects.filter(pk=watch.pk, next_check_at=watch.next_check_at)
            mine.update(next_check_at=watch.next_visit(now))


def _a_turn_waits() -> bool:
    return Run.objects.filter(kind__in=Run.FOR_THE_OWNER, state__in=[Run.State.QUEUED, Run.State.RUNNING]).exists()


@transaction.atomic
def _start_due_visit(watch: Watch, now: datetime) -> None:
    """Start one visit, even if two ticks run at once.

    The next visit is set now, so that it follows in time if this one ends badly.
    """
    mine = Watch.objects.active().filter(pk=watch.pk, next_check_at=watch.next_check_at)
    if mine.update(next_check_at=watch.next_visit(now)):
        start_visit(watch)
