"""A server that streams chosen events, or refuses, and the planner's request to it."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from agents.llm.client import ask
from agents.llm.connection import SILENCE_S
from agents.llm.failures.retries import Patience
from agents.llm.messages import Answer, ToolSpec
from agents.llm.providers import Endpoint
from agents.zones.inputs import Private
from agents.zones.planner import planner_request

Events = list[Any]
DONE = "[DONE]"
LINES = (":", "event:")  # of an event, sent as they are
URL = '{"url": "https://one.example/a"}'
TOOL = ToolSpec("browse_url", "Open a page.", {"type": "object", "properties": {"url": {"type": "string"}}})


def delta(end: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "x", "choices": [
        {"index": 0, "delta": fields, "finish_reason": end}
    ]}  # fmt: skip


def tool_call(
    id_: str | None, arguments: str, index: int | None = 0, name: str | None = "browse_url"
) -> dict[str, Any]:
    return {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


@dataclass(frozen=True)
class Pause:
    """A time in which the server sends nothing, between two events."""

    seconds: float


@dataclass
class Refusal:
    """An answer in one body. `kind` is its type. By its usual headers it is not worth asking again."""

    status: int
    body: str
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=lambda: {"x-should-retry": "false"})


@dataclass
class AskedServer:
    """An endpoint, with the bodies of the requests that it got."""

    endpoint: Endpoint
    bodies: list[dict[str, Any]] = field(default_factory=list)
    sent: int = 0


@contextmanager
def serve(
    answer: Events | Callable[[dict[str, Any]], Events | Refusal | None],
    *,
    is_cut: bool = False,
    name: str = "x",
    port: int = 0,
) -> Iterator[AskedServer]:
    """Run a server that streams events; `is_cut`: it breaks the connection instead of ending the stream.

    `answer` may choose them, or a refusal, by the request; None resets the connection. Bytes among them are sent as
    they are. `name`: of its model.
    """
    is_over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.bodies.append(body)
            events = answer(body) if callable(answer) else answer
            if events is None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return
            if isinstance(events, Refusal):
                self.refuse(events)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for event in events:
                if isinstance(event, Pause):
                    is_over.wait(event.seconds)
                else:
                    data = _bytes_of(event)
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            if is_cut:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def do_GET(self) -> None:
            """Name the models at the address of the endpoint alone."""
            is_here = self.path == "/v1/models"
            self.refuse(Refusal(200, '{"data": [{"id": "x"}]}') if is_here else Refusal(404, "404 page not found"))

        def refuse(self, refusal: Refusal) -> None:
            data = refusal.body.encode()
            self.send_response(refusal.status)
            self.send_header("Content-Type", refusal.kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in refusal.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
    server = AskedServer(Endpoint("openai-compatible", name, f"http://127.0.0.1:{http.server_port}/v1", ""))
    try:
        yield server
    finally:
        is_over.set()
        http.shutdown()
        http.server_close()


def _bytes_of(event: Any) -> bytes:
    if isinstance(event, bytes):
        return event
    words = event if isinstance(event, str) else json.dumps(event)
    return f"{words if words.startswith(LINES) else f'data: {words}'}\n\n".encode()


async def stream_answer(events: Events, *, is_cut: bool = False) -> tuple[Answer, str]:
    """Return the answer that the events make, and the text that was shown meanwhile and not withdrawn."""
    with serve(events, is_cut=is_cut) as server:
        return await ask_for(server)


async def ask_for(
    server: AskedServer,
    silence_s: float = SILENCE_S,
    streamed: list[str] | None = None,
    ever: list[str] | None = None,
    patience: Patience | None = None,
) -> tuple[Answer, str]:
    """Ask a server as the planner does; its `sent` counts what was recorded. Raises ModelFailed.

    `streamed` gets what is shown, and `ever` also what was withdrawn.
    """
    streamed = [] if streamed is None else streamed

    async def on_text(text: str) -> None:
        streamed.append(text)
        if ever is not None:
            ever.append(text)

    async def on_withdraw() -> None:
        streamed.clear()

    async def record(_: object) -> None:
        server.sent += 1

    request = planner_request(Private("Ada"), date(2026, 11, 25), [], Private("Go"), [], [TOOL])
    answer = await ask(server.endpoint, request, record, on_text, silence_s, on_withdraw=on_withdraw, patience=patience)
    return answer, "".join(streamed)
