"""Phrases of time, with what should be done before them: as one rule, one time, two times to choose from, or none."""

from __future__ import annotations

from datetime import datetime

from tests.bench.reality.outcome import Outcome

NOW = datetime(2026, 6, 10, 22, 45)
WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
# Number, phrase with what is to be done, kind, and: a rule, times as "06-11 09:00", or nothing.
CASES = [
    ("B366", "at 9am call", "06-11 09:00"),
    ("B368", "at 11:30 go to bed", "06-10 23:30|06-11 11:30"),
    ("B369", "to go to bed at 11:30", "06-10 23:30|06-11 11:30"),
    ("B370", "every 5/5 at 7 foo", ""),
    ("B371", "Thursday 8 AM call", "06-11 08:00"),
    ("B372", "at 9 every monday water plants", "FREQ=WEEKLY;BYDAY=MO 9:00"),
    ("B373", "every monday at 9 water plants", "FREQ=WEEKLY;BYDAY=MO 9:00"),
    ("B374", "next friday pay rent", "06-12 08:00|06-19 08:00"),
    ("B377", "tomorrow at 12pm lunch", "06-11 12:00"),
    ("B379", "in 1.5 hours check", "06-11 00:15"),
    ("B382", "in half an hour check", "06-10 23:15"),
    ("B385", "in 2h30m check", "06-11 01:15"),
    ("B386", "in 1 day send ok", "06-11 22:45"),
    ("B388", "in a month renew", "07-10 22:45"),
    ("B389", "in a year renew", "2027-06-10 22:45"),
    ("B390", "tonight at 11 lock door", "06-10 23:00"),
    ("B392", "tomorrow morning at 7 run", "06-11 07:00"),
    ("B393", "tomorrow night at 10 x", "06-11 22:00"),
    ("B394", "noon lunch", "06-11 12:00"),
    ("B395", "midnight x", "06-11 00:00"),
    ("B396", "end of the month pay", "06-30 08:00"),
    ("B397", "on the last day of the month pay", "FREQ=MONTHLY;BYMONTHDAY=-1 8:00"),
    ("B401", "next year x", "2027-01-01 08:00|2027-06-10 08:00"),
    ("B402", "2026-07-01 x", "07-01 08:00"),
    ("B404", "01/07/2026 x", "07-01 08:00"),
    ("B406", "1.7. x", "07-01 08:00"),
    ("B408", "1 July 2027 at 9 x", "2027-07-01 09:00"),
    ("B409", "Feb 29 x", "2028-02-29 08:00"),
    ("B410", "June 9 x", "2027-06-09 08:00"),
    ("B411", "weekdays at 7:30 x", f"{WORKDAYS} 7:30"),
    ("B412", "every weekday except friday at 8 x", ""),
    ("B413", "every 2 weeks on monday at 9 x", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO 9:00"),
    ("B414", "biweekly on monday at 9 x", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO 9:00"),
    ("B416", "quarterly x", "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1 8:00"),
    ("B417", "every quarter x", "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1 8:00"),
    ("B419", "every 15 mins x", "FREQ=MINUTELY;INTERVAL=15"),
    ("B420", "twice a day x", ""),
    ("B422", "every morning x", "FREQ=DAILY 8:00"),
    ("B423", "every other day at 8 x", "FREQ=DAILY;INTERVAL=2 8:00"),
    ("B424", "every 2nd tuesday of the month at 10 x", "FREQ=MONTHLY;BYDAY=2TU 10:00"),
    ("B425", "on weekends at 10 x", "FREQ=WEEKLY;BYDAY=SA,SU 10:00"),
    ("B426", "mondays and thursdays at 9 x", "FREQ=WEEKLY;BYDAY=MO,TH 9:00"),
    ("B427", "Mon-Fri 9:00 x", f"{WORKDAYS} 9:00"),
    ("B430", "um halb acht Zahnarzt", "06-11 07:30"),
    ("B431", "morgen um halb acht Zahnarzt", "06-11 07:30"),
    ("B432", "in anderthalb Stunden x", "06-11 00:15"),
    ("B433", "übermorgen um 9 x", "06-12 09:00"),
    ("B435", "heute Abend x", "06-10 23:00|06-11 18:00"),
    ("B439", "jeden zweiten Tag um 8 x", "FREQ=DAILY;INTERVAL=2 8:00"),
    ("B440", "werktags um 7 x", f"{WORKDAYS} 7:00"),
    ("B442", "am 24. Dezember x", "12-24 08:00"),
    ("B443", "in 3 Monaten x", "09-10 22:45"),
    ("B444", "nächsten Monat x", "07-01 08:00|07-10 08:00"),
    ("B445", "in einer Woche x", "06-17 22:45"),
    ("B447", "morgen früh x", "06-11 08:00"),
    ("B449", "Freitag 15 Uhr x", "06-12 15:00"),
    ("B451", "kommenden Freitag x", "06-12 08:00"),
    ("B452", "jeden Freitag x", "FREQ=WEEKLY;BYDAY=FR 8:00"),
    ("B453", "um 9 x", "06-11 09:00"),
    ("B454", "9:00 x", "06-11 09:00"),
    ("B456", "9 x", ""),
    ("B458", "um 16.30 Uhr x", "06-11 16:30"),
    ("B459", "vierteljährlich x", "FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1 8:00"),
    ("B460", "halbjährlich x", "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1 8:00"),
    ("B461", "14-tägig x", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO 8:00"),
]


def outcomes() -> list[Outcome]:
    return [
        Outcome(number, "K21", _times_of(text) == _full(expected), _times_of(text)) for number, text, expected in CASES
    ]


def _times_of(text: str) -> str:
    from agents.schedules.time_phrases import split_time

    parts = split_time(text, NOW)
    if parts is None:
        return ""
    when = parts[0]
    return when.rule or "|".join(f"{moment:%Y-%m-%d %H:%M}" for moment in (when.at, when.other) if moment)


def _full(expected: str) -> str:
    if not expected.startswith("FREQ="):
        return "|".join(f"2026-{time}" if len(time) == 11 else time for time in expected.split("|")) if expected else ""
    rule, _, clock = expected.partition(" ")
    hour, _, minute = clock.partition(":")
    return f"{rule};BYHOUR={hour};BYMINUTE={int(minute)};BYSECOND=0" if clock else rule
