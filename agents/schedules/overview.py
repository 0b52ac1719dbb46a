"""Prepare the page of schedules: next time, last run, history, open questions."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from agents.models import Run, Schedule
from agents.schedules import start, zone
from agents.schedules.rule_words import Repeat
from devices.models import Ask

RUNS_SHOWN = 50


@dataclass(frozen=True)
class Scheduled:
    """A schedule on the list. `waiting`: why it does not start now; `last`: its last run; `moved_from`: see zone.py."""

    schedule: Schedule
    repeats: str
    next_at: datetime | None
    waiting: str | None
    last: Run | None
    moved_from: datetime | None


def scheduled_rows(now: datetime) -> list[Scheduled]:
    """Return all schedules, those with the owner's own words first."""
    order = [Schedule.Kind.TASK, Schedule.Kind.REMINDER, Schedule.Kind.DIGEST, Schedule.Kind.THINKING]
    rows = sorted(
        _startable_schedules().select_related("preference"), key=lambda row: order.index(Schedule.Kind(row.kind))
    )
    old_moments = dict(zone.moved_schedules(now).values_list("pk", "moved_from"))
    return [_scheduled(row, now, old_moments.get(row.pk)) for row in rows]


def _startable_schedules() -> QuerySet[Schedule]:
    return Schedule.objects.kept().exclude(rrule="", next_run_at=None)


@dataclass(frozen=True)
class Waiting:
    """A question that background work waits for, with its run and its subject."""

    ask: Ask
    run: Run
    about: str


def waiting_questions(now: datetime) -> list[Waiting]:
    """Return the open questions of parked runs, oldest first, one for each prompt."""
    asks = Ask.objects.of_background(now).order_by("-created_at")
    first = {ask.prompt: ask for ask in asks}
    keys = [ask.run_id for ask in first.values() if ask.run_id]
    runs = Run.objects.select_related("preference", "watch").in_bulk(keys)
    pairs = [(ask, runs[ask.run_id]) for ask in reversed(first.values()) if ask.run_id in runs]
    return [Waiting(ask, run, _about(run)) for ask, run in pairs]


def _about(run: Run) -> str:
    if run.watch:
        return f"your watch “{run.watch.own_name}”"
    return run.task or str(run.preference or "something new")


def history(schedule: Schedule) -> list[Run]:
    return list(schedule.runs.select_related("thought", "answer", "preference")[:RUNS_SHOWN])


def _scheduled(row: Schedule, now: datetime, moved_from: datetime | None) -> Scheduled:
    waiting = start.why_waiting(row, now) if row.enabled else None
    last = row.runs.select_related("thought", "answer").first()
    next_at = start.starts_at(row, now) if row.enabled else None
    return Scheduled(row, str(Repeat.of(row.rrule)) or "once", next_at, waiting, last, moved_from)
