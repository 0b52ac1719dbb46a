"""How the visit of a watch starts: by the tick when it is due, or on the owner's word."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, Sum

from agents.gateway.catalog import BROWSE_URL
from agents.models import Run, money
from agents.runs import day_budget, queue
from devices import disk
from devices.conversation import messages
from devices.models import Device
from devices.owner import clock
from thoughts.models.watches import Watch

AT_ONCE = 3  # visits under way; the browser is the owner's


@transaction.atomic
def start_visit(watch: Watch) -> Run | None:
    """Store a queued run and wake the worker; None where one is not over yet. Raises DiskFull."""
    disk.check_room()
    if open_run(watch) is not None:
        return None
    run = Run.objects.create(kind=Run.Kind.WATCH, watch=watch)
    queue.enqueue_on_commit(run)
    return run


def open_run(watch: Watch) -> Run | None:
    return Run.objects.filter(watch=watch, state__in=Run.OPEN).first()


def can_visit() -> bool:
    """Whether a browser is there that can open pages now."""
    return bool(Device.objects.capable(BROWSE_URL.name))


@dataclass(frozen=True)
class Cost:
    """What visits have cost. `money`: in words, empty where no model had a price."""

    runs: int
    failed: int
    pages: int
    tokens: int
    money: str


def cost(watch: Watch, since: datetime) -> Cost:
    """Return what the visits of a watch have cost since then."""
    rows = Run.objects.filter(watch=watch, created_at__gte=since)
    failed = Count("pk", filter=Q(state=Run.State.FAILED))
    sums = rows.aggregate(Count("pk"), Sum("spent_pages"), Sum("spent_tokens"), Sum("spent_micros"), failed=failed)
    pages, tokens = sums["spent_pages__sum"] or 0, sums["spent_tokens__sum"] or 0
    return Cost(sums["pk__count"], sums["failed"], pages, tokens, money(sums["spent_micros__sum"]))


def why_waiting(now: datetime) -> str:
    """Return why visits that are due wait, in words for the owner; empty where nothing but the conversation holds them
    up.
    """
    if not can_visit():
        return "waits for a browser"
    if end := clock.quiet_until(now):
        return f"rests in your quiet hours, until {clock.in_words(end, now)}"
    return str(day_budget.why_paused(now, asks_model=False) or "")


def start_due(now: datetime) -> None:
    """Start visits that are due, the longest due first and few at once. While the owner talks with Penny, without a
    browser or without room on the disk they stay due; so they do in quiet hours, and when background work has used up
    its day.
    """
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
    free = AT_ONCE - Run.objects.filter(kind=Run.Kind.WATCH, state__in=[Run.State.QUEUED, Run.State.RUNNING]).count()
    for watch in Watch.objects.due(now)[: max(free, 0)]:
        _start(watch, now)


def _a_turn_waits() -> bool:
    return Run.objects.filter(kind=Run.Kind.TURN, state__in=[Run.State.QUEUED, Run.State.RUNNING]).exists()


@transaction.atomic
def _start(watch: Watch, now: datetime) -> None:
    """Two ticks at once start one visit. The next one is set now, so that a run which ends badly is followed by another
    in time.
    """
    mine = Watch.objects.active().filter(pk=watch.pk, next_check_at=watch.next_check_at)
    if mine.update(next_check_at=watch.next_visit(now)):
        start_visit(watch)
