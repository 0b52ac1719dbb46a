"""Whether memory grows while Penny is used steadily: `python -m tests.bench.steady [MINUTES]` (Linux; 8 minutes unless
said otherwise).

25 devices send two messages a second each. Printed are the memory of all of Penny's processes every ten seconds and the
slope from the second minute on.
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


async def read(socket: ClientConnection, done: list[str]) -> None:
    """Read and acknowledge with as little work as possible: the reader shares the machine with what is measured."""
    async for text_ in socket:
        kind = str(text_)[9:30]
        if kind.startswith("message.new"):
            message = json.loads(text_)["message"]
            await socket.send(protocol.encode(protocol.MessageAck(seq=message["seq"])))
            if message["direction"] == "out":
                done.append(message["turn_id"])


async def write(socket: ClientConnection, until: float) -> int:
    """Send a message every half second; return how many."""
    count = 0
    while time.monotonic() < until:
        await socket.send(protocol.encode(protocol.ChatSend(turn_id=uuid4(), text=f"Message {count}")))
        count += 1
        await asyncio.sleep(EVERY_S)
    return count


async def watch(penny: Penny, until: float) -> list[tuple[float, float]]:
    """Return times in minutes and the memory in MB of all processes then."""
    began, found = time.monotonic(), []
    while time.monotonic() < until:
        found.append(((time.monotonic() - began) / 60, sum(pss_mb(pid) for pid in [penny.pid, *penny.children()])))
        print(f"  {found[-1][0]:4.1f} min  {found[-1][1]:7.1f} MB", flush=True)
        await asyncio.sleep(10)
    return found


def grown(pid: int, before: dict[int, float]) -> float:
    return pss_mb(pid) - before.get(pid, 0.0)


def slope(points: list[tuple[float, float]]) -> float:
    """Return the least-squares slope of y over x."""
    x_mean, y_mean = (sum(column) / len(points) for column in zip(*points, strict=True))
    spread = sum((x - x_mean) * (x - x_mean) for x, _ in points)
    return float(sum((x - x_mean) * (y - y_mean) for x, y in points) / (spread or 1.0))


async def measure(penny: Penny, pairings: list[Pairing], minutes: float) -> bool:
    address = penny.url.replace("http", "ws", 1) + "/ws/device"
    sockets = [await connect(address, proxy=None, max_size=None) for _ in pairings]
    for socket, pairing in zip(sockets, pairings, strict=True):
        await shake_hands(socket, pairing)
    done: list[str] = []
    reading = [asyncio.create_task(read(socket, done)) for socket in sockets]
    before = {pid: pss_mb(pid) for pid in [penny.pid, *penny.children()]}
    until = time.monotonic() + minutes * 60
    watching = asyncio.create_task(watch(penny, until))
    sent = await asyncio.gather(*(write(socket, until) for socket in sockets))
    points = await watching
    closed = sum(task.done() for task in reading)
    for task in reading:
        task.cancel()
    print(
        f"{sum(sent)} messages sent, {len(done) // SOCKETS} answered; {closed} of {SOCKETS} sockets were "
        "closed meanwhile"
    )
    for pid in [penny.pid, *penny.children()]:
        print(f"  {pss_mb(pid):6.1f} MB, {grown(pid, before):+6.1f}  {name(pid)}")
    steady = [(x, y) for x, y in points if x * 60 >= min(SKIPPED_S, minutes * 20)]
    return verdict("memory slope", slope(steady), "MB/min", SLOPE)


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    model = ModelServer(script=lambda _: text("Yes.")).start()
    try:
        with benched_penny(model.url) as penny:
            pairings = [penny.pair(f"Device {number}") for number in range(SOCKETS)]
            met = asyncio.run(measure(penny, pairings, minutes))
    finally:
        model.stop()
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
