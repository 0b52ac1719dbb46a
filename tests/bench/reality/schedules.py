"""Recurrence rules: refused, or with the occurrences that they mean."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tests.bench.reality.outcome import Outcome

BERLIN, FRIDAY = "Europe/Berlin", datetime(2026, 6, 12, 8, tzinfo=ZoneInfo("Europe/Berlin"))
REFUSED = {
    "B336": "FREQ=DAILY;INTERVAL=0",
    "B338": "FREQ=MINUTELY;INTERVAL=0",
    "B339": "FREQ=SECONDLY;INTERVAL=0",
    "B351": "FREQ=DAILY;COUNT=0|FREQ=DAILY;COUNT=-1",
    "B352": "FREQ=DAILY;UNTIL=20200101T000000",
    "B355": "FREQ=DAILY;BYEASTER=1|FREQ=DAILY;BYHOUR=24;BYMINUTE=0|FREQ=DAILY\nEXRULE:FREQ=DAILY",
}
# Number, timezone, rule, the moment of asking, the occurrence it is counted from, and what comes next.
NEXT = [
    ("B340", BERLIN, "FREQ=MINUTELY;INTERVAL=20;BYMINUTE=0,20,40", "2026-06-10 09:05", "", ["09:20", "09:40"]),
    ("B342", BERLIN, "FREQ=HOURLY;INTERVAL=4;BYHOUR=8,12,16,20", "2026-06-10 09:37", "", ["12:00", "16:00"]),
    ("B343", BERLIN, "FREQ=MINUTELY;INTERVAL=30;BYHOUR=8,9,10;BYMINUTE=0,30", "2026-06-10 07:05", "", ["08:00"]),
    (
        "B344",
        BERLIN,
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=8;BYMINUTE=0",
        "2026-06-15 09:00",
        "2026-06-12 08:00",
        ["2026-06-26 08:00"],
    ),
    (
        "B345",
        BERLIN,
        "FREQ=DAILY;INTERVAL=3;BYHOUR=8;BYMINUTE=0",
        "2026-06-13 04:00",
        "2026-06-12 08:00",
        ["2026-06-15 08:00"],
    ),
    ("B346", BERLIN, "FREQ=HOURLY;INTERVAL=6", "2026-06-10 09:41", "2026-06-10 06:00", ["12:00", "18:00"]),
    ("B353", BERLIN, "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0;WKST=SU", "2026-06-10 09:00", "", ["2026-06-15 08:00"]),
    (
        "B354",
        BERLIN,
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=8;BYMINUTE=0",
        "2026-06-10 09:00",
        "",
        ["2028-02-29 08:00"],
    ),
    (
        "B357",
        "Africa/Cairo",
        "FREQ=DAILY;BYHOUR=0;BYMINUTE=0",
        "2026-04-23 12:00",
        "",
        ["2026-04-24 01:00", "2026-04-25 00:00"],
    ),
    (
        "B359",
        BERLIN,
        "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
        "2026-10-24 12:00",
        "",
        ["2026-10-25 02:30", "2026-10-26 02:30"],
    ),
    ("B360", BERLIN, "FREQ=HOURLY;INTERVAL=1", "2026-10-25 01:30", "2026-10-25 01:00", ["02:00", "02:00", "03:00"]),
    (
        "B361",
        BERLIN,
        "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
        "2026-03-28 12:00",
        "",
        ["2026-03-29 03:30", "2026-03-30 02:30"],
    ),
    ("B363", "Pacific/Apia", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "2011-12-29 12:00", "", ["2011-12-31 08:00"]),
    (
        "B364",
        "America/Sao_Paulo",
        "FREQ=DAILY;BYHOUR=0;BYMINUTE=0",
        "2018-11-03 12:00",
        "",
        ["2018-11-04 01:00", "2018-11-05 00:00"],
    ),
    ("B350", BERLIN, "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20260612", "2026-06-11 09:00", "", ["2026-06-12 08:00"]),
]


def outcomes() -> list[Outcome]:
    return [_check_refusal(number, rules.split("|")) for number, rules in REFUSED.items()] + [
        _next(*case) for case in NEXT
    ]


def _check_refusal(number: str, rules: list[str]) -> Outcome:
    from django.core.exceptions import ValidationError

    from thoughts.recurrence import validate_rrule

    valid = []
    for rule in rules:
        try:
            validate_rrule(rule)
        except ValidationError:
            continue
        valid.append(rule)
    return Outcome(number, "K15", not valid, f"accepts {valid}")


def _next(number: str, zone: str, rule: str, now: str, start: str, expected: list[str]) -> Outcome:
    """`expected`: the next local times, with their date where it counts."""
    from constance.test import override_config

    from thoughts.recurrence import next_occurrence

    moment = _at(now, zone)
    first = _at(start, zone) if start else None
    times: list[str] = []
    with override_config(TIMEZONE=zone):
        while len(times) < len(expected) and (later := next_occurrence(rule, moment, first)):
            moment, first = later, first or later
            times.append(f"{later.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}")
    is_right = len(times) == len(expected) and all(
        time.endswith(end) for time, end in zip(times, expected, strict=True)
    )
    return Outcome(number, "K15", is_right, f"{rule}: {times}")


def _at(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
