"""A temporary question: answered on its device alone, and forgotten after a minute."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from constance.utils import get_values
from django.apps import apps
from django.db import models
from django.utils import timezone

from agents.answers.conversation import history
from agents.answers.reply import Reply
from agents.commands import understand as understand
from agents.commands.registry import COMMANDS
from agents.gateway.call import call_tool
from agents.gateway.catalog import TOOLS
from agents.llm.messages import ToolRequest
from agents.memory.models import Memory
from agents.models import Proposal, Run, Step
from agents.runs.context import Content, Context
from agents.runs.handles import Handles
from agents.schedules import reminders
from agents.turns.finish import finish_turn
from agents.turns.start import start_turn
from agents.worker import forget_temporary
from devices import protocol as p
from devices.access.handshake import web_device
from devices.conversation import messages
from devices.models import Ask, BrowserCall, Message
from devices.owner import stop
from devices.owner.account import the_owner
from tests.agents.background import NO_MODELS, carry_out_all
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer
from thoughts.models import Page

URL = "https://coffee.example/water"
WORDS = "canary-question"


def start_temporary_turn(**fields: object) -> Run:
    frame = p.ChatSend.model_validate({"turn_id": uuid4(), "text": WORDS, "temporary": True} | fields)
    run = start_turn(the_owner(), web_device(), frame)
    assert run is not None
    return run


def finish(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state="running", attempt=1, started_at=timezone.now())
    run.refresh_from_db()
    assert finish_turn(run, Reply("canary-answer", [], ["owner", "penny"]))


# Arguments for each tool that stores something.
KEEPING: dict[str, dict[str, object]] = {
    "remember": {"text": "I roast at home"},
    "watch": {"page": URL, "when_back": True},
    "remind": {"when": "tomorrow at 9", "what": "canary-wish"},
    "schedule": {"when": "every day at 9", "what": "canary-wish"},
    "prefer": {"text": "canary-wish", "feeling": "like"},
    "set_profile": {"part": "place", "value": "canary-wish"},
    "think": {"words": "canary-wish"},
    "mute": {"until": ""},
    "unmute": {},
    "show": {"what": "preferences"},
    "propose": {"what": "export"},
}
COMMANDING = {
    "act": "on",
    "like": "canary-wish", "dislike": "canary-wish", "forget": "espresso", "schedule": "every day at 9: canary-wish",
    "remind": "tomorrow at 9 canary-wish", "watch": f"{URL} back in stock", "think": "canary-wish",
    "profile": "place canary-wish",
    "config": "QUIET_FROM 21:07", "mute": "", "unmute": "", "new": "", "delete": "", "restore": "",
}  # fmt: skip


def call(context: Context, tool: str = "remember") -> Content:
    return async_to_sync(call_tool)(context, ToolRequest("1", tool, json.dumps(KEEPING[tool])))


def stored_rows() -> dict[str, list[object]]:
    """Return the rows of all tables but those in which a turn records itself."""
    own = {"Run", "Step", "Message", "Conversation", "Device"}
    return {
        model.__name__: list(model._base_manager.values()) for model in apps.get_models() if model.__name__ not in own
    }


def rows_with(word: str) -> list[str]:
    """Return the tables in which a word occurs, once for each row."""
    tables = []
    for model in apps.get_models():
        texts = (models.TextField, models.CharField, models.JSONField)
        fields = [field.name for field in model._meta.concrete_fields if isinstance(field, texts)]
        rows = model._base_manager.values_list(*fields) if fields else []
        tables += [model.__name__ for row in rows if word in str(row)]
    return tables


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
class TestForgetting:
    def test_nothing_is_left_a_minute_after_the_answer(self) -> None:
        run = start_temporary_turn()
        assert run.message is not None
        read = Page.objects.create(
            url=URL, domain="coffee.example", title="canary-title", text="canary-text", sha256="0"
        )
        run.message.sources.add(read)
        Step.objects.create(run=run, kind="model", zone="planner", name="x", request={"turns": ["canary-step"]})
        call = {"connection": "x", "run_id": run.pk, "tool": "browse_url", "arguments": {"url": "canary-call"}}
        BrowserCall.objects.create(device=web_device(), deadline_at=timezone.now(), **call)
        Ask.objects.create(run_id=run.pk, text="canary-ask", prompt_until=timezone.now(), expires_at=timezone.now())
        finish(run)
        assert (
            forget_temporary.forget_temporary_turns(timezone.now() + forget_temporary.KEPT - timedelta(seconds=5)) == 0
        )
        assert rows_with("canary")
        assert (
            forget_temporary.forget_temporary_turns(timezone.now() + forget_temporary.KEPT + timedelta(seconds=5)) == 1
        )
        assert rows_with("canary") == []
        assert not Run.objects.exists()

    def test_a_page_that_something_else_cites_stays(self) -> None:
        run = start_temporary_turn()
        assert run.message is not None
        read = Page.objects.create(url=URL, domain="coffee.example", title="x", text="x", sha256="0")
        run.message.sources.add(read)
        start_turn(the_owner(), web_device(), p.ChatSend(turn_id=uuid4(), text="kept"))
        Message.objects.get().sources.add(read)
        finish(run)
        forget_temporary.forget_temporary_turns(timezone.now() + timedelta(hours=1))
        assert Page.objects.get() == read

    def test_what_still_runs_is_not_forgotten(self) -> None:
        start_temporary_turn()
        assert forget_temporary.forget_temporary_turns(timezone.now() + timedelta(hours=1)) == 0

    def test_it_takes_no_place_in_the_conversation_and_sees_nothing_of_it(self) -> None:
        start_turn(the_owner(), web_device(), p.ChatSend(turn_id=uuid4(), text="Before"))
        run = start_temporary_turn()
        finish(run)
        start_turn(the_owner(), web_device(), p.ChatSend(turn_id=uuid4(), text="After"))
        assert [(message.seq, message.text) for message in Message.objects.all()] == [(1, "Before"), (2, "After")]
        assert run.message is not None
        after = Message.objects.get(seq=2)
        assert [[entry.text for entry in entries] for entries in history.recent_entries([run.message, after])] == [
            [],
            ["Before"],
        ]
        assert messages.messages_before(the_owner(), 99, 50)[0] == list(Message.objects.all())
        assert messages.messages_holding(the_owner(), "canary", None, 20) == ([], False)

    def test_nothing_of_it_is_remembered(self) -> None:
        run = start_temporary_turn(text="Remember that I roast at home")
        context = Context(run, "planner", Handles([]), "", models=NO_MODELS, numbers=get_values())
        assert call(context) == {"error": "temporary_chat"}
        assert Memory.objects.count() == 0
        assert run.message is not None
        run.message.seq = 1  # the same in the conversation works
        assert call(Context(run, "planner", Handles([]), "", models=NO_MODELS, numbers=get_values())) == {
            "is_new": True
        }

    @pytest.mark.parametrize("tool", [tool.name for tool in TOOLS.values() if tool.keeps])
    def test_no_tool_of_it_keeps_anything(self, tool: str) -> None:
        run = start_temporary_turn(text=f"Please, {URL}")
        before, count = stored_rows(), Message.objects.count()
        context = Context(run, "planner", Handles([f"Please, {URL}"]), "", models=NO_MODELS, numbers=get_values())
        assert call(context, tool) == {"error": "temporary_chat"}
        tables = {table for table, rows in stored_rows().items() if rows != before[table]}
        assert (tables, Message.objects.count()) == (set(), count)
        assert run.message is not None
        run.message.seq = 1
        assert call(context, tool) != {"error": "temporary_chat"}

    @pytest.mark.parametrize("name", [command.name for command in COMMANDS.values() if command.keeps])
    def test_no_command_in_it_keeps_anything(self, name: str) -> None:
        the_owner()
        web_device()
        before = stored_rows()
        run = start_temporary_turn(text=f"/{name} {COMMANDING[name]}")
        answer = Message.all_rows.get(turn_id=run.turn_id, direction="out")
        assert "temporary chat, of which I keep nothing" in answer.text
        tables = {table for table, rows in stored_rows().items() if rows != before[table]}
        assert (tables, Message.objects.count()) == (set(), 0)

    def test_other_commands_are_obeyed_in_it(self) -> None:
        run = start_temporary_turn(text="/stop")
        assert stop.is_stopped()
        assert "temporary" not in Message.all_rows.get(turn_id=run.turn_id, direction="out").text

    def test_nothing_that_is_kept_is_called_off_in_it(self) -> None:
        reminders.store_reminder("call the dentist", "", timezone.now(), None)
        run = start_temporary_turn(text="/cancel dentist")
        assert (
            "temporary chat, of which I keep nothing" in Message.all_rows.get(turn_id=run.turn_id, direction="out").text
        )
        assert not Proposal.objects.exists()

    def test_a_passage_of_a_page_is_not_remembered(self) -> None:
        run = start_temporary_turn(text="Remember this.", page=make_page(URL, "A", "canary-passage"))
        carry_out_all()
        assert (
            "temporary chat, of which I keep nothing" in Message.all_rows.get(turn_id=run.turn_id, direction="out").text
        )
        assert not Memory.objects.exists()

    def test_asked_again_it_is_the_same_turn(self) -> None:
        run = start_temporary_turn()
        again = p.ChatSend(turn_id=run.turn_id, text=WORDS, temporary=True) if run.turn_id else None
        assert again is not None
        assert start_turn(the_owner(), web_device(), again) is None


DESK_TOOLS = browser_tools({URL: make_page(URL, WATER.title, WATER.text)})
DESK_ANSWERS = allow("always")


def test_it_is_answered_where_it_was_asked_and_nowhere_else(desk: Client, penny: Penny, model: ModelServer) -> None:
    with penny.client("Phone") as phone:
        desk.ask("canary-before, which is kept")
        model.requests.clear()
        desk.send(
            frame := p.ChatSend(turn_id=uuid4(), text=f"How is espresso brewed, canary-asked? {URL}", temporary=True)
        )
        message = desk.expect(p.TurnDone, 30, turn_id=frame.turn_id).message
        assert (message.temporary, message.seq, "coffee.example" in message.origin) == (True, 0, True)
        assert WATER.paragraphs[0] in message.text
        assert desk.frames_of(p.TurnStatus, turn_id=frame.turn_id)
        assert "canary-before" not in "".join(request.everything for request in model.requests)
        model.requests.clear()
        desk.ask("What did I ask?")
        assert "canary-asked" not in "".join(request.everything for request in model.requests)
        phone.ask("Hello")
        assert [
            received_frame
            for received_frame in phone.frames
            if str(frame.turn_id) in str(received_frame) or "canary-asked" in str(received_frame)
        ] == []
        assert "canary-asked" not in penny.http.get("/chat/").text
