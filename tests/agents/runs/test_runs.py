"""Runs are claimed once, under a lease, and ended by their own attempt; schedules are due."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.models import BACKGROUND_SLOTS, LEASE, Run, Schedule, validate_rrule

pytestmark = pytest.mark.django_db


def queued_run(kind: str = "turn") -> Run:
    return Run.objects.create(kind=kind, turn_id=uuid4() if kind == "turn" else None)


def claim(run_id: UUID, now: datetime) -> Run | None:
    runs = Run.objects.claim([run_id], now)
    return runs[0] if runs else None


def test_a_queued_run_is_claimed_once_under_a_lease() -> None:
    run, now = queued_run(), timezone.now()
    claimed_run = claim(run.id, now)
    assert claimed_run is not None
    assert (claimed_run.state, claimed_run.attempt, claimed_run.lease_until) == ("running", 1, now + LEASE)
    assert claim(run.id, now) is None


@pytest.mark.parametrize("state", ["running", "parked", "done", "discarded", "failed", "cancelled"])
def test_only_a_queued_run_is_claimed(state: str) -> None:
    run = queued_run()
    Run.objects.update(state=state)
    assert claim(run.id, timezone.now()) is None


def test_a_run_that_vanished_is_not_claimed() -> None:
    assert claim(uuid4(), timezone.now()) is None


def test_runs_that_wait_together_are_claimed_together_oldest_first_and_nobody_elses() -> None:
    now = timezone.now()
    runs = [queued_run() for _ in range(3)]
    assert claim(runs[1].id, now)
    claimed_runs = Run.objects.claim([run.id for run in reversed(runs)], now)
    assert [(run.id, run.state, run.attempt) for run in claimed_runs] == [
        (runs[0].id, "running", 1),
        (runs[2].id, "running", 1),
    ]
    assert set(Run.objects.values_list("state", "attempt", "lease_until")) == {("running", 1, now + LEASE)}


def test_background_work_that_waits_together_takes_no_more_than_its_slots() -> None:
    runs = [queued_run("thinking") for _ in range(BACKGROUND_SLOTS + 2)]
    turn = queued_run()
    claimed_runs = Run.objects.claim([*(run.id for run in runs), turn.id], timezone.now())
    assert {run.id for run in claimed_runs} == {*(run.id for run in runs[:BACKGROUND_SLOTS]), turn.id}


def test_background_work_leaves_room_for_a_chat() -> None:
    now = timezone.now()
    for _ in range(BACKGROUND_SLOTS):
        assert claim(queued_run("thinking").id, now)
    assert claim(queued_run("thinking").id, now) is None
    assert claim(queued_run("turn").id, now)


def test_slots_of_workers_that_died_do_not_count() -> None:
    now = timezone.now()
    for _ in range(BACKGROUND_SLOTS):
        claim(queued_run("thinking").id, now)
    later = now + LEASE + timedelta(seconds=1)
    assert claim(queued_run("thinking").id, later)


def test_a_run_whose_lease_ran_out_is_abandoned() -> None:
    run, now = queued_run(), timezone.now()
    claim(run.id, now)
    assert list(Run.objects.abandoned(now)) == []
    assert list(Run.objects.abandoned(now + LEASE + timedelta(milliseconds=1))) == [run]


def test_only_the_attempt_that_holds_the_run_writes_its_end() -> None:
    run, now = queued_run(), timezone.now()
    first = claim(run.id, now)
    Run.objects.update(state="queued")
    second = claim(run.id, now)
    assert first is not None
    assert second is not None
    assert not first.end(Run.State.DONE, outcome="late")
    assert second.end(Run.State.DONE, outcome="in time")
    run.refresh_from_db()
    assert (run.state, run.outcome, run.attempt, run.lease_until) == ("done", "in time", 2, None)


def test_an_end_is_written_once() -> None:
    run = claim(queued_run().id, timezone.now())
    assert run is not None
    assert run.end(Run.State.DONE)
    assert not run.end(Run.State.FAILED)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MINUTELY;INTERVAL=20",
        "FREQ=DAILY;BYHOUR=7",
        "FREQ=WEEKLY;BYDAY=MO,FR",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9",
        "freq=daily;byhour=7",
        "FREQ=MINUTELY;INTERVAL=20;BYMINUTE=0,20,40",
        "FREQ=DAILY;UNTIL=20301231T000000",
    ],
)
def test_a_recurrence_rule_is_accepted(rule: str) -> None:
    validate_rrule(rule)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "every day",
        "FREQ=SOMETIMES",
        "FREQ=DAILY;INTERVAL=x",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;COUNT=1;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY",
        "FREQ=DAILY;COUNT=3",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=MINUTELY;INTERVAL=0",
        "FREQ=SECONDLY;INTERVAL=0",
        "FREQ=SECONDLY",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;INTERVAL=²",
        "FREQ=HOURLY;INTERVAL=50;BYHOUR=3",
        "FREQ=MINUTELY;BYMONTHDAY=30",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYEASTER=0",
        "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=DAILY;BYHOUR=" + ",".join(["7"] * 100),
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=DAILY;UNTIL=20231231T000000",
        "FREQ=DAILY\nEXDATE:20240101T000000",
    ],
)
def test_what_is_no_recurrence_rule_is_refused(rule: str) -> None:
    with pytest.raises(ValidationError):
        validate_rrule(rule)


def test_a_schedule_is_due_when_it_is_enabled_and_its_time_has_come() -> None:
    now = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
    due = Schedule.objects.create(name="due", next_run_at=now)
    Schedule.objects.create(name="later", next_run_at=now + timedelta(seconds=1))
    Schedule.objects.create(name="paused", next_run_at=now, enabled=False)
    Schedule.objects.create(name="never", next_run_at=None)
    assert list(Schedule.objects.due(now)) == [due]
