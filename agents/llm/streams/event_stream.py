"""Join the pieces of a model's stream: each piece costs the client library 0.4 ms.

Twenty streams of 100 tokens a second would fill one core. Data that arrives while a piece is processed is collected,
and neighbouring text events become one. The first piece of a stream and its end are passed on at once.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from agents.llm.failures.between import WEB_PAGE, Received
from agents.llm.failures.refusals import REASON_CHARACTERS
from agents.llm.streams.silence import Silence, current_silence
from agents.llm.streams.stream_repair import StreamRepair
from agents.llm.streams.unpacking import unpack
from agents.llm.streams.whole_body import events_of

PIECE_S = 0.02
STREAMS_FREE = 4  # up to so many streams pause for PIECE_S each; with more of them, each pauses longer
REST_MAX_S = 0.25
READING_S = 0.002  # enough to read the data that arrived during a pause
EVENT_BYTES = 8 * 1024**2  # the longest event, and what may wait for its end
STREAM_BYTES = 128 * 1024**2  # all events: what is no word of an answer is not counted elsewhere
BODY_BYTES = 4 * 1024**2  # the longest answer in one body
ERROR_BYTES = 64 * 1024
SNIFF_BYTES = 64  # tell a stream from a body
_END = b"\n\n"
_BEGINS = (b"data:", b"event:", b"id:", b"retry:", b":")  # of an event stream
_running: set[object] = set()
# Runs that have not sent their first request yet; the worker adds them. Running streams pause longer for them.
starting: set[object] = set()


def rest_s(running: int, waiting: int) -> float:
    """Return how long a stream pauses after a piece, in seconds.

    `running`: the number of streams; `waiting`: the number of runs that have not sent their first request.
    """
    return min(REST_MAX_S, PIECE_S * max(1.0, running / STREAMS_FREE, waiting))


class CoalescingTransport(httpx2.AsyncBaseTransport):
    """Join the pieces of event streams, make streams of whole answers, and bound the bodies of refusals."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        silence = current_silence()
        silence.ask()
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        silence.hear()
        response.stream = unpack(response, _Heard(response.stream, silence))
        if response.status_code != 200:
            response.stream = _Part(response.stream, ERROR_BYTES, silence)
        elif response.headers.get("content-type", "").startswith("text/event-stream"):
            response.stream = _Coalesced(response.stream)
        else:
            response.stream = await _stream_of(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _stream_of(body: httpx2.AsyncByteStream) -> httpx2.AsyncByteStream:
    """Return the event stream that a body is or can be made, whatever its type says; another body up to a bound."""
    pieces, data = aiter(body), bytearray()
    try:
        async for piece in pieces:
            data += piece
            if len(data) < SNIFF_BYTES + len(piece):
                data = data.lstrip()  # a server that works may send line breaks first
                if data.startswith(_BEGINS):
                    return _Coalesced(_Begun(bytes(data), pieces, body))
            if len(data) > BODY_BYTES:
                break
    except BaseException:
        await body.aclose()
        raise
    await body.aclose()
    whole = bytes(data)
    return httpx2.ByteStream(events_of(whole) or _page_event(whole) or whole[:ERROR_BYTES])


def _page_event(body: bytes) -> bytes:
    """Return a page of the web as an error of the stream: the client library would read nothing in it."""
    text = body[:REASON_CHARACTERS].decode(errors="replace")
    if not Received(200, text).is_page:
        return b""
    return b"data: " + json.dumps({"error": {"message": text, "type": WEB_PAGE}}).encode() + _END


class _Heard(httpx2.AsyncByteStream):
    """A body that tells of each piece that arrives."""

    def __init__(self, inner: httpx2.AsyncByteStream, silence: Silence) -> None:
        self._inner, self._silence = inner, silence

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._silence.hear()
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Begun(httpx2.AsyncByteStream):
    """A body whose first bytes were read."""

    def __init__(self, begin: bytes, rest: AsyncIterator[bytes], inner: httpx2.AsyncByteStream) -> None:
        self._begin, self._rest, self._inner = begin, rest, inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._begin
        async for piece in self._rest:
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Part(httpx2.AsyncByteStream):
    """The first bytes of a refusal. After it nobody is silent: the client library waits before it asks again."""

    def __init__(self, inner: httpx2.AsyncByteStream, size: int, silence: Silence) -> None:
        self._inner, self._size, self._silence = inner, size, silence

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._size
        async for piece in self._inner:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    async def aclose(self) -> None:
        self._silence.pause()
        await self._inner.aclose()


class _Coalesced(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner, self._arrived, self._waiting, self._is_over = inner, asyncio.Event(), bytearray(), False
        self._rests_until = 0.0
        self._pump: asyncio.Task[None] | None = None
        self._repair = StreamRepair()
        self._all = self._pieces()

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Continue where the last loop stopped.

        The client library reads the end of a stream in a second loop.
        """
        return self._all

    async def _pieces(self) -> AsyncIterator[bytes]:
        _running.add(self)
        loop = asyncio.get_running_loop()
        self._pump = pump = asyncio.create_task(self._collect())
        try:
            while not self._is_over:
                await self._arrived.wait()
                self._arrived.clear()
                if piece := self._take():
                    yield piece
                    self._rests_until = loop.time() + rest_s(len(_running), len(starting))
            try:
                await pump
            except Exception:  # the connection broke: first deliver what arrived before
                if piece := self._take():
                    yield piece
                raise
            yield self._take() + self._repaired(bytes(self._waiting))
        finally:
            self._end()

    async def aclose(self) -> None:
        self._end()
        await self._inner.aclose()

    def _end(self) -> None:
        """Stop counting as running. A reader that stops before the last byte only calls `aclose`."""
        _running.discard(self)
        if self._pump is not None:
            self._pump.cancel()

    async def _collect(self) -> None:
        """Read from the connection, except during a pause.

        Data of a pause waits in the socket and is read in one go, which is what saves time.
        """
        loop, left = asyncio.get_running_loop(), STREAM_BYTES
        try:
            async for data in self._inner:
                self._waiting += data
                left -= len(data)
                if len(self._waiting) > EVENT_BYTES or left < 0:
                    raise httpx2.RemoteProtocolError("an event or a stream without end")
                rest = self._rests_until - loop.time()
                if rest > 0 and not _ends(self._waiting):
                    await asyncio.sleep(rest)
                    loop.call_later(READING_S, self._arrived.set)
                else:
                    self._arrived.set()
        finally:
            self._is_over = True
            self._arrived.set()

    def _take(self) -> bytes:
        """Return the complete events that have arrived, joined; keep an incomplete one."""
        events, end, rest = bytes(self._waiting).replace(b"\r\n", b"\n").rpartition(_END)
        self._waiting[:] = rest
        return self._repaired(events) if end else b""

    def _repaired(self, events: bytes) -> bytes:
        repaired = [event for event in map(self._repair.repair, map(bytes.lstrip, events.split(_END))) if event]
        return join_events(_END.join(repaired)) if repaired else b""


def _ends(waiting: bytearray) -> bool:
    """Whether the last event ends the answer, so that a pause would only delay the end."""
    event = bytes(waiting).replace(b"\r\n", b"\n").removesuffix(_END).rpartition(_END)[2]
    if event == b"data: [DONE]":
        return True
    try:
        choices = json.loads(event.removeprefix(b"data: "))["choices"]
        return not choices or any(choice.get("finish_reason") for choice in choices)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def join_events(data: bytes) -> bytes:
    """Return server-sent events with neighbouring plain text events joined.

    An event that is not understood passes unchanged.
    """
    joined: list[bytes | dict[str, Any]] = []
    for event in data.split(_END):
        chunk = _text_piece(event)
        last = joined[-1] if joined else None
        if chunk is not None and isinstance(last, dict):
            last["choices"][0]["delta"]["content"] += chunk["choices"][0]["delta"]["content"]
        else:
            joined.append(event if chunk is None else chunk)
    return b"".join(
        (b"data: " + json.dumps(item).encode() if isinstance(item, dict) else item) + _END for item in joined
    )


def _text_piece(event: bytes) -> dict[str, Any] | None:
    """Return the chunk of an event that holds answer text and nothing else, or None."""
    if not event.startswith(b"data: {"):
        return None
    try:
        chunk = json.loads(event[6:])
        (choice,) = chunk["choices"]
        delta = choice["delta"]
        is_plain = isinstance(delta.get("content"), str) and not any(
            delta.get(name) for name in delta if name not in ("content", "role")
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return (
        chunk
        if is_plain and not choice.get("finish_reason") and not choice.get("logprobs") and not chunk.get("usage")
        else None
    )
