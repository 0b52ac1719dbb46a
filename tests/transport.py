"""How a test's client reaches Penny: over sockets. `tests/inside.py` reaches a Penny in the same process."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import httpx2
from websockets.sync.client import ClientConnection, connect

from devices import protocol

DEADLINE_S = 15.0


class Refusal(Exception):
    """The server refused a request: its `status`, and its `body` as {code, message}."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status}: {body.get('message')}")
        self.status, self.body = status, body


class Connection(Protocol):
    """A WebSocket. `send` and `recv` raise websockets' ConnectionClosed; iterating ends with the connection."""

    @property
    def close_code(self) -> int | None: ...
    def send(self, message: str, /) -> None: ...
    def recv(self, timeout: float) -> str | bytes: ...
    def __iter__(self) -> Iterator[str | bytes]: ...


class Transport(Protocol):
    def pages(self) -> httpx2.BaseTransport: ...

    def post_json(self, url: str, body: Any, headers: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON answer. Raises Refusal for a status of 400 or more."""
        ...

    def connect(self, address: str, headers: Mapping[str, str]) -> AbstractContextManager[Connection]: ...

    def abort(self, connection: Connection) -> None:
        """Disconnect without a close frame, like a killed program."""
        ...


class Sockets:
    def pages(self) -> httpx2.BaseTransport:
        return httpx2.HTTPTransport()

    def post_json(self, url: str, body: Any, headers: Mapping[str, str]) -> dict[str, Any]:
        request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=DEADLINE_S) as response:
                return dict(json.load(response))
        except HTTPError as error:
            raise Refusal(error.code, dict(json.load(error))) from None

    def connect(self, address: str, headers: Mapping[str, str]) -> AbstractContextManager[Connection]:
        return connect(
            address, additional_headers=headers, proxy=None, max_size=2 * protocol.FRAME_BYTES, ping_interval=None
        )

    def abort(self, connection: Connection) -> None:
        assert isinstance(connection, ClientConnection)
        with suppress(OSError):
            connection.socket.shutdown(socket.SHUT_RDWR)


SOCKETS = Sockets()
