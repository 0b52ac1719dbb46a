"""The page of schedules: plain forms, next times while editing, actions, history."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from constance import config
from django.test import Client

from agents.models import Run, Schedule
from agents.schedules import start
from devices.grants import asks
from devices.models import Grant
from tests.agents.background import movable_clock
from tests.page_client import page_words
from tests.pages import visible_words
from thoughts.models import Preference, Watch

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
NOON = datetime(2026, 10, 24, 12, tzinfo=ZoneInfo("Europe/Berlin"))  # daylight saving time ends in the next night
FORM = {
    "kind": "task",
    "task": "Search for concerts",
    "how": "daily",
    "every": "20",
    "at": "08:00",
    "days": ["MO"],
    "rule": "",
}


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    config.TIMEZONE = "Europe/Berlin"
    movable_clock(monkeypatch, NOON.astimezone(UTC))


def add_schedule(client: Client, **fields: Any) -> Schedule:
    answer = client.post("/activity/routine/new/", FORM | fields)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/activity/routine/")
    return Schedule.objects.latest("pk")


def times(client: Client, **fields: Any) -> list[str]:
    html = client.get("/activity/routine/times/", FORM | fields, headers={"HX-Request": "true"}).content.decode()
    return re.findall(r"<time[^>]*>([^<]*)</time>", html)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"how": "minutes", "every": "45"}, "FREQ=MINUTELY;INTERVAL=45"),
        ({"how": "hours", "every": "6"}, "FREQ=HOURLY;INTERVAL=6"),
        ({"how": "daily", "at": "07:30"}, "FREQ=DAILY;BYHOUR=7;BYMINUTE=30;BYSECOND=0"),
        ({"how": "days", "days": ["FR", "MO"]}, "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=8;BYMINUTE=0;BYSECOND=0"),
        ({"how": "rule", "rule": "RRULE:FREQ=MONTHLY;BYDAY=1MO"}, "FREQ=MONTHLY;BYDAY=1MO"),
    ],
)
def test_a_task_is_added_by_a_plain_form_and_its_form_says_the_same_again(
    owner_client: Client, fields: Any, rule: str
) -> None:
    schedule = add_schedule(owner_client, **fields)
    assert (schedule.name, schedule.kind, schedule.task, schedule.rrule) == (
        "Search for concerts",
        "task",
        "Search for concerts",
        rule,
    )
    html = owner_client.get(f"/activity/routine/{schedule.pk}/").content.decode()
    assert f'<option value="{fields["how"]}" selected>' in html
    response = owner_client.post(f"/activity/routine/{schedule.pk}/", FORM | fields)
    assert response.status_code == 302
    schedule.refresh_from_db()
    assert schedule.rrule == rule


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"task": " "}, "Write what Penny should do each time."),
        ({"how": "minutes", "every": ""}, "Write a number."),
        ({"how": "minutes", "every": "0"}, "greater than or equal to 1"),
        ({"how": "daily", "at": "25:00"}, "Enter a valid time."),
        ({"how": "daily", "at": ""}, "Choose a time."),
        ({"how": "days", "days": []}, "Choose at least one day."),
        ({"how": "rule", "rule": "now and then"}, "Write a recurrence rule"),
        ({"how": "rule", "rule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "That never comes."),
        ({"how": "rule", "rule": "FREQ=DAILY;COUNT=3"}, "Say until when instead of how often"),
        ({"how": "rule", "rule": "FREQ=SECONDLY"}, "Once a minute is the most"),
        ({"how": "weekly"}, "Select a valid choice."),
        ({"kind": "watch"}, "Select a valid choice."),
    ],
)
def test_what_lacks_something_is_said_at_its_field_and_not_stored(
    owner_client: Client, fields: Any, error: str
) -> None:
    before = Schedule.objects.count()
    assert error in visible_words(owner_client.post("/activity/routine/new/", FORM | fields).content.decode())
    assert Schedule.objects.count() == before


def test_the_next_five_times_are_shown_while_it_is_edited_on_the_owners_clock(owner_client: Client) -> None:
    assert times(owner_client, how="daily", at="02:30") == [
        f"{day} October, 02:30" for day in ("Sunday, 25", "Monday, 26", "Tuesday, 27", "Wednesday, 28", "Thursday, 29")
    ]
    evenly = ["Saturday, 24 October, 18:00", "Sunday, 25 October, 00:00", "Sunday, 25 October, 05:00"]
    assert times(owner_client, how="hours", every="6")[:3] == evenly
    assert len(times(owner_client, how="days", days=["MO"], task="")) == 5
    assert times(owner_client, how="rule", rule="FREQ=DAILY;UNTIL=20261026T000000") == ["Sunday, 25 October, 12:00"]
    two_days = ["Sunday, 25 October, 12:00", "Monday, 26 October, 12:00"]
    assert times(owner_client, how="rule", rule="FREQ=DAILY;UNTIL=20261026") == two_days


def test_they_say_what_the_quiet_hours_change(owner_client: Client) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    assert times(owner_client, how="daily", at="23:00")[0] == "Sunday, 25 October, 07:00"
    assert times(owner_client, how="daily", at="23:00", in_quiet_hours="on")[0] == "Saturday, 24 October, 23:00"


def test_while_a_form_says_no_time_its_error_is_shown_instead(owner_client: Client) -> None:
    assert "Write a recurrence rule" in page_words(
        owner_client, "/activity/routine/times/", **(FORM | {"how": "rule", "rule": "FREQ=SOON"})
    )


def test_a_rule_that_is_none_can_be_mended_on_its_page(owner_client: Client) -> None:
    broken = Schedule.objects.create(name="Broken", rrule="<b>soon</b>", enabled=False)
    assert owner_client.get("/activity/routine/").status_code == 200
    assert 'value="&lt;b&gt;soon&lt;/b&gt;"' in owner_client.get(f"/activity/routine/{broken.pk}/").content.decode()


def test_thinking_about_one_preference_and_a_digest_are_added_too(owner_client: Client) -> None:
    like, dislike = Preference.objects.create(text="maps"), Preference.objects.create(text="gossip", valence=-1)
    thinking = add_schedule(owner_client, kind="thinking", preference=like.pk)
    assert (thinking.name, thinking.preference, thinking.task) == ("Thinking about maps", like, "")
    digest = add_schedule(owner_client, kind="digest", preference=like.pk, in_quiet_hours="on")
    assert (digest.name, digest.preference, digest.task, digest.in_quiet_hours) == ("Digest", None, "", True)
    response = owner_client.post("/activity/routine/new/", FORM | {"kind": "thinking", "preference": dislike.pk})
    assert "Select a valid choice." in response.content.decode()


def test_it_is_paused_resumed_and_started_now(owner_client: Client) -> None:
    schedule = add_schedule(owner_client)
    at = f"/activity/routine/{schedule.pk}"
    assert "is paused." in visible_words(owner_client.post(f"{at}/pause/", follow=True).content.decode())
    schedule.refresh_from_db()
    assert (schedule.enabled, schedule.next_run_at) == (False, None)
    owner_client.post(f"{at}/resume/")
    schedule.refresh_from_db()
    assert (schedule.enabled, schedule.next_run_at) == (True, datetime(2026, 10, 25, 7, tzinfo=UTC))
    assert "has started" in visible_words(owner_client.post(f"{at}/run/", follow=True).content.decode())
    assert Run.objects.get().task == "Search for concerts"


@pytest.mark.parametrize(("away", "back"), [("pause", "resume"), ("delete", "restore")])
def test_what_comes_once_keeps_its_time_when_it_is_paused_or_deleted_and_that_is_undone(
    owner_client: Client, away: str, back: str
) -> None:
    at = datetime(2026, 10, 25, 9, tzinfo=UTC)
    once = Schedule.objects.create(name="Call Ada", kind="reminder", task="Call Ada", rrule="", next_run_at=at)
    owner_client.post(f"/activity/routine/{once.pk}/{away}/")
    owner_client.get("/activity/routine/")  # shows that it is done
    assert ("Call Ada" in page_words(owner_client, "/activity/routine/")) == (away == "pause")
    start.start_due(at)
    assert not Run.objects.exists()
    owner_client.post(f"/activity/routine/{once.pk}/{back}/")
    once.refresh_from_db()
    assert (once.enabled, once.next_run_at) == (True, at)
    start.start_due(at)
    assert Run.objects.get().schedule == once
    owner_client.get("/activity/routine/")
    assert "Call Ada" not in page_words(owner_client, "/activity/routine/")


def test_the_words_of_what_comes_once_are_changed_without_its_time(owner_client: Client) -> None:
    at = datetime(2026, 10, 25, 9, tzinfo=UTC)
    once = Schedule.objects.create(name="Call Ada", kind="reminder", task="Call Ada", rrule="", next_run_at=at)
    assert "Once: Sunday, 25 October, 10:00" in page_words(owner_client, f"/activity/routine/{once.pk}/")
    owner_client.post(f"/activity/routine/{once.pk}/", {"task": "Call Ada and Charles"})
    once.refresh_from_db()
    assert (once.task, once.rrule, once.next_run_at) == ("Call Ada and Charles", "", at)


def test_a_deleted_one_is_gone_until_undo_brings_it_back_with_its_history(owner_client: Client) -> None:
    schedule = add_schedule(owner_client)
    Run.objects.create(kind="task", schedule=schedule, state="done", outcome="Answered in the conversation.")
    html = owner_client.post(f"/activity/routine/{schedule.pk}/delete/", follow=True).content.decode()
    assert f'action="/activity/routine/{schedule.pk}/restore/"' in html
    assert "Search for concerts” is deleted." in html
    assert f"/activity/routine/{schedule.pk}/pause/" not in html
    assert owner_client.get(f"/activity/routine/{schedule.pk}/").status_code == 404
    assert not Schedule.objects.active().filter(pk=schedule.pk).exists()
    assert "Search for concerts" not in owner_client.get("/admin/agents/schedule/").content.decode()
    owner_client.post(f"/activity/routine/{schedule.pk}/restore/")
    assert "Answered in the conversation." in page_words(owner_client, f"/activity/routine/{schedule.pk}/")


def test_its_history_shows_outcome_and_cost_of_each_run(owner_client: Client) -> None:
    schedule = add_schedule(owner_client)
    assert "It has not run yet." in page_words(owner_client, f"/activity/routine/{schedule.pk}/")
    times_run = {"started_at": NOON, "ended_at": NOON.replace(minute=2, second=5)}
    cost = {"spent_tokens": 12_345, "spent_micros": 7_500, "spent_pages": 3}
    Run.objects.create(
        kind="task", schedule=schedule, state="failed", outcome="<b>No model answers.</b>", **times_run, **cost
    )
    text = page_words(owner_client, f"/activity/routine/{schedule.pk}/")
    assert "failed <b>No model answers.</b> 12,345 0.0075 3 2 min 5 s" in text
    assert "failed just now : <b>No model answers.</b>" in page_words(owner_client, "/activity/routine/")


def test_the_list_leads_to_the_watches_with_the_next_visit(owner_client: Client) -> None:
    assert "watched page" not in page_words(owner_client, "/activity/routine/")
    for hours, paused in ((2, False), (1, True), (5, False)):
        Watch.objects.create(
            url="https://a.example/", domain="a.example", is_paused=paused, next_check_at=NOON + timedelta(hours=hours)
        )
    assert "She also looks at 2 watched pages , each as often as you chose there · next in 2 h ." in page_words(
        owner_client, "/activity/routine/"
    )


def test_the_list_says_what_each_does_when_and_what_keeps_it(owner_client: Client) -> None:
    text = page_words(owner_client, "/activity/routine/")
    assert "Digest daily at 18:00 · next in 6 h" in text
    assert "Thinking every 20 minutes · next in 20 min" in text
    config.QUIET_FROM, config.QUIET_TO = "11:00", "13:00"
    assert "Quiet hours until 13:00." in page_words(owner_client, "/activity/routine/")
    Schedule.objects.all().delete()
    assert "Nothing is scheduled" in page_words(owner_client, "/activity/routine/")


@pytest.mark.parametrize(
    ("hosts", "goes_on"),
    [([], False), (["search.example"], False), (["news.example"], False), (["search.example", "news.example"], True)],
)
def test_thinking_goes_on_beside_a_question_with_what_is_allowed_and_otherwise_says_that_it_waits(
    owner_client: Client, hosts: list[str], goes_on: bool
) -> None:
    config.SEARCH_TEMPLATE = "https://search.example/?q={query}"
    Grant.objects.bulk_create(Grant(host=host) for host in hosts)
    thinking = Schedule.objects.get(kind="thinking")
    Schedule.objects.filter(pk=thinking.pk).update(next_run_at=NOON)
    waiting = Run.objects.create(kind="thinking", schedule=thinking, state="parked")
    asks.ask_grant(waiting.pk, "tickets.example", "read", "To read a page there.", is_background=True)
    assert ("It waits for your answer." in page_words(owner_client, "/activity/routine/")) != goes_on
    start.start_due(NOON)
    assert Run.objects.exclude(pk=waiting.pk).exists() == goes_on


def test_what_was_thought_of_by_a_rule_of_hours_is_shown_as_words_in_the_admin_too(owner_client: Client) -> None:
    assert "every 20 minutes" in page_words(owner_client, "/admin/agents/schedule/")
    for name in ("day", "price", "digest"):
        assert owner_client.get(f"/admin/agents/{name}/").status_code == 200
    price = {"model": "openai:x", "input_per_million": "1", "output_per_million": "4"}
    assert owner_client.post("/admin/agents/price/add/", price).status_code == 302
