from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from agents.llm.messages import Request
from agents.llm.providers import Endpoint


@dataclass(frozen=True)
class Sent:
    """What is recorded of each HTTP request to a model before it leaves: the same request tried again is another
    one.
    """

    zone: str
    labels: tuple[str, ...]
    model: str
    sha256: str
    size_bytes: int


Record = Callable[[Sent], Awaitable[None]]


_auditing: ContextVar[tuple[Request, Endpoint, Record]] = ContextVar("auditing")


class NotRecorded(Exception):
    """A request that was about to leave without a record. It does not leave."""


@contextmanager
def audited(request: Request, endpoint: Endpoint, record: Record) -> Iterator[None]:
    token = _auditing.set((request, endpoint, record))
    try:
        yield
    finally:
        _auditing.reset(token)


async def record_before_sending(http: Any) -> None:
    """Called by the HTTP client with each request that is about to leave, whoever made it."""
    try:
        request, endpoint, record = _auditing.get()
    except LookupError:
        raise NotRecorded(f"{http.method} {http.url.host}") from None
    body = http.content
    await record(
        Sent(request.zone, tuple(sorted(request.origin)), str(endpoint), hashlib.sha256(body).hexdigest(), len(body))
    )
