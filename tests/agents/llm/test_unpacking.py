"""A server compresses what was asked for plain, and a few of its bytes hold gigabytes."""

import zlib
from collections.abc import AsyncIterator

import httpx2
import pytest

from agents.llm.streams import event_stream
from agents.llm.streams.event_stream import CoalescingTransport

EVENTS = b'data: {"choices": []}\n\ndata: [DONE]\n\n'


def packed(data: bytes, form: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, form)
    return packer.compress(data) + packer.flush()


class Server(httpx2.AsyncBaseTransport):
    """Answer with one piece again and again, and count how often it was read."""

    def __init__(self, status: int, encoding: str, piece: bytes, times: int) -> None:
        self.status, self.encoding, self.piece, self.times, self.read = status, encoding, piece, times, 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        server = self

        class Body(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                while server.read < server.times:
                    server.read += 1
                    yield server.piece

        headers = {"content-type": "text/event-stream", "content-encoding": self.encoding}
        return httpx2.Response(self.status, headers=headers, stream=Body(), request=request)


async def read_body(server: Server) -> bytes:
    async with httpx2.AsyncClient(transport=CoalescingTransport(server)) as client:
        return (await client.get("http://model.example/")).content


@pytest.mark.parametrize(("encoding", "form"), [("gzip", 31), ("GZip ", 31), ("deflate", 15), ("deflate", -15)])
async def test_an_answer_that_came_compressed_is_read(encoding: str, form: int) -> None:
    assert await read_body(Server(200, encoding, packed(EVENTS, form), 1)) == EVENTS
    assert await read_body(Server(500, encoding, packed(b"x" * 1000, form), 1)) == b"x" * 1000


async def test_an_encoding_that_only_its_name_says_is_read_as_it_is() -> None:
    assert await read_body(Server(200, "nonsense", EVENTS, 1)) == EVENTS
    with pytest.raises(httpx2.DecodingError):
        await read_body(Server(500, "gzip", b"{}", 1))


@pytest.mark.parametrize("encoding", ["gzip", "nonsense"])
@pytest.mark.parametrize("status", [200, 500])
async def test_a_body_without_end_is_left_early_however_it_is_encoded(
    monkeypatch: pytest.MonkeyPatch, status: int, encoding: str
) -> None:
    monkeypatch.setattr(event_stream, "EVENT_BYTES", 256 * 1024)
    block = b"data: " + b"a" * 1024 * 1024
    server = Server(status, encoding, packed(block, 31) if encoding == "gzip" else block, 1000)
    try:
        assert len(await read_body(server)) <= 256 * 1024
    except httpx2.RemoteProtocolError:
        assert status == 200
    assert server.read < 5


async def test_a_stream_of_events_that_say_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "STREAM_BYTES", 64 * 1024)
    server = Server(200, "", b": nothing\n\n" * 1000, 1000)
    with pytest.raises(httpx2.RemoteProtocolError):
        await read_body(server)
    assert server.read < 10
