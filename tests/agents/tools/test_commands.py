"""Commands as tools of a turn: they work, and the planner gets typed values only."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from constance import config

from agents.commands.registry import COMMANDS, Command, command_shown_by
from agents.commands.understand import MODULES as MODULES  # which register the commands
from agents.gateway.arguments import Propose, Show
from agents.gateway.catalog import TOOLS
from agents.models import Run, Schedule
from agents.schedules import reminders
from devices.grants.asks import ask_grant
from devices.models import Grant, Message, Muting
from devices.owner import clock, stop
from tests.agents.background import carry_out_all, movable_clock, use_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text
from thoughts.index.finds import catch_up
from thoughts.models import MutedSite, Preference, Thought
from thoughts.models.watches import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SUNDAY = datetime(2020, 11, 22, 16, 30, tzinfo=UTC)
WHATS = {
    "show": set(get_args(Show.model_fields["what"].annotation)),
    "propose": set(get_args(Propose.model_fields["what"].annotation)),
}


def script_planner(model: ModelServer, tool: str, **arguments: Any) -> None:
    model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=(ToolUse(tool, arguments),)))
    model.on(lambda request: bool(request.tool_results), text("Done."))


@pytest.fixture
def in_words(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> ModelServer:
    config.TIMEZONE = "Europe/Berlin"
    Schedule.objects.all().delete()
    movable_clock(monkeypatch, SUNDAY)
    use_model(monkeypatch, model)
    return model


def test_a_reminder_is_kept_by_the_planner(in_words: ModelServer) -> None:
    script_planner(in_words, "remind", when="tomorrow at 9", what="call the dentist")
    run = send_message("Remind me tomorrow at nine to call the dentist")
    carry_out_all()
    assert reply_to(run).text == "Done."
    reminder = Schedule.objects.get()
    assert (reminder.kind, reminder.task, reminder.next_run_at) == (
        "reminder",
        "call the dentist",
        datetime(2020, 11, 23, 8, tzinfo=UTC),
    )
    assert '"at":"2020-11-23T09:00+01:00"' in in_words.requests[-1].tool_results[0]


def test_a_task_that_the_planner_schedules_is_read_back_by_code_and_waits_for_a_yes(in_words: ModelServer) -> None:
    script_planner(in_words, "schedule", when="every weekday at 8", what="find news")
    send_message("Every weekday at eight, find news")
    carry_out_all()
    assert not Schedule.objects.exists()
    assert Message.objects.filter(kind="command", text__contains="Monday to Friday at 08:00").exists()
    assert "Kept." in immediate_answer("yes").text
    assert Schedule.objects.get().task == "find news"


@pytest.mark.parametrize(
    ("tool", "arguments", "is_done"),
    [
        (
            "prefer",
            {"text": "espresso", "feeling": "dislike"},
            lambda: Preference.objects.get(text="espresso").valence == -1,
        ),
        ("set_profile", {"part": "place", "value": "Leipzig"}, lambda: config.OWNER_PLACE == "Leipzig"),
        (
            "mute",
            {"until": "tomorrow at 8"},
            lambda: clock.time_in_words(Muting.objects.get().until, SUNDAY) == "tomorrow, 08:00",
        ),
        ("unmute", {}, lambda: not Muting.objects.exists()),
        (
            "mute",
            {"about": "news.example"},
            lambda: not Muting.objects.exists() and MutedSite.objects.get().host == "news.example",
        ),
        ("mute", {"about": "Football"}, lambda: Preference.objects.get(text="football").muted),
        ("unmute", {"about": "tea"}, lambda: not Preference.objects.get(text="tea").muted),
        (
            "think",
            {"words": "espresso"},
            lambda: Run.objects.filter(kind="thinking", preference__text="espresso").exists(),
        ),
        ("status", {}, lambda: True),
    ],
)
def test_what_a_command_does_can_be_asked_for(
    in_words: ModelServer, tool: str, arguments: dict[str, str], is_done: Any
) -> None:
    Preference.objects.create(text="football")
    Preference.objects.create(text="tea", muted=True)
    script_planner(in_words, tool, **arguments)
    run = send_message("Please")
    carry_out_all()
    assert reply_to(run).text == "Done."
    assert "error" not in in_words.requests[-1].tool_results[0] or tool == "think"
    assert is_done()


@pytest.mark.parametrize(
    ("arguments", "excerpt"),
    [
        ({"what": "preferences"}, "You like:\n\n- canary levers"),
        ({"what": "devices"}, "- Web page (web page): last seen 17:30"),
        ({"what": "profile"}, "- place: Leipzig"),
        ({"what": "settings", "words": "OWNER_PLACE Berlin"}, "`OWNER_PLACE` is `Leipzig`."),
        ({"what": "questions"}, "Nothing waits"),
        ({"what": "scheduled"}, "- News: daily at 08:00, paused\n- call the dentist: once, next tomorrow, 09:00\n"),
        ({"what": "watches"}, "- shop.example: below 20 €, next visit 17:30\n"),
        ({"what": "found", "words": "canary"}, ": Canary in words"),
        ({"what": "help"}, "- `/asks`"),
    ],
)
def test_what_a_command_shows_can_be_asked_for_and_the_planner_sees_nothing_of_it(
    in_words: ModelServer, arguments: dict[str, str], excerpt: str
) -> None:
    config.OWNER_PLACE = "Leipzig"
    Preference.objects.create(text="canary levers")
    reminders.store_reminder("call the dentist", "", datetime(2020, 11, 23, 8, tzinfo=UTC), None)
    Schedule.objects.create(
        name="News", kind="task", task="canary", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", enabled=False
    )
    Watch.objects.create(
        url="https://shop.example/canary",
        domain="shop.example",
        title="Canary",
        below=20,
        currency="EUR",
        next_check_at=SUNDAY,
    )
    script_planner(in_words, "show", **arguments)
    run = send_message("Canary in words")
    carry_out_all()
    beside = Message.objects.get(parent=run.message, turn_id=None)
    assert (beside.kind, excerpt in beside.text) == ("command", True), beside.text
    assert in_words.requests[-1].tool_results == ['{"shown_to_owner":true}']
    assert config.OWNER_PLACE == "Leipzig"


@pytest.mark.parametrize(
    ("arguments", "read_back", "is_done"),
    [
        ({"what": "forget", "words": "espresso"}, "I would forget “espresso”", lambda: not Preference.objects.exists()),
        (
            {"what": "setting", "words": "quiet_from 22:00"},
            "`QUIET_FROM` is empty and would be `22:00`.",
            lambda: config.QUIET_FROM == "22:00",
        ),
        (
            {"what": "export"},
            "I would give you the whole conversation",
            lambda: Message.objects.filter(text__startswith="The conversation as [Markdown]").exists(),
        ),
    ],
)
def test_what_changes_or_reveals_much_is_read_back_and_only_the_owners_yes_does_it(
    in_words: ModelServer, arguments: dict[str, str], read_back: str, is_done: Any
) -> None:
    config.QUIET_FROM = ""
    Preference.objects.create(text="espresso")
    script_planner(in_words, "propose", **arguments)
    send_message("Please")
    carry_out_all()
    assert read_back in Message.objects.get(kind="command").text
    assert not is_done()
    immediate_answer("no")
    assert not is_done()
    send_message("Please do")
    carry_out_all()
    immediate_answer("yes")
    assert is_done()


@pytest.mark.parametrize("words", ["NO_SUCH 1", "QUIET_FROM", "DAY_TOKENS_MAX many", ""])
def test_a_setting_that_cannot_be_so_is_refused_before_anything_is_said(in_words: ModelServer, words: str) -> None:
    script_planner(in_words, "propose", what="setting", words=words)
    send_message("Please")
    carry_out_all()
    assert "bad_arguments" in in_words.requests[-1].tool_results[0]
    assert not Message.objects.filter(kind="command").exists()


def test_thoughts_are_found_by_handle_and_handed_to_the_writer_without_a_word_for_the_planner(
    in_words: ModelServer,
) -> None:
    Thought.objects.create(title="Canary levers", text="Nine bars", html="<p>x</p>", origin=["coffee.example"])
    catch_up()
    in_words.on(
        lambda r: bool(r.tools) and not r.tool_results, Reply(tools=(ToolUse("find_thoughts", {"words": "levers"}),))
    )
    in_words.on(lambda r: len(r.tool_results) == 1, Reply(tools=(ToolUse("hand_over", {"handle": "t1"}),)))
    in_words.on(lambda r: len(r.tool_results) == 2, text("Summarise it."))
    send_message("What did you find about levers?")
    carry_out_all()
    with_tools = [request.everything for request in in_words.requests if request.tools]
    assert with_tools
    assert not [everything for everything in with_tools if "Canary" in everything]
    assert "Canary levers" in in_words.requests[-1].everything


def test_stopping_and_what_forgets_are_for_the_owner_alone() -> None:
    assert not {"stop", "resume", "forget", "config", "allow", "deny", "cancel"} & TOOLS.keys()


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_command_can_be_asked_for_without_its_slash(command: Command) -> None:
    assert command.planner_calls or command.phrases
    for phrase in command.planner_calls:
        tool, _, what = phrase.partition(" ")
        assert tool in TOOLS
        assert (what in WHATS[tool]) if tool in WHATS else not what


def test_whatever_is_shown_or_proposed_is_what_a_command_does() -> None:
    assert all(command_shown_by(what).act for what in WHATS["show"])
    proposed = {
        phrase.partition(" ")[2]
        for command in COMMANDS.values()
        for phrase in command.planner_calls
        if phrase.startswith("propose ")
    }
    assert proposed == WHATS["propose"]


@pytest.mark.parametrize(("what", "words"), [("cancel", "dentist"), ("cancel", "the reminder to call the dentist")])
def test_what_is_scheduled_is_called_off_by_its_name_after_a_yes(in_words: ModelServer, what: str, words: str) -> None:
    immediate_answer("/remind tomorrow at 9 call the dentist")
    immediate_answer("/remind tomorrow at 9 water the plants")
    script_planner(in_words, "propose", what=what, words=words)
    send_message("I do not need to be reminded of the dentist")
    carry_out_all()
    assert (
        "I would delete the reminder “call the dentist” (once)."
        in Message.objects.get(kind="command", turn_id=None).text
    )
    assert Schedule.objects.kept().count() == 2
    assert immediate_answer("yes").text == "The reminder “call the dentist” (once) is deleted."
    assert [row.name for row in Schedule.objects.kept()] == ["water the plants"]


def test_what_waits_for_the_owner_is_answered_by_their_yes_to_what_was_read_back(in_words: ModelServer) -> None:
    waiting = send_message("What is on beans.example?")
    ask_grant(waiting.pk, "beans.example", "read", "To read pages there.", is_background=False)
    Run.objects.filter(pk=waiting.pk).update(state="parked")
    script_planner(in_words, "propose", what="allow", words="beans.example always")
    send_message("You may always read the beans")
    carry_out_all()
    assert (
        "answer **yes, always** to: May I read pages on beans.example"
        in Message.objects.get(kind="command", turn_id=None).text
    )
    assert not Grant.objects.exists()
    assert immediate_answer("yes").text == "I may read pages on beans.example always."
    assert list(Grant.objects.values_list("host", "state", "scope")) == [("beans.example", "allowed", "always")]


def test_a_stop_in_other_words_is_read_back_and_a_yes_stops_everything_but_itself(in_words: ModelServer) -> None:
    script_planner(in_words, "propose", what="stop")
    send_message("Could you please put an end to all that you are doing?")
    carry_out_all()
    thinking = Run.objects.create(kind="thinking", state="parked")
    assert not stop.is_stopped()
    assert immediate_answer("yes").text.startswith("Stopped. 1 run was cancelled.")
    thinking.refresh_from_db()
    assert (stop.is_stopped(), thinking.state) == (True, "cancelled")


def test_what_runs_in_the_background_is_cancelled_after_a_yes(in_words: ModelServer) -> None:
    Run.objects.create(kind="thinking", state="running", attempt=1, lease_until=SUNDAY + timedelta(hours=1))
    script_planner(in_words, "propose", what="cancel", words="all")
    send_message("End what you do in the background")
    carry_out_all()
    assert "those in the background too (1)" in Message.objects.get(kind="command", turn_id=None).text
    assert immediate_answer("yes").text == "1 run was cancelled."


@pytest.mark.parametrize(("tool", "about"), [("mute", "no such thing"), ("unmute", "tea.example")])
def test_what_is_neither_a_site_nor_a_preference_is_not_muted(in_words: ModelServer, tool: str, about: str) -> None:
    script_planner(in_words, tool, about=about)
    send_message("Please")
    carry_out_all()
    assert "bad_arguments" in in_words.requests[-1].tool_results[0]
    assert (Muting.objects.count(), MutedSite.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("tool", "arguments"), [("mute", {"until": "at 8"}), ("remind", {"when": "at 8", "what": "tea"})]
)
def test_a_time_that_may_be_two_is_kept_by_no_tool(in_words: ModelServer, tool: str, arguments: dict[str, str]) -> None:
    script_planner(in_words, tool, **arguments)
    send_message("Please")
    carry_out_all()
    assert "two_times" in in_words.requests[-1].tool_results[0]
    assert (Muting.objects.count(), Schedule.objects.count()) == (0, 0)
