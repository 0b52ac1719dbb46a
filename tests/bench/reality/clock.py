"""The machine's clock jumps, and the owner's time zone changes: what comes when, and what is deleted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch
from zoneinfo import ZoneInfo

from tests.bench.reality.outcome import Outcome

BERLIN = "Europe/Berlin"
FIRST, RIGHT = "2026-06-12 08:00", "2026-06-12 10:00"
AWAY = {
    "2038": "2038-01-19 03:14",
    "2106": "2106-02-07 06:28",
    "31 days ahead": "2026-07-13 10:00",
    "a day back": "2026-06-11 10:00",
    "a year back": "2025-06-12 10:00",
    "1970": "1970-01-01 01:00",
}
# Number, rule, the zone, its occurrence before the jump, and when it comes after it.
RULES = [
    ("C087.1", "FREQ=MINUTELY;INTERVAL=20", BERLIN, RIGHT, "2026-06-12 10:20"),
    ("C087.2", "FREQ=HOURLY;INTERVAL=6", BERLIN, FIRST, "2026-06-12 14:00"),
    ("C087.3", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-06-13 08:00"),
    ("C087.4", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-06-26 08:00"),
    ("C087.5", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-07-03 08:00"),
    ("C087.6", "FREQ=DAILY;INTERVAL=3;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-06-15 08:00"),
    ("C087.7", "FREQ=MONTHLY;BYMONTHDAY=12;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-07-12 08:00"),
    ("C087.8", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=12;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-11-12 08:00"),
    ("C087.9", "FREQ=MONTHLY;BYDAY=1MO;BYHOUR=8;BYMINUTE=0", BERLIN, "2026-06-01 08:00", "2026-07-06 08:00"),
    ("C087.10", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=12;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2027-06-12 08:00"),
    ("C087.11", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2028-02-29 08:00"),
    ("C087.12", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20300101T000000", BERLIN, FIRST, "2026-06-13 08:00"),
    ("C087.13", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0", BERLIN, FIRST, "2026-06-15 08:00"),
    ("C087.14", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", BERLIN, FIRST, "2026-06-12 20:00"),
]
# Number, the zone before, what is said, the moment, the zone after, the time there, or "=" for the same moment.
ZONES = [
    ("C090.1", "tomorrow at 9 call Anna", "2026-06-12 10:00", "America/New_York", "2026-06-13 09:00"),
    ("C090.2", "tomorrow at 9 call Anna", "2026-06-12 10:00", "Asia/Tokyo", "2026-06-13 09:00"),
    ("C090.3", "tomorrow at 9 call Anna", "2026-06-12 23:30", "Asia/Tokyo", "2026-06-13 09:00"),
    ("C090.4", "tomorrow at 0:30 call Anna", "2026-06-12 23:30", "America/New_York", "2026-06-13 00:30"),
    ("C090.5", "today at 18:00 call Anna", "2026-06-12 12:00", "Asia/Tokyo", "2026-06-13 18:00"),
    ("C090.6", "today at 12:30 call Anna", "2026-06-12 12:00", "Europe/Helsinki", "2026-06-13 12:30"),
    ("C090.7", "today at 12:30 call Anna", "2026-06-12 12:00", "Europe/London", "2026-06-12 12:30"),
    ("C090.8", "in 20 minutes call Anna", "2026-06-12 12:00", "America/New_York", "="),
    ("C090.9", "in 3 hours call Anna", "2026-06-12 12:00", "Asia/Tokyo", "="),
    ("C090.10", "in 2h30m call Anna", "2026-06-12 12:00", "Asia/Tokyo", "="),
    ("C090.11", "in einer Stunde Anna anrufen", "2026-06-12 12:00", "Asia/Tokyo", "="),
    ("C090.12", "tomorrow at 9:00 Berlin time call Anna", "2026-06-12 12:00", "America/New_York", "="),
    ("C090.13", "call Anna tomorrow at 14:00 UTC", "2026-06-12 12:00", "America/New_York", "="),
    ("C090.14", "morgen um 9 Uhr Berliner Zeit: Anna anrufen", "2026-06-12 12:00", "Asia/Tokyo", "="),
    ("C090.15", "in 2 days call Anna", "2026-06-12 12:00", "America/New_York", "2026-06-14 12:00"),
    ("C090.16", "on 29 March 2027 at 2:30 call Anna", "2026-06-12 12:00", "America/New_York", "2027-03-29 02:30"),
    ("C090.17", "tomorrow at 2:30 call Anna", "2027-03-13 12:00", "America/New_York", "2027-03-14 03:30"),
]
# Number, rule, what comes next in Berlin at 12:00 on 12 June 2026, the zone after, the time there.
RECURRING = [
    ("C091.1", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0", "2026-06-15 09:00", "America/New_York", "2026-06-15 09:00"),
    (
        "C091.2",
        "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0",
        "2026-06-15 09:00",
        "Pacific/Kiritimati",
        "2026-06-15 09:00",
    ),
    ("C091.3", "FREQ=DAILY;BYHOUR=13;BYMINUTE=0", "2026-06-12 13:00", "Asia/Tokyo", "2026-06-13 13:00"),
    ("C091.4", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "2026-06-13 09:00", "Pacific/Honolulu", "2026-06-13 09:00"),
    (
        "C091.5",
        "FREQ=HOURLY;INTERVAL=4;BYHOUR=8,12,16,20;BYMINUTE=0",
        "2026-06-12 16:00",
        "Asia/Tokyo",
        "2026-06-12 20:00",
    ),
    ("C091.6", "FREQ=MINUTELY;INTERVAL=20", "2026-06-12 12:20", "Asia/Tokyo", "2026-06-12 19:20"),
]
NAMES = {
    "europe/berlin": BERLIN, "Berlin": BERLIN, "NEW YORK": "America/New_York", "UTC+2": "Etc/GMT-2", "utc": "UTC",
    "Mars": "", "UTC+99": "", "": "",
}  # fmt: skip


def outcomes() -> list[Outcome]:
    return [
        *(_rule(*row, away) for row in RULES for away in AWAY),
        *(_swept(away) for away in AWAY),
        *(_once(away) for away in AWAY),
        *(_zone(*row) for row in ZONES),
        *(_recurring(*row) for row in RECURRING),
        *(_name(f"C092.{number}", *row) for number, row in enumerate(NAMES.items())),
        _off_for_months(),
        _quiet_hours(),
    ]


@contextmanager
def _house(zone: str = BERLIN) -> Iterator[None]:
    """Hold an empty database on the owner's clock; what happens in it is rolled back."""
    from constance import config
    from django.db import transaction

    from agents.models import Schedule
    from devices.models import MachineClock
    from devices.owner.account import the_owner

    with transaction.atomic():
        the_owner()
        config.TIMEZONE, config.QUIET_FROM, config.QUIET_TO = zone, "", ""
        Schedule.objects.all().delete()
        MachineClock.objects.all().delete()
        yield
        transaction.set_rollback(True)


def _tick(now: datetime) -> None:
    from agents.schedules import start
    from agents.worker import tick

    with patch("django.utils.timezone.now", lambda: now):
        start.start_due(now, was_wrong=tick._look_at_clock(now))


def _rule(number: str, rule: str, zone: str, first: str, expected: str, away: str) -> Outcome:
    from agents.models import Schedule

    with _house(zone):
        schedule = Schedule.objects.create(
            name="x", kind="reminder", task="x", rrule=rule, next_run_at=_utc(first, zone)
        )
        right = _utc(RIGHT, zone)
        for moment in (right, _utc(AWAY[away], zone), right + timedelta(seconds=2)):
            _tick(moment)
        schedule.refresh_from_db()
        local = f"{schedule.next_run_at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" if schedule.next_run_at else "never"
    return Outcome(f"{number} {away}", "K33", local == expected, f"{rule}: {local}, not {expected}")


def _swept(away: str) -> Outcome:
    from agents.worker import retention
    from thoughts.models import Page

    with _house():
        right = _utc(RIGHT, BERLIN)
        Page.objects.create(url="https://a.example", domain="a.example", title="A", text="x")
        Page.objects.update(fetched_at=right - timedelta(days=3))
        _tick(right)
        early = retention.sweep(_utc(AWAY[away], BERLIN))
        _tick(_utc(AWAY[away], BERLIN))
        swept = early + retention.sweep(_utc(AWAY[away], BERLIN))
        _tick(right + timedelta(seconds=30))
        swept += retention.sweep(right + timedelta(seconds=30))
    return Outcome(f"C089 {away}", "K33", swept == 0, f"{swept} rows deleted")


def _once(away: str) -> Outcome:
    from agents.models import Run, Schedule

    with _house():
        right, at = _utc(RIGHT, BERLIN), _utc("2026-06-22 09:00", BERLIN)
        Schedule.objects.create(name="x", kind="reminder", task="x", rrule="", next_run_at=at, in_quiet_hours=True)
        for moment in (right, _utc(AWAY[away], BERLIN), right + timedelta(seconds=30)):
            _tick(moment)
        early = Run.objects.count()
        _tick(at)
        late = Run.objects.count()
    return Outcome(f"C088 {away}", "K33", (early, late) == (0, 1), f"sent {early} too early, {late} in all")


def _off_for_months() -> Outcome:
    from agents.models import Run, Schedule

    with _house():
        right = _utc(RIGHT, BERLIN)
        back = right + timedelta(days=60)
        Schedule.objects.create(name="x", kind="reminder", task="x", rrule="", next_run_at=right + timedelta(days=9))
        _tick(right)
        for minutes in range(62):
            _tick(back + timedelta(minutes=minutes))
            if not minutes:
                early = Run.objects.count()
        late = Run.objects.count()
    return Outcome("C088 off", "K33", (early, late) == (0, 1), f"sent {early} at once, {late} an hour later")


def _zone(number: str, words: str, now: str, after: str, expected: str) -> Outcome:
    from agents.commands.config import change_setting
    from agents.models import Schedule
    from agents.schedules.reminders import store_reminder
    from agents.schedules.zone_phrases import time_and_words

    with _house():
        moment = _utc(now, BERLIN)
        with patch("django.utils.timezone.now", lambda: moment):
            parts = time_and_words(words, moment)
            if parts is None:
                return Outcome(number, "K35", False, f"{words!r} is not understood")
            when, what = parts
            row = store_reminder(what, "", when.moment(moment), None, keeps_moment=when.keeps_moment)
            change_setting("TIMEZONE", after)
        at = Schedule.objects.get(pk=row.pk).next_run_at
    right = row.next_run_at if expected == "=" else _utc(expected, after)
    return Outcome(number, "K35", at == right, f"{words!r} in {after}: {at}, not {right}")


def _recurring(number: str, rule: str, at: str, after: str, expected: str) -> Outcome:
    from agents.commands.config import change_setting
    from agents.models import Schedule

    with _house():
        moment = _utc("2026-06-12 12:00", BERLIN)
        row = Schedule.objects.create(name="x", rrule=rule, next_run_at=_utc(at, BERLIN))
        with patch("django.utils.timezone.now", lambda: moment):
            change_setting("TIMEZONE", after)
        row.refresh_from_db()
    return Outcome(number, "K35", row.next_run_at == _utc(expected, after), f"{rule} in {after}: {row.next_run_at}")


def _name(number: str, text: str, expected: str) -> Outcome:
    """Look at the two parsers alike: the field of pages, the admin and /config, and that of /profile."""
    from constance.forms import ConstanceForm
    from constance.utils import get_values
    from django.core.exceptions import ValidationError

    from devices.owner.timezones import parse_timezone

    try:
        name = ConstanceForm(initial=get_values()).fields["TIMEZONE"].clean(text)
    except ValidationError:
        name = ""
    return Outcome(number, "K35", name == (parse_timezone(text) or "") == expected, f"{text!r}: {name!r}")


def _quiet_hours() -> Outcome:
    from constance import config

    from agents.commands.config import change_setting
    from devices.owner import clock

    with _house():
        config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
        change_setting("TIMEZONE", "America/New_York")
        end = clock.quiet_until(_utc("2026-06-12 23:00", "America/New_York"))
        day = clock.today(_utc("2026-06-12 23:00", "America/New_York"))
    is_right = end == _utc("2026-06-13 07:00", "America/New_York") and day == date(2026, 6, 12)
    return Outcome("C091.7", "K35", is_right, f"quiet until {end}, the day is {day}")


def _utc(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
