"""Errands of many acts whose worker is killed again and again: each act happens once."""

import random
import re
import time
from collections import Counter
from functools import partial
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import script
from tests.chaos.faults import kill
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse, tool
from tests.waiting import until

pytestmark = pytest.mark.processes("processes are killed")

BATCH = 2
KILLS_OF_AN_ERRAND = 4  # a run has five attempts
ERRAND_S = 300
IN = re.compile(r"In your basket: (\d+)")


def enter_all(acts: int, request: Request) -> Reply:
    """Enter the items that the page does not show yet, two at a time."""
    newest = max([0, *map(int, IN.findall(request.everything))])
    if newest >= acts:
        return tool("done", outcome="partial", summary="All are in, and nothing was sent.")
    numbers = range(newest + 1, min(newest + BATCH, acts) + 1)
    return Reply(tools=tuple(ToolUse("set", {"ref": 3, "value": f"item {number}"}) for number in numbers))


def begin_items(client: Client) -> UUID:
    turn_id = uuid4()
    client.send(p.ChatSend(turn_id=turn_id, text=f"Enter all items on https://{HOST}/keyboards", mode="act"))
    return turn_id


def is_over(client: Client, turn_id: UUID) -> bool:
    return bool(client.frames_of(p.TurnDone, turn_id=turn_id) or client.frames_of(p.TurnFailed, turn_id=turn_id))


def value_of(action: p.Action) -> object:
    assert isinstance(action, p.SetAction)
    return action.fields[0].value


@pytest.mark.parametrize(("kills", "acts"), [(1, 10), pytest.param(50, 40, marks=pytest.mark.long)])
def test_many_acts_happen_once_each_though_the_worker_is_killed_at_any_moment(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop, kills: int, acts: int
) -> None:
    penny.set(ACT_STEPS_MAX=200)
    dice, left = random.Random(kills), kills
    while left:
        mart.acts.clear()
        mart.text = Shop().text
        script(model, *[partial(enter_all, acts)] * 200)
        left -= killed_errand(penny, actor, mart, dice, min(left, KILLS_OF_AN_ERRAND))
        counts = Counter(value_of(action) for action in mart.acts)
        assert counts == {f"item {number}": 1 for number in range(1, acts + 1)}
    penny.set(ACT_STEPS_MAX=60)


def killed_errand(penny: Penny, actor: Client, mart: Shop, dice: random.Random, kills: int) -> int:
    """Do the errand and kill its worker at random acts; return how often that was."""
    turn_id = begin_items(actor)

    def has_come_to(acts: int) -> bool:
        return len(mart.acts) >= acts or is_over(actor, turn_id)

    for count in range(kills):
        target = len(mart.acts) + dice.randint(1, 7)
        until(partial(has_come_to, target), "acts are made", ERRAND_S)
        time.sleep(dice.uniform(0, 0.3))
        if is_over(actor, turn_id):
            return count
        kill(penny, "worker")
    until(lambda: is_over(actor, turn_id), "the errand ends", ERRAND_S)
    return kills
