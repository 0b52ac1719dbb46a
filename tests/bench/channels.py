"""Measure how much later the first token comes over other channels than in the web chat.

Run `python -m tests.bench.channels`. The answer is one token, because Signal carries whole messages; the model's time
is subtracted. The channels take turns, so that other load of the machine meets all alike: compare the differences, not
the absolute figures.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Awaitable, Callable

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from tests.bench.relay import shake_hands, stream_through_penny
from tests.bench.streams import ONE, benched_penny, model_process, percentile, verdict
from tests.penny import MANY, Penny
from tests.stand_ins import signal_server
from tests.stand_ins.signal_server import BOT, SignalServer

ROUNDS, WARM = 40, 5
# pause after each answer: its reactions and receipts would slow down the next channel, most of all the web chat
QUIET_S = 0.4
TARGET_MS = 10.0
Channel = Callable[[], Awaitable[float]]


def over_web(socket: ClientConnection) -> Channel:
    async def ask() -> float:
        [stream] = await stream_through_penny(socket, 1, ONE)
        assert stream.first_s is not None
        return stream.first_s

    return ask


def over_api(client: httpx2.AsyncClient, penny: Penny, token: str) -> Channel:
    async def ask() -> float:
        began, first = time.monotonic(), 0.0
        body = {"model": "penny", "stream": True, "messages": [{"role": "user", "content": ONE}]}
        headers = {"Authorization": f"Bearer {token}"}
        async with client.stream("POST", f"{penny.url}/v1/chat/completions", json=body, headers=headers) as response:
            async for line in response.aiter_lines():
                if (
                    not first
                    and line.startswith("data: {")
                    and json.loads(line[6:])["choices"][0]["delta"].get("content")
                ):
                    first = time.monotonic() - began
        assert first, "the program got an answer"
        return first

    return ask


def over_signal(server: SignalServer) -> Channel:
    def ask() -> float:
        server.took.clear()
        began = time.monotonic()
        server.write(ONE)
        assert server.took.wait(60)  # an event instead of polling: Penny needs the processor
        assert "0:" in server.sent[-1].text
        return server.sent[-1].taken_at - began

    return lambda: asyncio.to_thread(ask)


async def measure_channels(penny: Penny, server: SignalServer, token: str) -> bool:
    address = penny.url.replace("http", "ws", 1) + "/ws/device"
    async with (
        connect(address, proxy=None, max_size=None) as socket,
        httpx2.AsyncClient(trust_env=False, timeout=60) as client,
    ):
        await shake_hands(socket, penny.pair("Bench"))
        channels = {
            "the web chat": over_web(socket),
            "the API": over_api(client, penny, token),
            "Signal": over_signal(server),
        }
        times_ms: dict[str, list[float]] = {name: [] for name in channels}
        for number in range(WARM + ROUNDS):
            for name, ask in channels.items():
                took = await ask()
                await asyncio.sleep(QUIET_S)
                times_ms[name] += [took * 1000] if number >= WARM else []
    return report_channels(times_ms)


def report_channels(times_ms: dict[str, list[float]]) -> bool:
    web, met = percentile(times_ms["the web chat"], 0.5), True
    for name, times in times_ms.items():
        print(
            f"       first token through {name}: p50 {percentile(times, 0.5):.1f} ms, p90 "
            f"{percentile(times, 0.9):.1f} ms"
        )
    for name in ("the API", "Signal"):
        met &= verdict(f"added by {name}", percentile(times_ms[name], 0.5) - web, "ms", TARGET_MS)
    return met


def main() -> None:
    with (
        signal_server.run_signal_server() as server,
        model_process() as model_url,
        benched_penny(model_url, PENNY_SIGNAL_URL=server.url, PENNY_SIGNAL_NUMBER=BOT) as penny,
    ):
        penny.set(API_CALLS_MINUTE=MANY)
        penny.know_phone(server)
        token = re.search(r'data-copy="(penny-[\w-]+)"', penny.post("/permissions/programs/", label="Bench").text)
        assert token is not None
        met = asyncio.run(measure_channels(penny, server, token[1]))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
