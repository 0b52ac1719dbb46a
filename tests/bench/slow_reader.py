"""Measure the cost of a device that stops reading: `python -m tests.bench.slow_reader` (Linux).

Ten devices read and ping now and then; one stops reading. Frames of 64 KiB go to all, as a worker would send them,
until 500 MB are produced. Printed are the growth of the web process, the time until it drops the stopped device, and
the lateness of frames at the others.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from devices import protocol
from tests.bench.relay import shake_hands
from tests.bench.streams import benched_penny, percentile, verdict
from tests.bench.tools import use_data_of
from tests.client import Pairing
from tests.penny import Penny

READERS = 10
FRAME_BYTES = 64 * 1024
FRAMES = 500_000_000 // FRAME_BYTES // (READERS + 1)
PACE_S = 0.08
SAYS_EVERY = 16  # frames: a mebibyte, far below the window
GROWTH_MB, CLOSED_S, LATE_MS = 32.0, 10.0, 200.0


def web_process(penny: Penny) -> int:
    return next(pid for pid in penny.children() if b"daphne" in Path(f"/proc/{pid}/cmdline").read_bytes())


def rss_mb(pid: int, field: str = "VmRSS") -> float:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def is_held(server_port: int, client_port: int) -> bool:
    ends = f"{server_port:04X}", f"{client_port:04X}", "01"
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return any((row[1].partition(":")[2], row[2].partition(":")[2], row[3]) == ends for row in rows)


async def read_frames(socket: ClientConnection, late_ms: list[float]) -> None:
    """Read the frames, record how late each is, and ping now and then."""
    count = 0
    async for text in socket:
        frame = json.loads(text)
        if frame["type"] == "turn.status":
            late_ms.append((time.monotonic_ns() - int(frame["text"].partition(" ")[0])) / 1e6)
            count += 1
            if count % SAYS_EVERY == 0:
                await socket.send('{"type":"ping"}')


async def produce() -> None:
    from devices import events

    turn, filling = uuid4(), "x" * (FRAME_BYTES - 100)
    for _ in range(FRAMES):
        began = time.monotonic()
        await events.asend_frame(protocol.TurnStatus(turn_id=turn, text=f"{time.monotonic_ns()} {filling}"))
        await asyncio.sleep(max(0.0, PACE_S - (time.monotonic() - began)))


async def watch_reader(penny: Penny, client_port: int, began: float) -> tuple[float, float]:
    """Return the peak memory of the web process, and the seconds until it dropped the stopped reader."""
    web, most, gone_s = web_process(penny), 0.0, float("inf")
    while True:
        try:
            await asyncio.sleep(0.2)
        except asyncio.CancelledError:
            return most, gone_s
        most = max(most, rss_mb(web))
        if gone_s == float("inf") and not is_held(penny.port, client_port):
            gone_s = time.monotonic() - began


async def measure_readers(penny: Penny, pairings: list[Pairing]) -> bool:
    address = penny.url.replace("http", "ws", 1) + "/ws/device"
    sockets = [await connect(address, proxy=None, max_size=None, ping_interval=None) for _ in pairings]
    for socket, pairing in zip(sockets, pairings, strict=True):
        await shake_hands(socket, pairing)
    stopped, others = sockets[0], sockets[1:]
    stopped.transport.pause_reading()
    late_ms: list[float] = []
    reading = [asyncio.create_task(read_frames(socket, late_ms)) for socket in others]
    before = rss_mb(web_process(penny))
    watching = asyncio.create_task(
        watch_reader(penny, stopped.transport.get_extra_info("sockname")[1], time.monotonic())
    )
    await produce()
    await asyncio.sleep(1)
    watching.cancel()
    most, gone_s = await watching
    for task in reading:
        task.cancel()
    print(
        f"{FRAMES} frames of {FRAME_BYTES // 1024} KiB to each of {READERS + 1} sockets; {len(late_ms)} of "
        f"{FRAMES * READERS} arrived"
    )
    met = [
        verdict("growth of the web process", most - before, "MB", GROWTH_MB),
        verdict("the stopped reader is let go after", gone_s, "s", CLOSED_S),
        verdict("lateness for the others, p95", percentile(late_ms, 0.95), "ms", LATE_MS),
        len(late_ms) == FRAMES * READERS,
    ]
    return all(met)


def main() -> None:
    with benched_penny() as penny:
        use_data_of(penny)
        pairings = [penny.pair(f"Reader {number}") for number in range(READERS + 1)]
        met = asyncio.run(measure_readers(penny, pairings))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
