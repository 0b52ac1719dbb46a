"""Time phrases: parsed as one rule or one time, or not at all."""

from datetime import datetime

import pytest

from agents.models import validate_rrule
from agents.schedules.rule_words import rule_in_words
from agents.schedules.time_phrases import When, split_time

NOW = datetime(2026, 11, 22, 17, 30)  # a Sunday
AT = ";BYMINUTE=0;BYSECOND=0"
RULES = {
    "every weekday at 8": f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8{AT}",
    "at 8 every weekday": f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8{AT}",
    "monday to friday at 8": f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8{AT}",
    "every morning": f"FREQ=DAILY;BYHOUR=8{AT}",
    "every evening at 7": f"FREQ=DAILY;BYHOUR=19{AT}",
    "daily at 7am": f"FREQ=DAILY;BYHOUR=7{AT}",
    "every 2 hours": "FREQ=HOURLY;INTERVAL=2",
    "every half hour": "FREQ=MINUTELY;INTERVAL=30",
    "every hour and a half": "FREQ=MINUTELY;INTERVAL=90",
    "every Monday and Thursday at 18:30": "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=18;BYMINUTE=30;BYSECOND=0",
    "Mondays, Wednesdays and Fridays at 6 pm": f"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=18{AT}",
    "at weekends at 10": f"FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=10{AT}",
    "every other day at 8": f"FREQ=DAILY;INTERVAL=2;BYHOUR=8{AT}",
    "every 2 weeks on friday at 17:00": f"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=17{AT}",
    "every 14 days on tuesday": f"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=8{AT}",
    "every other Tuesday at half past six pm": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=18;BYMINUTE=30;BYSECOND=0",
    "every day at 7 in the evening": f"FREQ=DAILY;BYHOUR=19{AT}",
    "every day at 8 p.m.": f"FREQ=DAILY;BYHOUR=20{AT}",
    "every 15 mins": "FREQ=MINUTELY;INTERVAL=15",
    "every first Monday of the month at 9": f"FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9{AT}",
    "on the last friday of the month at 15:00": f"FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=15{AT}",
    "every month on the 15th at noon": f"FREQ=MONTHLY;BYMONTHDAY=15;BYHOUR=12{AT}",
    "last day of every month": f"FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8{AT}",
    "every year on 3 December": f"FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=3;BYHOUR=8{AT}",
    "every year": f"FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=8{AT}",
    "every 2 years": f"FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYMONTHDAY=1;BYHOUR=8{AT}",
    "once a quarter": f"FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1;BYHOUR=8{AT}",
    "Mon-Fri at 8": f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8{AT}",
    "mon/wed/fri at 8": f"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8{AT}",
    "fortnightly on friday": f"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=8{AT}",
    "every third day at 9": f"FREQ=DAILY;INTERVAL=3;BYHOUR=9{AT}",
    "every 3 mondays": f"FREQ=WEEKLY;INTERVAL=3;BYDAY=MO;BYHOUR=8{AT}",
    "nightly at 10": f"FREQ=DAILY;BYHOUR=22{AT}",
    "once a week": f"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8{AT}",
    "every 15th": f"FREQ=MONTHLY;BYMONTHDAY=15;BYHOUR=8{AT}",
}
TIMES = {
    "in 20 minutes": datetime(2026, 11, 22, 17, 50),
    "in half an hour": datetime(2026, 11, 22, 18),
    "in an hour and a half": datetime(2026, 11, 22, 19),
    "in 2 and a half hours": datetime(2026, 11, 22, 20),
    "tomorrow at 8": datetime(2026, 11, 23, 8),
    "tomorrow evening": datetime(2026, 11, 23, 18),
    "tonight": datetime(2026, 11, 22, 18),
    "tonight at 9": datetime(2026, 11, 22, 21),
    "at 9 tonight": datetime(2026, 11, 22, 21),
    "tomorrow at half past seven": datetime(2026, 11, 23, 7, 30),
    "tomorrow at quarter to nine": datetime(2026, 11, 23, 8, 45),
    "tomorrow at 8:30 p.m.": datetime(2026, 11, 23, 20, 30),
    "tomorrow at 8.": datetime(2026, 11, 23, 8),
    "tuesday the 24th at 9": datetime(2026, 11, 24, 9),
    "on the 15th": datetime(2026, 12, 15, 8),
    "on the 31st at 7 pm": datetime(2026, 12, 31, 19),
    "in 3 days at 9": datetime(2026, 11, 25, 9),
    "in 2 weeks at noon": datetime(2026, 12, 6, 12),
    "tuesday next week at 9": datetime(2026, 11, 24, 9),
    "next week on tuesday": datetime(2026, 11, 24, 8),
    "on thursday, 3 december at 10": datetime(2026, 12, 3, 10),
    "in 2 hrs": datetime(2026, 11, 22, 19, 30),
    "in 45m": datetime(2026, 11, 22, 18, 15),
    "at 8 pm": datetime(2026, 11, 22, 20),
    "on Sunday at 17:00": datetime(2026, 11, 29, 17),
    "next friday": datetime(2026, 11, 27, 8),
    "3 december at 10:00": datetime(2026, 12, 3, 10),
    "on January 2nd, 2028": datetime(2028, 1, 2, 8),
    "2026-12-03 10:00": datetime(2026, 12, 3, 10),
    "2026-12-03T10:00": datetime(2026, 12, 3, 10),
    "2026/12/03": datetime(2026, 12, 3, 8),
    "25/12/2026": datetime(2026, 12, 25, 8),
    "12/25/2026": datetime(2026, 12, 25, 8),
    "in 2 hours and 20 minutes": datetime(2026, 11, 22, 19, 50),
    "in 1 hour 30 minutes": datetime(2026, 11, 22, 19),
    "in 1.5 hours": datetime(2026, 11, 22, 19),
    "in 2h30m": datetime(2026, 11, 22, 20),
    "in two months": datetime(2027, 1, 22, 17, 30),
    "in a year": datetime(2027, 11, 22, 17, 30),
    "in 1 week and 2 days": datetime(2026, 12, 1, 17, 30),
    "in a fortnight": datetime(2026, 12, 6, 17, 30),
    "3 days from now": datetime(2026, 11, 25, 17, 30),
    "a week from friday at 9": datetime(2026, 12, 4, 9),
    "a week from tomorrow": datetime(2026, 11, 30, 8),
    "end of the month": datetime(2026, 11, 30, 8),
    "at the end of next month": datetime(2026, 12, 31, 8),
    "by the end of the year": datetime(2026, 12, 31, 8),
    "next weekend": datetime(2026, 11, 28, 8),
    "friday after next": datetime(2026, 12, 4, 8),
    "tomorrow at ten past seven": datetime(2026, 11, 23, 7, 10),
    "tomorrow at ten to nine": datetime(2026, 11, 23, 8, 50),
    "tomorrow at half 8": datetime(2026, 11, 23, 8, 30),
    "at 19h30": datetime(2026, 11, 22, 19, 30),
    "at 0900": datetime(2026, 11, 23, 9),
    "sat. at 10 a.m.": datetime(2026, 11, 28, 10),
    "29 february": datetime(2028, 2, 29, 8),
}
GERMAN_RULES = {
    "jeden Werktag um 8": RULES["every weekday at 8"],
    "werktags um 8 Uhr": RULES["every weekday at 8"],
    "an Werktagen um acht": RULES["every weekday at 8"],
    "Montag bis Freitag um 8": RULES["every weekday at 8"],
    "von Montag bis Freitag um 8 Uhr": RULES["every weekday at 8"],
    "Mo-Fr um 8": RULES["every weekday at 8"],
    "Jeden Morgen": f"FREQ=DAILY;BYHOUR=8{AT}",
    "jeden Abend um 7": f"FREQ=DAILY;BYHOUR=19{AT}",
    "täglich": f"FREQ=DAILY;BYHOUR=8{AT}",
    "taeglich um 7 Uhr": f"FREQ=DAILY;BYHOUR=7{AT}",
    "jeden Tag um 8 Uhr abends": f"FREQ=DAILY;BYHOUR=20{AT}",
    "jeden Tag um halb neun": "FREQ=DAILY;BYHOUR=8;BYMINUTE=30;BYSECOND=0",
    "jeden Tag um Viertel vor 9": "FREQ=DAILY;BYHOUR=8;BYMINUTE=45;BYSECOND=0",
    "wöchentlich": f"FREQ=WEEKLY;BYDAY=MO;BYHOUR=8{AT}",
    "jede Woche am Freitag um 17 Uhr": f"FREQ=WEEKLY;BYDAY=FR;BYHOUR=17{AT}",
    "stündlich": "FREQ=HOURLY;INTERVAL=1",
    "alle 2 Stunden": "FREQ=HOURLY;INTERVAL=2",
    "alle zwei Stunden": "FREQ=HOURLY;INTERVAL=2",
    "alle 20 Minuten": "FREQ=MINUTELY;INTERVAL=20",
    "jede halbe Stunde": "FREQ=MINUTELY;INTERVAL=30",
    "jeden zweiten Tag um 8": f"FREQ=DAILY;INTERVAL=2;BYHOUR=8{AT}",
    "alle zwei Wochen am Freitag um 17:00": RULES["every 2 weeks on friday at 17:00"],
    "jeden Montag und Donnerstag um 18:30 Uhr": RULES["every Monday and Thursday at 18:30"],
    "montags, mittwochs und freitags um 18 Uhr": RULES["Mondays, Wednesdays and Fridays at 6 pm"],
    "am Wochenende um 10 Uhr": RULES["at weekends at 10"],
    "alle 14 Tage am Dienstag": RULES["every 14 days on tuesday"],
    "jeden zweiten Dienstag um 18:30 Uhr": RULES["every other Tuesday at half past six pm"],
    "jeden ersten Montag im Monat um 9": RULES["every first Monday of the month at 9"],
    "am letzten Freitag des Monats um 15 Uhr": RULES["on the last friday of the month at 15:00"],
    "jeden Monat am 15. um 12 Uhr": RULES["every month on the 15th at noon"],
    "am 15. jedes Monats um 12 Uhr": RULES["every month on the 15th at noon"],
    "am letzten Tag des Monats": RULES["last day of every month"],
    "monatlich": f"FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=8{AT}",
    "jedes Jahr am 3. Dezember": RULES["every year on 3 December"],
    "jährlich": RULES["every year"],
    "alle 2 Jahre": RULES["every 2 years"],
    "vierteljährlich": RULES["once a quarter"],
    "jedes Quartal": RULES["once a quarter"],
    "Mo, Mi und Fr um 8": RULES["mon/wed/fri at 8"],
    "Mo/Mi/Fr um 8 Uhr": RULES["mon/wed/fri at 8"],
    "14-tägig": f"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=8{AT}",
    "zweiwöchentlich am Freitag": RULES["fortnightly on friday"],
    "unter der Woche um 8": RULES["every weekday at 8"],
    "einmal pro Woche": RULES["once a week"],
    "jeden 15.": RULES["every 15th"],
    "am Monatsersten": f"FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=8{AT}",
}
GERMAN_TIMES = {
    "in 20 Minuten": datetime(2026, 11, 22, 17, 50),
    "in einer Stunde": datetime(2026, 11, 22, 18, 30),
    "in einer halben Stunde": datetime(2026, 11, 22, 18),
    "in anderthalb Stunden": datetime(2026, 11, 22, 19),
    "in zweieinhalb Stunden": datetime(2026, 11, 22, 20),
    "in drei Tagen": datetime(2026, 11, 25, 17, 30),
    "in einer Woche": datetime(2026, 11, 29, 17, 30),
    "morgen": datetime(2026, 11, 23, 8),
    "morgen um 9": datetime(2026, 11, 23, 9),
    "morgen früh": datetime(2026, 11, 23, 8),
    "morgen früh um 7": datetime(2026, 11, 23, 7),
    "morgen Abend": datetime(2026, 11, 23, 18),
    "heute Abend um 8": datetime(2026, 11, 22, 20),
    "morgen um dreiviertel acht": datetime(2026, 11, 23, 7, 45),
    "morgen um 1 Uhr mittags": datetime(2026, 11, 23, 13),
    "Dienstag nächster Woche um 9": datetime(2026, 11, 24, 9),
    "am Donnerstag, den 3. Dezember um 10 Uhr": datetime(2026, 12, 3, 10),
    "übermorgen um 9 Uhr": datetime(2026, 11, 24, 9),
    "um 20 Uhr": datetime(2026, 11, 22, 20),
    "um 18.30 Uhr": datetime(2026, 11, 22, 18, 30),
    "am Sonntag um 17 Uhr": datetime(2026, 11, 29, 17),
    "nächsten Freitag": datetime(2026, 11, 27, 8),
    "Freitagabend": datetime(2026, 11, 27, 18),
    "am 3. Dezember um 10 Uhr": datetime(2026, 12, 3, 10),
    "am 3.12. um 10 Uhr": datetime(2026, 12, 3, 10),
    "am 2.1.2028": datetime(2028, 1, 2, 8),
    "nächste Woche": datetime(2026, 11, 29, 8),
    "in 2 Stunden und 20 Minuten": datetime(2026, 11, 22, 19, 50),
    "in 1 Stunde 30 Minuten": datetime(2026, 11, 22, 19),
    "in 1,5 Stunden": datetime(2026, 11, 22, 19),
    "in 3 Monaten": datetime(2027, 2, 22, 17, 30),
    "in einem halben Jahr": datetime(2027, 5, 22, 17, 30),
    "heute in einer Woche": datetime(2026, 11, 29, 8),
    "am Monatsende": datetime(2026, 11, 30, 8),
    "übernächsten Freitag": datetime(2026, 12, 4, 8),
    "kommenden Freitag": datetime(2026, 11, 27, 8),
    "morgen um zehn nach sieben": datetime(2026, 11, 23, 7, 10),
    "morgen um fünf vor halb acht": datetime(2026, 11, 23, 7, 25),
    "um 8 Uhr": datetime(2026, 11, 23, 8),
    "Di 24.11. um 9": datetime(2026, 11, 24, 9),
    "am 15.": datetime(2026, 12, 15, 8),
    "am 2.1.28": datetime(2028, 1, 2, 8),
}


# Phrases that may be two times, at NOW or on the evening of a Wednesday.
WEDNESDAY = datetime(2026, 6, 10, 22, 45)
UNCLEAR = [
    ("at 8", NOW, datetime(2026, 11, 22, 20), datetime(2026, 11, 23, 8)),
    ("um 8", NOW, datetime(2026, 11, 22, 20), datetime(2026, 11, 23, 8)),
    ("at 11:30", WEDNESDAY, datetime(2026, 6, 10, 23, 30), datetime(2026, 6, 11, 11, 30)),
    ("next friday", WEDNESDAY, datetime(2026, 6, 12, 8), datetime(2026, 6, 19, 8)),
    ("nächsten Freitag um 9", WEDNESDAY, datetime(2026, 6, 12, 9), datetime(2026, 6, 19, 9)),
    ("next weekend", WEDNESDAY, datetime(2026, 6, 13, 8), datetime(2026, 6, 20, 8)),
    ("next month", WEDNESDAY, datetime(2026, 7, 1, 8), datetime(2026, 7, 10, 8)),
    ("nächstes Jahr", WEDNESDAY, datetime(2027, 1, 1, 8), datetime(2027, 6, 10, 8)),
    ("01/07/2026", WEDNESDAY, datetime(2026, 7, 1, 8), None),
    ("03/12/2026", NOW, datetime(2026, 12, 3, 8), None),
    ("02/03/2027 at 9", NOW, datetime(2027, 3, 2, 9), datetime(2027, 2, 3, 9)),
    ("end of the week", WEDNESDAY, datetime(2026, 6, 12, 8), datetime(2026, 6, 14, 8)),
    ("heute Abend", WEDNESDAY, datetime(2026, 6, 10, 23), datetime(2026, 6, 11, 18)),
    ("tonight", WEDNESDAY, datetime(2026, 6, 10, 23), datetime(2026, 6, 11, 18)),
]


@pytest.mark.parametrize(("phrase", "now", "first", "second"), UNCLEAR, ids=[phrase for phrase, *_ in UNCLEAR])
def test_a_phrase_that_may_be_two_times_is_both(
    phrase: str, now: datetime, first: datetime, second: datetime | None
) -> None:
    assert split_time(f"{phrase} to call mom", now) == (When(at=first, other=second), "call mom")


@pytest.mark.parametrize(("phrase", "rule"), GERMAN_RULES.items(), ids=list(GERMAN_RULES))
def test_a_german_phrase_is_the_same_rule(phrase: str, rule: str) -> None:
    result = (When(rule), "suche Nachrichten über Züge")
    assert split_time(f"{phrase}: suche Nachrichten über Züge", NOW) == result
    assert split_time(f"suche Nachrichten über Züge {phrase}", NOW) == result
    validate_rrule(rule)


@pytest.mark.parametrize(("phrase", "moment"), GERMAN_TIMES.items(), ids=list(GERMAN_TIMES))
def test_a_german_phrase_is_the_same_time(phrase: str, moment: datetime) -> None:
    assert split_time(f"mich {phrase} an den Zahnarzt", NOW) == (When(at=moment), "den Zahnarzt")
    assert split_time(f"Mama anrufen {phrase}", NOW) == (When(at=moment), "Mama anrufen")


@pytest.mark.parametrize(("phrase", "rule"), RULES.items(), ids=list(RULES))
def test_a_phrase_is_one_rule_before_or_behind_what_is_to_be_done(phrase: str, rule: str) -> None:
    result = (When(rule), "find news of trains")
    assert split_time(f"{phrase}: find news of trains", NOW) == result
    assert split_time(f"find news of trains {phrase}", NOW) == result
    validate_rrule(rule)


@pytest.mark.parametrize(("phrase", "moment"), TIMES.items(), ids=list(TIMES))
def test_a_phrase_is_one_time(phrase: str, moment: datetime) -> None:
    assert split_time(f"me to call mom {phrase}", NOW) == (When(at=moment), "call mom")
    assert split_time(f"{phrase} to call mom", NOW) == (When(at=moment), "call mom")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "call mom",
        "every 0 minutes tea",
        "every day at 25 tea",
        "31 february tea",
        "every 32nd of the month tea",
        "yesterday tea",
        "tomorrow night at 2 tea",
        "heute Nacht um 2 Tee",
        "am 3.12 um 10 Uhr Tee",
        "Mama anrufen",
        "jeden Tag um 25 Tee",
        "alle 0 Minuten Tee",
        "am 31. Februar Tee",
        "gestern Tee",
        "tonight at 1 tea",
        "every day at 8am and 8pm tea",
        "every day at 8 and 20: tea",
        "every weekday except friday at 8 tea",
        "every day until friday tea",
        "every weekday from 9 to 5 tea",
        "every 2 months on friday tea",
        "on tuesday and thursday at 9 tea",
        "wednesday the 24th at 9 tea",
        "on friday 3 december at 9 tea",
        "in two weeks on tuesday tea",
        "jeden Tag um 8 und um 20 Uhr Tee",
        "jeden Werktag außer Freitag um 8 Tee",
        "in 0 hours tea",
        "in 2 hours 0 minutes tea",
        "in 9999 years tea",
        "every 0 mondays tea",
        "am 32. Tee",
        "32/13/2026 tea",
        "9 tea",
        "may tea",
        "twice a day tea",
        "in 1:30 tea",
        "do the laundry",
        "so what",
    ],
)
def test_what_says_no_time_is_not_guessed_at(text: str) -> None:
    match = split_time(text, NOW)
    assert match is None or match[1] == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("every friday at 4 weekly report", "weekly report"),
        ("every day at 8: at 9 I leave", "at 9 I leave"),
        ("every day at 7 morning run", "morning run"),
        ("every day 20 minutes of yoga", "20 minutes of yoga"),
        ("tomorrow at 8 and bring the cake", "and bring the cake"),
    ],
)
def test_what_only_sounds_like_a_time_is_what_is_to_be_done(text: str, what: str) -> None:
    match = split_time(text, NOW)
    assert match is not None
    assert match[1] == what


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (RULES["every weekday at 8"], "Monday to Friday at 08:00"),
        (RULES["every 2 hours"], "every 2 hours"),
        (RULES["every first Monday of the month at 9"], "every month on the 1st Monday at 09:00"),
        (RULES["on the last friday of the month at 15:00"], "every month on the last Friday at 15:00"),
        (RULES["last day of every month"], "every month on its last day at 08:00"),
        (RULES["every year on 3 December"], "every year on 3 December at 08:00"),
        (RULES["every 2 weeks on friday at 17:00"], "every 2 weeks on Friday at 17:00"),
        ("FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=1;BYHOUR=9", "FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=1;BYHOUR=9"),
    ],
)
def test_a_rule_is_read_back_in_words(rule: str, words: str) -> None:
    assert rule_in_words(rule) == words
