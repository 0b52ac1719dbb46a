"""A call whose browser disconnects fails alone; one that only reads is repeated elsewhere."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from devices import protocol as p
from devices.models import BrowserCall, Device
from devices.sockets import browser_calls
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.permits import call_past_gateway
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer
from tests.waiting import until

URL = "https://coffee.example/water"
PAGES = {URL: make_page(URL, WATER.title, WATER.text)}
QUESTION = f"How is espresso brewed? {URL}"


@pytest.fixture
def leaving(penny: Penny, model: ModelServer) -> Iterator[Client]:
    """A browser that accepts a call and never answers it."""
    penny.admin_action("devices/grant", "delete_selected")
    with penny.client("Leaving browser", tools={"browse_url": lambda _: None}, answers=allow()) as client:
        yield client


def test_a_reading_call_moves_to_another_browser_when_its_own_disconnects(penny: Penny, leaving: Client) -> None:
    turn = leaving.say(QUESTION)
    call = leaving.expect(p.ToolCall)
    with penny.client("Staying browser", tools=browser_tools(PAGES)) as staying:
        leaving.close()
        assert WATER.paragraphs[0] in staying.expect(p.TurnDone, 30, turn_id=turn).message.text
        assert [tool_call.arguments for tool_call in staying.frames_of(p.ToolCall)] == [call.arguments]


@pytest.mark.processes("the web process is killed")
def test_calls_of_a_server_that_was_killed_are_made_again_when_the_browser_is_back(
    penny: Penny, leaving: Client
) -> None:
    turn = leaving.say(QUESTION)
    call = leaving.expect(p.ToolCall)
    web = next(pid for pid in penny.children() if b"daphne" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(web, signal.SIGKILL)
    leaving.expect_closed()
    until(penny.is_ready, "the web process is back", 60)
    with Client(leaving.pairing, tools=browser_tools(PAGES), cursor=leaving.cursor) as back:
        assert WATER.paragraphs[0] in back.expect(p.TurnDone, 30, turn_id=turn).message.text
        assert back.frames_of(p.ToolCall)[0].call_id != call.call_id
        back.send(p.ToolResult(call_id=call.call_id, result=PAGES[URL]))
        assert back.expect(p.Error, ref=str(call.call_id)).code == "late"


# Without the wake-ups of Redis
# ----------------------------------------------------------------------------------------------


@pytest.fixture
def calling_browser(db: None) -> Device:
    return Device.objects.create(
        label="Desk", kind="browser", tools=["get_current_tab"], connection="c1", seen_at=timezone.now()
    )


def _failed_call_code(device: Device, then: object) -> str:
    """Make a call, do `then` once its row exists, and return the error code of the call."""

    async def both() -> str:
        waiting = asyncio.create_task(call_past_gateway(device, "get_current_tab", p.GetCurrentTabArguments(), 20))
        while not await BrowserCall.objects.filter(device=device).aexists():  # noqa: ASYNC110  a row wakes nobody
            await asyncio.sleep(0.01)
        assert callable(then)
        await sync_to_async(then)()
        with pytest.raises(browser_calls.CallFailed) as failed:
            await asyncio.wait_for(waiting, 10)
        return failed.value.code

    return asyncio.run(both())


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_call_ends_by_its_row_when_nobody_is_woken(calling_browser: Device) -> None:
    assert (
        _failed_call_code(calling_browser, lambda: BrowserCall.objects.update(state="failed", error_code="load_failed"))
        == "load_failed"
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_an_answer_that_was_lost_on_its_way_is_not_waited_for(calling_browser: Device) -> None:
    assert _failed_call_code(calling_browser, lambda: BrowserCall.objects.update(state="done")) == "lost"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_call_ends_when_its_connection_is_gone_though_nobody_said_so(calling_browser: Device) -> None:
    assert _failed_call_code(calling_browser, lambda: Device.objects.update(connection="c2")) == "disconnected"
    assert BrowserCall.objects.get().state == "failed"
