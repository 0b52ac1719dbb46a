"""Skills in a turn: selectors go to the browser, results and notes to the reader."""

import json
from collections.abc import Iterator

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse, text
from tests.waiting import until

HOST = "forum.coffee.example"
URL = f"https://{HOST}/threads/1"
FOUND = [
    p.PageField(name="title", texts=["Brewing at home"]),
    p.PageField(name="posts", texts=["Use 93 degrees.", "That worked for me."]),
]
PAGE = make_page(URL, WATER.title, WATER.text)
NOTES = "Look for the post in which somebody says that it worked"


@pytest.fixture
def granted(penny: Penny) -> Iterator[None]:
    with penny.client("Helper") as helper:
        helper.allow_site(HOST)
    yield
    penny.admin_action("devices/grant", "delete_selected")


def last_call(client: Client) -> p.ToolCall:
    client.ask(f"How is espresso brewed? {URL}", 30)
    return client.frames_of(p.ToolCall)[-1]


def of(model: ModelServer, role: str) -> list[Request]:
    return [request for request in model.requests if zone(request) == role]


@pytest.mark.usefixtures("granted")
def test_what_a_skill_looks_for_and_its_notes_reach_the_reader_and_no_request_with_tools(
    penny: Penny, model: ModelServer
) -> None:
    tools = {"browse_url": lambda _: PAGE.model_copy(update={"fields": FOUND}), p.RUNS_SELECTORS: lambda _: None}
    with penny.client("New browser", tools=tools, answers=allow()) as client:
        call = last_call(client)
    assert isinstance(call.arguments, p.BrowseUrlArguments)
    assert {selector.name for selector in call.arguments.selectors or []} >= {"title", "posts"}
    [reader] = of(model, "reader")
    assert NOTES in reader.everything
    assert "title: Brewing at home" in reader.last_user
    assert "posts:\n- Use 93 degrees.\n- That worked for me." in reader.last_user
    for request in model.requests:
        if request.tools:
            assert NOTES not in request.everything
            assert "That worked for me" not in request.everything


@pytest.mark.usefixtures("granted")
def test_a_browser_that_does_not_take_selectors_gets_none(penny: Penny, model: ModelServer) -> None:
    with penny.client("Old browser", tools=browser_tools({URL: PAGE}), answers=allow()) as client:
        call = last_call(client)
    assert json.loads(call.model_dump_json())["arguments"] == {"url": URL, "session": "owner"}
    assert NOTES in of(model, "reader")[0].everything


@pytest.mark.usefixtures("granted")
def test_a_planner_reads_the_notes_of_a_skill_by_its_name_and_only_of_those_that_are_offered(
    penny: Penny, model: ModelServer
) -> None:
    calls = [Reply(tools=(ToolUse("use_skill", {"name": name}),)) for name in ("forum", "youtube")]
    model.on(lambda request: bool(request.tools), lambda request: [*calls, text("Done.")][len(request.tool_results)])
    with penny.client("Desk") as client:
        client.ask("What do people say about grinders?", 30)
    first, second, third = (request for request in model.requests if zone(request) == "planner")
    assert "- forum: Reads threads of discussion boards" in first.everything
    assert "youtube" not in first.everything
    assert NOTES not in first.everything
    assert NOTES in second.everything
    assert '"characters"' in second.tool_results[0]
    assert "unknown_skill" in third.tool_results[1]
    assert "use_skill" not in third.tools


def test_without_a_grant_no_skill_is_named_and_nothing_can_be_asked_for(penny: Penny, model: ModelServer) -> None:
    with penny.client("Desk") as client:
        client.ask("What do people say about grinders?", 30)
    planner = of(model, "planner")[0]
    assert "skill" not in planner.everything
    assert "use_skill" not in planner.tools


@pytest.mark.usefixtures("granted")
def test_a_trial_shows_what_a_browser_finds_without_a_model_and_keeps_no_page(penny: Penny, model: ModelServer) -> None:
    tools = {
        "browse_url": lambda _: PAGE.model_copy(update={"fields": FOUND, "words": 4321}),
        p.RUNS_SELECTORS: lambda _: None,
    }
    with penny.client("New browser", tools=tools):
        address = str(penny.post("/permissions/skills/of/forum/try/", url=URL, version="1").url)
        until(lambda: "That worked for me." in penny.http.get(address).text, "the trial shows what was found")
    html = penny.http.get(address).text
    assert "4,321 words" in html
    assert html.count("nothing found") == 3  # of the authors, the dates and the threads
    assert model.requests == []


@pytest.mark.usefixtures("granted")
def test_a_trial_says_that_a_browser_is_too_old_for_it(penny: Penny) -> None:
    with penny.client("Old browser", tools=browser_tools({URL: PAGE})):
        address = str(penny.post("/permissions/skills/of/forum/try/", url=URL).url)
        until(lambda: "no connected browser can try a skill" in penny.http.get(address).text, "the trial says so")
