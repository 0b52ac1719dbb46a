"""A search that the owner starts begins at once, once, and is shown as it goes on."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from constance import config
from django.test import Client
from django.utils import timezone

from agents.learning.purpose import set_purpose
from agents.models import Run, Schedule
from agents.thinking import looking
from agents.thinking.look_rows import progress_words
from devices import events, protocol
from devices.grants import asks
from devices.models import Device, Stop
from tests.agents.background import connect_browser
from tests.page_client import page_words
from tests.thoughts.cards import HTMX
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


@pytest.fixture
def home_desk() -> Device:
    return connect_browser(timezone.now() + timedelta(hours=1))


@pytest.fixture
def espresso() -> Preference:
    return Preference.objects.create(text="lever espresso")


def test_a_repeated_press_starts_no_second_search(
    owner_client: Client, home_desk: Device, espresso: Preference
) -> None:
    for _ in range(3):
        owner_client.post("/looking/now/", {"preference": espresso.pk})
    owner_client.post("/looking/now/")
    assert [run.preference for run in Run.objects.all()] == [espresso]


def test_only_a_few_searches_run_at_a_time(home_desk: Device) -> None:
    started = [looking.look_for(Preference.objects.create(text=f"interest {number}")) for number in range(5)]
    assert [run is not None for run in started] == [True] * looking.LOOKS_MAX + [False] * (5 - looking.LOOKS_MAX)


def test_scheduled_thinking_is_not_shown_and_takes_no_place(home_desk: Device, espresso: Preference) -> None:
    schedule = Schedule.objects.filter(kind="thinking").first()
    assert schedule is not None
    Run.objects.create(kind="thinking", schedule=schedule)
    assert looking.current_look() is None
    assert looking.look_for() is not None


def test_an_interest_is_looked_for_at_once_and_again_where_it_is_told_again(
    owner_client: Client, home_desk: Device
) -> None:
    owner_client.post("/interests/", {"text": "lever espresso", "valence": 1, "next": "/"})
    owner_client.post("/interests/", {"text": "night trains", "valence": 1, "next": "/"})
    assert sorted(str(run.preference) for run in Run.objects.all()) == ["lever espresso", "night trains"]
    assert "Looking for night trains" in page_words(owner_client, "/")
    Run.objects.update(state="done", ended_at=timezone.now())
    set_purpose(True, ["Lever espresso"])
    assert [str(run.preference) for run in Run.objects.filter(state__in=Run.OPEN)] == ["lever espresso"]


def test_an_interest_that_is_told_while_everything_is_stopped_is_not_looked_for(
    owner_client: Client, home_desk: Device
) -> None:
    Stop.objects.create(device_label="Desk", stopped_at=timezone.now())
    owner_client.post("/interests/", {"text": "night trains", "valence": 1, "next": "/"})
    assert not Run.objects.exists()


def test_a_search_that_waits_is_over_for_every_device_once_everything_is_stopped(
    owner_client: Client,
    espresso: Preference,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    Run.objects.create(kind="thinking", preference=espresso, state="parked")
    sent: list[protocol.Look | None] = []
    monkeypatch.setattr(
        events,
        "send_frame",
        lambda frame, group: sent.append(frame.look) if isinstance(frame, protocol.LookingChanged) else None,
    )
    with django_capture_on_commit_callbacks(execute=True):
        owner_client.post("/activity/stop/")
    assert [look.step for look in sent if look] == ["over", "over"]


@pytest.mark.parametrize("valence", [1, -1])
def test_nothing_starts_without_a_browser_or_for_a_dislike(owner_client: Client, valence: int) -> None:
    if valence < 0:
        connect_browser(timezone.now() + timedelta(hours=1))
    owner_client.post("/interests/", {"text": "gossip", "valence": valence, "next": "/"})
    owner_client.post("/looking/now/", {"preference": "9" * 40}, follow=True)
    assert Run.objects.filter(preference__isnull=False).count() == 0


def test_without_a_browser_the_button_says_so(owner_client: Client, espresso: Preference) -> None:
    html = owner_client.post("/looking/now/", follow=True).content.decode()
    assert "No browser is connected. Connect one, then look again." in html
    assert not Run.objects.exists()
    Thought.objects.create(title="A lever", preference=espresso)
    end = page_words(owner_client, "/")
    assert "That is all for now. No browser is connected, so Penny does not look. Connect a browser" in end
    assert "Look now" not in end


def test_while_everything_is_stopped_the_feed_says_so_and_the_button_starts_nothing(
    owner_client: Client, home_desk: Device, espresso: Preference
) -> None:
    Stop.objects.create(device_label="Phone", stopped_at=timezone.now())
    feed = owner_client.get("/").content.decode()
    assert "Everything is stopped, so Penny does not look." in feed
    assert "/looking/now/" not in feed
    html = owner_client.post("/looking/now/", follow=True).content.decode()
    assert "Everything is stopped. Let Penny go on, then look again." in html
    assert not Run.objects.exists()


def test_strangers_start_nothing_and_see_nothing(client: Client, home_desk: Device, espresso: Preference) -> None:
    assert client.post("/looking/now/").status_code == 302
    assert "sign-in" in client.get("/looking/", headers=HTMX)["Location"]
    assert not Run.objects.exists()


def test_a_question_of_the_search_stands_in_its_line_with_its_answers(
    owner_client: Client, home_desk: Device, espresso: Preference
) -> None:
    config.SEARCH_TEMPLATE = "https://html.duckduckgo.com/html/?q={query}"
    run = looking.look_for(espresso)
    assert run is not None
    ask = asks.ask_grant(run.pk, "html.duckduckgo.com", "read", "To search the web there.", is_background=True)
    Run.objects.update(state="parked")
    look = looking.current_look()
    assert look is not None
    assert (look.step, look.site, look.question) == ("waiting", "DuckDuckGo", ask.prompt)
    html = owner_client.get("/").content.decode()
    assert f'action="/asks/{ask.prompt}/"' in html
    assert "For lever espresso: May Penny search with DuckDuckGo? html.duckduckgo.com" in page_words(owner_client, "/")


def test_the_line_is_fetched_again_only_where_it_changed(
    owner_client: Client, home_desk: Device, espresso: Preference
) -> None:
    run = looking.look_for(espresso)
    assert run is not None
    line = owner_client.get("/looking/", headers=HTMX)
    assert 'hx-trigger="every 3s"' in line.content.decode()
    mark = line.content.decode().partition("?mark=")[2][:16]
    assert owner_client.get(f"/looking/?mark={mark}", headers=HTMX).status_code == 204
    Run.objects.update(state="running")
    run.end(Run.State.DISCARDED, outcome="Nothing was about it.")
    after = owner_client.get(f"/looking/?mark={mark}", headers=HTMX).content.decode()
    assert "lever espresso: Nothing was about it." in after
    assert "Look again" in after
    assert "hx-trigger" not in after
    assert owner_client.get("/looking/").status_code == 302


def test_a_later_search_takes_the_place_of_the_one_before_it(
    owner_client: Client, home_desk: Device, espresso: Preference
) -> None:
    run = looking.look_for(espresso)
    assert run is not None
    assert "Look now" not in page_words(owner_client, "/")  # the line says how far she is
    Run.objects.update(state="running")
    run.end(Run.State.DISCARDED, outcome="No page about “lever espresso” could be read.")
    words = page_words(owner_client, "/")
    assert "lever espresso: No page" not in words  # its name stands in the reason
    assert "No page about “lever espresso” could be read. Look again" in words
    looking.look_for(espresso)
    words = page_words(owner_client, "/")
    assert "Looking for lever espresso" in words
    assert "Look again" not in words


def test_the_end_leads_to_the_find_for_some_minutes(home_desk: Device, espresso: Preference) -> None:
    run = looking.look_for(espresso)
    assert run is not None
    find = Thought.objects.create(title="A lever", preference=espresso)
    Run.objects.update(state="running")
    run.end(Run.State.DONE, outcome="Found “A lever”.", thought=find)
    look = looking.current_look()
    assert look is not None
    assert (look.step, look.thought_id) == ("over", find.pk)
    Run.objects.update(ended_at=timezone.now() - looking.SHOWN_AFTER)
    assert looking.current_look() is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Looking for lever espresso"),
        ({"step": "searching", "site": "DuckDuckGo"}, "Looking for lever espresso · searching with DuckDuckGo"),
        (
            {"step": "reading", "site": "keys.example", "number": 2, "of": 3},
            "Looking for lever espresso · reading keys.example · 2 of 3",
        ),
        (
            {"step": "reading", "site": "keys.example", "number": 1, "of": 1},
            "Looking for lever espresso · reading keys.example",
        ),
        ({"about": "", "step": "writing"}, "Looking for something new · writing it down"),
    ],
)
def test_a_step_is_said_in_one_line(fields: dict[str, object], words: str) -> None:
    look = protocol.Look.model_validate({"run_id": uuid4(), "about": "lever espresso"} | fields)
    assert progress_words(look) == words
