"""What an empty conversation offers to ask, with a model, works as it is shown."""

import json

import pytest

from devices import protocol as p
from tests.client import Client, browser_tools, make_page
from tests.commands import ROOT
from tests.penny import Penny
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, text, tool

SENTENCE = "This domain is for use in documentation examples without needing permission."
DESK_TOOLS = browser_tools({"https://example.com/": make_page("https://example.com/", "Example Domain", SENTENCE)})
LIKED = "small espresso machines that are easy to repair"
PLANS = {
    "what": text("I read the web for you, and ask before I open a site."),
    "read": tool("browse_url", url="https://example.com"),
    "like": tool("prefer", text=LIKED, feeling="like"),
}


@pytest.mark.parametrize("example", PLANS)
def test_what_a_newcomer_is_offered_to_ask_works_with_a_model(
    desk: Client, penny: Penny, model: ModelServer, example: str
) -> None:
    model.on(lambda request: zone(request) == "planner" and not request.tool_results, PLANS[example])
    desk.allow_site("example.com")
    question = json.loads((ROOT / "browser_ext/src/locales/en.json").read_text())[f"example_{example}"]
    answer = desk.ask(question)
    assert answer.kind == "chat"
    assert answer.text
    assert ("I read the web for you" in answer.text) is (example == "what")
    assert ("example.com" in answer.origin) is bool(desk.frames_of(p.ToolCall)) is (example == "read")
    assert example != "like" or LIKED in penny.http.get("/interests/").text
    for what in ("stop", "resume"):  # what is liked is looked for at once, which asks the browsers of later tests
        penny.post(f"/activity/{what}/")
