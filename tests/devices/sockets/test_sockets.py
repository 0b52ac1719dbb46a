"""A socket in this process: what no device can cause from outside."""

import asyncio
import json
import threading
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from agents.frames import answer as frames_answer
from agents.frames import welcome
from agents.models import Run
from agents.turns import finish
from devices import events, protocol, reported_state
from devices.conversation import messages as conversation_messages
from devices.db import in_db
from devices.grants import asks, grants
from devices.models import Message, Stop, Thread
from devices.owner.account import the_owner
from devices.owner.stop import resume_everything, stop_everything
from devices.redis import async_client
from devices.sockets import consumers, window
from devices.sockets.layer import EVENTS_WAITING, PIECES_WAITING
from tests.devices.sockets.page_socket import connect, disconnect, receive_text, texts_until_now
from thoughts.models import Thought

Frame = TypeVar("Frame")
TURN = str(uuid4())


async def _frames_received(socket: WebsocketCommunicator, kind: type[Frame], least: int) -> list[Frame]:
    """Return the frames of a kind: at least `least`, and more until an event that is sent after them."""
    frames: list[Frame] = []
    while len(frames) < least:
        frames += _parse(await receive_text(socket), kind)
    return frames + [frame for text in await texts_until_now(socket, 0) for frame in _parse(text, kind)]


def _parse(text: str, kind: type[Frame]) -> list[Frame]:
    frame = protocol.parse_server(text)
    return [frame] if isinstance(frame, kind) else []


async def _seqs(socket: WebsocketCommunicator, least: int) -> list[int]:
    return [frame.message.seq for frame in await _frames_received(socket, protocol.MessageNew, least)]


@pytest.mark.django_db(transaction=True)
async def test_an_error_that_nobody_expected_closes_the_socket_and_nothing_waits_behind_it(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_sent = threading.Event()

    def breaks(*_: object) -> None:
        all_sent.wait(20)  # more frames arrive than are handled
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(frames_answer, "answer_frame", breaks)
    socket = await connect(settings)
    fetch = protocol.encode(protocol.HistoryFetch(before_seq=1, limit=1))
    for _ in range(3 * consumers.WAITING_FRAMES):
        await socket.send_to(text_data=fetch)
    all_sent.set()
    while (output := await socket.receive_output(timeout=5))["type"] != "websocket.close":
        pass
    assert output["code"] == consumers.CLOSE_FAILED
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_what_waits_for_its_answer_does_not_hold_up_what_a_socket_is_told(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(*_: object) -> list[protocol.ServerFrame]:
        goes_on.wait(20)
        return []

    monkeypatch.setattr(frames_answer, "answer_frame", slow)
    socket = await connect(settings)
    try:
        assert await _frames_received(socket, protocol.Welcome, 1)
        for _ in range(2 * consumers.WAITING_FRAMES):
            await socket.send_to(text_data=protocol.encode(protocol.HistoryFetch(before_seq=1, limit=1)))
        await events.asend_frame(protocol.ThoughtsCount(unread=7))
        assert protocol.parse_server(await socket.receive_from(timeout=5)) == protocol.ThoughtsCount(unread=7)
    finally:
        goes_on.set()
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_of_many_messages_at_once_some_are_put_off_and_each_is_answered(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_storing, goes_on = threading.Event(), threading.Event()
    answer = frames_answer.answer_frame

    def slow(*arguments: Any) -> list[protocol.ServerFrame]:
        is_storing.set()
        goes_on.wait(60)
        return answer(*arguments)

    monkeypatch.setattr(frames_answer, "answer_frame", slow)
    socket = await connect(settings)
    turns = [uuid4() for _ in range(2 * consumers.WAITING_FRAMES)]
    count = consumers.WAITING_TURNS + 1  # one is being stored
    try:
        await _frames_received(socket, protocol.Welcome, 1)
        for turn in turns:
            await socket.send_to(text_data=protocol.encode(protocol.ChatSend(turn_id=turn, text="Hello")))
            assert await asyncio.to_thread(is_storing.wait, 60)
        put_off = await _frames_received(socket, protocol.Error, len(turns) - count)
    finally:
        goes_on.set()
    acks = await _frames_received(socket, protocol.Ack, count)
    assert [frame.ref for frame in acks] + [frame.ref for frame in put_off] == [str(turn) for turn in turns]
    assert (len(acks), {frame.code for frame in put_off}) == (count, {"not_stored"})
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_messages_that_wait_at_a_socket_are_stored_together_and_acknowledged_in_their_order(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    together: list[int] = []
    all_sent = threading.Event()
    answer_some = frames_answer.answer_frames

    def slowly(owner: Any, device: Any, frames: Any, waiting_here: int) -> Any:
        together.append(len(frames))
        all_sent.wait(20)  # the others arrive
        return answer_some(owner, device, frames, waiting_here)

    monkeypatch.setattr(frames_answer, "answer_frames", slowly)
    socket = await connect(settings)
    turns = [uuid4() for _ in range(consumers.TOGETHER + 3)]
    for turn in turns:
        await socket.send_to(text_data=protocol.encode(protocol.ChatSend(turn_id=turn, text="Hello")))
    all_sent.set()
    assert [frame.ref for frame in await _frames_received(socket, protocol.Ack, len(turns))] == [
        str(turn) for turn in turns
    ]
    assert max(together) == consumers.TOGETHER
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_a_reader_whose_window_was_full_is_sent_more_once_half_of_it_is_free(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "POLL_S", 60.0)
    await in_db(_store_messages)(120)
    socket = await connect(settings, "?cursor=0")
    assert await _seqs(socket, 64) == list(range(1, 65))
    await socket.send_to(text_data=protocol.encode(protocol.MessageAck(seq=31)))
    assert await _frames_received(socket, object, 0) == []
    await socket.send_to(text_data=protocol.encode(protocol.MessageAck(seq=32)))
    assert await _seqs(socket, 32) == list(range(65, 97))
    await events.asend({"type": "turn.frame", "turn_id": str(uuid4()), "attempt": 1, "index": 0, "frame": "a piece"})
    assert await _frames_received(socket, object, 0) == []  # only messages until it has all of them
    await socket.send_to(text_data=protocol.encode(protocol.MessageAck(seq=96)))
    assert await _seqs(socket, 24) == list(range(97, 121))
    await in_db(_store_messages)(1)
    assert await _seqs(socket, 1) == [121]
    await disconnect(socket)


def _store_messages(count: int) -> None:
    for number in range(count):
        with transaction.atomic():
            words = conversation_messages.render_content(f"Message {number}")
            conversation_messages.store_message(
                the_owner(), words, device=None, device_label="Penny", direction=Message.Direction.OUT
            )


async def test_a_socket_that_cannot_keep_up_is_first_told_less_of_running_turns_and_then_of_messages(
    redis: str,
) -> None:
    layer = get_channel_layer()
    assert layer is not None
    channel, other = [await layer.new_channel() for _ in range(2)]
    for name in (channel, other):
        await layer.group_add("busy", name)
    for index in range(2 * PIECES_WAITING):
        await layer.group_send(
            "busy", {"type": "turn.frame", "turn_id": TURN, "attempt": 1, "index": index, "frame": "a piece"}
        )
    for seq in range(EVENTS_WAITING):
        await layer.group_send("busy", {"type": "wake", "seq": seq, "frame": "a message"})
        await layer.group_send("busy", {"type": "turn.end", "seq": seq, "turn_id": TURN, "frame": "an end"})
    await layer.group_send("busy", {"type": "frame", "frame": "turn.frame wake", "standing": []})
    await layer.group_send("busy", {"type": "tool.call", "call_id": TURN, "connection": "1", "frame": "a call"})
    queued_events: list[dict[str, Any]] = []
    for name in (other, channel):  # once the other has the last event, everything has arrived
        queued_events.clear()
        while not queued_events or queued_events[-1]["type"] != "tool.call":
            queued_events.append(await asyncio.wait_for(layer.receive(name), 5))
    messages = (EVENTS_WAITING - PIECES_WAITING) // 2
    assert [event["index"] for event in queued_events[:PIECES_WAITING]] == list(range(PIECES_WAITING))
    assert [event["seq"] for event in queued_events[PIECES_WAITING:-2]] == [
        seq for seq in range(messages) for _ in ("wake", "turn.end")
    ]
    assert [event["type"] for event in queued_events[-2:]] == ["frame", "tool.call"]


FORGED: list[dict[str, Any]] = [
    {"type": "websocket.disconnect", "code": 1000},
    {"type": "close"},
    {"type": "_look"},
    {"no": "type"},
    {"type": "frame"},
    {"type": "frame", "frame": 5, "standing": []},
    {"type": "wake", "seq": "a", "frame": None},
    {"type": "wake", "seq": -1, "frame": None},
    {"type": "turn.frame", "turn_id": "one", "attempt": 1, "index": 5, "frame": "a piece"},
    {"type": "turn.end", "seq": 0, "frame": "no turn"},
    {"type": "message.changed", "frame": "no number"},
    {"type": "tool.call", "frame": "no call"},
    {"type": "connection.replaced"},
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("event", FORGED, ids=str)
async def test_a_forged_event_does_not_end_a_socket(redis: str, settings: Settings, event: dict[str, Any]) -> None:
    """What Redis brings is believed in the form that Penny gives it, and in no other."""
    socket = await connect(settings, "?cursor=0")
    await _frames_received(socket, protocol.Welcome, 1)
    layer = get_channel_layer()
    assert layer is not None
    await layer.group_send(events.OWNER_GROUP, event)
    async with async_client() as client:
        await client.publish(f"asgi__group__{events.OWNER_GROUP}", b"\xc1 no msgpack")
    await events.asend_frame(protocol.ThoughtsCount(unread=7))
    assert [count.unread for count in await _frames_received(socket, protocol.ThoughtsCount, 1)] == [7]
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_a_socket_that_was_not_told_of_messages_finds_them_with_the_next(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "POLL_S", 60.0)
    socket = await connect(settings, "?cursor=0")
    await _frames_received(socket, protocol.Welcome, 1)
    with monkeypatch.context() as deaf:
        deaf.setattr(events, "send", lambda *_: None)
        await in_db(_store_messages)(40)
    assert await _frames_received(socket, object, 0) == []
    await in_db(_store_messages)(1)
    assert await _seqs(socket, 41) == list(range(1, 42))
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_what_stands_is_said_within_seconds_where_the_hint_of_it_was_lost(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "POLL_S", 0.01)
    monkeypatch.setattr(consumers, "HEARTBEAT_S", 0.04)
    monkeypatch.setattr(events, "send", lambda *_: None)  # for the rows created below
    socket = await connect(settings)
    first_types = [json.loads(await socket.receive_from(timeout=5))["type"] for _ in range(5)]
    assert first_types == ["welcome", "acting.changed", "stop.changed", "threads.sync", "counts.changed"]
    await in_db(Thread.objects.create)(owner=await in_db(the_owner)(), name="Grinders")
    await in_db(grants.set_grant)("coffee.example", "read", "allowed", "always")
    await in_db(asks.ask_grant)(uuid4(), "lab.example", "read", "To read it.", is_background=False)
    await in_db(Thought.objects.create)(title="A lever")
    await in_db(Stop.objects.create)(device_label="Phone", stopped_at=timezone.now())
    frames = [json.loads(await socket.receive_from(timeout=5)) for _ in range(5)]
    by_type = {frame["type"]: frame for frame in frames}
    assert [thread["name"] for thread in by_type["threads.sync"]["threads"]] == ["Grinders"]
    assert [grant["host"] for grant in by_type["grants.sync"]["grants"]] == ["coffee.example"]
    assert by_type["stop.changed"]["is_stopped"]
    assert (by_type["thoughts.count"]["unread"], by_type["grant.ask"]["host"]) == (1, "lab.example")
    assert await socket.receive_nothing(timeout=0.2)  # each is sent once
    await disconnect(socket)


@pytest.mark.django_db(transaction=True)
async def test_a_stop_and_its_end_are_told_at_once(redis: str, settings: Settings) -> None:
    socket = await connect(settings)
    await texts_until_now(socket, 1)

    async def frames_so_far() -> list[bool]:
        texts = [json.loads(text) for text in await texts_until_now(socket, 1)]
        return [frame["is_stopped"] for frame in texts if frame["type"] == "stop.changed"]

    await in_db(transaction.atomic(stop_everything))("Phone", timezone.now())
    assert set(await frames_so_far()) == {True}
    await in_db(resume_everything)(timezone.now())
    assert set(await frames_so_far()) == {False}
    await disconnect(socket)


def test_a_question_that_waits_longer_now_is_said_again_and_one_that_is_over_is_taken_away() -> None:
    until = datetime(2026, 1, 1, tzinfo=UTC)
    ask = protocol.ApprovalAsk(request_id=uuid4(), text="Post it?", expires_at=until)
    longer = ask.model_copy(update={"expires_at": until + timedelta(hours=1)})
    state = reported_state.ReportedState()
    state.note(reported_state.reported_state(ask))
    assert [state.missed([ask]), state.missed([longer]), state.missed([longer])] == [[], [], [longer]]
    state.note(reported_state.reported_state(longer))
    assert state.missed([]) == []
    [over] = state.missed([])
    assert over == protocol.GrantDismiss(request_id=ask.request_id)
    state.note(reported_state.reported_state(over))
    assert [state.missed([]), state.missed([])] == [[], []]
    other_state = reported_state.ReportedState()
    for frame in (ask, protocol.ApprovalDismiss(request_id=ask.request_id)):
        other_state.note(reported_state.reported_state(frame))
    assert [other_state.missed([]), other_state.missed([])] == [[], []]


def test_what_is_on_its_way_is_not_said_by_the_look_too() -> None:
    state, one, two = reported_state.ReportedState(), protocol.ThoughtsCount(unread=1), protocol.ThoughtsCount(unread=2)
    assert state.missed([one]) == []
    state.note(reported_state.reported_state(one))
    assert [state.missed([one]), state.missed([two]), state.missed([two]), state.missed([two])] == [
        [],
        [],
        [two],
        [two],
    ]


@pytest.mark.django_db(transaction=True)
async def test_the_ends_of_many_turns_of_which_nothing_was_heard_are_all_found(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "POLL_S", 0.05)
    monkeypatch.setattr(welcome, "MISSED", timedelta())
    monkeypatch.setattr(events, "send", lambda *_: None)
    socket = await connect(settings)
    turn_ids = [str(uuid4()) for _ in range(2 * window.TURNS_A_LOOK + 1)]
    acked: list[str] = []
    for turn_id in turn_ids:
        await socket.send_to(text_data=protocol.encode(protocol.ChatSend(turn_id=UUID(turn_id), text="Hello")))
        while turn_id not in acked:
            frame = protocol.parse_server(await socket.receive_from(timeout=5))
            acked += [frame.ref] if isinstance(frame, protocol.Ack) else []
            if isinstance(frame, protocol.MessageNew):
                await socket.send_to(text_data=protocol.encode(protocol.MessageAck(seq=frame.message.seq)))
    # The others stay open: as many as one poll asks for, which must not hide the ends of these.
    over = turn_ids[window.TURNS_A_LOOK :]
    await in_db(_fail_turns)(over)
    end_ids: list[str] = []
    while len(end_ids) < len(over):
        frame = protocol.parse_server(await socket.receive_from(timeout=5))
        if isinstance(frame, protocol.MessageNew):
            await socket.send_to(text_data=protocol.encode(protocol.MessageAck(seq=frame.message.seq)))
        elif isinstance(frame, protocol.TurnFailed):
            end_ids.append(str(frame.turn_id))
    assert sorted(end_ids) == sorted(over)
    late = {"turn_id": end_ids[-1], "attempt": 1, "index": 0, "frame": "a piece", "is_private": False}
    await events.asend({"type": "turn.frame", **late})  # a late piece would show the turn as running
    await events.asend({"type": "turn.end", **late, "seq": 1})
    assert await _frames_received(socket, object, 0) == []
    await disconnect(socket)


def _fail_turns(turn_ids: list[str]) -> None:
    for run in Run.objects.claim(
        list(Run.objects.filter(turn_id__in=turn_ids).values_list("pk", flat=True)), timezone.now()
    ):
        assert finish.fail_turn(run, "internal", "It failed.")


@pytest.mark.django_db(transaction=True)
async def test_a_message_that_changed_is_sent_again_only_to_whom_it_was_sent(redis: str, settings: Settings) -> None:
    """A client that gets a later message first would take it for all earlier ones."""
    owner = await in_db(the_owner)()

    def store(text: str) -> Message:
        with transaction.atomic():
            return conversation_messages.store_message(
                owner, conversation_messages.render_content(text), device_label="Web", direction="in", device=None
            )

    socket = await connect(settings, "?cursor=0")
    message = await in_db(store)("My pin is 1234")
    assert await _seqs(socket, 1) == [message.seq]
    await in_db(conversation_messages.tell_changed)(message)
    assert await _seqs(socket, 1) == [message.seq]
    message.seq += 1
    await in_db(conversation_messages.tell_changed)(message)
    assert await _seqs(socket, 0) == []
    await disconnect(socket)
