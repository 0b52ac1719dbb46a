"""What the page of schedules shows: each with its next time and its last run; its history; the last digests."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from agents.models import Digest, Run, Schedule
from agents.schedules import start
from agents.schedules.rule_words import Repeat
from devices.models import Ask
from thoughts.models import Thought

RUNS_SHOWN = 50
DIGESTS_SHOWN = 14


@dataclass(frozen=True)
class Scheduled:
    """A schedule on the list. `waiting` says what keeps it from starting now; `last` is its last run."""

    schedule: Schedule
    repeats: str
    next_at: datetime | None
    waiting: str | None
    last: Run | None


def scheduled(now: datetime) -> list[Scheduled]:
    """Return all schedules, those of the owner's own words first."""
    order = [Schedule.Kind.TASK, Schedule.Kind.REMINDER, Schedule.Kind.DIGEST, Schedule.Kind.THINKING]
    rows = sorted(_listed().select_related("preference"), key=lambda row: order.index(Schedule.Kind(row.kind)))
    return [_scheduled(row, now) for row in rows]


def _listed() -> QuerySet[Schedule]:
    """Return what may still start: a reminder that was told once is over."""
    return Schedule.objects.kept().exclude(rrule="", next_run_at=None)


@dataclass(frozen=True)
class Waiting:
    """A question that background work waits with, and what that is about."""

    ask: Ask
    run: Run
    about: str


def waiting(now: datetime) -> list[Waiting]:
    """Return the open questions of parked runs, the oldest first; of those that share a prompt one."""
    asks = Ask.objects.open().filter(is_background=True, expires_at__gt=now).order_by("-created_at")
    first = {ask.prompt: ask for ask in asks}
    runs = Run.objects.select_related("preference").in_bulk([ask.run_id for ask in first.values() if ask.run_id])
    found = [(ask, runs[ask.run_id]) for ask in reversed(first.values()) if ask.run_id in runs]
    return [Waiting(ask, run, run.task or str(run.preference or "something new")) for ask, run in found]


def history(schedule: Schedule) -> list[Run]:
    """Return the last runs of a schedule, the newest first."""
    return list(schedule.runs.select_related("thought", "answer", "preference")[:RUNS_SHOWN])


def digests_shown() -> list[Digest]:
    """Return the last digests, each with what it listed and is still there."""
    return list(
        Digest.objects.prefetch_related(Prefetch("thoughts", Thought.objects.order_by("-created_at")))[:DIGESTS_SHOWN]
    )


def _scheduled(row: Schedule, now: datetime) -> Scheduled:
    waiting = start.why_waiting(row, now) if row.enabled else None
    last = row.runs.select_related("thought", "answer").first()
    return Scheduled(
        row, str(Repeat.of(row.rrule)) or "once", start.starts_at(row, now) if row.enabled else None, waiting, last
    )
