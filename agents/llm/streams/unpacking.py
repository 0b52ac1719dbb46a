"""Unpack bodies that a server compressed unasked, piece by piece: a few bytes may hold gigabytes. Imports no Django."""

import asyncio
import zlib
from collections.abc import AsyncIterator

import httpx2

PIECE_BYTES = 64 * 1024
_ANY_HEADER, _NO_HEADER = 47, -15  # gzip or zlib; what some servers call deflate
_KNOWN = ("gzip", "x-gzip", "deflate")


def unpack(response: httpx2.Response, body: httpx2.AsyncByteStream) -> httpx2.AsyncByteStream:
    """Return the plain body. The client library would unpack all of a piece at once, and read an unknown encoding."""
    encoding = response.headers.pop("content-encoding", "").strip().lower()
    return _Unpacked(body, may_lack_header=encoding == "deflate") if encoding in _KNOWN else body


class _Unpacked(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, *, may_lack_header: bool) -> None:
        self._inner, self._may_lack_header = inner, may_lack_header

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpacker, may_lack_header = zlib.decompressobj(_ANY_HEADER), self._may_lack_header
        async for piece in self._inner:
            rest, data = piece, b""
            while rest or len(data) == PIECE_BYTES:
                try:
                    data = unpacker.decompress(rest, PIECE_BYTES)
                except zlib.error as error:
                    if not may_lack_header:
                        raise httpx2.DecodingError("a body that is not compressed as it says") from error
                    unpacker, may_lack_header = zlib.decompressobj(_NO_HEADER), False
                    continue
                rest, may_lack_header = unpacker.unconsumed_tail, False
                if data:
                    yield data
                    await asyncio.sleep(0)  # others have their turn

    async def aclose(self) -> None:
        await self._inner.aclose()
