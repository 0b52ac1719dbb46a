"""A model's stream arrives whole, in order, in fewer pieces."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from agents.coalescing import CoalescingTransport, join_events


def piece(text: str, **more: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None} | more
    return b"data: " + json.dumps({"id": "x", "choices": [choice]}).encode() + b"\n\n"


def texts(stream: bytes) -> list[str]:
    events = [json.loads(event[6:]) for event in stream.split(b"\n\n") if event.startswith(b"data: {")]
    return [choice["delta"].get("content", "") for event in events for choice in event["choices"]]


def test_neighbouring_pieces_of_text_become_one() -> None:
    assert texts(join_events((piece("Hel") + piece("lo ") + piece("you")).removesuffix(b"\n\n"))) == ["Hello you"]


def test_what_is_not_plain_text_keeps_its_place_and_its_bytes() -> None:
    call = piece("", delta={"tool_calls": [{"index": 0, "function": {"arguments": '{"url"'}}]})
    end = piece("", delta={}, finish_reason="stop")
    usage = b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n'
    others = call + b": a comment\n\n" + b"data: not json\n\n" + end + usage + b"data: [DONE]\n\n"
    stream = piece("a") + piece("b") + others
    joined = join_events(stream.removesuffix(b"\n\n"))
    assert joined.endswith(others)
    assert texts(joined.removesuffix(others)) == ["ab"]


class Server(httpx2.AsyncBaseTransport):
    """Answers with the given pieces, a moment apart."""

    def __init__(self, pieces: list[bytes], kind: str = "text/event-stream", breaks: bool = False) -> None:
        self.pieces, self.kind, self.breaks = pieces, kind, breaks

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        server = self

        class Body(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                for data in server.pieces:
                    yield data
                    await asyncio.sleep(0.001)
                if server.breaks:
                    raise httpx2.ReadError("gone")

        return httpx2.Response(200, headers={"content-type": self.kind}, stream=Body(), request=request)


async def read(server: Server) -> list[bytes]:
    async with (
        httpx2.AsyncClient(transport=CoalescingTransport(server)) as client,
        client.stream("GET", "http://model.example/") as response,
    ):
        return [data async for data in response.aiter_raw()]


async def test_the_first_piece_comes_at_once_and_all_of_the_text_in_order() -> None:
    pieces = await read(Server([piece(f"{number} ") for number in range(60)] + [b"data: [DONE]\n\n"]))
    assert texts(pieces[0]) == ["0 "]
    assert "".join(texts(b"".join(pieces))) == "".join(f"{number} " for number in range(60))
    assert len(pieces) < 30


async def test_events_that_are_cut_anywhere_or_end_with_carriage_returns_are_put_together() -> None:
    whole = (piece("one ") + piece("two")).replace(b"\n", b"\r\n")
    for cut in range(1, len(whole), 7):
        assert "".join(texts(b"".join(await read(Server([whole[:cut], whole[cut:]]))))) == "one two"


async def test_what_came_before_the_connection_broke_is_delivered_then_the_break_is_told() -> None:
    got: list[bytes] = []
    broken = False
    async with httpx2.AsyncClient(transport=CoalescingTransport(Server([piece("half")], breaks=True))) as client:
        try:
            async with client.stream("GET", "http://model.example/") as response:
                async for data in response.aiter_raw():
                    got.append(data)  # noqa: PERF401  what came before the error counts
        except httpx2.ReadError:
            broken = True
    assert (texts(b"".join(got)), broken) == (["half"], True)


async def test_an_answer_that_is_no_stream_passes_as_it_is() -> None:
    assert b"".join(await read(Server([b"{}", b"\r\n\r\n"], kind="application/json"))) == b"{}\r\n\r\n"
