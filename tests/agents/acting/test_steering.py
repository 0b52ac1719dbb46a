"""An errand as its owner sees it and steers it: live, stopped, taken over, given back."""

import random
import time
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests.agents.acting.conftest import steer
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, GOAL, WORDS, ask_to_act, is_operator, result_of, script
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, Reply, Request, text, tool
from tests.waiting import until

MINUTES_31_AGO = (
    "from agents.models import Errand; from django.utils import timezone; from datetime import timedelta; "
    "Errand.objects.update(paused_at=timezone.now() - timedelta(minutes=31))"
)


def begin(client: Client) -> UUID:
    turn_id = uuid4()
    client.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    return turn_id


def end_of(client: Client, turn_id: UUID) -> p.TurnDone | p.TurnFailed:
    def ends() -> list[p.TurnDone | p.TurnFailed]:
        return [*client.frames_of(p.TurnDone, turn_id=turn_id), *client.frames_of(p.TurnFailed, turn_id=turn_id)]

    until(ends, "the turn ends", 40)
    return ends()[0]


def states_of(client: Client) -> list[str]:
    return [frame.errand.state for frame in client.frames_of(p.ErrandChanged)]


def last_state(client: Client, state: str) -> p.ErrandInfo:
    until(lambda: states_of(client)[-1:] == [state], f"the errand is {state}", 20)
    return client.frames_of(p.ErrandChanged)[-1].errand


def test_an_errand_is_shown_while_it_goes_on(actor: Client, model: ModelServer) -> None:
    script(model, tool("click", ref=2), DONE)
    ask_to_act(actor)
    errands = [frame.errand for frame in actor.frames_of(p.ErrandChanged)]
    errands = [errand for errand in errands if errand.id == errands[-1].id]
    assert {(errand.goal, errand.host) for errand in errands} == {(GOAL, HOST)}
    assert f"Clicking on {HOST}" in [errand.line for errand in errands]
    assert errands[-1].state == "done"
    assert 0 < errands[-1].steps < errands[-1].steps_max == 60


def test_a_surface_that_comes_later_is_told_of_the_errand(penny: Penny, actor: Client, model: ModelServer) -> None:
    script(model, tool("take_over", why="sign_in"), DONE)
    turn_id = begin(actor)
    errand = last_state(actor, "paused")
    with penny.client("Later") as later:
        assert last_state(later, "paused") == errand
        steer(later, errand.id, "stop")
    end_of(actor, turn_id)


def test_stop_ends_the_request_and_nothing_is_done_any_more(actor: Client, model: ModelServer, mart: Shop) -> None:
    script(model, text("I think about it for a long time, word by word.", every_s=5), tool("click", ref=2))
    turn_id = begin(actor)
    until(lambda: any(is_operator(request) for request in model.requests), "the operator is asked", 20)
    errand = last_state(actor, "running")
    assert steer(actor, errand.id, "stop") == "ack"
    assert end_of(actor, turn_id).message.kind == "cancelled"
    assert last_state(actor, "cancelled").code == "cancelled"
    assert (mart.acts, mart.managed) == ([], ["open", "release"])


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_after_stop_no_act_is_made_whenever_it_comes(actor: Client, model: ModelServer, mart: Shop, seed: int) -> None:
    script(model, *[tool("click", ref=2 if number % 2 else 3) for number in range(40)])
    turn_id = begin(actor)
    errand = last_state(actor, "running")
    time.sleep(random.Random(seed).uniform(0, 0.4))  # it ends by itself after that
    assert steer(actor, errand.id, "stop") == "ack"
    time.sleep(0.3)
    acts = len(mart.acts)
    end_of(actor, turn_id)
    assert len(mart.acts) == acts
    assert steer(actor, errand.id, "stop") == "no_errand"


def test_who_takes_the_page_has_it_until_they_give_it_back(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    script(model, tool("click", ref=2), tool("take_over", why="sign_in"), DONE)
    turn_id = begin(actor)
    errand = last_state(actor, "paused")
    assert errand.code == "sign_in"
    assert mart.managed == ["open"]
    running = "from agents.models import Run; print(Run.objects.filter(state='running').count())"
    until(lambda: penny.manage("shell", "-v", "0", "-c", running).strip() == "0", "the run gave its slot back", 10)
    mart.text += "\nSigned in as Ada"
    assert steer(actor, errand.id, "hand_back") == "ack"
    assert isinstance(end_of(actor, turn_id), p.TurnDone)
    last = [request for request in model.requests if is_operator(request)][-1].everything
    assert "Signed in as Ada" in last
    assert "The owner had the page" in last
    assert len(mart.acts) == 1
    assert mart.managed == ["open", "release"]
    assert result_of(model)["outcome"] == "done"


def test_the_planner_is_not_asked_again_for_an_errand_that_was_parked(actor: Client, model: ModelServer) -> None:
    script(model, tool("take_over", why="captcha"), DONE)
    turn_id = begin(actor)
    errand = last_state(actor, "paused")
    assert steer(actor, errand.id, "hand_back") == "ack"
    end_of(actor, turn_id)
    assert len([request for request in model.requests if "act" in request.tools and not request.tool_results]) == 1


def test_the_owner_takes_over_in_the_middle_of_a_request(actor: Client, model: ModelServer, mart: Shop) -> None:
    is_first = True

    def slow(_: Request) -> Reply:
        nonlocal is_first
        is_first, was_first = False, is_first
        return text("I think about it, word by word, for long.", every_s=5) if was_first else tool("click", ref=2)

    script(model, slow, tool("click", ref=2), DONE)
    turn_id = begin(actor)
    until(lambda: any(is_operator(request) for request in model.requests), "the operator is asked", 20)
    errand = last_state(actor, "running")
    assert steer(actor, errand.id, "take_over") == "ack"
    assert last_state(actor, "paused").code == "owner_took_over"
    assert mart.acts == []
    assert steer(actor, errand.id, "take_over") == "no_errand"
    assert steer(actor, errand.id, "hand_back") == "ack"
    assert isinstance(end_of(actor, turn_id), p.TurnDone)
    assert len(mart.acts) == 1


def test_input_of_the_owner_on_the_page_is_a_take_over(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.fails = {"2": "owner_took_over"}
    script(model, tool("click", ref=2), DONE)
    turn_id = begin(actor)
    errand = last_state(actor, "paused")
    assert steer(actor, errand.id, "stop") == "ack"
    assert end_of(actor, turn_id).message.kind == "cancelled"
    assert last_state(actor, "cancelled")
    until(lambda: mart.managed == ["open", "release"], "the tab is given back", 10)


def test_a_page_that_nobody_gives_back_ends_the_errand(penny: Penny, actor: Client, model: ModelServer) -> None:
    script(model, tool("take_over", why="payment"), DONE)
    turn_id = begin(actor)
    last_state(actor, "paused")
    penny.manage("shell", "-v", "0", "-c", MINUTES_31_AGO)
    penny.tick()
    end_of(actor, turn_id)
    assert result_of(model)["why"] == "not_handed_back"


def test_nobody_steers_an_errand_that_does_not_exist(actor: Client) -> None:
    assert steer(actor, uuid4(), "stop") == "no_errand"


@pytest.mark.processes("the worker is killed")
def test_what_was_done_before_a_kill_is_not_done_again(penny: Penny, actor: Client, model: ModelServer) -> None:
    """An errand that is over stays over, though its turn is answered by another attempt."""
    from tests.chaos.faults import kill

    is_killed = False

    def write(request: Request) -> bool:
        nonlocal is_killed
        if is_operator(request) or offers_errand(request) or is_killed or not request.tool_results:
            return False
        is_killed = True
        kill(penny, "worker")
        return False

    def offers_errand(request: Request) -> bool:
        return "act" in request.tools and not request.tool_results

    script(model, tool("click", ref=2), DONE)
    model.on(write, text("never"))
    end_of(actor, begin(actor))
    assert is_killed
    assert len([request for request in model.requests if offers_errand(request)]) == 1
