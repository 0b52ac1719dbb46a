"""Every answer of a running Penny carries the security headers."""

import socket
from collections.abc import Iterator
from uuid import uuid4

import httpx2
import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from penny_site.setup import views
from tests.penny import Penny

POLICY = {
    "default-src": ["'none'"], "script-src": ["'self'"], "style-src": ["'self'"], "img-src": ["'self'"],
    "connect-src": ["'self'"],
    "manifest-src": ["'self'"], "worker-src": ["'self'"], "form-action": ["'self'"], "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
}  # fmt: skip
EXACT = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
}
ARGUMENTS = {
    "pk": str(uuid4()),
    "object_id": "1",
    "token": "wrong",
    "part": "model",
    "browser": "chrome",
    "sha256": "0" * 64,
    "app_label": "agents",
}
STATIC = (
    "/static/penny/penny.css",
    "/static/vendor/htmx-2.0.11.min.js",
    "/static/penny/penny.svg",
    "/static/admin/css/base.css",
)
ODD = (
    "/nowhere/",
    "/static/nothing.css",
    "/%ff",
    "/%00",
    "/?x=%ff%00",
    "//evil.example/",
    "/thoughts/" + "9" * 300 + "/",
    "/ws/device",
    "/ws/web",
    "/ws/feed",
)


def header_faults(answer: httpx2.Response) -> list[str]:
    """Return a sentence for each required header that is missing or wrong."""
    policy = {
        name: sources
        for name, *sources in (
            part.split() for part in answer.headers.get("Content-Security-Policy", "").split(";") if part
        )
    }
    missing = [] if policy == POLICY else [f"Content-Security-Policy is {policy}"]
    missing += [
        f"{name} is {answer.headers.get(name)}" for name, value in EXACT.items() if answer.headers.get(name) != value
    ]
    missing += [
        f"{name} may be used"
        for name in ("camera", "microphone", "geolocation")
        if f"{name}=()" not in answer.headers.get("Permissions-Policy", "")
    ]
    if answer.content and "Content-Type" not in answer.headers:
        missing.append("no Content-Type")
    return missing


def route_addresses(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from route_addresses(pattern.url_patterns, before + fill_pattern(pattern))
        else:
            yield before + fill_pattern(pattern)


def fill_pattern(pattern: URLPattern | URLResolver) -> str:
    names = pattern.pattern.converters
    arguments = {
        name: "1" if type(converter).__name__ == "IntConverter" else ARGUMENTS.get(name, "1")
        for name, converter in names.items()
    }
    return "" if str(pattern.pattern).startswith("^") else fill_route(str(pattern.pattern), arguments)


def fill_route(route: str, arguments: dict[str, str]) -> str:
    for name, value in arguments.items():
        head, _, rest = route.partition(f":{name}>")
        route = head.rpartition("<")[0] + value + rest
    return route


ADDRESSES = sorted({*route_addresses(get_resolver().url_patterns), *STATIC, *ODD})


@pytest.fixture
def stranger(penny: Penny) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=penny.url, trust_env=False, timeout=30) as client:
        yield client


def test_the_walk_finds_the_known_routes() -> None:
    assert len(ADDRESSES) > 100
    assert {
        "/",
        "/chat/",
        "/api/pair",
        "/admin/agents/run/1/change/",
        f"/pictures/{'0' * 64}.webp",
        "/setup/extension/chrome/",
    } <= set(ADDRESSES)


def test_every_route_answers_with_every_header(penny: Penny, stranger: httpx2.Client) -> None:
    failures = {}
    for address in ADDRESSES:
        answers = {
            "owner": penny.http.get(address, follow_redirects=False) if address != "/admin/logout/" else None,
            "stranger": stranger.get(address),
        }
        for visitor, answer in answers.items():
            if answer is not None and header_faults(answer):
                failures[f"{visitor} {address} {answer.status_code}"] = header_faults(answer)
    assert failures == {}


@pytest.mark.parametrize("method", ["POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])
@pytest.mark.parametrize("address", ["/", "/sign-in/", "/api/pair", "/static/penny/penny.css", "/admin/", "/nowhere/"])
def test_every_method_is_answered_with_every_header(stranger: httpx2.Client, method: str, address: str) -> None:
    """Refusals included: a form without its token (403), a method of no page (405)."""
    assert header_faults(stranger.request(method, address)) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1@evil.example"},
        {"Sec-Fetch-Mode": "navigate", "Host": "localhost"},
    ],
)
def test_a_wrong_host_is_refused_with_every_header(stranger: httpx2.Client, headers: dict[str, str]) -> None:
    for address in ("/", "/static/penny/penny.css", "/healthz", "/api/pair"):
        assert header_faults(stranger.get(address, headers=headers)) == []


def test_a_form_that_is_too_large_is_refused_with_every_header(stranger: httpx2.Client) -> None:
    answer = stranger.post("/sign-in/", data={"password": "x" * 2_000_000})
    assert answer.status_code in (400, 403, 413)
    assert header_faults(answer) == []


def test_a_refused_socket_shows_nothing(penny: Penny) -> None:
    """The ASGI server, not Penny, makes this refusal; it has no body for a browser to show."""
    request = (
        f"GET /ws/device HTTP/1.1\r\nHost: 127.0.0.1:{penny.port}\r\nOrigin: https://evil.example\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", penny.port), timeout=10) as connection:
        connection.sendall(request.encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 403")
    assert body == b""


@pytest.mark.django_db
def test_an_internal_error_is_answered_with_every_header(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("<script>ran(1)</script>")

    monkeypatch.setattr(views, "setup_page", fail)
    owner_client.raise_request_exception = False
    answer = owner_client.get("/setup/")
    assert answer.status_code == 500
    assert "<script>ran" not in answer.content.decode()
    assert (
        header_faults(httpx2.Response(answer.status_code, headers=dict(answer.headers), content=answer.content)) == []
    )
