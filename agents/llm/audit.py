"""Record every HTTP request to a model before it leaves.

The HTTP client calls `record_before_sending`; a request outside `audit_requests` raises and is not sent.
"""

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
class SentRequest:
    """The record of one HTTP request to a model. A retry is a record of its own."""

    zone: str
    labels: tuple[str, ...]
    model: str
    sha256: str
    size_bytes: int


Record = Callable[[SentRequest], Awaitable[None]]


_auditing: ContextVar[tuple[Request, Endpoint, Record]] = ContextVar("auditing")


class NotRecorded(Exception):
    """An HTTP request outside `audit_requests`. The request is not sent."""


@contextmanager
def audit_requests(request: Request, endpoint: Endpoint, record: Record) -> Iterator[None]:
    token = _auditing.set((request, endpoint, record))
    try:
        yield
    finally:
        _auditing.reset(token)


async def record_before_sending(http: Any) -> None:
    """Record one request that the HTTP client is about to send. Raises NotRecorded."""
    try:
        request, endpoint, record = _auditing.get()
    except LookupError:
        raise NotRecorded(f"{http.method} {http.url.host}") from None
    body = http.content
    await record(
        SentRequest(
            request.zone, tuple(sorted(request.origin)), str(endpoint), hashlib.sha256(body).hexdigest(), len(body)
        )
    )
