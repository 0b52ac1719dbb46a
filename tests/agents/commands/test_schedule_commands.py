"""Commands for later work: schedules, reminders, watches, thinking."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from constance import config

from agents.models import Proposal, Run, Schedule
from agents.worker import tick
from devices.models import Message
from devices.owner import clock as agents_clock
from devices.owner import muting
from tests.agents.background import Clock
from tests.agents.commands.asking import SUNDAY
from tests.agents.outbox.send_message import immediate_answer, send_message
from thoughts.models.watches import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_what_is_to_be_done_and_when_may_be_said_in_german(clock: Clock) -> None:
    assert immediate_answer("/remind mich morgen um 9 an den Zahnarzt").text.startswith(
        "I remind you tomorrow, 09:00: “den Zahnarzt”."
    )
    read_back = immediate_answer("/schedule jeden Werktag um 8: suche Nachrichten über Züge").text
    assert (
        "I would do this Monday to Friday at 08:00 (`FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0;BYSECOND=0`)"
        in read_back
    )
    assert "“suche Nachrichten über Züge”" in read_back
    assert immediate_answer("Ja").text.startswith("Kept. It comes tomorrow, 08:00")


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        (
            "/remind me at 8 to turn off the oven",
            [
                "/remind 22 November 2020 at 20:00: turn off the oven",
                "/remind 23 November 2020 at 08:00: turn off the oven",
            ],
        ),
        ("/mute until 8", ["/mute until 22 November 2020 at 20:00", "/mute until 23 November 2020 at 08:00"]),
    ],
)
def test_a_time_that_may_be_two_is_asked_back_with_a_command_for_each(
    clock: Clock, command: str, choices: list[str]
) -> None:
    text = immediate_answer(command).text
    assert text.startswith("That may be two times.")
    assert [line.removeprefix("- ") for line in text.splitlines()[2:]] == choices
    assert not Schedule.objects.exists()
    assert muting.muted_until(SUNDAY) is None
    answers = [immediate_answer(choice).text for choice in choices]
    assert "20:00" in answers[0]
    assert "08:00" in answers[1]


def test_a_rule_is_read_back_before_it_is_stored(clock: Clock) -> None:
    text = immediate_answer("/schedule every weekday at 8: find news about trains").text
    assert "Monday to Friday at 08:00 (`FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0;BYSECOND=0`)" in text
    assert "Next: tomorrow, 08:00, then Tuesday, 24 November, 08:00" in text
    assert not Schedule.objects.exists()
    assert "Kept. It comes tomorrow, 08:00" in immediate_answer("yes").text
    row = Schedule.objects.get()
    assert (row.kind, row.task, row.next_run_at) == (
        "task",
        "find news about trains",
        datetime(2020, 11, 23, 7, tzinfo=UTC),
    )


def test_no_stores_nothing_and_a_yes_afterwards_is_a_word_like_any_other(clock: Clock) -> None:
    immediate_answer("/schedule every day at 8: find news")
    assert immediate_answer("no").text == "Dropped. Nothing was changed."
    assert send_message("yes").state == "queued"
    assert (Schedule.objects.count(), Proposal.objects.get().state) == (0, "dropped")


def test_a_yes_to_something_else_that_was_said_since_is_none(clock: Clock) -> None:
    read_back = immediate_answer("/schedule every day at 8: find news")
    immediate_answer("/status")
    assert send_message("yes").state == "queued"
    assert not Schedule.objects.exists()
    immediate_answer("Yes!", parent_id=read_back.pk)
    assert Schedule.objects.exists()


def test_a_reminder_is_told_once_at_its_time_also_in_quiet_hours_and_while_stopped(clock: Clock) -> None:
    config.QUIET_FROM, config.QUIET_TO = "00:00", "23:59"
    assert immediate_answer("/remind me in 20 minutes to turn off the oven").text.startswith(
        "I remind you at 17:50: “turn off the oven”."
    )
    immediate_answer("/stop")
    for _ in range(3):
        clock.move(minutes=19)
        tick.tick()
    reminders = Message.objects.filter(kind="notification")
    assert [message.text for message in reminders] == ["⏰ turn off the oven"]
    assert not Schedule.objects.filter(enabled=True).exists()


@pytest.mark.parametrize("before_the_change", [5, -15])  # minutes; the clock shows 02:00 to 03:00 twice
def test_minutes_from_now_are_as_many_where_the_clock_is_changed(clock: Clock, before_the_change: int) -> None:
    clock.now = datetime(2020, 10, 25, 1, tzinfo=UTC) - timedelta(minutes=before_the_change)
    immediate_answer("/remind in 20 minutes turn off the oven")
    immediate_answer("/mute for 2 hours")
    assert Schedule.objects.get().next_run_at == clock.now + timedelta(minutes=20)
    assert muting.muted_until(clock.now) == clock.now + timedelta(hours=2)


@pytest.mark.parametrize("command", ["/profile timezone New York", "/config TIMEZONE America/New_York"])
def test_what_comes_at_a_time_of_day_comes_at_that_time_where_the_owner_is_now(clock: Clock, command: str) -> None:
    for words in (
        "every weekday at 8: find news",
        "every 2 weeks on friday at 17: find news",
        "every 2 hours: find news",
    ):
        immediate_answer(f"/schedule {words}")
        immediate_answer("yes")
    immediate_answer("/remind in 20 minutes turn off the oven")
    immediate_answer(command)
    times = Schedule.objects.order_by("pk").values_list("next_run_at", flat=True)
    zone = ZoneInfo("America/New_York")
    assert list(times) == [
        datetime(2020, 11, 23, 8, tzinfo=zone),
        datetime(2020, 11, 27, 17, tzinfo=zone),
        SUNDAY + timedelta(hours=2),
        SUNDAY + timedelta(minutes=20),
    ]


@pytest.mark.parametrize(
    ("phrase", "times"),
    [
        (
            "every other friday",
            "Friday, 27 November, 08:00, then Friday, 11 December, 08:00, then Friday, 25 December, 08:00",
        ),
        (
            "every other day at 9",
            "tomorrow, 09:00, then Wednesday, 25 November, 09:00, then Friday, 27 November, 09:00",
        ),
        ("every 3 months", "Tuesday, 1 December, 08:00, then Monday, 1 March, 08:00, then Tuesday, 1 June, 08:00"),
        ("every 2 hours", "19:30, then 21:30, then 23:30"),
    ],
)
def test_what_does_not_come_each_time_begins_with_the_next_one(clock: Clock, phrase: str, times: str) -> None:
    assert f"Next: {times}.\n" in immediate_answer(f"/remind {phrase}: stretch").text
    immediate_answer("yes")
    clock.now = first = Schedule.objects.get().next_run_at or clock.now
    tick.tick()
    second = Schedule.objects.get().next_run_at
    assert second is not None
    assert f"then {agents_clock.time_in_words(second, SUNDAY)}" in times
    assert second > first


def test_a_reminder_that_repeats_is_read_back_and_comes_again(clock: Clock) -> None:
    assert "I would remind you daily at 18:00" in immediate_answer("/remind every day at 18:00 stretch").text
    immediate_answer("ok")
    for _ in range(2):
        clock.move(days=1)
        tick.tick()
    assert Message.objects.filter(kind="notification", text="⏰ stretch").count() == 2


def test_a_watch_is_set_in_words() -> None:
    assert "the price is below 20 EUR" in immediate_answer("/watch https://shop.example/lamp below 20 EUR").text
    assert float(Watch.objects.get().below or 0) == 20
    assert "Write one address" in immediate_answer("/watch the lamp").text


def test_thinking_starts_about_what_is_named() -> None:
    immediate_answer("/think espresso")
    run = Run.objects.get(kind="thinking")
    assert (run.state, str(run.preference)) == ("queued", "espresso")


def test_what_is_watched_is_listed_without_words_of_a_page_and_called_off_by_its_name(clock: Clock) -> None:
    assert "I watch no page" in immediate_answer("/watch").text
    immediate_answer("/watch https://shop.example/lamp below 20 EUR")
    immediate_answer("/watch https://news.example/ new posts")
    Watch.objects.update(title="canary title")
    text = immediate_answer("What do you watch?").text
    assert "- shop.example: below 20 €, next visit 17:30" in text
    assert "canary" not in text
    assert "That may be one of these" in immediate_answer("/cancel watch").text
    assert "I would delete the watch “shop.example” (below 20 €)." in immediate_answer("/cancel the lamp").text
    assert immediate_answer("yes").text == "The watch “shop.example” (below 20 €) is deleted."
    assert [row.domain for row in Watch.objects.kept()] == ["news.example"]
    assert "Nothing that is scheduled or watched is called “lamp”" in immediate_answer("/cancel lamp").text


def test_what_was_deleted_meanwhile_is_gone_already(clock: Clock) -> None:
    immediate_answer("/remind tomorrow at 9 call the dentist")
    immediate_answer("/cancel dentist")
    Schedule.objects.get().set_deleted(clock.now)
    assert immediate_answer("yes").text == "It is gone already."
