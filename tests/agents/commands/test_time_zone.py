"""What another time zone does to what the owner's clock decides, whichever way it is set."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from constance import config
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from agents.models import Schedule
from agents.worker import tick
from devices.models import Message
from devices.owner import muting
from devices.owner.timezones import UNKNOWN, parse_timezone
from tests.agents.background import Clock
from tests.agents.outbox.send_message import immediate_answer
from thoughts.models import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
BERLIN, NEW_YORK, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Tokyo")
MOVED = "These come once, at the same time of day on the new clock"


def written(words: str) -> Callable[[Client], str]:
    return lambda client: immediate_answer(words).text


def save_on_settings_page(client: Client) -> str:
    page = reverse("settings_you")
    data = {f"initial-{name}": getattr(config, name) for name in ("OWNER_NAME", "OWNER_PLACE")}
    data |= {"TIMEZONE": "America/New_York", "initial-TIMEZONE": config.TIMEZONE, "SEARCH_TEMPLATE": "brave"}
    return client.post(page, data, follow=True).text


def save_in_admin(client: Client) -> str:
    page = reverse("admin:constance_config_changelist")
    form = client.get(page).context["form"]
    data = {name: form[name].value() for name in form.fields} | {"TIMEZONE": "America/New_York"}
    fields = {name: value for name, value in data.items() if value is not None and value is not False}
    return client.post(page, fields, follow=True).text


def set_by_command(client: Client) -> str:
    call_command("constance", "set", "TIMEZONE", "new york")
    return ""


@pytest.mark.parametrize(
    "change",
    [
        written("/config TIMEZONE America/New_York"),
        written("/profile timezone New York"),
        save_on_settings_page,
        save_in_admin,
        set_by_command,
    ],
)
def test_what_comes_once_comes_at_its_time_of_day_however_the_zone_is_set(
    clock: Clock, owner_client: Client, change: Callable[[Client], str]
) -> None:
    immediate_answer("/remind tomorrow at 9 call Anna")
    text = change(owner_client)
    assert config.TIMEZONE == "America/New_York"
    schedule = Schedule.objects.get()
    assert schedule.next_run_at == datetime(2020, 11, 23, 9, tzinfo=NEW_YORK)
    assert schedule.moved_from == datetime(2020, 11, 23, 9, tzinfo=BERLIN)
    assert "call Anna" in text or change is set_by_command


@pytest.mark.parametrize(
    ("words", "task"),
    [
        ("in 20 minutes call Anna", "call Anna"),
        ("in 3 hours call Anna", "call Anna"),
        ("in 2h30m call Anna", "call Anna"),
        ("tomorrow at 9 Berlin time: call Anna", "call Anna"),
        ("call Anna tomorrow at 9:00 Berlin time", "call Anna"),
        ("tomorrow at 14:00 UTC call Anna", "call Anna"),
        ("tomorrow at 9 Europe/Berlin: call Anna", "call Anna"),
        ("morgen um 9 Uhr Berliner Zeit: Anna anrufen", "Anna anrufen"),
    ],
)
def test_a_moment_stays_a_moment(clock: Clock, words: str, task: str) -> None:
    immediate_answer(f"/remind {words}")
    before = Schedule.objects.get()
    assert before.task == task
    assert MOVED not in immediate_answer("/config TIMEZONE Asia/Tokyo").text
    after = Schedule.objects.get()
    assert (after.next_run_at, after.moved_from) == (before.next_run_at, None)


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("tomorrow at 9 New York time: call Anna", datetime(2020, 11, 23, 9, tzinfo=NEW_YORK)),
        ("tomorrow at 9 utc call Anna", datetime(2020, 11, 23, 9, tzinfo=ZoneInfo("UTC"))),
        ("call Anna tomorrow at 9 Tokyo time", datetime(2020, 11, 23, 9, tzinfo=TOKYO)),
        ("at 3:00 Tokyo time call Anna", datetime(2020, 11, 23, 3, tzinfo=TOKYO)),
        ("today at 20:00 Tokyo time: call Anna", datetime(2020, 11, 23, 20, tzinfo=TOKYO)),
        ("today at 14:00 New York time: call Anna", datetime(2020, 11, 22, 14, tzinfo=NEW_YORK)),
        ("tomorrow at 9 eastern time call Anna", datetime(2020, 11, 23, 9, tzinfo=NEW_YORK)),
        ("tomorrow at 9 call Anna at 5 Berlin time", datetime(2020, 11, 23, 9, tzinfo=BERLIN)),
        ("tomorrow at 9 it is tea time", datetime(2020, 11, 23, 9, tzinfo=BERLIN)),
    ],
)
def test_a_time_counts_in_the_zone_that_it_names(clock: Clock, words: str, at: datetime) -> None:
    immediate_answer(f"/remind {words}")
    assert Schedule.objects.get().next_run_at == at


def test_the_old_moment_can_be_kept_and_stays_then(clock: Clock, owner_client: Client) -> None:
    immediate_answer("/remind tomorrow at 9 call Anna")
    answer = immediate_answer("/config TIMEZONE America/New_York").text
    schedule = Schedule.objects.get()
    assert "“call Anna”: tomorrow, 09:00. [Keep the old moment](http" in answer
    assert f"{reverse('schedule', args=[schedule.pk])}): tomorrow, 03:00" in answer
    for page in (reverse("schedules"), reverse("schedule", args=[schedule.pk])):
        assert "Keep the old moment" in owner_client.get(page).text
    assert (
        "comes tomorrow, 03:00"
        in owner_client.post(reverse("schedule_keep_moment", args=[schedule.pk]), follow=True).text
    )
    assert "Keep the old moment" not in owner_client.get(reverse("schedules")).text
    immediate_answer("/config TIMEZONE Asia/Tokyo")
    schedule.refresh_from_db()
    assert (schedule.next_run_at, schedule.moved_from) == (datetime(2020, 11, 23, 9, tzinfo=BERLIN), None)
    assert "is over" in owner_client.post(reverse("schedule_keep_moment", args=[schedule.pk]), follow=True).text


def test_back_in_the_first_zone_all_is_as_before(clock: Clock) -> None:
    immediate_answer("/remind today at 20:00 call Anna")  # it is 17:30 in Berlin, 01:30 of the next day in Tokyo
    for zone, at in {
        "Asia/Tokyo": datetime(2020, 11, 23, 20, tzinfo=TOKYO),
        "America/New_York": datetime(2020, 11, 22, 20, tzinfo=NEW_YORK),
        "Europe/Berlin": datetime(2020, 11, 22, 20, tzinfo=BERLIN),
    }.items():
        immediate_answer(f"/config TIMEZONE {zone}")
        schedule = Schedule.objects.get()
        assert schedule.next_run_at == at
    assert (schedule.moved_from, schedule.moved_zone) == (None, "")


def test_what_the_new_clock_passed_today_comes_at_its_next_time_and_not_at_once(clock: Clock) -> None:
    clock.now = datetime(2020, 11, 23, 8, 30, tzinfo=ZoneInfo("Europe/London"))
    immediate_answer("/config TIMEZONE Europe/London")
    immediate_answer("/remind today at 9 call Anna")
    for words in ("every day at 9: stretch", "every 2 weeks on monday at 9: water the plants"):
        immediate_answer(f"/remind {words}")
        immediate_answer("yes")
    immediate_answer("/config TIMEZONE Europe/Berlin")
    tick.tick()
    assert [message.text for message in Message.objects.filter(kind="notification")] == ["⏰ water the plants"]
    times = dict(Schedule.objects.values_list("task", "next_run_at"))
    assert times["call Anna"] == times["stretch"] == datetime(2020, 11, 24, 9, tzinfo=BERLIN)
    assert times["water the plants"] == datetime(2020, 12, 7, 9, tzinfo=BERLIN)


def test_a_paused_or_a_deleted_reminder_moves_too(clock: Clock) -> None:
    for words in ("paused", "deleted"):
        immediate_answer(f"/remind tomorrow at 9 {words}")
    Schedule.objects.filter(task="paused").update(enabled=False)
    Schedule.objects.get(task="deleted").set_deleted(clock.now)
    immediate_answer("/config TIMEZONE Asia/Tokyo")
    assert set(Schedule.objects.values_list("next_run_at", flat=True)) == {datetime(2020, 11, 23, 9, tzinfo=TOKYO)}


@pytest.mark.parametrize(
    ("rule", "at"),
    [
        ("FREQ=HOURLY;INTERVAL=4;BYHOUR=8,12,16,20;BYMINUTE=0", datetime(2020, 11, 22, 20, tzinfo=NEW_YORK)),
        ("FREQ=HOURLY;INTERVAL=4", datetime(2020, 11, 22, 20, tzinfo=BERLIN)),
    ],
)
def test_hours_of_the_day_follow_the_clock_and_intervals_go_on(clock: Clock, rule: str, at: datetime) -> None:
    Schedule.objects.create(name="x", rrule=rule, next_run_at=datetime(2020, 11, 22, 20, tzinfo=BERLIN))
    watch = Watch.objects.create(
        url="https://a.example", rrule=rule, next_check_at=datetime(2020, 11, 22, 20, tzinfo=BERLIN)
    )
    immediate_answer("/config TIMEZONE America/New_York")
    watch.refresh_from_db()
    assert Schedule.objects.get().next_run_at == watch.next_check_at == at


@pytest.mark.parametrize(
    ("words", "until"),
    [
        ("until tomorrow at 8", datetime(2020, 11, 23, 8, tzinfo=NEW_YORK)),
        ("for 2 hours", datetime(2020, 11, 22, 19, 30, tzinfo=BERLIN)),
        ("until tomorrow at 8 Berlin time", datetime(2020, 11, 23, 8, tzinfo=BERLIN)),
        ("", muting.UNTIL_TOLD),
    ],
)
def test_muting_ends_at_the_time_of_day_that_was_said(clock: Clock, words: str, until: datetime) -> None:
    immediate_answer(f"/mute {words}")
    immediate_answer("/config TIMEZONE America/New_York")
    assert muting.muted_until(clock.now) == until


@pytest.mark.parametrize("name", ["Atlantis", "Europe/Atlantis", "UTC+25", "UTC+5:30", "noon", "-"])
def test_an_unknown_zone_is_refused_alike_everywhere(clock: Clock, name: str) -> None:
    for command in ("/profile timezone", "/config TIMEZONE"):
        assert UNKNOWN in immediate_answer(f"{command} {name}").text
    with pytest.raises(CommandError, match="no such time zone"):
        call_command("constance", "set", "TIMEZONE", name if name != "-" else "")
    assert config.TIMEZONE == "Europe/Berlin"


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("europe/lisbon", "Europe/Lisbon"),
        ("LISBON", "Europe/Lisbon"),
        ("new york", "America/New_York"),
        ("buenos aires", "America/Argentina/Buenos_Aires"),
        ("Argentina/Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
        ("UTC+2", "Etc/GMT-2"),
        ("gmt-03:00", "Etc/GMT+3"),
    ],
)
def test_a_zone_is_read_alike_everywhere(clock: Clock, name: str, zone: str) -> None:
    assert parse_timezone(name) == zone
    for command in ("/profile timezone", "/config TIMEZONE"):
        immediate_answer(f"{command} Europe/Berlin")
        immediate_answer(f"{command} {name}")
        assert zone == config.TIMEZONE
