"""A page that shows a notice in place of its content is not read: the owner is told, with a link to open it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agents.runs.failure_texts import NOTICES, STOOD_IN_THE_WAY
from devices import protocol as p
from tests.client import allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, text, tool

URL = "https://wall.example/a?id=7)%5Bx"
CANARY = "tangerine umbrella"
KINDS = list(p.Notice.model_fields["kind"].annotation.__args__)  # type: ignore[union-attr]


@pytest.fixture
def owner(penny: Penny) -> Iterator[Penny]:
    yield penny
    penny.admin_action("devices/grant", "delete_selected")


def read_wall(owner: Penny, model: ModelServer, words: str, kind: Any) -> tuple[dict[str, Any], str]:
    """Return what the planner got, and the reply."""
    page = make_page(URL, WATER.title, words, notice=p.Notice(kind=kind, text=f"Log in. {CANARY}"), left_out=CANARY)
    model.on(lambda r: bool(r.tools), lambda r: text("So.") if r.tool_results else tool("browse_url", url=URL))
    with owner.client("Desk", tools=browser_tools({URL: page}), answers=allow()) as client:
        client.send(p.GrantSet(host="wall.example", capability="read", state="allowed", scope="always"))
        client.expect(p.Ack, ref="wall.example")
        reply = client.ask(f"What does {URL} say?", 30).text
    [planned] = max((r.tool_results for r in model.requests if r.tools), key=len)
    return json.loads(planned), reply


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_with_a_notice_alone_is_not_read(owner: Penny, model: ModelServer, kind: str) -> None:
    planned, reply = read_wall(owner, model, "", kind)
    assert planned == {"error": NOTICES[kind]}
    assert f"wall.example {STOOD_IN_THE_WAY[NOTICES[kind]]}. [Open it yourself]({URL})." in reply
    assert not any(CANARY in request.everything for request in model.requests)


def test_what_a_page_shows_before_a_paywall_is_read_and_the_rest_is_told(owner: Penny, model: ModelServer) -> None:
    planned, reply = read_wall(owner, model, WATER.text, "paywall")
    assert planned["domain"] == "wall.example"
    assert "error" not in planned
    assert "wall.example shows the rest to subscribers alone. [Open it yourself]" in reply
    assert not any(CANARY in request.everything for request in model.requests)
