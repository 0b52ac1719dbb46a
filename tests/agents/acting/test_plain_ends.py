"""Whatever keeps Penny from acting: a plain sentence, and a button that mends it."""

import pytest

from devices import protocol as p
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, ask_to_act, script
from tests.agents.acting.test_steering import begin, end_of, last_state
from tests.client import Client, allow
from tests.pages import squeeze
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, text, tool

OFF = "from devices.models import Device; Device.objects.update(act_use=False)"


def activity(penny: Penny) -> str:
    return squeeze(penny.http.get("/activity/").text)


def test_without_a_browser_that_may_act_the_answer_says_so(penny: Penny, actor: Client, model: ModelServer) -> None:
    penny.manage("shell", "-v", "0", "-c", OFF)
    script(model, DONE)
    answer = ask_to_act(actor)
    assert "No connected browser may act on pages." in answer.text
    assert "[See your browsers](" in answer.text


def test_without_a_connected_browser_the_answer_says_which_to_open(
    penny: Penny, actor: Client, model: ModelServer
) -> None:
    script(model, DONE)
    actor.close()
    with penny.client("Phone") as phone:
        answer = ask_to_act(phone)
    assert "No browser is connected that I could act in." in answer.text
    assert "[Connect a browser](" in answer.text
    actor.connect()


def test_with_an_old_extension_alone_the_answer_says_to_install_a_newer_one(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    script(model, DONE)
    actor.close()
    with Client(penny.pair("Old"), tools={"read_tab": mart.read_tab}) as old:
        answer = ask_to_act(old)
    assert "extension is too old to act on pages" in answer.text
    assert "[Update the extension](" in answer.text
    actor.connect()


def test_without_permission_the_answer_says_whose_it_needs(actor: Client, model: ModelServer) -> None:
    actor.answers = lambda ask: p.GrantAnswer(request_id=ask.request_id, decision="dismiss")
    script(model, DONE)
    answer = ask_to_act(actor)
    assert f"You did not let me act on {HOST}." in answer.text
    assert "[See your sites](" in answer.text


@pytest.mark.parametrize("tool_name", ["manage_tab", "snapshot_page"])
def test_a_closed_tab_is_said(actor: Client, model: ModelServer, tool_name: str) -> None:
    actor.tools[tool_name] = lambda _: p.ToolError(code="no_tab", message="It is closed.")
    script(model, tool("click", ref=2), DONE)
    answer = ask_to_act(actor)
    assert f"The tab with {HOST} is closed" in answer.text
    assert "[See what was done](" in answer.text


def test_of_two_browsers_the_one_that_was_asked_in_acts(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    other = Shop()
    pairing = penny.pair("Other")
    penny.manage("shell", "-v", "0", "-c", OFF.replace("False", "True"))
    with Client(pairing, tools=other.tools, answers=allow("run")):
        script(model, tool("click", ref=2), DONE)
        ask_to_act(actor)
    assert (len(mart.acts), other.managed) == (1, [])


def test_errands_are_listed_with_their_end_and_stopped_there(penny: Penny, actor: Client, model: ModelServer) -> None:
    script(model, *[tool("look")] * 30)
    ask_to_act(actor)
    assert f"I went in circles on {HOST} and stopped." in activity(penny)
    script(model, text("I think, word by word, for long.", every_s=5), DONE)
    turn_id = begin(actor)
    errand = last_state(actor, "running")
    page = activity(penny)
    assert "Put the quiet keyboard into the basket" in page
    [run] = {part.split("/")[0] for part in page.split("/activity/runs/")[1:] if "/stop/" in part[:60]}
    penny.post(f"/activity/runs/{run}/stop/")
    end_of(actor, turn_id)
    assert last_state(actor, "cancelled").id == errand.id
    assert f"You stopped it on {HOST}." in activity(penny)
