"""Plain forms of recurrence rules: each is one rule and back; other rules stay unchanged."""

from datetime import time

import pytest

from agents.models import validate_rrule
from agents.schedules.rule_words import Repeat

SAID = [
    (Repeat("minutes", every=20), "FREQ=MINUTELY;INTERVAL=20", "every 20 minutes"),
    (Repeat("hours", every=1), "FREQ=HOURLY;INTERVAL=1", "every hour"),
    (Repeat("daily", at=time(7, 5)), "FREQ=DAILY;BYHOUR=7;BYMINUTE=5;BYSECOND=0", "daily at 07:05"),
    (
        Repeat("days", at=time(9)),
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
        "Monday to Friday at 09:00",
    ),
    (
        Repeat("days", days=("SA", "MO")),
        "FREQ=WEEKLY;BYDAY=MO,SA;BYHOUR=8;BYMINUTE=0;BYSECOND=0",
        "Monday, Saturday at 08:00",
    ),
    (Repeat("rule", rule="FREQ=MONTHLY;BYDAY=1MO"), "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
]


@pytest.mark.parametrize(("repeat", "rule", "words"), SAID)
def test_a_plain_form_is_a_rule_and_is_recognised_in_it(repeat: Repeat, rule: str, words: str) -> None:
    validate_rrule(rule)
    assert (repeat.as_rule(), str(repeat)) == (rule, words)
    assert (Repeat.of(rule).how, Repeat.of(rule).as_rule(), str(Repeat.of(rule))) == (repeat.how, rule, words)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYHOUR=25;BYMINUTE=0;BYSECOND=0",
        "FREQ=WEEKLY;BYDAY=XX;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
        "FREQ=DAILY;BYHOUR=7",
        "",
    ],
)
def test_what_is_no_plain_form_stays_a_rule(rule: str) -> None:
    assert (Repeat.of(rule).how, Repeat.of(rule).as_rule()) == ("rule", rule)
