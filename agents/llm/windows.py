"""How much a model can take at once, in tokens, and from where that is known. Imports no Django.

A server is asked beside the work, and what it told is kept for some minutes: in each process by itself. The worker
stores it (agents/model_choice/kept_windows.py). The sandbox asks nobody; the worker hands the window over with each
item.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

from agents.llm.endpoint import KEY_VARIABLES, Endpoint
from agents.llm.messages import ModelFailed
from agents.llm.servers.auto import ELSEWHERE
from agents.llm.servers.window_answers import TOO_LARGE, asks_for_window, plausible, told_window

SMALL, USUAL = 4_096, 128_000
LEAST = 1_024
KEPT_S, AGAIN_S, LIMIT_S = 300.0, 60.0, 1_800.0
WAIT_S = 2.0
ANSWER_TOKENS = 2_000
_LOCAL_NAMES = (".local", ".internal", ".lan", ".home", ".home.arpa", ".localhost", ".ts.net")
_MAKERS = ("ollama.com",)


class WindowSmaller(ModelFailed):
    """A request was too long for the model. Its window is corrected: the same can be asked with less."""


@dataclass(frozen=True)
class Window:
    """`source`: the owner's setting, the server, a limit that was run into, or nobody.

    `server`: the kind of server, where the way in which it told shows that. `age_s`: how long ago the limit was found.
    """

    tokens: int
    source: Literal["setting", "told", "found", "guess"]
    server: str = ""
    age_s: float = field(default=0.0, compare=False)

    @property
    def is_guess(self) -> bool:
        return self.source == "guess"


@dataclass(frozen=True)
class KnownWindow:
    """What is known of one model, to be kept: what its server told, and a limit that was found `age_s` ago."""

    told: int = 0
    server: str = ""
    found: int = 0
    age_s: float = 0.0


@dataclass
class _Known:
    """What this process knows of one model of one server. Times are of `time.monotonic`."""

    told_tokens: int = 0
    server: str = ""
    limit: int = 0
    limit_until: float = 0.0
    uncut: int = 0  # a count of tokens that the server does not cut to
    asked_at: float | None = None
    is_asked_loaded: bool = False  # whether it was asked since it answered
    answer_came: threading.Event = field(default_factory=threading.Event)
    is_asking: bool = False


_models: dict[tuple[str, str], _Known] = {}
_lock = threading.Lock()


def window(endpoint: Endpoint, setting: int = 0) -> Window:
    """Return the window: the setting, what the server told, else a guess; less where that much was too long."""
    return window_from(endpoint, known_window(endpoint), setting)


def window_from(endpoint: Endpoint, facts: KnownWindow, setting: int) -> Window:
    if setting > 0:
        base = Window(setting, "setting", facts.server)
    elif facts.told:
        base = Window(facts.told, "told", facts.server)
    else:
        base = Window(SMALL if is_local(endpoint) else USUAL, "guess")
    return Window(facts.found, "found", facts.server, facts.age_s) if 0 < facts.found < base.tokens else base


def window_of(endpoint: Endpoint, setting: int = 0) -> int:
    return window(endpoint, setting).tokens


def room_in(tokens: int) -> int:
    """Return what a request may take of a window: the answer needs the rest."""
    return tokens - max(min(tokens // 4, ANSWER_TOKENS), tokens // 8)


def most_in(tokens: int) -> int:
    """Return the most that is sent at all. Estimates are high, and an answer may be short."""
    return tokens - min(tokens // 8, ANSWER_TOKENS)


def shrink_window(endpoint: Endpoint, setting: int = 0, sent: int = 0) -> bool:
    """Note that a request was too long for the model; return False where its window is as small as it gets.

    `sent`: about how many tokens it had. A small window shrinks in smaller steps: instructions need most of it.
    """
    tokens = window_of(endpoint, setting)
    if tokens <= LEAST:
        return False
    tokens = min(tokens, sent or tokens)
    limit_window(endpoint, max(LEAST, tokens // 2 if tokens > 4 * SMALL else tokens * 3 // 4))
    return True


def limit_window(endpoint: Endpoint, tokens: int) -> None:
    """Note that the model takes no more than this. The server may be started again with more, so it is forgotten."""
    state = _known_of(endpoint)
    state.limit, state.limit_until = max(LEAST, tokens), time.monotonic() + LIMIT_S


def known_window(endpoint: Endpoint) -> KnownWindow:
    state = _known_of(endpoint)
    age_s = LIMIT_S - (state.limit_until - time.monotonic())
    is_found = state.limit > 0 and age_s < LIMIT_S
    return KnownWindow(state.told_tokens, state.server, state.limit if is_found else 0, age_s if is_found else 0.0)


def believed(facts: KnownWindow) -> KnownWindow:
    """Return what can be of what was kept: plausible numbers, and a limit that has not expired."""
    is_found = LEAST <= facts.found <= TOO_LARGE and 0 <= facts.age_s < LIMIT_S
    return replace(
        facts,
        told=plausible(facts.told),
        found=facts.found if is_found else 0,
        age_s=facts.age_s if is_found else 0.0,
    )


def take_over(endpoint: Endpoint, facts: KnownWindow) -> None:
    """Put what was kept of a model in place of what this process knows."""
    state = _known_of(endpoint)
    state.told_tokens, state.server, state.limit = facts.told, facts.server, facts.found
    state.limit_until = time.monotonic() + LIMIT_S - facts.age_s


def is_local(endpoint: Endpoint) -> bool:
    """Whether the model runs on a machine of the owner's, where servers keep windows small."""
    if endpoint.provider in KEY_VARIABLES or ELSEWHERE.search(endpoint.name):
        return False
    host = (urlsplit(endpoint.url).hostname or "").rstrip(".")
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        if host in _MAKERS:
            return False
        return endpoint.provider == "ollama" or "." not in host or host.endswith(_LOCAL_NAMES)


def ask_beside(endpoint: Endpoint, *, again: bool = False) -> None:
    """Ask the server in a thread, unless it was asked some minutes ago.

    `again`: the model has just answered, so it is loaded: a server that told nothing before may tell now.
    """
    state, now = _known_of(endpoint), time.monotonic()
    with _lock:
        kept_s = KEPT_S if state.told_tokens or not again else AGAIN_S if state.is_asked_loaded else 0.0
        is_due = state.asked_at is None or now - state.asked_at >= kept_s
        if state.is_asking or not is_due or not asks_for_window(endpoint):
            return
        state.is_asking, state.is_asked_loaded = True, again
    threading.Thread(target=ask_now, args=(endpoint,), daemon=True, name="window").start()


def ask_now(endpoint: Endpoint) -> None:
    """Ask the server, and keep what it tells. A server that tells nothing now keeps what it told before."""
    state = _known_of(endpoint)
    try:
        tokens, server = told_window(endpoint)
        if tokens:
            if tokens != state.told_tokens:
                state.limit, state.uncut = 0, 0
            state.told_tokens, state.server = tokens, server
    finally:
        state.asked_at = time.monotonic()
        state.is_asking = False
        state.answer_came.set()


async def wait_until_asked(endpoint: Endpoint) -> None:
    """Wait a moment for the first answer of a server that is being asked."""
    state = _known_of(endpoint)
    if state.is_asking and not state.answer_came.is_set():
        await asyncio.to_thread(state.answer_came.wait, WAIT_S)


def is_uncut(endpoint: Endpoint, counted: int) -> bool:
    """Whether a probe showed that the server cuts nothing to so few tokens."""
    return counted <= _known_of(endpoint).uncut


def note_uncut(endpoint: Endpoint, counted: int) -> None:
    state = _known_of(endpoint)
    state.uncut = max(state.uncut, counted)


def forget_windows() -> None:
    with _lock:
        _models.clear()


def _known_of(endpoint: Endpoint) -> _Known:
    with _lock:
        return _models.setdefault((endpoint.url, endpoint.name), _Known())
