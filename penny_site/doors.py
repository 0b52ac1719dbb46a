"""Who may knock: Host names are checked on sockets too, which Django and Channels leave open (DNS rebinding). And how
fast.
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


def header(scope: Scope, name: bytes) -> str | None:
    """Return the one value of a header; a header that comes twice counts as one that no rule accepts."""
    found = [value for key, value in scope["headers"] if key == name]
    return None if not found else found[0].decode("latin-1") if len(found) == 1 else "repeated"


class HostDoor:
    """Refuse a socket whose Host is not Penny's own, before the upgrade (HTTP 403)."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        domain, _ = split_domain_port(header(scope, b"host") or "")
        if domain and validate_host(domain, settings.ALLOWED_HOSTS):
            await self.inner(scope, receive, send)
        else:
            await closed(scope, receive, send)


class BelowBase:
    """Take the path below which Penny stands off a socket's, where the proxy left it there; Django does so for
    pages.
    """

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.inner(scope | {"path": scope["path"].removeprefix(settings.BASE_PATH)}, receive, send)


class SlowRefusals:
    """Let an answer that says "too many" wait, so that guessing is slow. It holds up nothing else, and no thread."""

    def __init__(self, inner: App) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_slowly(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] == 429:
                await asyncio.sleep(DELAY_S)
            await send(message)

        await self.inner(scope, receive, send_slowly)


async def closed(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse the upgrade."""
    await receive()
    await send({"type": "websocket.close"})
