"""A model's stream arrives whole, in order, in fewer pieces."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from agents.llm.streams.event_stream import CoalescingTransport, join_events, rest_s


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
    """Answer with the given pieces, which arrive a millisecond apart, read or not.

    `waits`: send the second piece once the first was read.
    """

    def __init__(
        self, pieces: list[bytes], kind: str = "text/event-stream", breaks: bool = False, waits: bool = False
    ) -> None:
        self.pieces, self.kind, self.breaks, self.waits = pieces, kind, breaks, waits
        self.is_read = asyncio.Event()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        server = self

        class Body(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                loop = asyncio.get_running_loop()
                start_s = loop.time()
                for number, data in enumerate(server.pieces):
                    if server.waits and number == 1:
                        await server.is_read.wait()
                    if (early := start_s + number * 0.001 - loop.time()) > 0:
                        await asyncio.sleep(early)
                    yield data
                if server.breaks:
                    raise httpx2.ReadError("gone")

        return httpx2.Response(200, headers={"content-type": self.kind}, stream=Body(), request=request)


async def read_stream(server: Server) -> list[bytes]:
    async with (
        httpx2.AsyncClient(transport=CoalescingTransport(server)) as client,
        client.stream("GET", "http://model.example/") as response,
    ):
        chunks = []
        async for data in response.aiter_raw():
            chunks.append(data)
            server.is_read.set()
        return chunks


async def test_the_first_piece_comes_at_once_and_all_of_the_text_in_order() -> None:
    pieces = await read_stream(
        Server([piece(f"{number} ") for number in range(60)] + [b"data: [DONE]\n\n"], waits=True)
    )
    assert texts(pieces[0]) == ["0 "]
    assert "".join(texts(b"".join(pieces))) == "".join(f"{number} " for number in range(60))
    assert len(pieces) < 60, "some were joined"


@pytest.mark.parametrize(
    "end",
    [
        piece("", delta={}, finish_reason="stop"),
        b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n',
        b"data: [DONE]\n\n",
        b"data: [DONE]\r\n\r\n",
    ],
)
async def test_the_end_is_passed_on_at_once(end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.llm.streams.event_stream.PIECE_S", 60.0)
    monkeypatch.setattr("agents.llm.streams.event_stream.REST_MAX_S", 60.0)
    async with asyncio.timeout(5):
        chunks = await read_stream(Server([piece("one "), end], waits=True))
    assert texts(chunks[0]) == ["one "]


async def test_events_that_are_cut_anywhere_or_end_with_carriage_returns_are_put_together() -> None:
    whole = (piece("one ") + piece("two")).replace(b"\n", b"\r\n")
    for cut in range(1, len(whole), 7):
        assert "".join(texts(b"".join(await read_stream(Server([whole[:cut], whole[cut:]]))))) == "one two"


@pytest.mark.parametrize("whole", [piece("one"), b'{"choices": [{"message": {"content": "one"}}]}'])
async def test_line_breaks_before_an_answer_are_left_out(whole: bytes) -> None:
    chunks = await read_stream(Server([b"\n" * 80, b"\n" * 80, b"\n", whole[:20], whole[20:]], "application/json"))
    assert "".join(texts(b"".join(chunks))) == "one"


@pytest.mark.parametrize("works_s", [0.0, 0.1])
async def test_what_came_before_the_connection_broke_is_delivered_then_the_break_is_told(works_s: float) -> None:
    """Also if both arrive while the reader is busy with the piece before."""
    chunks: list[bytes] = []
    broken = False
    async with httpx2.AsyncClient(
        transport=CoalescingTransport(Server([piece("half "), piece("of it")], breaks=True))
    ) as client:
        try:
            async with client.stream("GET", "http://model.example/") as response:
                async for data in response.aiter_raw():
                    chunks.append(data)
                    await asyncio.sleep(works_s)
        except httpx2.ReadError:
            broken = True
    assert ("".join(texts(b"".join(chunks))), broken) == ("half of it", True)


async def test_an_answer_that_is_no_stream_passes_as_it_is() -> None:
    assert b"".join(await read_stream(Server([b"{}", b"\r\n\r\n"], kind="application/json"))) == b"{}\r\n\r\n"


async def test_whoever_stops_and_goes_on_in_another_loop_misses_nothing() -> None:
    """The client library reads the bytes after the last event in a second loop."""
    server = Server([piece("one "), b"data: [DONE]\n\n"])
    response = await CoalescingTransport(server).handle_async_request(httpx2.Request("GET", "http://model.example/"))
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    first = await anext(aiter(response.stream))
    async with asyncio.timeout(1):
        rest = [data async for data in response.stream]
    whole = first + b"".join(rest)  # on a slow machine both may come with the first
    assert (texts(whole), whole.count(b"data: [DONE]\n\n")) == (["one "], 1)


def test_a_stream_rests_longer_among_many_and_while_others_wait_for_their_first_words() -> None:
    assert rest_s(1, 0) == rest_s(4, 0) == 0.02
    assert rest_s(4, 0) < rest_s(20, 0) < rest_s(20, 20) == rest_s(1, 50) == 0.25
