"""ASGI wrappers: check the Host of sockets, strip the base path, delay refused guesses.

Django and Channels do not check the Host of a socket, which allows DNS rebinding.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from devices.access.failed_attempts import DELAY_S

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def read_header(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header, or None without one.

    A repeated header returns "repeated", which no rule accepts.
    """
    values = [value for key, value in scope["headers"] if key == name]
    return None if not values else values[0].decode("latin-1") if len(values) == 1 else "repeated"


class HostDoor:
    """Refuse a socket with a foreign Host before the upgrade (HTTP 403)."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        domain, _ = split_domain_port(read_header(scope, b"host") or "")
        if domain and validate_host(domain, settings.ALLOWED_HOSTS):
            await self.inner(scope, receive, send)
        else:
            await close_socket(scope, receive, send)


class BelowBase:
    """Strip the base path from a socket's path if the proxy left it. Django does so for pages."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.inner(scope | {"path": scope["path"].removeprefix(settings.BASE_PATH)}, receive, send)


class SlowRefusals:
    """Delay each 429 answer, to slow guessing down. The delay blocks no thread."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_slowly(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] == 429:
                await asyncio.sleep(DELAY_S)
            await send(message)

        await self.inner(scope, receive, send_slowly)


async def close_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse the upgrade (HTTP 403)."""
    await receive()
    await send({"type": "websocket.close"})
