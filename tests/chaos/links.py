"""A bad network: a TCP proxy on loopback that cuts, slows and stops connections."""

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE_BYTES = 65_536
RESET = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: close with a reset, as a vanished machine would


class Link:
    """A proxy to `port` on a port of its own.

    A state holds until the next call; methods are thread-safe.
    """

    def __init__(self, port: int) -> None:
        self._target, self.port = port, 0
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._bytes_per_s: float | None = None
        self._is_open = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Reset every connection. New connections are accepted."""
        self._loop.call_soon_threadsafe(self._reset_all)

    def close(self) -> None:
        """Reset every connection, and all new ones until `open`."""
        self._is_open = False
        self.cut()

    def slow(self, bytes_per_s: float) -> None:
        """Carry so many bytes per second and direction.

        Below one, nothing moves and no side notices.
        """
        self._bytes_per_s = bytes_per_s

    def open(self) -> None:
        """Carry everything at full speed again."""
        self._bytes_per_s, self._is_open = None, True

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if not self._is_open:
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(far_writer)
            await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))
            self._end(far_writer)
        except OSError:
            pass
        finally:
            self._end(writer)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(PIECE_BYTES if self._bytes_per_s is None else 256):
                await self._linger(len(data))
                writer.write(data)
                await writer.drain()
        self._end(writer)

    async def _linger(self, size: int) -> None:
        """Wait as long as the data takes on a slow link, or until the link is fast again."""
        waited_s = 0.0
        while self._bytes_per_s is not None and waited_s < size / max(self._bytes_per_s, 1e-6):
            await asyncio.sleep(0.02)
            waited_s += 0.02

    def _reset_all(self) -> None:
        for writer in list(self._writers):
            with suppress(OSError):  # the other end was first
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            writer.transport.abort()
            self._writers.discard(writer)

    def _end(self, writer: asyncio.StreamWriter) -> None:
        self._writers.discard(writer)
        writer.close()

    def start(self) -> "Link":
        self._loop.run_until_complete(self._listen())
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        self.open()
        self._is_open = False
        asyncio.run_coroutine_threadsafe(self._end_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end_all(self) -> None:
        self._server.close()
        self._reset_all()
        if tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(tasks)


@contextmanager
def link_to(port: int) -> Iterator[Link]:
    link = Link(port).start()
    try:
        yield link
    finally:
        link.stop()
