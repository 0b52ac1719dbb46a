"""Whose words count as the owner's: the table of callers, tried on each of its rows."""

from itertools import product

import pytest
from constance import config

from agents.commands.authority import OWNER, TABLE, TOKEN
from agents.commands.registry import COMMANDS
from agents.gateway.call import callable_tools
from agents.gateway.catalog import TOOLS
from agents.learning.from_messages import own_words
from agents.models import Memory, Run, Schedule
from devices.grants import asks, grants
from devices.models import Ask, Device, Grant, Message
from devices.owner import stop
from tests.agents.background import carry_out_all, use_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.stand_ins.model_server import ModelServer
from thoughts.models import Preference

pytestmark = pytest.mark.django_db(transaction=True)
HOST = "shop.example"
CONSENTS = ["yes", "yes always", "always", "👍", "ja, immer", "yes 1", "never"]


@pytest.fixture
def program() -> Device:
    """A program with a token: it has no key."""
    return Device.objects.create(label="Editor", kind=Device.Kind.API)


def open_ask() -> Ask:
    return asks.ask_grant(send_message(f"Read {HOST}").pk, HOST, "read", "To read there.", is_background=False)


def test_every_kind_of_device_has_a_row() -> None:
    assert set(TABLE) == set(Device.Kind)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - set(TOKEN.commands or ())))
def test_a_program_runs_no_command_that_changes_or_hands_out_anything(program: Device, name: str) -> None:
    ask, schedules = open_ask(), Schedule.objects.count()
    before = config.SEARCH_TEMPLATE
    for words in ("", "SEARCH_TEMPLATE https://evil.example/?q={}", f"{HOST} always", "1 always", "all"):
        text = immediate_answer(f"/{name} {words}".strip(), program).text
        assert text.startswith(f"`/{name}` works in your browser and on Signal.")
        assert "`/draw` or `/help` or `/status`" in text
    assert (config.SEARCH_TEMPLATE, Schedule.objects.count()) == (before, schedules)
    assert not Grant.objects.filter(host__in=[HOST, "evil.example"]).exists()
    assert not Preference.objects.exists()
    assert (Ask.objects.get(pk=ask.pk).state, stop.is_stopped()) == ("open", False)


@pytest.mark.parametrize("name", sorted(TOKEN.commands or ()))
def test_the_harmless_commands_of_a_program_are_commands(name: str) -> None:
    assert not COMMANDS[name].keeps


@pytest.mark.parametrize("words", CONSENTS)
def test_a_yes_or_no_of_a_program_is_a_question_and_answers_nothing(program: Device, words: str) -> None:
    ask = open_ask()
    run = send_message(words, program)
    assert (run.state, run.message and run.message.kind) == ("queued", "chat")
    assert Ask.objects.get(pk=ask.pk).state == "open"
    assert grants.decide(f"https://{HOST}/", "read", run.pk).grant is None


def test_without_that_row_a_program_would_answer_and_command(program: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.commands.authority.TOKEN", OWNER)
    ask = open_ask()
    immediate_answer("yes always", program)
    immediate_answer("/stop", program)
    assert (Ask.objects.get(pk=ask.pk).state, stop.is_stopped()) == ("allowed", True)


def test_the_same_words_of_the_owner_answer_it() -> None:
    ask = open_ask()
    immediate_answer("yes always")
    assert Ask.objects.get(pk=ask.pk).state == "allowed"


@pytest.mark.parametrize("words", ["stop everything", "cancel", "new subject"])
def test_a_phrase_of_a_program_is_a_question(program: Device, words: str) -> None:
    open_run = send_message("Count to ten")
    assert send_message(words, program).state == "queued"
    open_run.refresh_from_db()
    assert (open_run.state, open_run.cancel_requested_at, stop.is_stopped()) == ("queued", None, False)


def test_a_program_lets_nothing_go_on_after_a_stop(program: Device) -> None:
    immediate_answer("/stop")
    assert "Everything is stopped" in immediate_answer("resume", program).text
    assert stop.is_stopped()


def test_tools_that_change_anything_are_not_offered_to_a_program_s_turn(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer, program: Device
) -> None:
    use_model(monkeypatch, model)
    words = "What is new? Remind me, watch the price, I like it, forget that, compare these and draw one"
    send_message(words, program)
    send_message(words)
    carry_out_all()
    by_program, by_owner = (set(request.tools) for request in model.requests if request.tools)
    assert by_program < by_owner
    assert not {name for name in by_program if TOOLS[name].keeps}
    assert by_owner - by_program >= {"remember", "propose", "watch", "schedule", "show", "prefer", "mute"}


def test_the_tools_of_a_program_read_and_do_not_see_the_owner_s_tabs_or_history() -> None:
    names = {tool.name for tool in TOOLS.values() if "program" in tool.callers}
    assert not names & {"get_current_tab", "get_history"}
    assert {tool.name for tool in callable_tools("program")} <= names


def test_without_a_model_a_program_s_words_are_not_remembered(program: Device) -> None:
    send_message("Remember that my sister is called Ada", program)
    carry_out_all()
    assert not Memory.objects.exists()
    run = send_message("Remember that my sister is called Ada")
    carry_out_all()
    assert "Ada" in Memory.objects.get().text
    assert reply_to(run)


def test_preferences_are_not_learned_from_a_program_s_words(program: Device) -> None:
    texts = ["I have been looking for a good espresso grinder for weeks now", "Tell me about lever machines, please"]
    for text, device in product(texts, (program, None)):
        message = send_message(text, device).message
        assert message is not None
        assert own_words(Message.objects.get(pk=message.pk)) == ("" if device else text)


def test_a_paired_program_proves_its_key_and_may_command() -> None:
    paired = Device.objects.create(label="Terminal", kind=Device.Kind.API, public_key=b"key")
    assert "Stopped" in immediate_answer("/stop", paired).text
    assert Run.objects.filter(message__device=paired, state="done").exists()
