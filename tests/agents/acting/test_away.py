"""A browser that goes away in the middle of an errand: its computer sleeps. It is waited for, and no other one acts."""

import asyncio
import threading
from uuid import uuid4

import pytest
from constance.utils import get_values

from agents.acting import away
from agents.acting.away import AWAY_S, LINE, is_back, when_back
from agents.models import Errand, Run
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import Handles
from devices import protocol as p
from devices.models import Device
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, result_of, script
from tests.agents.acting.test_steering import begin, end_of
from tests.agents.background import SOME_MODELS
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, Reply, Request, tool
from tests.waiting import until


def fall_asleep(client: Client, for_s: float) -> None:
    client.abort()
    threading.Timer(for_s, client.connect).start()


def test_an_errand_goes_on_once_its_browser_is_back(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    def sleep_and_click(_: Request) -> Reply:
        fall_asleep(actor, 3)
        return tool("click", ref=2)

    with penny.client("Watcher") as watcher:
        script(model, sleep_and_click, DONE)
        assert isinstance(end_of(watcher, begin(actor)), p.TurnDone)
        assert LINE in [frame.errand.line for frame in watcher.frames_of(p.ErrandChanged)]
    assert (len(mart.acts), mart.managed) == (1, ["open", "release"])
    assert result_of(model)["outcome"] == "done"


def test_an_act_whose_answer_was_lost_is_not_made_again(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    def sleep(_: p.Action) -> None:
        mart.before_act = None
        fall_asleep(actor, 1)

    mart.before_act = sleep
    with penny.client("Watcher") as watcher:
        script(model, tool("click", ref=2), DONE)
        assert isinstance(end_of(watcher, begin(actor)), p.TurnDone)
    assert len(mart.acts) == 1
    assert result_of(model)["outcome"] == "done"


@pytest.mark.long
def test_a_browser_that_stays_away_is_said_after_a_minute(penny: Penny, actor: Client, model: ModelServer) -> None:
    def sleep_for_long(_: Request) -> Reply:
        actor.abort()
        return tool("click", ref=2)

    with penny.client("Watcher") as watcher:
        script(model, sleep_for_long, DONE)
        turn_id = begin(actor)
        until(lambda: watcher.frames_of(p.TurnDone, turn_id=turn_id), "the turn ends", 2 * AWAY_S)
        answer = watcher.frames_of(p.TurnDone, turn_id=turn_id)[0].message
    assert answer.text.startswith(f"On {HOST} I changed nothing.")
    assert f"The browser with {HOST} went away" in answer.text
    assert "[Connect a browser](" in answer.text
    actor.connect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("away_s", [0.1, 3_600])
def test_nobody_waits_for_longer_nor_for_a_browser_that_was_removed(
    monkeypatch: pytest.MonkeyPatch, away_s: float
) -> None:
    monkeypatch.setattr(away, "AWAY_S", away_s)
    is_removed = away_s > 1
    device = Device.objects.create(label="Desk", kind="browser")
    if is_removed:
        Device.objects.update(revoked_at="2026-03-02T00:00Z")
    errand = Errand.objects.create(device=device, goal="Buy it", site=HOST)
    run = Run.objects.create(kind="turn", turn_id=uuid4(), attempt=1)
    context, calls = Context(run, "planner", Handles([]), "", SOME_MODELS, get_values()), []

    async def make() -> None:
        calls.append(1)
        raise ToolRefused("disconnected", HOST)

    async def wait() -> None:
        assert not await is_back(context, errand)
        with pytest.raises(ToolRefused, match="disconnected"):
            await when_back(context, errand, make)

    asyncio.run(wait())
    assert len(calls) == 1
