"""A worker that is killed in the middle of an errand: each act happens once, or what is unknown is said."""

from uuid import uuid4

import pytest

from devices import protocol as p
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, is_operator, result_of, script
from tests.chaos.faults import kill
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, Reply, Request, tool

pytestmark = pytest.mark.processes("processes are killed")

WORDS = f"Put the quiet keyboard into the basket on https://{HOST}/keyboards"


def run_to_its_end(client: Client) -> None:
    turn_id = uuid4()
    client.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    client.expect(p.TurnDone, 60, turn_id=turn_id)


@pytest.mark.parametrize("moment", ["before it is answered", "after it was answered"])
def test_an_act_happens_once_though_its_worker_is_killed(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop, moment: str
) -> None:
    is_killed = False

    def kill_once(_: object) -> None:
        nonlocal is_killed
        if not is_killed:
            is_killed = True
            kill(penny, "worker")

    if moment == "before it is answered":
        mart.before_act = kill_once
        script(model, tool("click", ref=2), DONE)
    else:

        def answer_late(request: Request) -> Reply:
            kill_once(request)
            return DONE

        script(model, tool("click", ref=2), answer_late, DONE)
    run_to_its_end(actor)
    assert is_killed
    assert mart.acts == [p.ClickAction(ref="2")]
    assert result_of(model)["outcome"] == "done"
    assert mart.managed == ["open", "release"]
    last = [request for request in model.requests if is_operator(request)][-1].everything
    assert "1 Click [2 button Add to basket]" in last
    assert "Act 1 was done" in last


def test_an_act_that_may_have_happened_is_said(penny: Penny, actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.before_act = lambda _: kill(penny, "worker")
    mart.forgets_its_act = True
    script(model, tool("click", ref=2), tool("done", outcome="partial", summary="It may be there."))
    run_to_its_end(actor)
    last = [request for request in model.requests if is_operator(request)][-1].everything
    assert "Act 1 may have happened" in last
    assert len(mart.acts) == 1
