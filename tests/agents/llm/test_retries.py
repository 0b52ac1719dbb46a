"""A busy model is asked again, for as long as somebody waits for it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import pytest

from agents.llm.busy import hinted_pause_s, named_pause_s
from agents.llm.failures.retries import AGAIN, Patience
from agents.llm.messages import ModelFailed
from tests.agents.llm.streams import AskedServer, Refusal, ask_for, serve
from tests.bench.reality import busy
from tests.bench.reality.busy import CountedTime, refusal_of, times
from tests.bench.reality.outcome import Outcome

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "1m30s"}, 90),
        ({"retry-after": "Wed, 25 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Wednesday, 25-Nov-26 12:00:30 GMT"}, 30),
        ({"retry-after": "Wed Nov 25 12:00:30 2026"}, 30),
        ({"retry-after": "Wed, 25 Nov 2026 13:00:30 +0100"}, 30),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "9" * 14}, 86400),
        ({"retry-after": "Wed, 25 Nov 2099 12:00:30 GMT"}, 86400),
        *(
            ({"retry-after": nonsense}, None)
            for nonsense in ("", "-1", "soon", "nan", "inf", "1e9", "1_000", "٣", "9" * 400, "0x10", "5, 10")
        ),
        *(
            ({"retry-after": past}, None)
            for past in (
                "Wed, 25 Nov 2026 11:59:30 GMT",
                "Wed, 99 Nov 2026 11:59:30 GMT",
                "Wed, 25 Nov 99999 1:1:1 GMT",
            )
        ),
        ({"retry-after-ms": "-250"}, None),
    ],
)
def test_the_pause_that_a_server_names_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert named_pause_s(headers, NOON.timestamp) == seconds


@pytest.mark.parametrize(
    ("headers", "words", "seconds"),
    [
        ({"x-ratelimit-reset-requests": "2s", "x-ratelimit-reset-tokens": "50s"}, "", 50),
        ({"x-ratelimit-reset-requests": "2s", "x-ratelimit-remaining-requests": "0"}, "", 2),
        ({"x-ratelimit-reset-requests": "120ms"}, "", 0.12),
        ({"x-ratelimit-reset-requests": "6m0s"}, "", None),
        ({"x-ratelimit-reset": str(int(NOON.timestamp()) + 5)}, "", 5),
        ({"x-ratelimit-reset": f"{int(NOON.timestamp()) + 5}000"}, "", 5),
        ({"x-ratelimit-reset": str(int(NOON.timestamp()) - 5)}, "", None),
        ({"ratelimit-reset": "12"}, "", 12),
        ({}, "Please try again in 1.5s.", 1.5),
        ({}, "Please retry in 23.4s. See https://ai.example/limits", 23.4),
        ({}, "'retryDelay': '14s'", 14),
        ({}, "Try again in 2 minutes", None),
        ({}, "Try again in 20 seconds", 20),
        ({}, "Limit 20, used 20 in 5 s", None),
        ({"x-ratelimit-reset-requests": "soon"}, "", None),
    ],
)
def test_when_a_limit_ends_is_a_hint(headers: dict[str, str], words: str, seconds: float | None) -> None:
    assert hinted_pause_s(headers, words, NOON.timestamp) == pytest.approx(seconds)


@pytest.mark.parametrize("words", ["retry" * 800, "wait1" * 800, "again " * 600, "try again in " + "1s" * 1900 + "x"])
def test_no_words_of_a_server_take_long_to_read(words: str) -> None:
    started_s = time.process_time()
    for _ in range(10):
        hinted_pause_s({}, words)
    assert time.process_time() - started_s < 2


@pytest.mark.parametrize("rows", [busy.repeated, busy.ended, busy.never_repeated, busy.connections])
async def test_what_passes_by_itself_is_asked_again(rows: Callable[[], Awaitable[list[Outcome]]]) -> None:
    assert [outcome for outcome in await rows() if not outcome.is_passed] == []


async def test_the_pause_is_counted_down_and_its_end_is_told() -> None:
    counted = CountedTime()
    with serve_times(1, refusal_of(429, "Rate limit reached", retry_after="12")) as server:
        await ask_for(server, patience=counted.patience(60))
    countdown = [f"The model is busy, again in {left} s" for left in (12, 7, 2, 1)]
    assert counted.words == [*countdown, AGAIN]


async def test_a_failure_after_several_tries_says_how_many() -> None:
    counted = CountedTime()
    with serve_times(9, refusal_of(429, "Rate limit reached")) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server, patience=counted.patience(8))
    assert str(failure.value).endswith("Penny asked 5 times in 8 s.")
    assert (len(server.bodies), server.sent) == (5, 5)


async def test_a_cancellation_ends_the_pause_at_once() -> None:
    begun = asyncio.Event()

    async def say(_: str) -> None:
        begun.set()

    with serve_times(1, refusal_of(429, "Rate limit reached", retry_after="50")) as server:
        task = asyncio.create_task(ask_for(server, patience=Patience(60, say)))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 5)
    assert len(server.bodies) == 1


def serve_times(count: int, refusal: Refusal) -> AbstractContextManager[AskedServer]:
    answers, before = times(count, refusal), iter(range(100))
    return serve(lambda _: answers(next(before), 0))
