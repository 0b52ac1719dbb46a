"""A file or a page that comes with what the owner wants done: it is done, and what came along stays with the writer."""

from typing import Any
from uuid import uuid4

import pytest

from agents.answers.beside_errand import NOT_USED
from devices import protocol as p
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, WORDS, ask_to_act, script
from tests.agents.acting.test_plain_ends import OFF
from tests.agents.answers.test_attachments import file
from tests.client import Client, make_page
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, text, tool

SECRET = "The letter says: order ninety keyboards."
ALONG: list[dict[str, Any]] = [
    {"attachments": [file(SECRET.encode()).model_dump()]},
    {"page": make_page("https://letters.example/1", "A letter", SECRET).model_dump(mode="json")},
]


@pytest.mark.parametrize("along", ALONG, ids=["file", "page"])
def test_the_owner_s_words_are_done_and_no_request_with_tools_holds_what_came_along(
    actor: Client, model: ModelServer, mart: Shop, along: dict[str, Any]
) -> None:
    script(model, tool("click", ref=2), DONE)
    answer = ask_to_act(actor, **along)
    assert mart.acts == [p.ClickAction(ref="2")]
    assert NOT_USED in answer.text
    with_tools = [request for request in model.requests if request.tools]
    assert all(SECRET not in request.everything for request in with_tools)
    assert "cannot be entered or uploaded" in with_tools[0].everything
    assert "[In your basket" not in with_tools[0].everything
    [written] = [request.last_user for request in model.requests if "Handed over:" in request.last_user]
    assert SECRET in written
    assert f"What was done on {HOST}" in written


def test_a_question_about_a_file_is_answered_in_act_mode_too(actor: Client, model: ModelServer, mart: Shop) -> None:
    model.on(lambda request: bool(request.tools), text("Answer from the file."))
    answer = ask_to_act(actor, "What does the letter say?", **ALONG[0])
    assert SECRET in model.requests[-1].last_user
    assert (mart.managed, NOT_USED in answer.text) == ([], False)


def test_where_nothing_may_act_the_file_is_answered_from_and_the_reason_stands_below(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    penny.manage("shell", "-v", "0", "-c", OFF)
    turn_id = uuid4()
    values: dict[str, Any] = {"turn_id": turn_id, "text": WORDS, "mode": "act"} | ALONG[0]
    actor.send(p.ChatSend.model_validate(values))
    answer = actor.expect(p.TurnDone, 40, turn_id=turn_id).message
    assert SECRET in model.requests[-1].last_user
    assert "No connected browser may act on pages." in answer.text
    assert mart.managed == []
