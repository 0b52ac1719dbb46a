"""Measure the memory growth of a busy Penny: `python -m tests.bench.steady [MINUTES]` (Linux; default 8 minutes).

25 devices send two messages a second each. Printed are the memory of all of Penny's processes every ten seconds, and
the slope from the second minute on.
"""

import asyncio
import json
import sys
import time
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from devices import protocol
from tests.bench.idle import name, pss_mb
from tests.bench.relay import shake_hands
from tests.bench.streams import benched_penny, verdict
from tests.client import Pairing
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, text

SOCKETS = 25
EVERY_S = 0.5
MINUTES = 8.0
SKIPPED_S = 120.0
SLOPE = 0.5


async def read_answers(socket: ClientConnection, answered: list[str]) -> None:
    """Read and acknowledge with little work: this process shares the machine with the measured ones."""
    async for text_ in socket:
        kind = str(text_)[9:30]
        if kind.startswith("message.new"):
            message = json.loads(text_)["message"]
            await socket.send(protocol.encode(protocol.MessageAck(seq=message["seq"])))
            if message["direction"] == "out":
                answered.append(message["turn_id"])


async def write_messages(socket: ClientConnection, until: float) -> int:
    """Send a message every half second; return the count."""
    count = 0
    while time.monotonic() < until:
        await socket.send(protocol.encode(protocol.ChatSend(turn_id=uuid4(), text=f"Message {count}")))
        count += 1
        await asyncio.sleep(EVERY_S)
    return count


async def watch_memory(penny: Penny, until: float) -> list[tuple[float, float]]:
    """Return pairs of minutes and MB of all processes."""
    began, points = time.monotonic(), []
    while time.monotonic() < until:
        points.append(((time.monotonic() - began) / 60, sum(pss_mb(pid) for pid in [penny.pid, *penny.children()])))
        print(f"  {points[-1][0]:4.1f} min  {points[-1][1]:7.1f} MB", flush=True)
        await asyncio.sleep(10)
    return points


def memory_growth(pid: int, before: dict[int, float]) -> float:
    return pss_mb(pid) - before.get(pid, 0.0)


def slope(points: list[tuple[float, float]]) -> float:
    """Return the least-squares slope of y over x."""
    x_mean, y_mean = (sum(column) / len(points) for column in zip(*points, strict=True))
    spread = sum((x - x_mean) * (x - x_mean) for x, _ in points)
    return float(sum((x - x_mean) * (y - y_mean) for x, y in points) / (spread or 1.0))


async def measure_memory(penny: Penny, pairings: list[Pairing], minutes: float) -> bool:
    address = penny.url.replace("http", "ws", 1) + "/ws/device"
    sockets = [await connect(address, proxy=None, max_size=None) for _ in pairings]
    for socket, pairing in zip(sockets, pairings, strict=True):
        await shake_hands(socket, pairing)
    answered: list[str] = []
    reading = [asyncio.create_task(read_answers(socket, answered)) for socket in sockets]
    before = {pid: pss_mb(pid) for pid in [penny.pid, *penny.children()]}
    until = time.monotonic() + minutes * 60
    watching = asyncio.create_task(watch_memory(penny, until))
    counts = await asyncio.gather(*(write_messages(socket, until) for socket in sockets))
    points = await watching
    closed = sum(task.done() for task in reading)
    for task in reading:
        task.cancel()
    print(
        f"{sum(counts)} messages sent, {len(answered) // SOCKETS} answered; {closed} of {SOCKETS} sockets were "
        "closed meanwhile"
    )
    for pid in [penny.pid, *penny.children()]:
        print(f"  {pss_mb(pid):6.1f} MB, {memory_growth(pid, before):+6.1f}  {name(pid)}")
    steady = [(x, y) for x, y in points if x * 60 >= min(SKIPPED_S, minutes * 20)]
    return verdict("memory slope", slope(steady), "MB/min", SLOPE)


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    model = ModelServer(script=lambda _: text("Yes.")).start()
    try:
        with benched_penny(model.url) as penny:
            pairings = [penny.pair(f"Device {number}") for number in range(SOCKETS)]
            met = asyncio.run(measure_memory(penny, pairings, minutes))
    finally:
        model.stop()
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
