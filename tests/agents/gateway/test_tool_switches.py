"""A tool that the owner switched off for a browser is not called there, and Penny says why."""

from collections.abc import Iterator

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, text, tool

URL = "https://coffee.example/grind"
PAGES = {URL: make_page(URL, "Grinding", "Grind finer for espresso. " * 20)}


@pytest.fixture
def paired(penny: Penny) -> Iterator[Client]:
    with penny.client(tools=browser_tools(PAGES, []), answers=allow()) as client:
        yield client


def read(client: Client, model: ModelServer) -> list[str]:
    model.on(lambda r: bool(r.tools) and not r.tool_results, tool("browse_url", url=URL))
    model.on(lambda r: bool(r.tool_results), text("That is all."))
    client.ask(f"Read {URL}", 30)
    return [str(result) for request in model.requests for result in request.tool_results]


def test_a_switched_off_tool_is_refused_with_its_reason(penny: Penny, paired: Client, model: ModelServer) -> None:
    penny.post(f"/permissions/browsers/{paired.pairing.device_id}/tool/", tool="browse_url", on="no")
    assert read(paired, model) == ['{"error":"switched_off"}']
    assert not paired.frames_of(p.ToolCall)


def test_with_the_switch_on_the_browser_is_called(paired: Client, model: ModelServer) -> None:
    read(paired, model)
    assert paired.frames_of(p.ToolCall)
