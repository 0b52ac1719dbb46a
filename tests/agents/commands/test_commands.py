"""Commands: the same on every channel, obeyed at once, question and answer in the one conversation."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from asgiref.sync import async_to_sync
from constance import config
from django.test import Client

from agents.answers import attachments
from agents.commands.registry import COMMANDS, completions
from agents.frames.answer import answer as answer_frame
from agents.llm.providers import parse_endpoint
from agents.models import Proposal, Run, Schedule
from agents.turns import obey_command, start
from agents.worker import tick
from devices import protocol
from devices.access.handshake import web_device
from devices.grants.asks import ask_grant
from devices.models import Conversation, Device, Grant, Message
from devices.owner import clock as agents_clock
from devices.owner import muting, stop
from devices.owner.account import the_owner
from tests.agents.background import Clock, carry_out_all, connect_browser, moved, use_model
from tests.agents.outbox.send_message import answer, said_to, tell
from tests.stand_ins.model_server import ModelServer
from thoughts.feed.word_index import catch_up
from thoughts.models import MutedSite, Preference, Thought
from thoughts.models.watches import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SUNDAY = datetime(2020, 11, 22, 16, 30, tzinfo=UTC)
ALL = (
    "help status profile config mute unmute like dislike preferences forget think watch schedule remind "
    "draw search export devices cancel "
    "new stop resume asks allow deny"
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    Schedule.objects.all().delete()
    return moved(monkeypatch, SUNDAY)


def ask_model(monkeypatch: pytest.MonkeyPatch, model: ModelServer, words: str) -> Message:
    use_model(monkeypatch, model)
    run = tell(words)
    carry_out_all()
    return said_to(run)


# What every command has in common
# ---------------------------------------------------------------------------------------------


def test_the_registry_holds_what_help_lists() -> None:
    assert sorted(COMMANDS) == sorted(ALL.split())
    told = answer("/help").text
    assert [f"`/{name}" in told for name in COMMANDS] == [True] * len(COMMANDS)


def test_question_and_answer_stand_in_the_conversation_with_their_device() -> None:
    phone = Device.objects.create(label="Phone", kind="api")
    told = answer("/help stop", phone)
    question = told.parent
    assert question is not None
    assert (question.kind, question.text, question.device_label, question.direction) == (
        "command",
        "/help stop",
        "Phone",
        "in",
    )
    assert (told.kind, told.seq, told.origin) == ("command", question.seq + 1, ["owner", "penny"])
    assert Run.objects.get(turn_id=told.turn_id).state == "done"


def test_a_command_says_that_it_left_aside_what_came_with_it(settings: Any, model: ModelServer) -> None:
    settings.IMAGE_MODEL = parse_endpoint("openai-compatible:brush", model.url)
    notes = [attachments.attachment("notes.txt", "text/plain", b"Mild roast")]
    told = answer("/like espresso", attachments=notes)
    assert told.text == f"I know now that you like “espresso”.\n\n{obey_command.FILES_LEFT}"
    assert answer("/draw it in blue", attachments=notes).text.startswith(
        "I draw from words alone, and nothing was drawn."
    )
    assert not Run.objects.exclude(state="done").exists()
    answer("/stop")
    assert answer("What does this say?", attachments=notes).text.startswith("Everything is stopped")


def test_what_is_sent_again_is_not_done_again() -> None:
    frame = protocol.ChatSend(turn_id=uuid4(), text="/like espresso")
    start.start_turn(the_owner(), web_device(), frame)
    Preference.objects.all().delete()
    assert start.start_turn(the_owner(), web_device(), frame) is None
    assert (Preference.objects.count(), Message.objects.count()) == (0, 2)


@pytest.mark.parametrize(("wrong", "right"), [("/stats", "/status"), ("/scheduel x", "/schedule"), ("/HLP", "/help")])
def test_a_command_that_is_none_is_answered_by_the_nearest(wrong: str, right: str) -> None:
    assert f"Did you mean `{right}`?" in answer(wrong).text


@pytest.mark.parametrize(
    "words", ["/etc/passwd, what is that?", "1/2", "// a comment", "/", "/ help", "what does /help do"]
)
def test_a_path_or_a_fraction_is_no_command(words: str) -> None:
    assert tell(words).state == "queued"


@pytest.mark.parametrize("words", ["", " **[x](javascript:1)** <b>", " 99999999999999999999"])
def test_every_command_answers_also_when_nothing_or_nonsense_follows(words: str) -> None:
    for name in ALL.split():
        told = answer(f"/{name}{words}")
        assert (told.kind, bool(told.text)) == ("command", True)
        assert not re.search(r"<b>|href=.javascript", told.html)
        answer("/resume")


def test_a_name_that_is_begun_is_completed(client: Client) -> None:
    assert [command.name for command in completions("/re")] == ["remind", "resume"]
    client.force_login(the_owner())
    assert [each["name"] for each in client.get("/commands/?q=dev").json()["commands"]] == ["devices"]
    ref = uuid4()
    [told] = answer_frame(the_owner(), web_device(), protocol.CommandsFetch(ref=ref, begun="unm"))
    assert isinstance(told, protocol.Commands)
    assert [each.name for each in told.commands] == ["unmute"]


def test_no_planner_sees_commands_and_none_is_learned_from(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    answer("/like canary-command")
    ask_model(monkeypatch, model, "Hello")
    assert "canary-command" not in model.requests[-1].everything


# One by one
# -------------------------------------------------------------------------------------------------------------------


def test_status_says_what_runs_waits_and_comes_next(clock: Clock) -> None:
    connect_browser(clock.now)
    tell("Hello")
    Schedule.objects.create(
        name="Mine", kind="task", task="x", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", next_run_at=SUNDAY
    )
    told = answer("/status").text
    for line in ("Browsers: Desk", "Runs: 1 queued", "New on your feed: 0", "Next: Mine", "Model: none is set"):
        assert line in told


def test_the_profile_is_kept_and_seen_by_the_planner_alone(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    answer("/profile name Ada")
    answer("/profile place Leipzig")
    assert answer("/profile timezone Lisbon").text == "Your timezone is Europe/Lisbon now."
    assert (
        answer("/profile time-zone Lisbon").text
        == answer("/profile zone Lisbon").text
        == "Your timezone is Europe/Lisbon now."
    )
    assert "place: Leipzig" in answer("/profile").text
    ask_model(monkeypatch, model, "Hello")
    assert "You are Penny, the personal web agent of Ada, who is in Leipzig." in model.requests[-1].everything
    assert answer("/profile place -").text == "I no longer know your place."
    assert "no such time zone" in answer("/profile timezone Atlantis").text
    assert config.TIMEZONE == "Europe/Lisbon"


def test_a_setting_is_changed_only_to_what_the_admin_would_take() -> None:
    assert "was empty and is `22:00` now" in answer("/config quiet_from 22:00").text
    assert "cannot be that" in answer("/config QUIET_FROM 25:00").text
    assert "Write on or off." in answer("/config LEARN_FROM_CHAT maybe").text
    answer("/config LEARN_FROM_CHAT off")
    assert (config.QUIET_FROM, config.LEARN_FROM_CHAT) == ("22:00", False)
    answer("/config QUIET_FROM -")
    assert config.QUIET_FROM == ""
    assert "Did you mean" in answer("/config QUIET").text


def test_muted_for_a_while_she_sends_no_digest_until_then(clock: Clock) -> None:
    Schedule.objects.create(name="Digest", kind="digest", rrule="FREQ=HOURLY;INTERVAL=1", next_run_at=clock.now)
    assert answer("/mute for 2 hours").text == "I say nothing by myself until 19:30."
    tick.tick()
    assert not Run.objects.filter(kind="digest").exists()
    clock.move(hours=2, seconds=1)
    tick.tick()
    assert Run.objects.filter(kind="digest").exists()


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("für 3 Stunden", "20:30"),
        ("fuer eine Stunde", "18:30"),
        ("bis 20 Uhr", "20:00"),
        ("bis morgen um 9", "tomorrow, 09:00"),
        ("bis Dienstag", "Tuesday, 24 November, 08:00"),
        ("bis 20", "20:00"),
        ("until 8", "tomorrow, 08:00"),
        ("2 hours", "19:30"),
    ],
)
def test_for_how_long_she_is_muted_may_be_said_shortly_and_in_german(clock: Clock, said: str, until: str) -> None:
    assert answer(f"/mute {said}").text == f"I say nothing by myself until {until}."


def test_what_is_to_be_done_and_when_may_be_said_in_german(clock: Clock) -> None:
    assert answer("/remind mich morgen um 9 an den Zahnarzt").text.startswith(
        "I remind you tomorrow, 09:00: “den Zahnarzt”."
    )
    read_back = answer("/schedule jeden Werktag um 8: suche Nachrichten über Züge").text
    assert (
        "I would do this Monday to Friday at 08:00 (`FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0;BYSECOND=0`)"
        in read_back
    )
    assert "“suche Nachrichten über Züge”" in read_back
    assert answer("Ja").text.startswith("Kept. It comes tomorrow, 08:00")


def test_muting_until_further_notice_a_preference_and_a_site() -> None:
    Preference.objects.create(text="Espresso")
    assert "until `/unmute`" in answer("/mute").text
    assert answer("/unmute").text == "I speak up again."
    answer("/mute espresso")
    assert Preference.objects.get().muted
    answer("/mute shop.example")
    assert MutedSite.objects.get().host == "shop.example"
    answer("/unmute espresso")
    answer("/unmute shop.example")
    assert not Preference.objects.get().muted
    assert not MutedSite.objects.exists()


def test_likes_and_dislikes_are_the_owners_words() -> None:
    answer("/like espresso")
    assert "no longer the opposite" in answer("/dislike Espresso").text
    preference = Preference.objects.get()
    assert (preference.text, preference.valence, preference.origin) == ("espresso", -1, ["owner"])
    assert "You dislike:\n\n- espresso" in answer("/preferences").text


def test_as_an_answer_to_a_thought_like_is_a_thumb() -> None:
    thought = Thought.objects.create(title="Levers", text="x", html="<p>x</p>", origin=["coffee.example"])
    assert answer("/like", thought_id=thought.pk).text == "👍 Noted."
    thought.refresh_from_db()
    assert thought.reaction == 1
    assert "Say what you like" in answer("/like").text


def test_forgetting_shows_what_goes_and_waits_for_a_yes() -> None:
    seed = Preference.objects.create(text="espresso")
    Thought.objects.create(title="Levers", text="x", html="<p>x</p>", preference=seed)
    assert "- 1 thoughts" in answer("/forget espresso").text
    assert Preference.objects.exists()
    assert "is forgotten" in answer("yes").text
    assert not Preference.objects.exists()
    assert not Thought.objects.exists()


def test_a_rule_is_read_back_before_it_is_stored(clock: Clock) -> None:
    told = answer("/schedule every weekday at 8: find news about trains").text
    assert "Monday to Friday at 08:00 (`FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0;BYSECOND=0`)" in told
    assert "Next: tomorrow, 08:00, then Tuesday, 24 November, 08:00" in told
    assert not Schedule.objects.exists()
    assert "Kept. It comes tomorrow, 08:00" in answer("yes").text
    kept = Schedule.objects.get()
    assert (kept.kind, kept.task, kept.next_run_at) == (
        "task",
        "find news about trains",
        datetime(2020, 11, 23, 7, tzinfo=UTC),
    )


def test_no_stores_nothing_and_a_yes_afterwards_is_a_word_like_any_other(clock: Clock) -> None:
    answer("/schedule every day at 8: find news")
    assert answer("no").text == "Dropped. Nothing was changed."
    assert tell("yes").state == "queued"
    assert (Schedule.objects.count(), Proposal.objects.get().state) == (0, "dropped")


def test_a_yes_to_something_else_that_was_said_since_is_none(clock: Clock) -> None:
    read_back = answer("/schedule every day at 8: find news")
    answer("/status")
    assert tell("yes").state == "queued"
    assert not Schedule.objects.exists()
    answer("Yes!", parent_id=read_back.pk)
    assert Schedule.objects.exists()


def test_a_reminder_is_told_once_at_its_time_also_in_quiet_hours_and_while_stopped(clock: Clock) -> None:
    config.QUIET_FROM, config.QUIET_TO = "00:00", "23:59"
    assert answer("/remind me in 20 minutes to turn off the oven").text.startswith(
        "I remind you at 17:50: “turn off the oven”."
    )
    answer("/stop")
    for _ in range(3):
        clock.move(minutes=19)
        tick.tick()
    told = Message.objects.filter(kind="notification")
    assert [message.text for message in told] == ["⏰ turn off the oven"]
    assert not Schedule.objects.filter(enabled=True).exists()


@pytest.mark.parametrize("before_the_change", [5, -15])  # minutes; the clock shows 02:00 to 03:00 twice
def test_minutes_from_now_are_as_many_where_the_clock_is_changed(clock: Clock, before_the_change: int) -> None:
    clock.now = datetime(2020, 10, 25, 1, tzinfo=UTC) - timedelta(minutes=before_the_change)
    answer("/remind in 20 minutes turn off the oven")
    answer("/mute for 2 hours")
    assert Schedule.objects.get().next_run_at == clock.now + timedelta(minutes=20)
    assert muting.muted_until(clock.now) == clock.now + timedelta(hours=2)


@pytest.mark.parametrize(("part", "shown"), [("name", "Ada"), ("timezone", "Europe/Berlin"), ("place", "(not said)")])
def test_a_part_of_the_profile_alone_is_shown_and_not_forgotten(clock: Clock, part: str, shown: str) -> None:
    config.OWNER_NAME = "Ada"
    assert answer(f"/profile {part}").text.startswith(f"Your {part}: {shown}. Say `/profile name Ada`")
    assert (config.OWNER_NAME, config.TIMEZONE) == ("Ada", "Europe/Berlin")
    assert answer("/profile name -").text == "I no longer know your name."


@pytest.mark.parametrize("said", ["/profile timezone New York", "/config TIMEZONE America/New_York"])
def test_what_comes_at_a_time_of_day_comes_at_that_time_where_the_owner_is_now(clock: Clock, said: str) -> None:
    for words in (
        "every weekday at 8: find news",
        "every 2 weeks on friday at 17: find news",
        "every 2 hours: find news",
    ):
        answer(f"/schedule {words}")
        answer("yes")
    answer("/remind in 20 minutes turn off the oven")
    answer(said)
    found = Schedule.objects.order_by("pk").values_list("next_run_at", flat=True)
    zone = ZoneInfo("America/New_York")
    assert list(found) == [
        datetime(2020, 11, 23, 8, tzinfo=zone),
        datetime(2020, 11, 27, 17, tzinfo=zone),
        SUNDAY + timedelta(hours=2),
        SUNDAY + timedelta(minutes=20),
    ]


@pytest.mark.parametrize(
    ("said", "times"),
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
def test_what_does_not_come_each_time_begins_with_the_next_one(clock: Clock, said: str, times: str) -> None:
    assert f"Next: {times}.\n" in answer(f"/remind {said}: stretch").text
    answer("yes")
    clock.now = first = Schedule.objects.get().next_run_at or clock.now
    tick.tick()
    second = Schedule.objects.get().next_run_at
    assert second is not None
    assert f"then {agents_clock.in_words(second, SUNDAY)}" in times
    assert second > first


def test_a_reminder_that_repeats_is_read_back_and_comes_again(clock: Clock) -> None:
    assert "I would remind you daily at 18:00" in answer("/remind every day at 18:00 stretch").text
    answer("ok")
    for _ in range(2):
        clock.move(days=1)
        tick.tick()
    assert Message.objects.filter(kind="notification", text="⏰ stretch").count() == 2


def test_a_watch_is_set_in_words() -> None:
    assert "the price is below 20 EUR" in answer("/watch https://shop.example/lamp below 20 EUR").text
    assert float(Watch.objects.get().below or 0) == 20
    assert "Write one address" in answer("/watch the lamp").text


def test_thinking_starts_about_what_is_named() -> None:
    answer("/think espresso")
    run = Run.objects.get(kind="thinking")
    assert (run.state, str(run.preference)) == ("queued", "espresso")


def test_what_is_found_again_carries_the_labels_of_its_pages() -> None:
    thought = Thought.objects.create(
        title="Levers and springs", text="Nine bars", html="<p>x</p>", origin=["coffee.example"]
    )
    catch_up()
    tell("I bought a lever machine")
    told = answer("/search lever")
    assert f"/thoughts/{thought.pk}/" in told.text
    assert "I bought a lever machine" in told.text
    assert told.origin == ["coffee.example", "owner", "penny"]


def sent(client: Client, form: str) -> str:
    @async_to_sync
    async def whole(pieces: Any) -> bytes:
        return b"".join([piece async for piece in pieces])

    answer: Any = client.get(f"/chat/conversation.{form}")
    return whole(answer.streaming_content).decode()


def test_the_conversation_is_taken_along_in_two_forms(client: Client) -> None:
    assert "conversation.md" in answer("/export").html
    client.force_login(the_owner())
    assert "/export" in sent(client, "md")
    assert len(sent(client, "json").splitlines()) == Message.objects.count()
    assert client.get("/chat/conversation.exe").status_code == 404


def test_cancel_ends_answers_and_all_also_the_background() -> None:
    turn, thinking = tell("Hello"), Run.objects.create(kind="thinking")
    assert answer("/cancel").text == "1 run was cancelled."
    thinking.refresh_from_db()
    assert thinking.state == "queued"
    carry_out_all()
    assert said_to(turn).kind == "cancelled"
    Run.objects.create(kind="thinking", state="parked")
    assert answer("/cancel all").text == "1 run was cancelled."


def test_what_is_watched_is_listed_without_words_of_a_page_and_called_off_by_its_name(clock: Clock) -> None:
    assert "I watch no page" in answer("/watch").text
    answer("/watch https://shop.example/lamp below 20 EUR")
    answer("/watch https://news.example/ new posts")
    Watch.objects.update(title="canary title")
    told = answer("What do you watch?").text
    assert "- shop.example: below 20.00 EUR, next visit 17:30" in told
    assert "canary" not in told
    assert "That may be one of these" in answer("/cancel watch").text
    assert "I would delete the watch “shop.example” (below 20.00 EUR)." in answer("/cancel the lamp").text
    assert answer("yes").text == "The watch “shop.example” (below 20.00 EUR) is deleted."
    assert [row.domain for row in Watch.objects.kept()] == ["news.example"]
    assert "Nothing that is scheduled or watched is called “lamp”" in answer("/cancel lamp").text


def test_what_was_deleted_meanwhile_is_gone_already(clock: Clock) -> None:
    answer("/remind tomorrow at 9 call the dentist")
    answer("/cancel dentist")
    Schedule.objects.get().set_deleted(clock.now)
    assert answer("yes").text == "It is gone already."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Stop everything!", "Stopped."),
        ("stop", "No answer is being made."),
        ("My reminders", "Say when and what"),
        ("New subject.", "A new subject."),
    ],
)
def test_plain_words_are_a_command_where_they_are_all_that_is_said(words: str, told: str) -> None:
    Schedule.objects.all().delete()
    assert answer(words).text.startswith(told)
    answer("/resume")
    assert tell(f"{words} is what I wrote yesterday").state == "queued"


def test_while_everything_is_stopped_going_on_needs_no_slash_and_else_is_a_word_like_any_other() -> None:
    assert tell("Go on").state == "queued"
    answer("/stop")
    assert answer("Go on.").text.startswith("I go on.")
    assert not stop.is_stopped()


@pytest.mark.parametrize("words", ["/new", "/New trains", "New topic!"])
def test_a_new_subject_leaves_out_what_was_said_before(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer, words: str
) -> None:
    ask_model(monkeypatch, model, "My cat is called canary")
    answer(words)
    ask_model(monkeypatch, model, "What is it called?")
    assert "canary" not in model.requests[-1].everything
    assert Message.objects.filter(text__contains="canary").exists()


def test_devices_are_listed(clock: Clock) -> None:
    connect_browser(clock.now)
    assert "- Desk (browser): connected" in answer("/devices").text
    phone = Device.objects.create(label="Phone", kind="signal", address="+491700000002")
    assert "- Phone (signal number): not seen yet" in answer("/devices").text
    answer("/help", phone)
    assert "- Phone (signal number): last seen 17:30" in answer("/devices").text


def test_who_came_to_talk_is_asked_once_how_to_call_them(clock: Clock) -> None:
    for _ in range(3):
        tell("Hello")
    Run.objects.all().delete()
    Message.objects.update(created_at=clock.now)
    Conversation.objects.update(last_seq=6)
    tick.tick()
    assert not Message.objects.filter(direction="out").exists()  # they are still talking
    for _ in range(3):
        clock.move(minutes=5)
        tick.tick()
    [asked] = Message.objects.filter(direction="out")
    assert "how may I call you, and where are you?" in asked.text
    assert "Europe/Berlin" in asked.text


def test_who_has_said_their_name_is_not_asked(clock: Clock) -> None:
    config.OWNER_NAME = "Ada"
    for _ in range(3):
        tell("Hello")
    Run.objects.all().delete()
    Message.objects.update(created_at=clock.now)
    Conversation.objects.update(last_seq=6)
    clock.move(minutes=5)
    tick.tick()
    assert not Message.objects.filter(direction="out").exists()


@pytest.mark.parametrize(
    ("words", "stands"), [("/allow always", ("allowed", "always")), ("/deny always", ("blocked", "always"))]
)
def test_the_only_question_need_not_be_named_to_be_answered_for_ever(words: str, stands: tuple[str, str]) -> None:
    turn = tell("What is on beans.example?")
    ask_grant(turn.pk, "beans.example", "read", "To read pages there.", is_background=False)
    answer(words)
    assert list(Grant.objects.values_list("state", "scope")) == [stands]
