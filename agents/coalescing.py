"""Fewer, larger pieces of a model's stream: the client library needs about 0.4 ms for each one, whatever its size.

Twenty streams of a hundred tokens a second would keep one core busy with nothing else. So what arrives is collected while the piece
before it is worked on, and the text of neighbouring events is joined. The first piece of a stream is passed on at once.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

PIECE_S = 0.02
STREAMS_FREE = 4  # up to so many streams at a time keep to PIECE_S; more of them take turns less often
_END = b"\n\n"
_running: set[object] = set()


class CoalescingTransport(httpx2.AsyncBaseTransport):
    """Joins the pieces of event streams; leaves every other answer as it is."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _Coalesced(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Coalesced(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner, self._arrived, self._waiting, self._is_over = inner, asyncio.Event(), bytearray(), False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        _running.add(self)
        pump = asyncio.create_task(self._collect())
        try:
            while not self._is_over:
                await self._arrived.wait()
                self._arrived.clear()
                if piece := self._take():
                    yield piece
                    await asyncio.sleep(0 if self._is_over else PIECE_S * max(1.0, len(_running) / STREAMS_FREE))
            await pump  # raises what broke the connection, after everything that came before it
            yield self._take() + bytes(self._waiting)
        finally:
            _running.discard(self)
            pump.cancel()

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _collect(self) -> None:
        try:
            async for data in self._inner:
                self._waiting += data
                self._arrived.set()
        finally:
            self._is_over = True
            self._arrived.set()

    def _take(self) -> bytes:
        """Return the whole events that have arrived, joined; a part of one stays."""
        events, end, rest = bytes(self._waiting).replace(b"\r\n", b"\n").rpartition(_END)
        self._waiting[:] = rest
        return join_events(events) if end else b""


def join_events(data: bytes) -> bytes:
    """Return server-sent events in which runs of plain text pieces are one event each. What is not understood passes unchanged."""
    joined: list[bytes | dict[str, Any]] = []
    for event in data.split(_END):
        chunk = _text_piece(event)
        last = joined[-1] if joined else None
        if chunk is not None and isinstance(last, dict):
            last["choices"][0]["delta"]["content"] += chunk["choices"][0]["delta"]["content"]
        else:
            joined.append(event if chunk is None else chunk)
    return b"".join((b"data: " + json.dumps(each).encode() if isinstance(each, dict) else each) + _END for each in joined)


def _text_piece(event: bytes) -> dict[str, Any] | None:
    """Return the chunk of an event that holds a piece of the answer's text and nothing else."""
    if not event.startswith(b"data: {"):
        return None
    try:
        chunk = json.loads(event[6:])
        (choice,) = chunk["choices"]
        delta = choice["delta"]
        is_plain = isinstance(delta.get("content"), str) and not any(delta.get(name) for name in delta if name not in ("content", "role"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return chunk if is_plain and not choice.get("finish_reason") and not choice.get("logprobs") and not chunk.get("usage") else None
