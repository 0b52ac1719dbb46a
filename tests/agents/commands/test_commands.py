"""Commands: the same on every channel, run at once, stored in the one conversation."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import Client

from agents.answers import attachments
from agents.commands.registry import COMMANDS, completions
from agents.frames.answer import answer_frame as answer_frame
from agents.llm.providers import parse_endpoint
from agents.models import Run, Schedule
from agents.turns import obey_command, start
from devices import protocol
from devices.access.handshake import web_device
from devices.conversation import export
from devices.conversation.messages import render_content, store_messages
from devices.grants.asks import ask_grant
from devices.models import Device, Grant, Message
from devices.owner import stop
from devices.owner.account import the_owner
from tests.agents.background import carry_out_all
from tests.agents.commands.asking import ask_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.stand_ins.model_server import ModelServer
from thoughts.index.finds import catch_up
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
ALL = (
    "help status profile config mute unmute like dislike preferences forget think watch schedule remind "
    "draw search export delete restore devices cancel "
    "new stop resume asks allow deny act"
)


def test_the_registry_holds_what_help_lists() -> None:
    assert sorted(COMMANDS) == sorted(ALL.split())
    text = immediate_answer("/help").text
    assert [f"`/{name}" in text for name in COMMANDS] == [True] * len(COMMANDS)


def test_question_and_answer_stand_in_the_conversation_with_their_device() -> None:
    phone = Device.objects.create(label="Phone", kind="browser")
    reply = immediate_answer("/help stop", phone)
    question = reply.parent
    assert question is not None
    assert (question.kind, question.text, question.device_label, question.direction) == (
        "command",
        "/help stop",
        "Phone",
        "in",
    )
    assert (reply.kind, reply.seq, reply.origin) == ("command", question.seq + 1, ["owner", "penny"])
    assert Run.objects.get(turn_id=reply.turn_id).state == "done"


def test_a_command_says_that_it_left_aside_what_came_with_it(settings: Any, model: ModelServer) -> None:
    settings.IMAGE_MODEL = parse_endpoint("openai-compatible:brush", model.url)
    notes = [attachments.make_attachment("notes.txt", "text/plain", b"Mild roast")]
    reply = immediate_answer("/like espresso", attachments=notes)
    assert reply.text == f"I know now that you like “espresso”.\n\n{obey_command.FILES_LEFT}"
    assert immediate_answer("/draw it in blue", attachments=notes).text.startswith(
        "I draw from words alone, and nothing was drawn."
    )
    assert not Run.objects.exclude(state="done").exists()
    immediate_answer("/stop")
    assert immediate_answer("What does this say?", attachments=notes).text.startswith("Everything is stopped")


def test_what_is_sent_again_is_not_done_again() -> None:
    frame = protocol.ChatSend(turn_id=uuid4(), text="/like espresso")
    start.start_turn(the_owner(), web_device(), frame)
    Preference.objects.all().delete()
    assert start.start_turn(the_owner(), web_device(), frame) is None
    assert (Preference.objects.count(), Message.objects.count()) == (0, 2)


@pytest.mark.parametrize(("wrong", "right"), [("/stats", "/status"), ("/scheduel x", "/schedule"), ("/HLP", "/help")])
def test_a_command_that_is_none_is_answered_by_the_nearest(wrong: str, right: str) -> None:
    assert f"Did you mean `{right}`?" in immediate_answer(wrong).text


@pytest.mark.parametrize(
    "words", ["/etc/passwd, what is that?", "1/2", "// a comment", "/", "/ help", "what does /help do"]
)
def test_a_path_or_a_fraction_is_no_command(words: str) -> None:
    assert send_message(words).state == "queued"


@pytest.mark.parametrize("words", ["", " **[x](javascript:1)** <b>", " 99999999999999999999"])
def test_every_command_answers_also_when_nothing_or_nonsense_follows(words: str) -> None:
    for name in ALL.split():
        reply = immediate_answer(f"/{name}{words}")
        assert (reply.kind, bool(reply.text)) == ("command", True)
        assert not re.search(r"<b>|href=.javascript", reply.html)
        immediate_answer("/resume")


def test_a_name_that_is_begun_is_completed(client: Client) -> None:
    assert [command.name for command in completions("/re")] == ["remind", "restore", "resume"]
    client.force_login(the_owner())
    assert [command["name"] for command in client.get("/commands/?q=dev").json()["commands"]] == ["devices"]
    ref = uuid4()
    [reply] = answer_frame(the_owner(), web_device(), protocol.CommandsFetch(ref=ref, begun="unm"))
    assert isinstance(reply, protocol.Commands)
    assert [command.name for command in reply.commands] == ["unmute"]


def test_no_planner_sees_commands_and_none_is_learned_from(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    immediate_answer("/like canary-command")
    ask_model(monkeypatch, model, "Hello")
    assert "canary-command" not in model.requests[-1].everything


def test_what_is_found_again_carries_the_labels_of_its_pages() -> None:
    thought = Thought.objects.create(
        title="Levers and springs", text="Nine bars", html="<p>x</p>", origin=["coffee.example"]
    )
    catch_up()
    send_message("I bought a lever machine")
    reply = immediate_answer("/search lever")
    assert f"/thoughts/{thought.pk}/" in reply.text
    assert "I bought a lever machine" in reply.text
    assert reply.origin == ["coffee.example", "owner", "penny"]


def export_of(client: Client, form: str) -> str:
    @async_to_sync
    async def whole(pieces: Any) -> bytes:
        return b"".join([piece async for piece in pieces])

    answer: Any = client.get(f"/chat/conversation.{form}")
    return whole(answer.streaming_content).decode()


def test_the_conversation_is_taken_along_in_three_forms(client: Client) -> None:
    assert "conversation.md" in immediate_answer("/export").html
    client.force_login(the_owner())
    assert "/export" in export_of(client, "md")
    whole = json.loads(export_of(client, "json"))
    assert [message["seq"] for message in whole] == list(Message.objects.order_by("seq").values_list("seq", flat=True))
    assert [json.loads(line) for line in export_of(client, "jsonl").splitlines()] == whole
    assert client.get("/chat/conversation.exe").status_code == 404


@pytest.mark.parametrize("count", [0, 1, export.ROWS, export.ROWS + 1])
def test_the_exported_json_is_one_list_however_many_messages(client: Client, count: int) -> None:
    owner = the_owner()
    texts = [f"Number {number},\n“{number}”" for number in range(count)]
    with transaction.atomic():
        store_messages(owner, [(render_content(text), {"direction": Message.Direction.IN}) for text in texts])
    client.force_login(owner)
    assert [message["text"] for message in json.loads(export_of(client, "json"))] == texts
    assert [json.loads(line)["text"] for line in export_of(client, "jsonl").splitlines()] == texts
    assert client.get("/chat/conversation.json")["Content-Type"] == "application/json; charset=utf-8"


def test_cancel_ends_answers_and_all_also_the_background() -> None:
    turn, thinking = send_message("Hello"), Run.objects.create(kind="thinking")
    assert immediate_answer("/cancel").text == "1 run was cancelled."
    thinking.refresh_from_db()
    assert thinking.state == "queued"
    carry_out_all()
    assert reply_to(turn).kind == "cancelled"
    Run.objects.create(kind="thinking", state="parked")
    assert immediate_answer("/cancel all").text == "1 run was cancelled."


@pytest.mark.parametrize(
    ("words", "start_of_answer"),
    [
        ("Stop everything!", "Stopped."),
        ("stop", "No answer is being made."),
        ("My reminders", "Say when and what"),
        ("New subject.", "A new subject."),
    ],
)
def test_plain_words_are_a_command_where_they_are_all_that_is_said(words: str, start_of_answer: str) -> None:
    Schedule.objects.all().delete()
    assert immediate_answer(words).text.startswith(start_of_answer)
    immediate_answer("/resume")
    assert send_message(f"{words} is what I wrote yesterday").state == "queued"


def test_while_everything_is_stopped_going_on_needs_no_slash_and_else_is_a_word_like_any_other() -> None:
    assert send_message("Go on").state == "queued"
    immediate_answer("/stop")
    assert immediate_answer("Go on.").text.startswith("I go on.")
    assert not stop.is_stopped()


@pytest.mark.parametrize("words", ["/new", "/New trains", "New topic!"])
def test_a_new_subject_leaves_out_what_was_said_before(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer, words: str
) -> None:
    ask_model(monkeypatch, model, "My cat is called canary")
    immediate_answer(words)
    ask_model(monkeypatch, model, "What is it called?")
    assert "canary" not in model.requests[-1].everything
    assert Message.objects.filter(text__contains="canary").exists()


@pytest.mark.parametrize(
    ("words", "grant"), [("/allow always", ("allowed", "always")), ("/deny always", ("blocked", "always"))]
)
def test_the_only_question_need_not_be_named_to_be_answered_for_ever(words: str, grant: tuple[str, str]) -> None:
    turn = send_message("What is on beans.example?")
    ask_grant(turn.pk, "beans.example", "read", "To read pages there.", is_background=False)
    immediate_answer(words)
    assert list(Grant.objects.values_list("state", "scope")) == [grant]
