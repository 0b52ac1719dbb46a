"""An OpenAI-compatible model server that follows a script and can fail like a real one.

    python -m tests.stand_ins.model_server --port 11500
    make up ARGS="--port 8123" with PENNY_MODEL=openai-compatible:scripted PENNY_MODEL_URL=http://127.0.0.1:11500/v1

lets a person try Penny without a model. In tests `ModelServer` runs in a thread and records the requests. `on` adds a
rule before the default script (tests/stand_ins/model_script.py).
"""

import argparse
import hashlib
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.stand_ins.model_window import Window
from tests.stand_ins.serving import Http, Served, serving

NAME = "scripted"
SEEN_S = 10.0
FRAGMENT = 7  # characters of a tool call's arguments in a chunk; clients have to join them


@dataclass(frozen=True)
class ToolUse:
    """A tool call of the model. Text `arguments` are sent unchanged, so they may be malformed."""

    name: str
    arguments: dict[str, Any] | str

    @property
    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Reply:
    """An answer of the model. A generator of `tokens` is read while the answer is streamed."""

    tokens: Iterable[str] = ()
    tools: tuple[ToolUse, ...] = ()
    first_after_s: float = 0.0
    every_s: float = 0.0
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)  # of a refusal
    cut_after: int | None = None  # drop the connection after so many tokens
    is_at_limit: bool = False  # it ends because of the limit of tokens
    hangs: bool = False  # send nothing after the tokens until the client disconnects

    @property
    def text(self) -> str:
        return "".join(self.tokens)

    @property
    def finish_reason(self) -> str:
        return "length" if self.is_at_limit else "tool_calls" if self.tools else "stop"


def text(words: str, every_s: float = 0.0) -> Reply:
    """Return a reply that streams one word at a time."""
    *spaced, last = words.split(" ")
    return Reply(tokens=(*(word + " " for word in spaced), last), every_s=every_s)


def tool(name: str, **arguments: Any) -> Reply:
    return Reply(tools=(ToolUse(name, arguments),))


@dataclass
class Request:
    """A recorded request. `closed_early`: the client disconnected before the end of the answer."""

    path: str
    body: dict[str, Any]
    key: str = ""
    sha256: str = ""  # of the raw body
    closed_early: bool = False
    tokens: int = 0  # of all that is left of it, where `was_cut`
    was_cut: bool = False
    answered: threading.Event = field(default_factory=threading.Event)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", []))

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools") or []]

    @property
    def format(self) -> str:
        return str((self.body.get("response_format") or {}).get("type", "text"))

    @property
    def is_streaming(self) -> bool:
        return bool(self.body.get("stream"))

    @cached_property
    def last_user(self) -> str:
        return next((_message_text(m) for m in reversed(self.messages) if m["role"] == "user"), "")

    @cached_property
    def everything(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def is_of_writer(self) -> bool:
        return not self.tools and "Readings:" in self.everything

    @property
    def tool_results(self) -> list[str]:
        """Return the tool results since the last user message."""
        results: list[str] = []
        for message in reversed(self.messages):
            if message["role"] == "user":
                break
            if message["role"] == "tool":
                results.insert(0, _message_text(message))
        return results


def _message_text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


CHARACTERS_EACH, SHORT_TOKENS = 4, 900
# Words of the pages that tests keep. Only a writer's request may hold them, in any test (tests/conftest.py).
KEPT_WORDS = ("A finer grind slows the flow", "Its firmware is flashed over", "never over their leaves")
requests_with_kept_words: list["Request"] = []


def _without_front(messages: list[dict[str, Any]], tokens: int) -> list[dict[str, Any]]:
    """Return what is left of the messages within so many tokens: their end."""
    left, rest = tokens * CHARACTERS_EACH, list[dict[str, Any]]()
    for message in reversed(messages):
        words = _message_text(message)
        if left > 0:
            rest.insert(0, message | {"content": words[-left:]})
        left -= len(words)
    return rest


Matches = Callable[[Request], bool]
Answers = Reply | Callable[[Request], Reply]


@dataclass
class Rule:
    matches: Matches
    answers: Answers
    times_left: int | None


class ModelServer(Served):
    """The server, in its own thread. `requests` holds all requests, oldest first."""

    def __init__(self, port: int = 0, script: Callable[[Request], Reply] | None = None) -> None:
        if script is None:
            from tests.stand_ins.model_script import reply

            script = reply
        self._script: Callable[[Request], Reply] = script
        self._rules: list[Rule] = []
        self._lock = threading.Lock()
        self.requests: list[Request] = []
        self.drawn: list[dict[str, Any]] = []  # the requests for images
        self.draws: tuple[int, dict[str, Any]] = (404, {})
        self.window = Window()
        super().__init__(_Connection, port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def on(self, matches: Matches, answers: Answers, times: int | None = None) -> None:
        """Add a rule before the existing ones, for `times` requests or until `reset`."""
        with self._lock:
            self._rules.insert(0, Rule(matches, answers, times))

    def reset(self) -> None:
        with self._lock:
            self._rules.clear()
            self.requests.clear()
            self.drawn.clear()
            self.draws = (404, {})
            self.window = Window()

    def answer(self, request: Request) -> Reply:
        if not request.is_of_writer and any(words in request.everything for words in KEPT_WORDS):
            requests_with_kept_words.append(request)
        with self._lock:
            self.requests.append(request)
            rule = next((rule for rule in self._rules if rule.times_left != 0 and rule.matches(request)), None)
            if rule and rule.times_left is not None:
                rule.times_left -= 1
        answers = rule.answers if rule else self._script
        return answers(request) if callable(answers) else answers


def run_model_server(port: int = 0) -> AbstractContextManager[ModelServer]:
    return serving(ModelServer(port))


class _ClientGone(Exception):
    pass


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_GET(self) -> None:
        window = self._model.window
        if self.path == "/v1/models":
            row = {"id": NAME, "object": "model", "created": 0, "owned_by": "tests"}
            row |= {"max_model_len": window.tokens} if window.told_by == "vllm" else {}
            self._json(200, {"object": "list", "data": [row]})
        elif self.path == "/api/ps" and window.told_by == "ollama":
            names = {NAME, *(str(request.body.get("model")) for request in self._model.requests)}
            self._json(200, {"models": [{"name": name, "context_length": window.tokens} for name in sorted(names)]})
        else:
            self._error(404)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if not data:  # the client disconnected before it sent its request
            self.close_connection = True
            return
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        request = Request(self.path, json.loads(data), key, hashlib.sha256(data).hexdigest())
        if self.path == "/v1/images/generations":
            self._model.drawn.append(request.body)
            self._json(*self._model.draws)
            return
        if self.path != "/v1/chat/completions":
            self._error(404)
            return
        self._cut(request)
        try:
            self._answer(request, self._model.answer(request))
        except (_ClientGone, OSError):
            request.closed_early = True
            self.close_connection = True
        finally:
            request.answered.set()

    @property
    def _model(self) -> ModelServer:
        assert isinstance(self.server.served, ModelServer)
        return self.server.served

    def _answer(self, request: Request, reply: Reply) -> None:
        if reply.status != 200:
            self._error(reply.status, reply.headers)
        elif request.is_streaming:
            self._stream(request, reply)
        else:
            self._whole(request, reply)

    def _whole(self, request: Request, reply: Reply) -> None:
        self._wait(reply.first_after_s)
        if reply.hangs or reply.cut_after is not None:
            self._wait(None if reply.hangs else 0)
            self._drop()
            return
        calls = [_tool_call(use, number) for number, use in enumerate(reply.tools)]
        message = {"role": "assistant", "content": reply.text or None, **({"tool_calls": calls} if calls else {})}
        choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
        self._json(200, _envelope("chat.completion") | {"choices": [choice], "usage": self._usage(request)})

    def _stream(self, request: Request, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._wait(reply.first_after_s)
        for count, token in enumerate(reply.tokens):
            if count == reply.cut_after:
                break
            self._delta({"role": "assistant", "content": token})
            self._wait(reply.every_s)
        if reply.cut_after is not None:
            self._drop()
            return
        for number, use in enumerate(reply.tools):
            self._stream_call(number, use)
        if reply.hangs:
            self._wait(None)
        self._finish(request, reply)

    def _stream_call(self, number: int, use: ToolUse) -> None:
        head = _tool_call(use, number) | {"index": number, "function": {"name": use.name, "arguments": ""}}
        self._delta({"role": "assistant", "tool_calls": [head]})
        for start in range(0, len(use.text), FRAGMENT):
            part = {"index": number, "function": {"arguments": use.text[start : start + FRAGMENT]}}
            self._delta({"tool_calls": [part]})

    def _finish(self, request: Request, reply: Reply) -> None:
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
        if (request.body.get("stream_options") or {}).get("include_usage"):
            self._event({"choices": [], "usage": self._usage(request)})
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _cut(self, request: Request) -> None:
        window, request.tokens = self._model.window, len(request.everything) // CHARACTERS_EACH
        if window.cuts and request.tokens > window.tokens:
            request.tokens, request.was_cut = window.tokens // 2, True
            request.body["messages"] = _without_front(request.messages, request.tokens)
            del request.everything

    def _usage(self, request: Request) -> dict[str, int]:
        """Count a long request. A short one counts 11."""
        is_short = request.tokens < SHORT_TOKENS
        prompt_tokens = 11 if is_short or not self._model.window.counts else request.tokens
        return {"prompt_tokens": prompt_tokens, "completion_tokens": 7, "total_tokens": prompt_tokens + 7}

    def _delta(self, delta: dict[str, Any]) -> None:
        self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})

    def _event(self, fields: dict[str, Any]) -> None:
        self._chunk(b"data: " + json.dumps(_envelope("chat.completion.chunk") | fields).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _wait(self, seconds: float | None) -> None:
        """Wait, without limit if None. Raises _ClientGone as soon as the client disconnects."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise _ClientGone

    def _drop(self) -> None:
        """End the connection in the middle of an answer.

        The client receives everything sent so far: closing waits for its end, because a reset discards unread data.
        """
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(SEEN_S)
        with suppress(OSError):
            while self.connection.recv(1024):
                pass

    def _error(self, status: int, headers: dict[str, str] | None = None) -> None:
        error = {"message": f"scripted {status}", "type": "scripted_error", "code": str(status)}
        self._json(status, {"error": error}, headers)

    def _json(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _envelope(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": NAME}


def _tool_call(use: ToolUse, number: int) -> dict[str, Any]:
    return {
        "id": f"call_{number}_{time.monotonic_ns()}",
        "type": "function",
        "function": {"name": use.name, "arguments": use.text},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=11500)
    server = ModelServer(parser.parse_args().port).start()
    print(f"PENNY_MODEL=openai-compatible:{NAME} PENNY_MODEL_URL={server.url}", flush=True)  # noqa: T201
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.stop()


if __name__ == "__main__":
    main()
