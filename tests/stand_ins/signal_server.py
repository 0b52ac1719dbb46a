"""A stand-in for signal-cli-rest-api in mode json-rpc, with its known faults.

It also simulates the owner's phone: the phone confirms messages (`receipts`), and `write`, `react`, `edit` and `delete`
are the owner's actions. As with the real server, messages that arrive without a listener are lost.

    python -m tests.stand_ins.signal_server --port 8189

lets a person try Penny with PENNY_SIGNAL_URL=http://127.0.0.1:8189. The phone sends every line that is typed.
"""

import argparse
import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

LOOK_S = 0.02
BOT, OWNER, STRANGER = "+491700000001", "+491700000002", "+491700000003"
OWNER_ID = "0c1d2e3f-0000-4000-8000-000000000002"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC")


@dataclass
class Fault:
    """The failure of a request. `happens`: the server carries the request out nevertheless."""

    status: int = 0  # 0: cut the connection without an answer
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    happens: bool = False


@dataclass
class Sent:
    """A message that the server accepted. `taken_at`: seconds on the monotonic clock."""

    timestamp: int
    body: dict[str, Any]
    taken_at: float = field(default_factory=time.monotonic)

    @property
    def text(self) -> str:
        return str(self.body["message"])


class SignalServer:
    """The server, in its own thread.

    `sent` holds messages, `calls` all other requests that change something.
    """

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.version, self.mode, self.accounts = "0.100", "json-rpc", [BOT]
        self.answers_after_s = 0.0  # the message is sent, and may have arrived, before the answer
        self.holds_answers = False  # as long as this is set, what was sent gets no answer
        self.receipts, self.is_wedged, self.is_silent = True, False, False
        self.hides_numbers = False  # the default of Signal's privacy settings
        self.sent: list[Sent] = []
        self.took = threading.Event()  # set by every message; a test clears it
        self.calls: list[tuple[str, str, dict[str, Any]]] = []
        self.faults: list[Fault] = []
        self.files: dict[str, bytes] = {}
        self.linked: list[str] = []
        self.opened = 0
        self.lost = 0  # frames without a listener
        self._listeners: list[ServerConnection] = []
        self._last = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # The owner's phone
    # ------------------------------------------------------------------------------------------

    def write(self, text: str | None, author: str = OWNER, **data: Any) -> int:
        at = self.moment()
        self.deliver(
            {"dataMessage": {"timestamp": at, "message": text, "expiresInSeconds": 0, "viewOnce": False, **data}},
            author,
            at,
        )
        return at

    def quote(self, text: str, timestamp: int, author: str = BOT) -> int:
        return self.write(
            text, quote={"id": timestamp, "author": author, "authorNumber": author, "text": "whatever it says"}
        )

    def react(self, emoji: str, timestamp: int, *, remove: bool = False) -> int:
        target = {"targetAuthor": BOT, "targetAuthorNumber": BOT, "targetSentTimestamp": timestamp}
        return self.write(None, reaction={"emoji": emoji, "isRemove": remove, **target})

    def edit(self, text: str, timestamp: int) -> int:
        at = self.moment()
        data = {"timestamp": at, "message": text, "expiresInSeconds": 0, "viewOnce": False}
        self.deliver({"editMessage": {"targetSentTimestamp": timestamp, "dataMessage": data}}, OWNER, at)
        return at

    def delete(self, timestamp: int) -> int:
        return self.write(None, remoteDelete={"timestamp": timestamp})

    def send_file(self, name: str, kind: str, content: bytes, text: str | None = None) -> int:
        self.files[name] = content
        return self.write(text, attachments=[{"id": name, "contentType": kind, "filename": name, "size": len(content)}])

    def note_to_self(self, text: str) -> int:
        at = self.moment()
        sent_message = {
            "destination": BOT,
            "destinationNumber": BOT,
            "timestamp": at,
            "message": text,
            "expiresInSeconds": 0,
            "viewOnce": False,
        }
        self.deliver({"syncMessage": {"sentMessage": sent_message}}, BOT, at)
        return at

    def moment(self) -> int:
        with self._lock:
            self._last = max(int(time.time() * 1000), self._last + 1)
            return self._last

    def deliver(self, content: dict[str, Any], author: str, at: int) -> None:
        """Send an envelope to all listeners, except wedged ones."""
        uuid, number = OWNER_ID if author == OWNER else "x", None if self.hides_numbers else author
        envelope = {"source": number or uuid, "sourceNumber": number, "sourceUuid": uuid, "sourceName": "Ada"}
        frame = {"account": BOT, "envelope": envelope | {"sourceDevice": 1, "timestamp": at, **content}}
        self.deliver_raw(json.dumps(frame))

    def deliver_raw(self, text: str) -> None:
        asyncio.run_coroutine_threadsafe(self._deliver(text), self._loop).result(10)

    async def _deliver(self, text: str) -> None:
        listeners = [socket for socket in self._listeners if not getattr(socket, "is_deaf", False)]
        if self.is_wedged or not listeners:
            self.lost += 1
            return
        for socket in listeners:
            with suppress(ConnectionClosed):
                await socket.send(text)

    # Faults
    # ------------------------------------------------------------------------------------------------------------------

    def fail(self, *faults: Fault) -> None:
        """Let the next requests that change something fail, in this order."""
        self.faults += faults

    def wedge_listeners(self) -> None:
        """Send the present listeners nothing more. Pings and sending still work."""
        for socket in self._listeners:
            setattr(socket, "is_deaf", True)  # noqa: B010

    def cut_listeners(self) -> None:
        async def cut() -> None:
            for socket in list(self._listeners):
                socket.transport.abort()

        asyncio.run_coroutine_threadsafe(cut(), self._loop).result(10)

    @property
    def listening(self) -> int:
        return len([socket for socket in self._listeners if not getattr(socket, "is_deaf", False)])

    # Serving
    # ------------------------------------------------------------------------------------------------------------------

    def start(self) -> "SignalServer":
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(10)
        return self

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.05))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        async with serve(self._listen, "127.0.0.1", 0, ping_interval=None) as sockets:
            self._sockets_port = next(iter(sockets.sockets)).getsockname()[1]
            self._ready.set()
            await self._stop.wait()
        server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer requests. Pass a WebSocket on to the server of WebSockets, byte by byte."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if b"upgrade: websocket" in head.lower():
                    await self._pass_on(head, reader, writer)
                    return
                if not await self._answer(head, reader, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._sockets_port)
        inner_writer.write(head)

        async def copy(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    if not self.is_silent:  # a silent process does not even answer pings
                        to.write(data)
                        await to.drain()
            except ConnectionError:
                pass
            finally:
                to.close()

        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    async def _listen(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        if unquote(socket.request.path) != f"/v1/receive/{BOT}":
            return
        self.opened += 1
        self._listeners.append(socket)
        try:
            async for _ in socket:
                pass
        except ConnectionClosed:
            pass
        finally:
            self._listeners.remove(socket)

    async def _answer(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        lines = head.decode().split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        data = await reader.readexactly(int(fields.get("content-length", 0)))
        body = json.loads(data) if data else {}
        fault = self.faults.pop(0) if self.faults and method != "GET" else None
        if fault is not None:
            await asyncio.sleep(fault.after_s)
            if fault.happens:
                self._do(method, target, body)
            if not fault.status:
                return False
            status, kind, content = (
                fault.status,
                "application/json",
                json.dumps(fault.body if fault.body is not None else {}).encode(),
            )
        else:
            status, kind, content = self._do(method, target, body)
            await asyncio.sleep(self.answers_after_s if method == "POST" else 0)
            while self.holds_answers and method == "POST":  # noqa: ASYNC110  ended from another thread
                await asyncio.sleep(LOOK_S)
        extra = "".join(f"{name}: {value}\r\n" for name, value in (fault.headers if fault else {}).items())
        reason = HTTPStatus(status).phrase
        writer.write(
            f"HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n"
            f"{extra}Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        await writer.drain()
        return True

    def _do(self, method: str, target: str, body: dict[str, Any]) -> tuple[int, str, bytes]:
        address = urlsplit(target)
        path = unquote(address.path)
        if method == "GET":
            return self._get(path, parse_qs(address.query))
        if path == "/v2/send" and method == "POST":
            return self._send(body)
        self.calls.append((method, path, body))
        if path.startswith(("/v1/reactions/", "/v1/remote-delete/")):
            self._confirm(self.moment(), [body["recipient"]])
        return 204, "application/json", b""

    def _get(self, path: str, query: dict[str, list[str]]) -> tuple[int, str, bytes]:
        if path == "/v1/about":
            return _json_response(
                200,
                {"versions": ["v1", "v2"], "build": 2, "mode": self.mode, "version": self.version, "capabilities": {}},
            )
        if path == "/v1/accounts":
            return _json_response(200, self.accounts)
        if path == "/v1/qrcodelink":
            self.linked.append(query["device_name"][0])
            return 200, "image/png", PNG
        if path.startswith("/v1/attachments/") and (content := self.files.get(path.rsplit("/", 1)[1])) is not None:
            return 200, "application/octet-stream", content
        return _json_response(404, {"error": "not found"})

    def _send(self, body: dict[str, Any]) -> tuple[int, str, bytes]:
        if body["number"] not in self.accounts:
            return _json_response(400, {"error": "Specified account does not exist"})
        at = self.moment()
        self.sent.append(Sent(at, body))
        self.took.set()
        self._confirm(at, body["recipients"])
        return _json_response(201, {"timestamp": str(at)})

    def _confirm(self, at: int, recipients: list[str]) -> None:
        """Send a delivery receipt of the phone, for messages and reactions."""
        if self.receipts and recipients == [OWNER]:
            receipt = {"when": at + 1, "isDelivery": True, "isRead": False, "isViewed": False, "timestamps": [at]}
            self._loop.call_soon(lambda: self._loop.create_task(self._send_receipt(receipt)))

    async def _send_receipt(self, receipt: dict[str, Any]) -> None:
        envelope = {
            "source": OWNER,
            "sourceNumber": OWNER,
            "sourceUuid": OWNER_ID,
            "timestamp": self.moment(),
            "receiptMessage": receipt,
        }
        await self._deliver(json.dumps({"account": BOT, "envelope": envelope}))


def _json_response(status: int, body: Any) -> tuple[int, str, bytes]:
    return status, "application/json", json.dumps(body).encode()


@contextmanager
def run_signal_server() -> Iterator[SignalServer]:
    server = SignalServer().start()
    try:
        yield server
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8189)
    server = SignalServer(parser.parse_args().port).start()
    print(f"Set PENNY_SIGNAL_URL={server.url}; the owner's number is {OWNER}.")  # noqa: T201
    printed = 0
    while True:
        server.write(input())
        time.sleep(2)
        for message in server.sent[printed:]:
            print(f"Penny: {message.text}")  # noqa: T201
        printed = len(server.sent)


if __name__ == "__main__":
    main()
