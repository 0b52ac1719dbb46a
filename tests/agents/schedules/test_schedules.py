"""Schedules: each occurrence starts once, after any outage and across changes of the clock."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from constance import config

from agents.models import Run, Schedule
from agents.schedules import start as schedules_start
from tests import commands, databases
from tests.commands import ROOT, environment

MINUTES = "FREQ=MINUTELY;INTERVAL=20"
NIGHTLY = "FREQ=DAILY;BYHOUR=2;BYMINUTE=30;BYSECOND=0"
HOURLY = "FREQ=HOURLY;BYMINUTE=0;BYSECOND=0"
BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def berlin(db: None) -> Iterator[None]:
    before = config.TIMEZONE
    config.TIMEZONE = "Europe/Berlin"
    yield
    config.TIMEZONE = before


@pytest.fixture
def no_schedules(db: None) -> None:
    """Remove the schedules of a new Penny."""
    Schedule.objects.all().delete()


def wall_clock_times(rule: str, start: datetime, count: int) -> list[str]:
    """Return the next occurrences on the wall clock; each is noticed a second late."""
    moments, now = [], start
    for _ in range(count):
        after = schedules_start.next_after(Schedule(rrule=rule), now)
        assert after is not None
        assert after > now
        moments.append(after.astimezone(BERLIN).strftime("%d %H:%M %z"))
        now = after + timedelta(seconds=1)
    return moments


def test_a_nightly_time_that_the_clock_skips_comes_an_hour_later_that_night(berlin: None) -> None:
    start = datetime(2026, 3, 28, tzinfo=BERLIN)
    assert wall_clock_times(NIGHTLY, start, 3) == ["28 02:30 +0100", "29 03:30 +0200", "30 02:30 +0200"]


def test_a_nightly_time_that_the_clock_shows_twice_comes_once(berlin: None) -> None:
    start = datetime(2026, 10, 24, tzinfo=BERLIN)
    assert wall_clock_times(NIGHTLY, start, 3) == ["24 02:30 +0200", "25 02:30 +0200", "26 02:30 +0100"]
    second_time = datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=BERLIN)
    assert wall_clock_times(NIGHTLY, second_time, 1) == ["26 02:30 +0100"]


@pytest.mark.parametrize("day", [datetime(2026, 3, 29, tzinfo=BERLIN), datetime(2026, 10, 25, tzinfo=BERLIN)])
def test_minutes_and_hours_go_on_evenly_when_the_clock_is_changed(berlin: None, day: datetime) -> None:
    for rule, every in ((MINUTES, timedelta(minutes=20)), (HOURLY, timedelta(hours=1))):
        now = day.astimezone(UTC)
        for _ in range(15):
            next_time = schedules_start.next_after(Schedule(rrule=rule), now)
            assert next_time == now + every
            now = next_time


@pytest.mark.parametrize(
    ("rule", "now", "expected"),
    [
        ("FREQ=MINUTELY;INTERVAL=20;BYMINUTE=0,20,40", "12:05", ["22 12:20", "22 12:40", "22 13:00"]),
        ("FREQ=HOURLY;INTERVAL=4;BYHOUR=8,12,16,20", "09:17", ["22 12:00", "22 16:00", "22 20:00", "23 08:00"]),
        ("FREQ=MINUTELY;INTERVAL=30;BYHOUR=8,9;BYMINUTE=0,30", "10:05", ["23 08:00", "23 08:30", "23 09:00"]),
        ("FREQ=HOURLY;BYMINUTE=15", "12:20", ["22 13:15", "22 14:15"]),
    ],
)
def test_hours_and_minutes_that_a_rule_names_are_met_from_any_moment(
    berlin: None, rule: str, now: str, expected: list[str]
) -> None:
    start = datetime.fromisoformat(f"2026-06-22 {now}").replace(tzinfo=BERLIN)
    assert [time[:8] for time in wall_clock_times(rule, start, len(expected))] == expected


@pytest.mark.parametrize(
    ("rule", "due", "late", "expected"),
    [
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=9;BYMINUTE=0", (5, 9), timedelta(days=3), (19, 9)),
        ("FREQ=DAILY;INTERVAL=3;BYHOUR=9;BYMINUTE=0", (5, 9), timedelta(hours=20), (8, 9)),
        ("FREQ=HOURLY;INTERVAL=5", (5, 9), timedelta(hours=12), (6, 0)),
    ],
)
def test_a_late_run_does_not_move_the_next_one(
    berlin: None, rule: str, due: tuple[int, int], late: timedelta, expected: tuple[int, int]
) -> None:
    moment = datetime(2026, 6, *due, tzinfo=BERLIN)
    schedule = Schedule(rrule=rule, next_run_at=moment)
    assert schedules_start.next_after(schedule, moment + late) == datetime(2026, 6, *expected, tzinfo=BERLIN)


@pytest.mark.parametrize("rule", ["FREQ=DAILY;INTERVAL=0", "FREQ=MINUTELY;INTERVAL=0"])
def test_a_stored_rule_that_would_never_end_pauses_its_schedule(no_schedules: None, rule: str) -> None:
    schedule = Schedule.objects.create(name="endless", rrule=rule)
    schedules_start.start_due(NOON)
    schedule.refresh_from_db()
    assert not schedule.enabled


@pytest.mark.parametrize("rule", ["FREQ=MINUTELY;BYHOUR=3", "FREQ=DAILY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"])
def test_a_start_of_long_ago_is_no_long_search(berlin: None, rule: str) -> None:
    schedule = Schedule(rrule=rule, next_run_at=datetime(1990, 2, 28, 3, tzinfo=BERLIN))
    assert schedules_start.next_after(schedule, NOON)


def test_after_a_long_outage_each_schedule_is_caught_up_once(no_schedules: None) -> None:
    for number in range(3):
        Schedule.objects.create(name=str(number), rrule=MINUTES, next_run_at=NOON - timedelta(days=3))
    for second in range(10):
        schedules_start.start_due(NOON + timedelta(seconds=2 * second))
        Run.objects.update(state=Run.State.DISCARDED)
    assert Run.objects.count() == 3
    assert {schedule.next_run_at for schedule in Schedule.objects.all()} == {NOON + timedelta(minutes=20)}


def test_a_schedule_whose_run_is_not_over_does_not_start_another(no_schedules: None) -> None:
    Schedule.objects.create(name="slow", rrule=MINUTES, next_run_at=NOON)
    for hours in range(3):
        schedules_start.start_due(NOON + timedelta(hours=hours))
    assert Run.objects.count() == 1


def test_a_paused_schedule_does_not_start_and_a_resumed_one_waits_for_its_next_time(no_schedules: None) -> None:
    schedule = Schedule.objects.create(
        name="paused", rrule=MINUTES, enabled=False, next_run_at=NOON - timedelta(days=1)
    )
    schedules_start.start_due(NOON)
    Schedule.objects.filter(pk=schedule.pk).update(enabled=True, next_run_at=None)
    schedules_start.start_due(NOON)
    schedule.refresh_from_db()
    assert (Run.objects.count(), schedule.next_run_at) == (0, NOON + timedelta(minutes=20))


# Ends every run at once: a second start of an occurrence is not prevented by an open run.
ENDS_AT_ONCE = (
    "CREATE TRIGGER ends_at_once AFTER INSERT ON agents_run BEGIN UPDATE agents_run SET state = 'done' "
    "WHERE id = NEW.id; END"
)
TICKER = """
import sys, django
django.setup()
from datetime import datetime
from agents.schedules import start
for line in sys.stdin:
    start.start_due(datetime.fromisoformat(line.strip()))
    print("ticked", flush=True)
"""
PREPARE = """
from datetime import datetime
from django.db import connection
from agents.models import Schedule
Schedule.objects.all().delete()
for number in range(10):
    Schedule.objects.create(name=str(number), next_run_at=datetime.fromisoformat("{start}"))
connection.cursor().execute("{trigger}")
"""


def test_two_beats_at_the_same_time_start_each_occurrence_once(tmp_path: Path) -> None:
    settings, rounds = environment(tmp_path, DJANGO_SETTINGS_MODULE="penny_site.settings"), 8
    databases.copy_into(tmp_path)
    result = commands.run_command(
        "shell", "-c", PREPARE.format(start=NOON.isoformat(), trigger=ENDS_AT_ONCE), environment=settings
    )
    assert result.returncode == 0, result.stderr
    with ExitStack() as stack:
        start = partial(
            subprocess.Popen[str],
            [sys.executable, "-c", TICKER],
            cwd=ROOT,
            env=settings,
            stdin=-1,
            stdout=-1,
            text=True,
        )
        lines = [(beat.stdin, beat.stdout) for beat in (stack.enter_context(start()) for _ in range(2))]
        for number in range(rounds):
            for stdin, _ in lines:
                print((NOON + number * timedelta(minutes=21)).isoformat(), file=stdin, flush=True)
            assert [stdout.readline() for _, stdout in lines if stdout] == ["ticked\n"] * 2
        for stdin, _ in lines:
            assert stdin is not None
            stdin.close()
    with closing(sqlite3.connect(tmp_path / "penny.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM agents_run").fetchall() == [(10 * rounds,)]


@pytest.mark.usefixtures("no_schedules", "redis")
@pytest.mark.parametrize("next_run_at", [None, NOON - timedelta(minutes=1)])
def test_a_schedule_whose_rule_is_none_is_paused_and_holds_no_other_up(next_run_at: datetime | None) -> None:
    bad = Schedule.objects.create(name="A", rrule="FREQ=SOMETIMES", next_run_at=next_run_at)
    good = Schedule.objects.create(name="B", rrule=MINUTES)
    schedules_start.start_due(NOON)
    schedules_start.start_due(NOON)
    for schedule in (bad, good):
        schedule.refresh_from_db()
    assert (bad.enabled, good.enabled, good.next_run_at) == (False, True, NOON + timedelta(minutes=20))
    assert not bad.runs.exists()
