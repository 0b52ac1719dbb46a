"""What the planner sees of the tools: a small core, and more by need. What may be called stays the gateway's matter."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client as Http
from django.utils import timezone

from agents.gateway.catalog import TOOLS
from agents.gateway.groups import GROUPS, groups_asked_for
from agents.models import Run, Schedule, Step
from agents.worker import tables as tables  # registers the tools that the gateway calls
from devices.db import in_db
from devices.models import Device
from devices.owner.account import the_owner
from tests.agents.background import carry_out_all, use_model
from tests.agents.outbox.send_message import reply_to, send_message
from tests.bench.planner_tools import TOKENS_MAX, TOOLS_MAX, specs_offered, tokens_of, tools_sent
from tests.stand_ins.model_server import ModelServer, Request, text, tool

CORE = {"browse_url", "search_web", "get_current_tab", "search_kept", "hand_over", "remember", "show", "act"}


@pytest.mark.django_db
async def test_the_core_is_nine_tools_and_1100_tokens_at_most_as_they_are_sent() -> None:
    tools = await tools_sent(await in_db(specs_offered)())
    names = {tool["function"]["name"] for tool in tools}
    assert names == CORE | {"open_tools"}
    assert (len(tools) <= TOOLS_MAX, tokens_of(tools) <= TOKENS_MAX) == (True, True), (len(tools), tokens_of(tools))


@pytest.mark.django_db
def test_every_tool_can_be_opened_once() -> None:
    names = [spec.name for spec in specs_offered(*GROUPS)]
    assert sorted(names) == sorted({*TOOLS} - {"open_tools", "use_skill"})


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        ("How hot is the water for espresso?", []),
        ("Summarise https://coffee.example/water", []),
        ("Was steht auf dieser Seite?", []),
        ("Remember that my sister is called Ada", []),
        ("Remind me tomorrow at nine to call the dentist", ["planning"]),
        ("Erinnere mich morgen an den Zahnarzt", ["planning"]),
        ("Kannst du mich um 9 Uhr erinnern?", ["planning"]),
        ("Every  morning, find news about levers", ["planning"]),
        ("Jeden Morgen um acht die Nachrichten", ["planning"]),
        ("Watch this grinder and tell me when it is below 900", ["watching"]),
        ("Sag mir Bescheid, sobald sie wieder lieferbar ist", ["watching"]),
        ("What is the PRICE of the Gaggia?", ["watching"]),
        ("Compare these two machines", ["research"]),
        ("Vergleiche die beiden Maschinen", ["research"]),
        ("Find a video about descaling", ["research"]),
        ("Welche Seite habe ich gestern gesehen?", ["research"]),
        ("I don’t like horoscopes", ["feed"]),
        ("Ich mag Hebelmaschinen", ["feed"]),
        ("Be quiet until tomorrow", ["feed"]),
        ("Forget that I drink tea", ["settings"]),
        ("Vergiss das mit dem Tee", ["settings"]),
        ("My name is Ada", ["settings"]),
        ("Draw a grinder", ["drawing"]),
        ("Zeichne eine Mühle", ["drawing"]),
        ("I like jazz, remind me of the concert", ["planning", "feed"]),
        ("A withdrawn statue and an unpriced undrawn thing", []),  # a stem begins a word
    ],
)
def test_words_that_plainly_ask_for_a_group_open_it(words: str, groups: list[str]) -> None:
    assert groups_asked_for(words) == groups


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> ModelServer:
    use_model(monkeypatch, model)
    Schedule.objects.all().delete()
    every = ["browse_url", "search_web", "get_current_tab", "read_links", "read_metadata", "search_youtube"]
    Device.objects.create(label="Desk", kind="browser", tools=every, connection=str(uuid4()), seen_at=timezone.now())
    return model


@pytest.fixture
def program() -> Device:
    """A program with a token: it has no key."""
    return Device.objects.create(label="Editor", kind=Device.Kind.API)


def calls(model: ModelServer, *uses: tuple[str, dict[str, Any]]) -> None:
    """Script a planner that makes these calls one after the other, and then answers."""
    replies = [tool(name, **arguments) for name, arguments in uses]
    model.on(lambda request: True, lambda request: [*replies, text("Done.")][len(request.tool_results)])


def run_message(words: str, device: Device | None = None, **fields: object) -> Run:
    run = send_message(words, device, **fields)
    carry_out_all()
    run.refresh_from_db()
    return run


def opener(request: Request) -> dict[str, str]:
    """Return the groups that the opener names, and what each is for."""
    [spec] = [tool["function"] for tool in request.body["tools"] if tool["function"]["name"] == "open_tools"]
    listing = dict(line.split(": ", 1) for line in spec["description"].splitlines()[1:])
    assert list(listing) == spec["parameters"]["properties"]["group"]["enum"]
    return listing


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
class TestTurns:
    def test_an_opened_group_is_offered_for_the_rest_of_the_run(self, planned: ModelServer) -> None:
        remind = {"when": "tomorrow at 9", "what": "call Ada"}
        calls(planned, ("open_tools", {"group": "planning"}), ("remind", remind))
        run = run_message("Could you nudge me about Ada?")
        assert reply_to(run).text == "Done."
        first, second, third = planned.requests
        assert first.tools == ["browse_url", "search_web", "get_current_tab", "remember", "show", "open_tools"]
        assert second.tools == third.tools == [*first.tools, "remind", "schedule"]
        assert json.loads(second.tool_results[0]) == {"tools": ["remind", "schedule"]}
        assert list(opener(first)) == ["research", "watching", "planning", "feed", "settings"]
        assert list(opener(second)) == ["research", "watching", "feed", "settings"]
        assert Schedule.objects.get().task == "call Ada"

    def test_words_open_a_group_from_the_start_and_what_follows_goes_on_from_them(self, planned: ModelServer) -> None:
        planned.on(lambda request: True, text("When?"))
        for words in ("Remind me to call Ada", "Tomorrow at nine", "And how is the weather?"):
            run_message(words)
        assert ["remind" in request.tools for request in planned.requests] == [True, True, False]

    def test_words_open_no_group_that_a_small_window_has_no_room_for(
        self, planned: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls(planned, ("open_tools", {"group": "feed"}))
        monkeypatch.setattr("agents.answers.planner.window_of", lambda *_: 1_000)
        run_message("I like levers")
        assert ["prefer" in request.tools for request in planned.requests] == [False, True]

    def test_a_tool_that_was_not_opened_is_obeyed_by_its_name_and_opens_its_group(self, planned: ModelServer) -> None:
        calls(planned, ("functions.remind", {"when": "soon"}), ("remind", {"when": "tomorrow at 9", "what": "call"}))
        run_message("Could you nudge me about Ada?")
        first, second, third = planned.requests
        assert ("remind" in first.tools, "schedule" in second.tools) == (False, True)
        assert json.loads(second.tool_results[0]) == {"error": "bad_arguments"}
        assert "kept" in json.loads(third.tool_results[1])

    def test_a_call_in_words_of_a_tool_that_was_not_opened_is_one(self, planned: ModelServer) -> None:
        call = json.dumps({"name": "remind", "arguments": {"when": "tomorrow at 9", "what": "call"}})
        planned.on(lambda request: True, lambda request: text("Done." if request.tool_results else call))
        assert reply_to(run_message("Could you nudge me about Ada?")).text == "Done."
        assert Schedule.objects.get().task == "call"

    def test_an_attempt_after_an_interruption_offers_the_same_and_may_open_again(self, planned: ModelServer) -> None:
        calls(planned, ("open_tools", {"group": "feed"}))
        run = send_message("Remind me of what is new")
        Run.objects.filter(pk=run.pk).update(attempt=1)
        Step.objects.create(run=run, kind="tool", zone="planner", name="open_tools", state="done")
        carry_out_all()
        run.refresh_from_db()
        assert (run.attempt, run.state) == (2, "done")
        first, second = (set(request.tools) for request in planned.requests)
        assert ({"remind", "schedule"} <= first, second - first >= {"prefer", "mute"}) == (True, True)

    def test_a_program_opens_what_reads_and_nothing_that_it_may_not_call(
        self, planned: ModelServer, program: Device
    ) -> None:
        calls(
            planned,
            *(("open_tools", {"group": group}) for group in ("feed", "planning", "watching", "all")),
            ("remind", {"when": "tomorrow at 9", "what": "call"}),
        )
        run_message("Remind me, watch the price, forget that I like it, every day", program)
        names = {name for request in planned.requests for name in request.tools}
        assert not {name for name in names if TOOLS[name].keeps or "program" not in TOOLS[name].callers}
        assert set(opener(planned.requests[0])) == {"research"}  # the words opened feed and settings
        assert [json.loads(result) for result in planned.requests[-1].tool_results] == [
            {"tools": ["find_thoughts"]},
            *[{"error": "no_such_tools"}] * 2,
            {"error": "bad_arguments"},
            {"error": "unknown_tool", "tools": sorted(TOOLS)},
        ]
        assert not Schedule.objects.exists()

    def test_a_temporary_chat_sees_no_tool_that_keeps_and_hears_why(self, planned: ModelServer) -> None:
        calls(
            planned,
            *(("open_tools", {"group": group}) for group in ("planning", "feed")),
            ("remind", {"when": "tomorrow at 9", "what": "call"}),
        )
        run_message("Remind me to call Ada, I like her", temporary=True)
        names = {name for request in planned.requests for name in request.tools}
        assert not {name for name in names if TOOLS[name].keeps}
        assert list(opener(planned.requests[0])) == ["research", "settings"]
        assert [json.loads(result) for result in planned.requests[-1].tool_results] == [
            {"error": "no_such_tools"},
            {"tools": ["find_thoughts"]},
            {"error": "temporary_chat"},
        ]
        assert "This conversation is temporary" in planned.requests[0].everything
        run_message("Hello")
        assert "This conversation is temporary" not in planned.requests[-1].everything

    def test_the_page_of_the_run_shows_the_opening_in_plain_words(self, planned: ModelServer, client: Http) -> None:
        calls(planned, ("open_tools", {"group": "planning"}))
        run = run_message("Could you nudge me about Ada?")
        assert Step.objects.filter(run=run, kind="tool", name="open_tools", state="done").exists()
        client.force_login(the_owner())
        html = client.get(f"/runs/{run.pk}/").content.decode()
        assert "Get out more tools" in html
