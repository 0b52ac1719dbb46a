"""The house itself: each of its tests finds it as new, and nothing outlives a test or its process."""

import asyncio
import threading
from contextlib import suppress

import pytest

from agents.models import Run
from devices.models import Device
from devices.redis import sync_client
from tests import house as houses
from tests.client import allow, browser_tools, make_page
from tests.house import House
from tests.inside import on_loop
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

URL = "https://coffee.example/water"
TOOLS = browser_tools({URL: make_page(URL, WATER.title, WATER.text)})


@pytest.mark.parametrize("time", ["once", "again"])
def test_each_test_finds_a_new_house(house: House, model: ModelServer, time: str) -> None:
    assert not Device.objects.exists()
    assert not sync_client().exists("left")
    sync_client().set("left", "1")
    with house.client("Desk", tools=TOOLS, answers=allow()) as desk:
        answer = desk.ask(f"How is espresso brewed? {URL}")
    assert answer.origin == ["coffee.example", "owner", "penny"]
    assert "/evidence/1/" in answer.text
    assert desk.opened_urls() == {URL}
    assert "Desk" in house.http.get("/admin/devices/device/").text


def test_a_turn_that_still_runs_ends_with_its_test(house: House, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("Well",), hangs=True))
    with house.client("Desk") as desk:
        desk.say("Hello")
        until(lambda: Run.objects.filter(state=Run.State.RUNNING).exists(), "the turn runs")
    assert house.end_tasks() == []
    assert not Run.objects.filter(state__in=Run.OPEN).exists()


def test_a_task_that_does_not_end_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = asyncio.Event()

    async def go_on() -> None:
        while not may_end.is_set():
            with suppress(asyncio.CancelledError):
                await may_end.wait()

    async def begin() -> asyncio.Task[None]:
        return asyncio.create_task(go_on())

    async def give_up() -> None:
        may_end.set()

    stubborn = on_loop(begin())
    with monkeypatch.context() as patch:
        patch.setattr(houses, "LONGEST_S", 0.1)
        assert stubborn in house.end_tasks()
    on_loop(give_up())


def test_a_test_that_asks_for_a_process_fails_though_it_asks_on_another_thread(house: House) -> None:
    def ask() -> None:
        with suppress(AssertionError):
            house.children()

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join()
    assert len(house.misuses) == 1
    house.misuses.clear()
