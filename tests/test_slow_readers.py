"""Slow readers: who stops is disconnected, who is far behind gets everything."""

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.bench.relay import shake_hands
from tests.bench.slow_reader import is_held, rss_mb, web_process
from tests.penny import Penny, with_model
from tests.raw import Device, Socket, new_device, pair_device
from tests.stand_ins.model_server import ModelServer, text
from tests.waiting import until

LARGE = "wörter " * 4_500  # a frame holds it twice, as text and as HTML
COUNT = 60
REPORTS, HELD_S = 1_000, 3.0
PAGE = '{"type":"history.fetch","before_seq":9007199254740991,"limit":100}'


@pytest.fixture
def long_conversation(start_penny: Callable[..., Penny], model: ModelServer) -> tuple[Penny, Device]:
    """A Penny with a conversation of four megabytes, and a device of that conversation."""
    penny, device = start_penny(**with_model(model.url)), new_device()
    pair_device(penny.url, penny.code(), device)
    model.on(lambda _: True, text("word " * 15_000))
    with Socket(penny.url) as socket:
        socket.open(device)
        turns = {socket.say(LARGE) for _ in range(COUNT // 2)}
        while turns:
            frame = socket.frame(60)
            if frame["type"] == "message.new":
                socket.send(type="message.ack", seq=frame["message"]["seq"])
            turns.discard(frame["turn_id"] if frame["type"] in ("turn.done", "turn.failed") else "")
    return penny, device


@pytest.mark.long
def test_slow_readers(long_conversation: tuple[Penny, Device]) -> None:
    penny, device = long_conversation
    _reader_far_behind_gets_everything(penny, device)
    _reader_without_acknowledgements_is_closed(penny, device)
    _requests_without_reading_are_closed_and_cost_little(penny, device)
    _flood_waits_for_its_answers(penny, device)


def _reader_far_behind_gets_everything(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device, cursor=0)
        for seq in range(1, COUNT + 1):
            assert socket.next("message.new")["message"]["seq"] == seq
            socket.send(type="message.ack", seq=seq)


def _reader_without_acknowledgements_is_closed(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device, cursor=0)
        assert socket.closed(15) == 4429
        received_frames = [frame for frame in socket.skipped if frame["type"] == "message.new"]
    assert 1 < len(received_frames) < COUNT


def _requests_without_reading_are_closed_and_cost_little(penny: Penny, device: Device) -> None:
    """Every request is an inbound frame, so the memory of the process is the measure."""
    web = web_process(penny)
    before, began = rss_mb(web), time.monotonic()
    with Socket(penny.url) as socket:
        socket.open(device, cursor=COUNT)
        with suppress(ConnectionClosed):  # a busy machine closes before the last request
            for _ in range(1_000):  # 500 MB of answers
                socket.send_text(PAGE)
        most = before

        def is_closed() -> bool:
            nonlocal most
            most = max(most, rss_mb(web))
            return not is_held(penny.port, socket.port)

        until(is_closed, "the socket is closed", 10)
    assert most - before <= 32, f"{most - before:.1f} MB more after {time.monotonic() - began:.1f} s"


def _flood_waits_for_its_answers(penny: Penny, device: Device) -> None:
    """Sends 70 MB while the first request waits for the database; nothing of it may be lost."""
    visit = {"domain": "example.com", "title": "w" * 500, "visited_at": "2026-01-02T03:04:05Z"}
    report = json.dumps({"type": "history.report", "ref": device.id, "visits": [visit] * 120})
    web = web_process(penny)
    before = most = rss_mb(web)
    with Socket(penny.url) as socket, closing(sqlite3.connect(penny.data / "penny.sqlite3", timeout=20)) as database:
        socket.open(device, cursor=COUNT)
        database.isolation_level = None
        database.execute("BEGIN IMMEDIATE")
        socket.send(type="device.update", ref=device.id, label="Talker")
        sending = threading.Thread(target=_send_all, args=(socket, report))
        sending.start()
        sending.join(HELD_S)  # sending blocks until Penny reads
        most = max(most, rss_mb(web))
        database.execute("ROLLBACK")
        for _ in range(REPORTS):
            assert socket.next("error", within_s=60)["ref"] == device.id
            most = max(most, rss_mb(web))
    assert most - before <= 32, f"{most - before:.1f} MB more"


def _send_all(socket: Socket, report: str) -> None:
    for _ in range(REPORTS):
        socket.send_text(report)


@pytest.mark.long
def test_a_device_that_answers_no_ping_is_disconnected_within_a_minute(penny: Penny) -> None:
    """Penny sends it nothing, so only the heartbeat can notice."""
    pairing = penny.pair("Sleeper")

    async def fall_silent() -> None:
        async with connect(
            penny.url.replace("http", "ws", 1) + "/ws/device", proxy=None, ping_interval=None, close_timeout=1
        ) as socket:
            await shake_hands(socket, pairing)
            socket.transport.pause_reading()
            port = socket.transport.get_extra_info("sockname")[1]
            await asyncio.to_thread(until, lambda: not is_held(penny.port, port), "the socket is closed", 60, 0.5)
            socket.transport.abort()

    asyncio.run(fall_silent())
