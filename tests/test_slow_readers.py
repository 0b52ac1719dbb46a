"""A reader that stops costs little and is let go; one that is slow, or far behind, gets everything."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model_server import ModelServer, text
from tests.penny import Penny, with_model
from tests.raw import Device, Socket, new_device, pair
from tests.waiting import until

LARGE = "wörter " * 4_500  # in its frame twice, as text and as HTML
COUNT = 60
PAGE = '{"type":"history.fetch","before_seq":9007199254740991,"limit":100}'


@pytest.fixture
def told(start_penny: Callable[..., Penny], model: ModelServer) -> tuple[Penny, Device]:
    """A Penny whose conversation is some four megabytes long, and a device that took part in it."""
    penny, device = start_penny(**with_model(model.url)), new_device()
    pair(penny.url, penny.code(), device)
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


def web_process(penny: Penny) -> int:
    return next(pid for pid in penny.children() if b"daphne" in Path(f"/proc/{pid}/cmdline").read_bytes())


def rss_mb(pid: int) -> float:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def is_held(penny: Penny, socket: Socket) -> bool:
    """Whether the server still holds its end of a connection (Linux)."""
    ends = f"{penny.port:04X}", f"{socket.port:04X}"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return any((row[1].partition(":")[2], row[2].partition(":")[2], row[3]) == (*ends, "01") for row in rows)


def test_readers_get_what_they_can_take_and_no_more(told: tuple[Penny, Device]) -> None:
    penny, device = told
    _one_that_is_far_behind_gets_all(penny, device)
    _one_that_reads_and_never_says_a_word_is_closed(penny, device)
    _one_that_asks_and_does_not_read_is_closed_and_costs_little(penny, device)


def _one_that_is_far_behind_gets_all(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device, cursor=0)
        for seq in range(1, COUNT + 1):
            assert socket.next("message.new")["message"]["seq"] == seq
            socket.send(type="message.ack", seq=seq)


def _one_that_reads_and_never_says_a_word_is_closed(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device, cursor=0)
        assert socket.closed(15) == 4429
        came = [frame for frame in socket.skipped if frame["type"] == "message.new"]
    assert 1 < len(came) < COUNT


def _one_that_asks_and_does_not_read_is_closed_and_costs_little(penny: Penny, device: Device) -> None:
    """Each question is an inbound frame, so that only what really waits in the process can tell."""
    web = web_process(penny)
    before, began = rss_mb(web), time.monotonic()
    with Socket(penny.url) as socket:
        socket.open(device, cursor=COUNT)
        for _ in range(1_000):  # asks for 500 MB
            socket.send_text(PAGE)
        most = before

        def is_closed() -> bool:
            nonlocal most
            most = max(most, rss_mb(web))
            return not is_held(penny, socket)

        until(is_closed, "the socket is closed", 10)
    assert most - before <= 32, f"{most - before:.1f} MB more after {time.monotonic() - began:.1f} s"
