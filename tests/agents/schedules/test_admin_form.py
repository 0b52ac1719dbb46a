"""The form of a routine in the admin: that of the site, in plain words."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from constance import config
from django.test import Client

from agents.models import Schedule
from tests.agents.background import movable_clock
from tests.page_client import page_words
from tests.pages import visible_words
from thoughts.models import Preference

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
ADD = "/admin/agents/schedule/add/"
NOON = datetime(2026, 10, 24, 12, tzinfo=ZoneInfo("Europe/Berlin"))
FORM = {"kind": "thinking", "how": "daily", "every": "20", "at": "07:30", "days": ["MO"], "rule": "", "task": ""}


@pytest.fixture(autouse=True)
def clock_at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    config.TIMEZONE = "Europe/Berlin"
    movable_clock(monkeypatch, NOON.astimezone(UTC))


def words_of_refusal(client: Client, **fields: str) -> str:
    answer = client.post(ADD, FORM | fields)
    assert answer.status_code == 200
    assert not Schedule.objects.filter(name__startswith="Search").exists()
    return visible_words(answer.content.decode())


def test_thinking_is_scheduled_without_a_rule(owner_client: Client) -> None:
    tea = Preference.objects.create(text="oolong tea")
    answer = owner_client.post(ADD, FORM | {"preference": tea.pk, "in_quiet_hours": "on"})
    assert answer.headers["Location"] == "/admin/agents/schedule/"
    added = Schedule.objects.latest("pk")
    assert (added.name, added.kind, added.preference) == ("Thinking about oolong tea", "thinking", tea)
    assert added.rrule == "FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0"
    assert added.in_quiet_hours
    assert "daily at 07:30" in page_words(owner_client, "/admin/agents/schedule/")


def test_the_form_begins_with_thinking_and_shows_the_next_five_times(owner_client: Client) -> None:
    html = owner_client.get(ADD).content.decode()
    assert '<option value="thinking" selected>' in html
    assert re.findall(r"<time[^>]*>([^<]+)</time>", html) == [
        "Sunday, 25 October, 08:00",
        "Monday, 26 October, 08:00",
        "Tuesday, 27 October, 08:00",
        "Wednesday, 28 October, 08:00",
        "Thursday, 29 October, 08:00",
    ]


def test_a_rule_is_only_under_expert(owner_client: Client) -> None:
    html = owner_client.get(ADD).content.decode()
    assert '<optgroup label="Expert"><option value="rule">by a rule as in calendars</option></optgroup>' in html
    assert "RRULE" not in html
    assert '<div class="of-rule">' in html  # shown once the option is chosen


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "task"}, "Write what Penny should do each time."),
        ({"how": "daily", "at": ""}, "Choose a time."),
        ({"how": "hours", "every": ""}, "Write a number."),
        ({"how": "rule", "rule": "now and then"}, "Write a recurrence rule such as"),
        ({"how": "rule", "rule": "FREQ=DAILY;BYHOUR"}, "Each part stands once, as NAME=VALUE"),
        ({"how": "rule", "rule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "That never comes."),
    ],
)
def test_what_is_wrong_is_said_in_words(owner_client: Client, fields: dict[str, str], words: str) -> None:
    shown_words = words_of_refusal(owner_client, **fields)
    assert words in shown_words
    assert "unpack" not in shown_words


def test_a_rule_that_the_library_cannot_read_shows_no_error_of_the_library(owner_client: Client) -> None:
    shown_words = words_of_refusal(owner_client, how="rule", rule="FREQ=DAILY;BYDAY=XX")
    assert "Penny cannot read this. Write a recurrence rule such as FREQ=MINUTELY;INTERVAL=20." in shown_words


def test_a_row_says_when_it_comes_next_and_keeps_the_time_of_what_comes_once(owner_client: Client) -> None:
    at = datetime(2026, 10, 25, 9, tzinfo=UTC)
    once = Schedule.objects.create(name="Call Ada", kind="reminder", task="Call Ada", rrule="", next_run_at=at)
    listed = page_words(owner_client, "/admin/agents/schedule/")
    assert "Call Ada once tomorrow, 10:00" in listed
    assert "every 20 minutes 12:20" in listed
    address = f"/admin/agents/schedule/{once.pk}/change/"
    assert "Once: Sunday, 25 October, 10:00" in page_words(owner_client, address)
    assert owner_client.post(address, {"task": "Call Ada at home"}).status_code == 302
    once.refresh_from_db()
    assert (once.name, once.enabled, once.next_run_at) == ("Call Ada at home", True, at)


def test_another_time_is_chosen_in_the_row_s_form(owner_client: Client) -> None:
    thinking = Schedule.objects.get(kind="thinking")
    address = f"/admin/agents/schedule/{thinking.pk}/change/"
    assert "Saturday, 24 October, 12:20" in page_words(owner_client, address)
    assert owner_client.post(address, FORM | {"how": "hours", "every": "3"}).status_code == 302
    thinking.refresh_from_db()
    assert (thinking.rrule, thinking.next_run_at) == ("FREQ=HOURLY;INTERVAL=3", None)
