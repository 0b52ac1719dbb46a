"""Quiet hours, in which nothing starts in the background, and the ends of days on any clock."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from constance import config

from agents.models import Run, Schedule
from agents.schedules import start
from devices.owner import clock

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture(autouse=True)
def berlin_at_night() -> None:
    config.TIMEZONE, config.QUIET_FROM, config.QUIET_TO = "Europe/Berlin", "22:30", "07:00"
    Schedule.objects.all().delete()


def berlin(day: int, hour: int, minute: int = 0, month: int = 6, fold: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, fold=fold, tzinfo=BERLIN).astimezone(UTC)


def every_20_minutes(**fields: object) -> Schedule:
    return Schedule.objects.create(name="Thinking", next_run_at=berlin(1, 22, 20), **fields)


def ends(now: datetime) -> datetime | None:
    return clock.quiet_until(now)


def test_nothing_starts_in_the_quiet_hours_and_what_was_missed_is_caught_up_once() -> None:
    every_20_minutes()
    now, moments = berlin(1, 22, 30), []
    while now < berlin(2, 8):
        start.start_due(now)
        if Run.objects.exclude(state="discarded").update(state="discarded"):
            moments.append(now.astimezone(BERLIN).strftime("%H:%M"))
        now += timedelta(minutes=10)
    assert moments == ["07:00", "07:20", "07:40"]


def test_a_schedule_may_say_that_quiet_hours_do_not_hold_for_it() -> None:
    every_20_minutes(in_quiet_hours=True)
    start.start_due(berlin(2, 3))
    assert Run.objects.count() == 1


def test_the_next_times_are_those_at_which_it_will_start() -> None:
    schedule = every_20_minutes()
    times = start.next_times(schedule, berlin(1, 22, 5))
    assert [f"{at.astimezone(BERLIN):%d %H:%M}" for at in times] == [
        "01 22:20",
        "02 07:00",
        "02 07:20",
        "02 07:40",
        "02 08:00",
    ]


def test_there_are_none_by_default_nor_where_they_begin_and_end_at_once() -> None:
    assert ends(berlin(1, 23)) == berlin(2, 7)
    for begins, until in (("", "07:00"), ("22:00", ""), ("07:00", "07:00")):
        config.QUIET_FROM, config.QUIET_TO = begins, until
        assert ends(berlin(1, 23)) is None


def test_quiet_hours_of_a_day_end_on_that_day() -> None:
    config.QUIET_FROM, config.QUIET_TO = "12:00", "14:00"
    assert [ends(berlin(1, hour)) for hour in (11, 12, 13, 14)] == [None, berlin(1, 14), berlin(1, 14), None]


def test_quiet_hours_end_once_in_a_night_in_which_the_clock_is_changed() -> None:
    config.QUIET_TO = "02:30"
    assert ends(berlin(25, 2, 10, month=10)) == berlin(25, 2, 30, month=10)
    assert ends(berlin(25, 2, 10, month=10, fold=1)) is None  # it was half past two already
    assert ends(berlin(29, 1, 59, month=3)) == berlin(29, 3, 30, month=3)  # half past two is skipped
    assert ends(berlin(29, 3, 30, month=3)) is None


@pytest.mark.parametrize(("month", "day", "hours"), [(3, 29, 23), (10, 25, 25), (6, 1, 24)])
def test_a_day_is_as_long_as_the_clock_makes_it(month: int, day: int, hours: int) -> None:
    begin = berlin(day, 0, month=month)
    assert clock.next_day(begin) - begin == timedelta(hours=hours)
    assert clock.today(clock.next_day(begin) - timedelta(seconds=1)) == clock.today(begin)
    assert clock.today(clock.next_day(begin)) == clock.today(begin) + timedelta(days=1)
