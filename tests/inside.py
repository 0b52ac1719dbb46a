"""The application in this process, as sockets and pages reach it: without a port and without a server."""

import asyncio
import json
import queue
from collections.abc import Coroutine, Iterator, Mapping
from contextvars import Context
from typing import Any, TypeVar
from urllib.parse import unquote

import httpx2
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from agents.worker.loop import worker_loop
from tests.transport import Connection, Refusal

LONGEST_S = 120.0  # nothing takes so long; a machine may be slow
NORMAL, ABNORMAL = 1000, 1006
T = TypeVar("T")


def on_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the worker's loop, and return its result."""
    return asyncio.run_coroutine_threadsafe(work, worker_loop()).result(LONGEST_S)


def application() -> Any:
    """Return the ASGI application. Its module freezes all objects, so it is imported after the others."""
    from penny_site.asgi import application

    return application


class _Exchange:
    """One call of the application: what it gets, and what it sends."""

    def __init__(self, kind: str, url: httpx2.URL, headers: Mapping[str, str], **scope: Any) -> None:
        host = {} if "host" in headers else {"host": url.netloc.decode()}
        lines = [(name.lower().encode(), text.encode("latin-1")) for name, text in {**host, **headers}.items()]
        scope |= {"type": kind, "scheme": url.scheme, "path": unquote(url.path), "query_string": url.query}
        scope |= {"headers": lines, "client": ["127.0.0.1", 1], "server": ["127.0.0.1", url.port], "root_path": ""}
        self.sent: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._arrives: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        async def serve() -> None:
            # A context of its own, as of a server: none of the thread that calls.
            await asyncio.create_task(application()(scope, self._arrives.get, self._take), context=Context())

        self.ended = asyncio.run_coroutine_threadsafe(serve(), worker_loop())
        self.ended.add_done_callback(lambda _: self.sent.put({"type": "ended"}))

    def put(self, message: dict[str, Any]) -> None:
        worker_loop().call_soon_threadsafe(self._arrives.put_nowait, message)

    async def _take(self, message: dict[str, Any]) -> None:
        self.sent.put(message)


class _Body(httpx2.SyncByteStream):
    """A body that is read while the application writes it."""

    def __init__(self, exchange: _Exchange) -> None:
        self._exchange = exchange

    def __iter__(self) -> Iterator[bytes]:
        is_more = True
        while is_more and (message := self._exchange.sent.get(timeout=LONGEST_S))["type"] != "ended":
            is_more = message.get("more_body", False)
            yield message.get("body", b"")

    def close(self) -> None:
        """Leave, and wait until the application has noticed."""
        self._exchange.put({"type": "http.disconnect"})
        self._exchange.ended.result(LONGEST_S)


class Pages(httpx2.BaseTransport):
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        exchange = _Exchange("http", request.url, request.headers, method=request.method, http_version="1.1")
        exchange.put({"type": "http.request", "body": request.read()})
        start = exchange.sent.get(timeout=LONGEST_S)
        if start["type"] == "ended":
            exchange.ended.result()
        return httpx2.Response(start["status"], headers=start["headers"], stream=_Body(exchange))


class Socket:
    """A WebSocket: the part of websockets' ClientConnection that tests use."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        self.close_code: int | None = None
        self._exchange = _Exchange("websocket", httpx2.URL(address), headers, subprotocols=[])
        self._exchange.put({"type": "websocket.connect"})
        self.recv(LONGEST_S)  # it was accepted

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self.end(NORMAL)

    def __iter__(self) -> Iterator[str]:
        while (text := self._next(LONGEST_S * 10)) is not None:
            yield text

    def send(self, message: str) -> None:
        if self.close_code is not None:
            raise self._closed
        self._exchange.put({"type": "websocket.receive", "text": message})

    def recv(self, timeout: float) -> str:
        if (text := self._next(timeout)) is None:
            raise self._closed
        return text

    def end(self, code: int) -> None:
        """Disconnect, and wait until the application has noticed."""
        self._disconnect(code)
        self._exchange.ended.result(LONGEST_S)

    def _next(self, timeout: float) -> str | None:
        message = self._exchange.sent.get(timeout=timeout)
        if message["type"] in ("websocket.accept", "websocket.send"):
            return str(message.get("text", ""))
        self._disconnect(message.get("code") or NORMAL)
        return None

    def _disconnect(self, code: int) -> None:
        """Tell the application, as a server does: also if the application itself has closed."""
        if self.close_code is None:
            self.close_code = code
            self._exchange.put({"type": "websocket.disconnect", "code": code})

    @property
    def _closed(self) -> ConnectionClosedError:
        return ConnectionClosedError(Close(self.close_code or NORMAL, ""), None)


class Inside:
    """The transport of `tests.client.Client` to the application of this process."""

    def pages(self) -> httpx2.BaseTransport:
        return Pages()

    def post_json(self, url: str, body: Any, headers: Mapping[str, str]) -> dict[str, Any]:
        with httpx2.Client(transport=Pages()) as client:
            answer = client.post(url, content=json.dumps(body), headers={"Content-Type": "application/json", **headers})
        if answer.status_code >= 400:
            raise Refusal(answer.status_code, answer.json())
        return dict(answer.json())

    def connect(self, address: str, headers: Mapping[str, str]) -> Socket:
        return Socket(address, headers)

    def abort(self, connection: Connection) -> None:
        assert isinstance(connection, Socket)
        connection.end(ABNORMAL)
