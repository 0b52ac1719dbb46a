"""Commands about Penny and the owner: status, profile, settings, muting, preferences."""

import pytest
from constance import config

from agents.models import Run, Schedule
from agents.worker import tick
from devices.models import Device
from tests.agents.background import Clock, connect_browser
from tests.agents.commands.asking import SUNDAY, ask_model
from tests.agents.outbox.send_message import immediate_answer, send_message
from tests.stand_ins.model_server import ModelServer
from thoughts.models import MutedSite, Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_status_says_what_runs_waits_and_comes_next(clock: Clock) -> None:
    connect_browser(clock.now)
    send_message("Hello")
    Schedule.objects.create(
        name="Mine", kind="task", task="x", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", next_run_at=SUNDAY
    )
    text = immediate_answer("/status").text
    for line in ("Browsers: Desk", "Runs: 1 queued", "New on your feed: 0", "Next: Mine", "Model: none is set"):
        assert line in text


def test_the_profile_is_kept_and_seen_by_the_planner_alone(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    immediate_answer("/profile name Ada")
    immediate_answer("/profile place Leipzig")
    assert immediate_answer("/profile timezone Lisbon").text == "Your timezone is Europe/Lisbon now."
    assert (
        immediate_answer("/profile time-zone Lisbon").text
        == immediate_answer("/profile zone Lisbon").text
        == "Your timezone is Europe/Lisbon now."
    )
    assert "place: Leipzig" in immediate_answer("/profile").text
    ask_model(monkeypatch, model, "Hello")
    assert "You are Penny, the personal web agent of Ada, who is in Leipzig." in model.requests[-1].everything
    assert immediate_answer("/profile place -").text == "I no longer know your place."
    assert "no such time zone" in immediate_answer("/profile timezone Atlantis").text
    assert config.TIMEZONE == "Europe/Lisbon"


def test_a_setting_is_changed_only_to_what_the_admin_would_take() -> None:
    assert "was empty and is `22:00` now" in immediate_answer("/config quiet_from 22:00").text
    assert "cannot be that" in immediate_answer("/config QUIET_FROM 25:00").text
    assert "Write on or off." in immediate_answer("/config LEARN_FROM_CHAT maybe").text
    immediate_answer("/config LEARN_FROM_CHAT off")
    assert (config.QUIET_FROM, config.LEARN_FROM_CHAT) == ("22:00", False)
    immediate_answer("/config QUIET_FROM -")
    assert config.QUIET_FROM == ""
    assert "Did you mean" in immediate_answer("/config QUIET").text


def test_muted_for_a_while_she_sends_no_digest_until_then(clock: Clock) -> None:
    Schedule.objects.create(name="Digest", kind="digest", rrule="FREQ=HOURLY;INTERVAL=1", next_run_at=clock.now)
    assert immediate_answer("/mute for 2 hours").text == "I say nothing by myself until 19:30."
    tick.tick()
    assert not Run.objects.filter(kind="digest").exists()
    clock.move(hours=2, seconds=1)
    tick.tick()
    assert Run.objects.filter(kind="digest").exists()


@pytest.mark.parametrize(
    ("phrase", "until"),
    [
        ("für 3 Stunden", "20:30"),
        ("fuer eine Stunde", "18:30"),
        ("bis 20 Uhr", "20:00"),
        ("bis morgen um 9", "tomorrow, 09:00"),
        ("bis Dienstag", "Tuesday, 24 November, 08:00"),
        ("bis 20", "20:00"),
        ("until 8 am", "tomorrow, 08:00"),
        ("2 hours", "19:30"),
    ],
)
def test_for_how_long_she_is_muted_may_be_said_shortly_and_in_german(clock: Clock, phrase: str, until: str) -> None:
    assert immediate_answer(f"/mute {phrase}").text == f"I say nothing by myself until {until}."


def test_muting_until_further_notice_a_preference_and_a_site() -> None:
    Preference.objects.create(text="Espresso")
    assert "until `/unmute`" in immediate_answer("/mute").text
    assert immediate_answer("/unmute").text == "I speak up again."
    immediate_answer("/mute espresso")
    assert Preference.objects.get().muted
    immediate_answer("/mute shop.example")
    assert MutedSite.objects.get().host == "shop.example"
    immediate_answer("/unmute espresso")
    immediate_answer("/unmute shop.example")
    assert not Preference.objects.get().muted
    assert not MutedSite.objects.exists()


def test_likes_and_dislikes_are_the_owners_words() -> None:
    immediate_answer("/like espresso")
    assert "no longer the opposite" in immediate_answer("/dislike Espresso").text
    preference = Preference.objects.get()
    assert (preference.text, preference.valence, preference.origin) == ("espresso", -1, ["owner"])
    assert "You dislike:\n\n- espresso" in immediate_answer("/preferences").text


def test_as_an_answer_to_a_thought_like_is_a_thumb() -> None:
    thought = Thought.objects.create(title="Levers", text="x", html="<p>x</p>", origin=["coffee.example"])
    assert immediate_answer("/like", thought_id=thought.pk).text == "👍 Noted."
    thought.refresh_from_db()
    assert thought.reaction == 1
    assert "Say what you like" in immediate_answer("/like").text


def test_forgetting_shows_what_goes_and_waits_for_a_yes() -> None:
    seed = Preference.objects.create(text="espresso")
    Thought.objects.create(title="Levers", text="x", html="<p>x</p>", preference=seed)
    assert "- finds: 1" in immediate_answer("/forget espresso").text
    assert Preference.objects.exists()
    assert "is forgotten" in immediate_answer("yes").text
    assert not Preference.objects.exists()
    assert not Thought.objects.exists()


@pytest.mark.parametrize(("part", "value"), [("name", "Ada"), ("timezone", "Europe/Berlin"), ("place", "(not said)")])
def test_a_part_of_the_profile_alone_is_shown_and_not_forgotten(clock: Clock, part: str, value: str) -> None:
    config.OWNER_NAME = "Ada"
    assert immediate_answer(f"/profile {part}").text.startswith(f"Your {part}: {value}. Say `/profile name Ada`")
    assert (config.OWNER_NAME, config.TIMEZONE) == ("Ada", "Europe/Berlin")
    assert immediate_answer("/profile name -").text == "I no longer know your name."


def test_devices_are_listed(clock: Clock) -> None:
    connect_browser(clock.now)
    assert "- Desk (browser): connected" in immediate_answer("/devices").text
    phone = Device.objects.create(label="Phone", kind="signal", address="+491700000002")
    assert "- Phone (signal number): not seen yet" in immediate_answer("/devices").text
    immediate_answer("/help", phone)
    assert "- Phone (signal number): last seen 17:30" in immediate_answer("/devices").text
