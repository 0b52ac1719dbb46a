"""Bound the body of a request by who may send it and to which page, before it is read, and keep it out of memory.

Daphne stores the whole body of a request on disk before the application sees the request. So the length is checked as
soon as the headers are there, and a body without a length is counted while it comes. Django then reads that file.
Twisted would parse it first: ten to forty times its size in memory, and nobody else is answered meanwhile. Daphne
would queue all of it.
"""

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, BinaryIO, ClassVar

import daphne.http_protocol
from daphne.http_protocol import WebRequest
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import parse_cookie
from django.urls import Resolver404, resolve

from devices.db import in_db

MB = 1024 * 1024
PLAIN_BYTES, API_BYTES = MB, 32 * MB
# A request that is not whole and brings less than this in that time is ended: a byte now and then would hold a
# connection, and its file on disk, for ever. The slowest of networks brings ten times as much.
PACE_S, PACE_BYTES = 60.0, 64 * 1024
UNFINISHED_MAX = 128  # requests of senders who proved nothing; one more ends the one that has begun first
LINGER_S = 2.0  # a client that is still writing would otherwise lose the answer


class BodyOnDisk(bytes):
    """What stands for a body in the one message of it that Django gets: no bytes, and the file that holds them."""

    file: BinaryIO


class _Content:
    """What daphne reads once, in place of the file. Django closes the file: it may outlive the connection."""

    def __init__(self, file: BinaryIO) -> None:
        self._body, self.closed = BodyOnDisk(), False
        self._body.file = file

    def read(self, _: int = -1) -> BodyOnDisk:
        return self._body

    def seek(self, *_: int) -> None:
        self._body.file.seek(0)

    def close(self) -> None:
        self.closed = True


class BodyHandler(ASGIHandler):
    """Django, which reads a large body from the file that daphne wrote."""

    async def read_body(self, receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> Any:
        first = await receive()
        body = first.get("body")
        if isinstance(body, BodyOnDisk):
            return body.file

        messages = iter([first])

        async def receive_all() -> Mapping[str, Any]:
            return next(messages, None) or await receive()

        return await super().read_body(receive_all)


class BoundedRequest(WebRequest):
    """A request whose body is bounded.

    `may_read` bytes are read without asking. Beyond them the request waits until its session or its token was looked
    up, and `most` holds after that.
    """

    may_read, most, size_bytes = PLAIN_BYTES, PLAIN_BYTES, 0
    is_refused = False
    look_up: asyncio.Task[None] | None = None
    content: Any
    whole: tuple[bytes, bytes, bytes] | None = None  # a request that came whole before the answer of the look-up
    unfinished: ClassVar[dict["BoundedRequest", None]] = {}  # of senders who proved nothing, the oldest first

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False)
        self.pace = asyncio.get_running_loop().call_later(PACE_S, self._check_pace, 0)
        self.unfinished[self] = None
        if len(self.unfinished) > UNFINISHED_MAX:
            next(iter(self.unfinished))._end()

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        super().gotLength(length)
        self.where = bytes(self.channel._path).partition(b"?")[0].decode("latin-1").removeprefix(settings.BASE_PATH)
        if (length is None or length > PLAIN_BYTES) and not self._is_from_elsewhere():
            self.most = API_BYTES if self._is_api() else self._bound_of_page()
        if length is not None:
            self._bound(length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self.size_bytes += len(data)
        if not self.is_refused:
            self._bound(self.size_bytes)
        if not self.is_refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self._stop_waiting()
        if self.look_up is not None and not self.look_up.done():
            self.whole = (command, path, version)
        elif not self.is_refused:
            super().requestReceived(command, path, version)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._stop_waiting()
        super().connectionLost(reason)

    def process(self) -> Any:
        if not isinstance(self.content, io.BytesIO):
            self.content = _Content(self.content)
        return super().process()

    def _check_pace(self, bytes_before: int) -> None:
        is_looked_up = self.look_up is None or self.look_up.done()
        if self.channel is None or self.is_refused:
            return
        if is_looked_up and self.size_bytes - bytes_before < PACE_BYTES:
            self._end()
        else:
            self.pace = asyncio.get_running_loop().call_later(PACE_S, self._check_pace, self.size_bytes)

    def _end(self) -> None:
        self.is_refused = True
        self._stop_waiting()
        self.channel.transport.abortConnection()

    def _stop_waiting(self) -> None:
        self.pace.cancel()
        self.unfinished.pop(self, None)

    def _bound(self, length: int) -> None:
        if length > self.most:
            self._refuse(f"This is more than {self.most // MB} MB.")
        elif length > self.may_read:
            self.may_read = self.most  # asked once
            self.channel.transport.pauseProducing()
            self.look_up = asyncio.ensure_future(self._ask())

    async def _ask(self) -> None:
        is_good, secret = (_has_token, self._token()) if self._is_api() else (_has_session, self._cookie())
        try:
            is_allowed = bool(secret) and await in_db(is_good)(secret)
        except Exception:
            self._refuse("Penny could not look up who sends this.", 503)
            raise
        if self.channel is None:  # the client is gone
            return
        if is_allowed:
            self.unfinished.pop(self, None)
            self.channel.transport.resumeProducing()
            if self.whole is not None:
                super().requestReceived(*self.whole)
        else:
            how = "a valid token" if self._is_api() else "signing in"
            self._refuse(f"This is more than {PLAIN_BYTES // MB} MB, the most without {how}.")

    def _refuse(self, why: str, status: int = 413) -> None:
        """Answer and close; what still comes is thrown away."""
        self.is_refused = True
        if self.channel is None:  # the client is gone
            return
        self.content.seek(0)
        self.content.truncate()
        self.requestHeaders.removeHeader(b"Expect")
        transport = self.channel.transport
        body = f"{why}\n".encode()
        kind = "text/plain; charset=utf-8"
        if self._is_api():
            error = {"message": why, "type": "invalid_request_error", "param": None, "code": "too_large"}
            body, kind = json.dumps({"error": error}).encode(), "application/json"
        title = "Content Too Large" if status == 413 else "Service Unavailable"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close", **_security_headers()}
        lines = [f"HTTP/1.1 {status} {title}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        transport.write("\r\n".join(lines).encode() + body)
        transport.loseWriteConnection()
        transport.resumeProducing()
        asyncio.get_running_loop().call_later(LINGER_S, transport.abortConnection)

    def _is_api(self) -> bool:
        return self.where.startswith("/v1/")

    def _bound_of_page(self) -> int:
        """Only the file of a form may be large: Django holds fields and other bodies in memory."""
        if not self._header(b"Content-Type").lower().startswith("multipart/form-data"):
            return PLAIN_BYTES
        try:
            return int(getattr(resolve(self.where).func, "body_bytes", PLAIN_BYTES))
        except Resolver404:
            return PLAIN_BYTES

    def _is_from_elsewhere(self) -> bool:
        """Whether a page of another site sends the request: the owner's cookie then gives it no right."""
        site, origin = self._header(b"Sec-Fetch-Site"), self._header(b"Origin")
        is_elsewhere = site in ("cross-site", "same-site") or origin not in ("", settings.PUBLIC_URL)
        return is_elsewhere and not self._is_api()

    def _header(self, name: bytes) -> str:
        values = self.requestHeaders.getRawHeaders(name) or [b""]
        return bytes(values[0]).decode("latin-1") if len(values) == 1 else "repeated"

    def _token(self) -> str:
        return self._header(b"Authorization").partition(" ")[2].strip()

    def _cookie(self) -> str:
        return parse_cookie(self._header(b"Cookie")).get(settings.SESSION_COOKIE_NAME, "")


def _security_headers() -> dict[str, str]:
    """Return the headers that Django's middleware adds to every other answer."""
    from penny_site.middleware import HEADERS

    return HEADERS | {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }


def _has_session(key: str) -> bool:
    from django.contrib.auth import SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    return SESSION_KEY in SessionStore(key)


def _has_token(token: str) -> bool:
    from devices.models.sign_in import ApiToken, digest

    return ApiToken.objects.good().filter(digest=digest(token)).exists()


def bound_bodies() -> None:
    """Make daphne use `BoundedRequest`. Call this before the server starts."""
    daphne.http_protocol.WebRequest = BoundedRequest
