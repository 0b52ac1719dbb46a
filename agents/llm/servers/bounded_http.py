"""Connections for urllib whose answer has to be there within the timeout of its request, all of it.

urllib's own timeout is that of each read: a server that sends a byte a second holds a thread for days.
"""

import io
import socket
import time
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, Request


class BoundedHttp(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_Connection, req)


class BoundedHttps(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, req)


class _Connection(HTTPConnection):
    sock: Any

    def connect(self) -> None:
        super().connect()
        self.sock = _Socket(self.sock, self.timeout)


class _SecureConnection(HTTPSConnection):
    sock: Any

    def connect(self) -> None:
        super().connect()
        self.sock = _Socket(self.sock, self.timeout)


class _Socket:
    """What http.client uses of a socket."""

    def __init__(self, inner: socket.socket, timeout_s: float | None) -> None:
        self._inner, self._ends_at = inner, None if timeout_s is None else time.monotonic() + timeout_s

    def sendall(self, data: Any) -> None:
        self.limit()
        self._inner.sendall(data)

    def makefile(self, *_: object) -> io.BufferedReader:
        return io.BufferedReader(_Reads(self, self._inner.makefile("rb", buffering=0)))

    def close(self) -> None:
        self._inner.close()

    def limit(self) -> None:
        """Let the next call last until the end of the time. Raises TimeoutError after it."""
        if self._ends_at is not None:
            left_s = self._ends_at - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("the answer took too long")
            self._inner.settimeout(left_s)


class _Reads(io.RawIOBase):
    def __init__(self, connection: _Socket, inner: io.RawIOBase) -> None:
        self._connection, self._inner = connection, inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._connection.limit()
        return self._inner.readinto(buffer)

    def close(self) -> None:
        self._inner.close()
        super().close()
