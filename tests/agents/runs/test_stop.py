"""/stop from any channel ends every run, closes Penny's pages, blocks calls until /resume.

Each half is also shown without its rule.
"""

import asyncio
import re

import pytest
from django.utils import timezone

from agents.models import Run, Schedule
from agents.worker import tick
from devices import events, protocol
from devices.db import in_db
from devices.models import Ask, BrowserCall, Device, Grant, Message, Stop
from devices.owner import stop
from devices.sockets import browser_calls
from tests.agents.background import carry_out_all, connect_browser, use_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.permits import any_permit
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
URL = "https://coffee.example/water"


@pytest.fixture
def sent_frames(monkeypatch: pytest.MonkeyPatch) -> list[protocol.ServerFrame]:
    """Collect the frames that are sent to devices."""
    frames: list[protocol.ServerFrame] = []
    monkeypatch.setattr(events, "send_frame", lambda frame, group=events.OWNER_GROUP: frames.append(frame))
    return frames


def test_every_run_ends_and_every_page_of_hers_is_closed(sent_frames: list[protocol.ServerFrame]) -> None:
    browser = connect_browser(timezone.now())
    turn = send_message("Hello")
    running = Run.objects.create(kind="thinking", state="running", attempt=1, lease_until=timezone.now())
    parked = Run.objects.create(kind="task", state="parked", task="x")
    Ask.objects.create(
        run_id=parked.pk, host="a.example", text="?", prompt_until=timezone.now(), expires_at=timezone.now()
    )
    call = BrowserCall.objects.create(
        device=browser,
        connection=browser.connection or "",
        run_id=running.pk,
        tool="browse_url",
        arguments={},
        deadline_at=timezone.now(),
    )
    assert immediate_answer("/stop").text.startswith("Stopped. 3 runs were cancelled.")
    assert [frame.call_id for frame in sent_frames if isinstance(frame, protocol.ToolCancel)] == [call.pk]
    for run in (turn, running):
        run.refresh_from_db()
        assert run.cancel_requested_at
    parked.refresh_from_db()
    assert (parked.state, Ask.objects.get().state) == ("cancelled", "expired")
    Run.objects.filter(pk=running.pk).delete()
    carry_out_all()
    assert reply_to(turn).kind == "cancelled"


def test_what_is_said_while_all_is_stopped_is_kept_and_answered_by_why_nothing_happens(model: ModelServer) -> None:
    immediate_answer("/stop", Device.objects.create(label="Phone", kind="browser"))
    reply = immediate_answer(f"Read {URL}")
    assert re.match(r"Everything is stopped \(at \d\d:\d\d, from Phone\)\. I do nothing", reply.text)
    assert reply.kind == "failure"  # the panel ends it in a button to go on, then in one to ask again
    assert reply.parent is not None
    assert reply.parent.kind == "chat"
    assert model.requests == []
    assert "Write “go on”" in reply.text
    assert "I go on." in immediate_answer("“Go on”.").text
    assert send_message("Hello").state == "queued"
    assert Stop.objects.get().resumed_at


def test_nothing_begins_in_the_background_before_resume() -> None:
    Schedule.objects.all().delete()
    Schedule.objects.create(
        name="Mine", kind="task", task="x", rrule="FREQ=MINUTELY;INTERVAL=1", next_run_at=timezone.now()
    )
    early = Run.objects.create(kind="thinking")
    immediate_answer("/stop")
    late = Run.objects.create(kind="thinking")
    assert Run.objects.claim([early.pk, late.pk], timezone.now()) == []
    Message.objects.all().delete()
    tick.tick()
    assert not Run.objects.filter(kind="task").exists()
    immediate_answer("/resume")
    Message.objects.all().delete()
    tick.tick()
    assert Run.objects.filter(kind="task").exists()
    assert [run.pk for run in Run.objects.claim([early.pk, late.pk], timezone.now())] == [late.pk]


def test_stopping_twice_is_one_stop_and_resuming_without_one_says_so() -> None:
    immediate_answer("/stop")
    assert "already" in immediate_answer("/stop").text
    assert Stop.objects.count() == 1
    immediate_answer("/resume")
    assert immediate_answer("/resume").text == "Nothing was stopped."


async def _calls_made(monkeypatch: pytest.MonkeyPatch) -> int:
    """Make a call on a device; return how many calls the device received."""
    calls: list[object] = []

    async def asend(event: dict[str, object], group: str = "") -> None:
        calls.extend([event] if event["type"] == "tool.call" else [])

    monkeypatch.setattr(events, "asend", asend)
    device = await in_db(connect_browser)(timezone.now())
    arguments = protocol.BrowseUrlArguments(url=URL, session="owner")
    try:
        async with asyncio.timeout(1):
            await browser_calls.call_browser(any_permit(device, "browse_url", arguments), arguments)
    except (browser_calls.CallFailed, TimeoutError):
        pass
    return len(calls)


async def _both(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    from django.db import connections

    await in_db(lambda: Stop.objects.create(device_label="Phone", stopped_at=timezone.now()))()
    while_stopped = await _calls_made(monkeypatch)
    monkeypatch.setattr(stop, "is_stopped", lambda: False)
    without = await _calls_made(monkeypatch)
    await in_db(connections.close_all)()
    return while_stopped, without


async def test_no_browser_is_called_while_all_is_stopped_and_without_the_look_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    while_stopped, without = await _both(monkeypatch)
    assert while_stopped == 0
    assert without > 0


def _asked_to_open(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> list[str]:
    """Let a turn that began before the stop call a tool after it; return the tool's result."""
    use_model(monkeypatch, model)
    model.reset()
    model.on(lambda r: zone(r) == "planner" and not r.tool_results, Reply(tools=(ToolUse("browse_url", {"url": URL}),)))
    Stop.objects.all().delete()
    send_message(f"Read {URL}")
    Stop.objects.create(device_label="Phone", stopped_at=timezone.now())
    carry_out_all()
    return model.requests[-1].tool_results


def test_the_gateway_refuses_what_a_run_calls_after_the_stop_and_without_that_rule_it_does_not(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    connect_browser(timezone.now())
    Grant.objects.create(host="coffee.example", state="blocked")
    assert "stopped" in _asked_to_open(monkeypatch, model)[0]
    monkeypatch.setattr(stop, "is_stopped", lambda: False)
    assert "blocked" in _asked_to_open(monkeypatch, model)[0]  # the call got as far as the grant
