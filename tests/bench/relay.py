"""How much later a token arrives through Penny than straight from the model: `python -m tests.bench.relay`.

Time to first token from the moment a message is sent, at 1 and at 20 streams, 100 tokens at 10 ms each; and whether
every token arrives, in order. All in one run on one machine: the difference and the ratio mean something, the figures
alone do not.
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
class Heard:
    """What one stream brought: the seconds until its first token, the delay of each token in ms, and the tokens'
    numbers.
    """

    sent: float = field(default_factory=time.monotonic)
    first_s: float | None = None
    text: str = ""
    delays_ms: list[float] = field(default_factory=list)

    def take(self, text: str) -> None:
        now = time.monotonic()
        if self.first_s is None:
            self.first_s = now - self.sent
        done = self.text.count(" ")
        self.text += text
        for token in self.text.split(" ")[done:-1]:
            self.delays_ms.append((now * 1e9 - int(token.partition(":")[2])) / 1e6)

    @property
    def numbers(self) -> list[int]:
        return [int(token.partition(":")[0]) for token in self.text.split()]


async def directly(url: str, client: httpx2.AsyncClient) -> Heard:
    """Read one stream of the model itself."""
    heard = Heard()
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Go"}]}
    async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                delta = json.loads(line[6:])["choices"][0]["delta"]
                if delta.get("content"):
                    heard.take(delta["content"])
    return heard


async def through_penny(socket: ClientConnection, count: int, words: str = "Go") -> list[Heard]:
    """Send `count` messages at once over one device and collect their streams until each turn is done."""
    turns: dict[UUID, Heard] = {}
    for _ in range(count):
        turn = uuid4()
        turns[turn] = Heard()
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
    said = hello(pairing)
    await socket.send(protocol.encode(said))
    challenge = protocol.parse_server(str(await socket.recv()))
    assert isinstance(challenge, protocol.AuthChallenge)
    await socket.send(protocol.encode(proof(pairing, said, challenge, [], None)))
    assert isinstance(protocol.parse_server(str(await socket.recv())), protocol.Welcome)


async def measure(model_url: str, pairing: Pairing) -> bool:
    address = pairing.url.replace("http", "ws", 1) + "/ws/device"
    limits = httpx2.Limits(max_connections=50, max_keepalive_connections=50)
    met = True
    async with (
        connect(address, proxy=None, max_size=None) as socket,
        httpx2.AsyncClient(trust_env=False, limits=limits, timeout=60) as client,
    ):
        await shake_hands(socket, pairing)
        await through_penny(socket, 1)  # the first turn imports what a turn needs
        await directly(model_url, client)
        for streams, target_ms in TARGETS_MS.items():
            direct: list[Heard] = []
            relayed: list[Heard] = []
            for _ in range(ROUNDS if streams == 1 else 3):
                direct += await asyncio.gather(*(directly(model_url, client) for _ in range(streams)))
                relayed += await through_penny(socket, streams)
            met &= report(streams, direct, relayed, target_ms)
    return met


def report(streams: int, direct: list[Heard], relayed: list[Heard], target_ms: float) -> bool:
    first_direct, first_relayed = (
        percentile([(heard.first_s or 60.0) * 1000 for heard in found], 0.5) for found in (direct, relayed)
    )
    delay_direct, delay_relayed = (
        percentile([d for heard in found for d in heard.delays_ms] or [0.0], 0.5) for found in (direct, relayed)
    )
    whole = sum(heard.numbers == list(range(TOKENS)) for heard in relayed)
    arrived = sum(len(heard.numbers) for heard in relayed)
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
        met = asyncio.run(measure(model_url, penny.pair("Bench")))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
