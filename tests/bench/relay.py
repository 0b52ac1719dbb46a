"""Measure how much later a token arrives through Penny than straight from the model.

Run `python -m tests.bench.relay`. It measures the time from sending a message to the first token, at 1 and at 20
streams of 100 tokens at 10 ms each, and whether every token arrives in order. All runs on one machine: compare the
difference and the ratio, not the absolute figures.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from devices import protocol
from tests.bench.streams import TOKENS, benched_penny, model_process, percentile, verdict
from tests.client import Pairing, hello, proof

ROUNDS = 10
TARGETS_MS = {1: 40.0, 20: 150.0}


@dataclass
class Stream:
    """One stream: seconds to its first token, delay of each token in ms, and the numbers of the tokens."""

    began: float = field(default_factory=time.monotonic)
    first_s: float | None = None
    text: str = ""
    delays_ms: list[float] = field(default_factory=list)

    def take(self, text: str) -> None:
        now = time.monotonic()
        if self.first_s is None:
            self.first_s = now - self.began
        tokens_before = self.text.count(" ")
        self.text += text
        for token in self.text.split(" ")[tokens_before:-1]:
            self.delays_ms.append((now * 1e9 - int(token.partition(":")[2])) / 1e6)

    @property
    def numbers(self) -> list[int]:
        return [int(token.partition(":")[0]) for token in self.text.split()]


async def stream_directly(url: str, client: httpx2.AsyncClient) -> Stream:
    stream = Stream()
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Go"}]}
    async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                delta = json.loads(line[6:])["choices"][0]["delta"]
                if delta.get("content"):
                    stream.take(delta["content"])
    return stream


async def stream_through_penny(socket: ClientConnection, count: int, words: str = "Go") -> list[Stream]:
    turns: dict[UUID, Stream] = {}
    for _ in range(count):
        turn = uuid4()
        turns[turn] = Stream()
        await socket.send(protocol.encode(protocol.ChatSend(turn_id=turn, text=words)))
    open_turns = set(turns)
    async for frame in _frames(socket):
        if isinstance(frame, protocol.TurnDelta) and frame.turn_id in turns:
            turns[frame.turn_id].take(frame.text)
        if isinstance(frame, protocol.TurnDone | protocol.TurnFailed):
            open_turns.discard(frame.turn_id)
        if not open_turns:
            break
    return list(turns.values())


async def _frames(socket: ClientConnection) -> AsyncIterator[protocol.ServerFrame]:
    async for text in socket:
        frame = protocol.parse_server(text if isinstance(text, str) else text.decode())
        if isinstance(frame, protocol.MessageNew):
            await socket.send(protocol.encode(protocol.MessageAck(seq=frame.message.seq)))
        yield frame


async def shake_hands(socket: ClientConnection, pairing: Pairing) -> None:
    greeting = hello(pairing)
    await socket.send(protocol.encode(greeting))
    challenge = protocol.parse_server(str(await socket.recv()))
    assert isinstance(challenge, protocol.AuthChallenge)
    await socket.send(protocol.encode(proof(pairing, greeting, challenge, [], None)))
    assert isinstance(protocol.parse_server(str(await socket.recv())), protocol.Welcome)


async def measure_relay(model_url: str, pairing: Pairing) -> bool:
    address = pairing.url.replace("http", "ws", 1) + "/ws/device"
    limits = httpx2.Limits(max_connections=50, max_keepalive_connections=50)
    met = True
    async with (
        connect(address, proxy=None, max_size=None) as socket,
        httpx2.AsyncClient(trust_env=False, limits=limits, timeout=60) as client,
    ):
        await shake_hands(socket, pairing)
        await stream_through_penny(socket, 1)  # the first turn imports what a turn needs
        await stream_directly(model_url, client)
        for streams, target_ms in TARGETS_MS.items():
            direct: list[Stream] = []
            relayed: list[Stream] = []
            for _ in range(ROUNDS if streams == 1 else 3):
                direct += await asyncio.gather(*(stream_directly(model_url, client) for _ in range(streams)))
                relayed += await stream_through_penny(socket, streams)
            met &= report_streams(streams, direct, relayed, target_ms)
    return met


def report_streams(streams: int, direct: list[Stream], relayed: list[Stream], target_ms: float) -> bool:
    first_direct, first_relayed = (
        percentile([(stream.first_s or 60.0) * 1000 for stream in streams_read], 0.5)
        for streams_read in (direct, relayed)
    )
    delay_direct, delay_relayed = (
        percentile([d for stream in streams_read for d in stream.delays_ms] or [0.0], 0.5)
        for streams_read in (direct, relayed)
    )
    whole = sum(stream.numbers == list(range(TOKENS)) for stream in relayed)
    arrived = sum(len(stream.numbers) for stream in relayed)
    print(f"\n{streams} stream{'s' if streams > 1 else ''}")
    ratio = first_relayed / first_direct
    print(
        f"       first token p50: direct {first_direct:.1f} ms, through Penny {first_relayed:.1f} ms "
        f"({ratio:.1f} times)"
    )
    print(f"       delay of a token p50: direct {delay_direct:.1f} ms, through Penny {delay_relayed:.1f} ms")
    met = verdict("added time to first token", first_relayed - first_direct, "ms", target_ms)
    word = "met   " if whole == len(relayed) else "MISSED"
    print(
        f"{word} tokens delivered: {arrived} of {len(relayed) * TOKENS}, in order in {whole} of {len(relayed)} streams"
    )
    return met and whole == len(relayed)


def main() -> None:
    with model_process() as model_url, benched_penny(model_url) as penny:
        met = asyncio.run(measure_relay(model_url, penny.pair("Bench")))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
