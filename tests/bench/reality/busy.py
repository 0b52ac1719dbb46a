"""A model that is busy for a while, over real sockets. The time of the pauses is counted, not slept."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.bench.reality.outcome import Outcome

if TYPE_CHECKING:
    from agents.llm.failures.retries import Patience
    from tests.agents.llm.streams import AskedServer, Refusal

HELLO = "Hello there."
TURN_S = 300.0
NGINX = "<html><head><title>503 Service Temporarily Unavailable</title></head><body><hr>nginx/1.24.0</body></html>"
CLOUDFLARE = "<html><title>502: Bad gateway</title></html>"
Answers = Callable[[int, float], Any]  # by how many requests came before, and by the seconds that were waited


@dataclass
class CountedTime:
    """A clock that only pauses move."""

    waited_s: float = 0.0
    words: list[str] = field(default_factory=list)
    on_sleep: Callable[[float], None] = lambda _: None

    def clock(self) -> float:
        return self.waited_s

    async def sleep(self, seconds: float) -> None:
        self.waited_s += seconds
        self.on_sleep(self.waited_s)
        await asyncio.sleep(0)

    async def say(self, words: str) -> None:
        self.words.append(words)

    def patience(self, seconds: float) -> Patience:
        from agents.llm.failures.retries import Patience

        return Patience(seconds, self.say, self.sleep, self.clock)


@dataclass(frozen=True)
class Row:
    """`expected`: the text, or the code of the failure. `waits`: between how many seconds the pauses take together."""

    id: str
    answers: Answers
    expected: str
    waits: tuple[float, float]
    requests: int | None = None
    seconds: float = TURN_S


def outcomes() -> list[Outcome]:
    return asyncio.run(_outcomes())


async def _outcomes() -> list[Outcome]:
    return [*await repeated(), *await ended(), *await never_repeated(), *await connections()]


def refusal_of(
    status: int, words: str = "scripted", kind: str = "", code: str | None = None, /, **headers: str
) -> Refusal:
    """Return a refusal in the form of OpenAI. `headers`: with `_` in place of `-`."""
    from tests.agents.llm.streams import Refusal

    body = json.dumps({"error": {"message": words, "type": kind or "api_error", "code": code}})
    return Refusal(status, body, headers={name.replace("_", "-"): value for name, value in headers.items()})


def html_page(status: int, html: str, **headers: str) -> Refusal:
    from tests.agents.llm.streams import Refusal

    return Refusal(status, html, "text/html", {name.replace("_", "-"): value for name, value in headers.items()})


def fine() -> Any:
    from tests.agents.llm.streams import DONE, delta

    return [delta(content=HELLO), delta("stop"), DONE]


def times(count: int, refusal: Any) -> Answers:
    """Answer so often with a refusal, then well. A refusal that names a moment is made when it is sent."""
    return lambda before, _: (refusal() if callable(refusal) else refusal) if before < count else fine()


def until(seconds: float, refusal: Any) -> Answers:
    """Refuse until so many seconds were waited, then answer."""
    return lambda _, waited_s: refusal if waited_s < seconds else fine()


def always(refusal: Any) -> Answers:
    return lambda *_: refusal


def date_in(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


def asctime_in(seconds: float) -> str:
    return time.asctime(time.gmtime(time.time() + seconds))


def epoch_in(seconds: float) -> str:
    return str(int(time.time() + seconds))


async def repeated() -> list[Outcome]:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    limit = "Rate limit reached for requests"
    rows = [
        Row("C070", times(1, refusal_of(429, limit, retry_after="2")), HELLO, (2, 2), 2),
        Row("C071", times(1, lambda: refusal_of(429, limit, retry_after=date_in(20))), HELLO, (17, 20), 2),
        Row("C072", times(2, refusal_of(429, limit, retry_after="1")), HELLO, (2, 2), 3),
        Row("C120", times(6, refusal_of(429, limit)), HELLO, (20, 60), 7),
        Row("C121", times(1, html_page(503, NGINX)), HELLO, (0.1, 2), 2),
        Row("C122", times(3, html_page(503, NGINX, retry_after="5")), HELLO, (15, 15), 4),
        Row("C123", times(2, [overloaded]), HELLO, (0.5, 5), 3),
        Row("C124", times(2, [f"event: error\ndata: {json.dumps(overloaded)}"]), HELLO, (0.5, 5), 3),
        Row("C125", times(4, refusal_of(529, "Overloaded", "overloaded_error")), HELLO, (3, 20), 5),
        Row("C126", until(8, refusal_of(503, "Loading model", "unavailable_error")), HELLO, (8, 16)),
        Row("C127", times(1, refusal_of(429, limit, retry_after_ms="1500")), HELLO, (1.5, 1.5), 2),
        Row("C128", times(1, refusal_of(429, limit, retry_after_ms="1500", retry_after="9")), HELLO, (1.5, 1.5), 2),
        Row("C129", times(1, refusal_of(429, limit, x_ratelimit_reset_requests="2s")), HELLO, (2, 2), 2),
        Row(
            "C130",
            times(
                1,
                refusal_of(
                    429,
                    limit,
                    x_ratelimit_remaining_requests="0",
                    x_ratelimit_reset_requests="3s",
                    x_ratelimit_remaining_tokens="9000",
                    x_ratelimit_reset_tokens="40s",
                ),
            ),
            HELLO,
            (3, 3),
            2,
        ),
        Row("C131", times(1, lambda: refusal_of(429, limit, x_ratelimit_reset=epoch_in(9))), HELLO, (6, 9), 2),
        Row("C132", times(1, lambda: refusal_of(429, limit, x_ratelimit_reset=epoch_in(9) + "000")), HELLO, (6, 9)),
        Row("C133", times(1, refusal_of(429, f"{limit}. Please try again in 4.2s.")), HELLO, (4.2, 4.2), 2),
        Row("C134", times(1, refusal_of(429, f"{limit}. Please try again in 250ms.")), HELLO, (0.1, 1), 2),
        Row("C135", times(2, refusal_of(429, limit, retry_after="-1")), HELLO, (0.5, 5), 3),
        Row("C136", times(2, refusal_of(429, limit, retry_after="soon")), HELLO, (0.5, 5), 3),
        Row("C137", times(2, refusal_of(429, limit, retry_after="nan")), HELLO, (0.5, 5), 3),
        Row("C138", times(2, refusal_of(429, limit, retry_after="inf")), HELLO, (0.5, 5), 3),
        Row("C139", times(2, refusal_of(429, limit, retry_after="")), HELLO, (0.5, 5), 3),
        Row("C140", times(2, refusal_of(429, limit, retry_after=date_in(-3600))), HELLO, (0.5, 5), 3),
        Row("C141", times(2, refusal_of(429, limit, retry_after_ms="-5")), HELLO, (0.5, 5), 3),
        Row("C142", times(3, refusal_of(429, limit, retry_after="0")), HELLO, (0.5, 5), 4),
        Row("C143", times(1, refusal_of(429, limit, retry_after="1.5")), HELLO, (1.5, 1.5), 2),
        Row("C144", times(1, refusal_of(429, limit, retry_after="6s")), HELLO, (6, 6), 2),
        Row("C145", times(1, lambda: refusal_of(429, limit, retry_after=asctime_in(20))), HELLO, (17, 20), 2),
        Row("C146", times(1, refusal_of(500, "The model is currently overloaded", "server_error")), HELLO, (0.1, 2), 2),
        Row("C147", times(3, refusal_of(502, "Upstream is at capacity")), HELLO, (1, 10), 4),
        Row("C148", times(3, refusal_of(504, "The server is overloaded")), HELLO, (1, 10), 4),
        Row("C149", times(3, refusal_of(503, "no slot available")), HELLO, (1, 10), 4),
        Row("C150", times(3, refusal_of(503, "server is starting")), HELLO, (1, 10), 4),
        Row("C151", times(1, refusal_of(500, "something broke")), HELLO, (0.1, 1), 2),
        Row("C152", times(1, html_page(502, CLOUDFLARE)), HELLO, (0.1, 1), 2),
        Row("C153", times(1, refusal_of(429, limit, retry_after="200")), HELLO, (200, 200), 2),
        Row("C154", until(40, refusal_of(503, "Model x is currently loading", retry_after="20")), HELLO, (40, 41), 3),
    ]
    return await _check_all(rows)


async def ended() -> list[Outcome]:
    """Try what ends at once, or when the time is over."""
    limit = "Rate limit reached for requests"
    rows = [
        Row("C155", always(refusal_of(429, limit, retry_after="3600")), "model_busy", (0, 0), 1),
        Row("C156", always(refusal_of(429, limit, retry_after=date_in(7200))), "model_busy", (0, 0), 1),
        Row("C157", always(refusal_of(429, limit, retry_after="99999999999999")), "model_busy", (0, 0), 1),
        Row("C158", always(refusal_of(429, limit)), "model_busy", (10, 20), seconds=20),
        Row("C159", always(refusal_of(503, "Loading model")), "model_loading", (10, 20), seconds=20),
        Row("C160", always(refusal_of(429, limit, retry_after="8")), "model_busy", (16, 16), 3, seconds=20),
        Row("C177", always(html_page(503, NGINX)), "model_busy", (10, 20), seconds=20),
        Row("C178", always(html_page(503, NGINX, retry_after="600")), "model_busy", (0, 0), 1),
        Row("C161", always(refusal_of(500, "something broke")), "model_failed", (0.1, 1), 2),
        Row("C162", always(refusal_of(429, limit, retry_after="0")), "model_busy", (10, 20), seconds=20),
    ]
    return await _check_all(rows)


async def never_repeated() -> list[Outcome]:
    from tests.agents.llm.streams import delta

    quota = "You exceeded your current quota, please check your plan and billing details."
    begun = [delta(content="Hel"), {"error": {"type": "overloaded_error", "message": "Overloaded"}}]
    rows: list[tuple[str, Any, str]] = [
        ("C163", refusal_of(429, quota, "insufficient_quota", "insufficient_quota"), "model_quota"),
        ("C164", refusal_of(429, quota, retry_after="2"), "model_quota"),
        ("C165", refusal_of(402, "Payment required", retry_after="1"), "model_quota"),
        ("C166", refusal_of(503, "insufficient credits"), "model_quota"),
        ("C167", refusal_of(401, "Invalid API key", retry_after="1"), "model_key_missing"),
        ("C168", refusal_of(404, "The model x does not exist", retry_after="1"), "model_not_found"),
        ("C169", refusal_of(500, "This model's maximum context length is 4096 tokens"), "model_context"),
        ("C170", refusal_of(500, "CUDA error: out of memory"), "model_memory"),
        ("C171", begun, "model_cut_off"),
        ("C172", refusal_of(429, "Rate limit reached", x_should_retry="false"), "model_busy"),
    ]
    return await _check_all(Row(number, always(answer), expected, (0, 0), 1) for number, answer, expected in rows)


async def _check_all(rows: Iterable[Row]) -> list[Outcome]:
    """Try each row, all with one server: the clients of servers are kept."""
    from tests.agents.llm.streams import serve

    answer: Callable[[], Any] = fine
    with serve(lambda _: answer()) as server:
        outcomes = []
        for row in rows:
            counted, server.bodies, server.sent = CountedTime(), [], 0
            answer = partial(_answer, row, counted, server)
            outcomes.append(_judge_row(row, await _ask(server, counted.patience(row.seconds)), counted, server))
    return outcomes


def _answer(row: Row, counted: CountedTime, server: AskedServer) -> Any:
    return row.answers(len(server.bodies) - 1, counted.waited_s)


def _judge_row(row: Row, result: str, counted: CountedTime, server: AskedServer) -> Outcome:
    least_s, most_s = row.waits
    is_passed = result == row.expected and least_s - 0.01 <= counted.waited_s <= most_s + 0.01
    is_passed &= row.requests in (None, len(server.bodies)) and server.sent == len(server.bodies)
    is_passed &= bool(counted.words) or counted.waited_s < 2
    return Outcome(row.id, "K30", is_passed, f"{result} after {counted.waited_s:.1f} s, {len(server.bodies)} requests")


async def _ask(server: AskedServer, patience: Patience) -> str:
    from agents.llm.messages import ModelFailed
    from tests.agents.llm.streams import ask_for

    try:
        reply, _ = await ask_for(server, patience=patience)
    except ModelFailed as error:
        return error.code
    return reply.text


async def connections() -> list[Outcome]:
    return [
        await _restarted("C173", after_s=3),
        await _restarted("C174", after_s=30, was_reached=True),
        await _restarted("C175", after_s=30, expected="model_unreachable"),
        await _broken_off("C176"),
    ]


async def _restarted(number: str, *, after_s: float, was_reached: bool = False, expected: str = HELLO) -> Outcome:
    """Refuse connections until so many seconds were waited."""
    from tests.agents.llm.streams import AskedServer, serve

    counted, started = CountedTime(), list[AskedServer]()
    with ExitStack() as stack:
        server, port = _unused_server()

        def start(waited_s: float) -> None:
            if waited_s >= after_s and not started:
                started.append(stack.enter_context(serve(fine(), port=port)))

        if was_reached:
            with serve(fine(), is_cut=True, port=port):
                await _ask(server, counted.patience(TURN_S))
        counted.on_sleep = start
        result = await _ask(server, counted.patience(TURN_S))
    is_told = any(words.startswith("The model does not answer, again in") for words in counted.words)
    is_passed = result == expected and is_told and counted.waited_s <= (2 * after_s if result == HELLO else 10)
    return Outcome(number, "K30", is_passed, f"{result} after {counted.waited_s:.1f} s: {counted.words[:2]}")


def _unused_server() -> tuple[AskedServer, int]:
    from agents.llm.providers import Endpoint
    from tests.agents.llm.streams import AskedServer

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    return AskedServer(Endpoint("openai-compatible", "x", f"http://127.0.0.1:{port}/v1", "")), port


async def _broken_off(number: str) -> Outcome:
    """Reset the first two connections before a byte of an answer."""
    from tests.agents.llm.streams import serve

    counted = CountedTime()
    with serve(lambda _: fine() if len(server.bodies) > 2 else None) as server:
        result = await _ask(server, counted.patience(TURN_S))
    return Outcome(
        number, "K30", result == HELLO and len(server.bodies) == 3, f"{result} after {counted.waited_s:.1f} s"
    )
