"""Repeat a request for which the model is busy, with growing pauses. Imports no Django.

This is the only place that does: the client library repeats nothing. The pauses lie outside of the time that a model
may be silent. Each repeated request passes the audit hook.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agents.llm.busy import Busy, busy_of
from agents.llm.failures.between import STANDS_BEFORE
from agents.llm.messages import Answer, ModelFailed
from agents.llm.providers import Endpoint

PATIENCE_S = 20.0
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
NAMED_STEP_S = 0.5  # so much longer for each time that a named pause was too short
UNREACHABLE_S = 10.0
RESTART_S = 60.0  # of a server that answered before
TRIES_TOLD_S = 5.0  # a failure that took less says nothing of its repetitions
TELL_S, LONG_S = 1.0, 5.0  # a shorter pause is not told, and not how often was asked in less
_WORDS = {"busy": "The model is busy", "loading": "The model is loading", "unreachable": "The model does not answer"}
AGAIN = "Asking the model again"

_reached: set[Endpoint] = set()


async def say_nothing(_: str) -> None:
    pass


@dataclass
class Patience:
    """How long somebody waits for a busy model, from now on. `say` shows them what is waited for."""

    seconds: float = PATIENCE_S
    say: Callable[[str], Awaitable[None]] = say_nothing
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    ends_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends_at = self.clock() + self.seconds

    @property
    def left_s(self) -> float:
        return self.ends_at - self.clock()

    async def wait(self, busy: Busy, pause_s: float) -> None:
        """Wait, and count down. A cancellation ends this at once."""
        is_told, until = busy.kind in _WORDS and pause_s >= TELL_S, self.clock() + pause_s
        while (left_s := until - self.clock()) > 0:
            if is_told:
                await self.say(f"{_WORDS[busy.kind]}, again in {_in_words(left_s)}")
            await self.sleep(min(left_s, _next_word_s(left_s)))
        if is_told:
            await self.say(AGAIN)


def _in_words(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds <= 90 else f"{math.ceil(seconds / 60)} min"


def _next_word_s(left_s: float) -> float:
    """Return when the next word is due. Somebody may have each word read out, so there are few of a long pause."""
    return 1.0 if left_s <= 5 else 5.0 if left_s <= 90 else 30.0


async def repeat(endpoint: Endpoint, patience: Patience, send: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return what `send` returns, asked again while the model is busy and the patience lasts. Raises ModelFailed.

    A failure that may pass by itself has `busy` set.
    """
    start, tries, unreachable_since = patience.clock(), 0, None
    while True:
        try:
            answer = await send()
        except ModelFailed as error:
            tries += 1
            error.busy = busy = busy_of(error.code, error.__cause__)
            if busy is None:
                raise
            if busy.kind == "busy" and error.code != "model_busy":  # no word of its server says so
                error.code = "model_busy"
                if not str(error).startswith(STANDS_BEFORE):  # a gateway that answers is named
                    words = f"{endpoint} has no time now: its server answers {busy.status}. Try again in a minute."
                    error.args = (words,)
            if busy.is_answer:
                _reached.add(endpoint)
                unreachable_since = None
            elif unreachable_since is None:
                unreachable_since = patience.clock()
            pause_s = _pause_s(busy, tries, _left_s(endpoint, busy, patience, unreachable_since))
            if pause_s is None:
                _tell_tries(error, tries, patience.clock() - start)
                raise
            await patience.wait(busy, pause_s)
        else:
            _reached.add(endpoint)
            return answer


def is_busy(error: ModelFailed) -> bool:
    """Whether the request may be fine, and the server has no time for it."""
    busy = busy_of(error.code, error.__cause__)
    return busy is not None and busy.kind != "hiccup"


def _left_s(endpoint: Endpoint, busy: Busy, patience: Patience, unreachable_since: float | None) -> float:
    """Return how long this goes on. Nobody waits long for a server that may never have been there."""
    if unreachable_since is None:
        return patience.left_s
    longest_s = RESTART_S if busy.is_refused and endpoint in _reached else UNREACHABLE_S
    return min(patience.left_s, unreachable_since + longest_s - patience.clock())


def _pause_s(busy: Busy, tries: int, left_s: float) -> float | None:
    """Return the next pause; None where it ends too late, or where one repetition was enough."""
    growing_s = PAUSES_S[min(tries, len(PAUSES_S)) - 1]
    if busy.kind == "hiccup":
        return growing_s if tries == 1 and growing_s < left_s else None
    if busy.named_s is not None:
        pause_s = max(busy.named_s, NAMED_STEP_S * tries)
    else:
        pause_s = busy.hint_s if busy.hint_s is not None and growing_s <= busy.hint_s < left_s else growing_s
    return pause_s if pause_s < left_s else None


def _tell_tries(error: ModelFailed, tries: int, seconds: float) -> None:
    if seconds >= TRIES_TOLD_S:
        error.args = (f"{error} Penny asked {tries} times in {math.ceil(seconds)} s.",)
