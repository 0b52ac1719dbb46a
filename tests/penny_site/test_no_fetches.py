"""The list of modules that may open a network connection.

The server fetches no pages: pages and pictures come through the owner's browsers.
"""

import ast
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest

from agents.llm.providers import LOCAL_SERVERS
from agents.llm.servers import model_names
from agents.llm.servers.model_names import fetch_model_names
from tests.stand_ins.serving import Served, serving

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENTS = (
    "aiohttp",
    "allauth",
    "apprise",
    "ftplib",
    "http.client",
    "httpcore",
    "httpx",
    "httpx2",
    "openai",
    "pydantic_ai",
    "pycurl",
    "requests",
    "smtplib",
    "socket",
    "telnetlib",
    "urllib.request",
    "urllib3",
    "websockets",
    "asyncio.open_connection",
)
# Each module with the servers that it may contact.
ALLOWED = {
    "agents/llm/client.py": "the model's endpoint, as the owner set it",
    "agents/llm/connection.py": "the same endpoint: the connection to it",
    "agents/llm/translate.py": "the same endpoint: the client library's types alone",
    "agents/llm/streams/event_stream.py": "the transport of the same client",
    "agents/llm/streams/unpacking.py": "nothing: unfolds what that transport brought",
    "agents/llm/servers/bounded_http.py": "nothing by itself: connections of model_names.py that end in time",
    "agents/llm/busy.py": "nothing: the same client's types of failures alone",
    "agents/embeddings/embed.py": "the same endpoint for embeddings, where the owner named a model for them",
    "agents/signal/voice_notes.py": "the same endpoint for voice notes, where the owner named a model for them",
    "agents/answers/drawing.py": "the same endpoint for pictures, where the owner named a model for them",
    "agents/signal/listener.py": "the owner's Signal server, as they set it: what comes in",
    "devices/channels/signal/api.py": "the owner's Signal server: what goes out",
    "devices/channels/apprise.py": "whatever outlets the owner entered",
    "devices/channels/reach.py": "nothing: refuses private addresses to what sends to outlets and the sign-in service",
    "devices/channels/push.py": "the push service of a browser in which the owner switched notifications on",
    "penny_site/health/container.py": "Penny's own address, within her container",
    "agents/llm/servers/model_names.py": "what that endpoint tells of its models, and fixed ports of this machine",
    "penny_site/settings_pages/signal_account.py": "the owner's Signal server: linking, the name and whom it trusts",
    "penny_site/sign_in/oidc_session.py": "the service through which the owner signs in besides, where they set one",
    "penny_site/sign_in/oidc_views.py": "nothing by itself: the failures of that session",
    "agents/sandbox/confinement.py": "nothing: the families of sockets that a reader may open",
    "agents/sandbox/seccomp.py": "nothing: the same, as the kernel numbers them",
    "penny_site/processes/plan.py": "nothing: finds a free port",
    "penny_site/processes/supervisor.py": "Penny's own address, and her own Redis",
    "penny_site/management/commands/up.py": "whether the port is free",
}


def imported_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and node.attr in ("open_connection", "create_connection", "sock_connect"):
            yield "asyncio.open_connection"


def speaks_http(path: Path) -> bool:
    return any(name == client or name.startswith(f"{client}.") for name in imported_names(path) for client in CLIENTS)


def test_no_other_module_imports_a_network_client() -> None:
    sources = [
        path for package in ("penny_site", "agents", "devices", "thoughts") for path in (ROOT / package).rglob("*.py")
    ]
    assert len(sources) > 80
    assert {str(path.relative_to(ROOT)) for path in sources if speaks_http(path)} == set(ALLOWED)


def test_local_models_are_searched_for_on_this_machine_only() -> None:
    assert {(urlsplit(url).scheme, urlsplit(url).hostname) for _, _, url in LOCAL_SERVERS} == {("http", "127.0.0.1")}


class RedirectHandler(BaseHTTPRequestHandler):
    """A program at the port of a model that redirects every request to another address."""

    requests: list[tuple[str, str | None]] = []

    def do_GET(self) -> None:
        self.requests.append((self.path, self.headers["Authorization"]))
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def redirecting_server() -> Iterator[str]:
    RedirectHandler.requests.clear()
    with serving(Served(RedirectHandler)) as server:
        yield f"http://127.0.0.1:{server.port}/v1"


def test_a_program_at_the_port_of_a_model_cannot_redirect_penny_and_her_key(redirecting_server: str) -> None:
    assert fetch_model_names(redirecting_server, 5.0, "key") is None
    assert RedirectHandler.requests == [("/v1/models", "Bearer key")]


def test_without_that_rule_the_program_could_redirect_penny(
    redirecting_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_names, "opener", build_opener(ProxyHandler({})))
    assert fetch_model_names(redirecting_server, 5.0, "key") is None
    assert ("/elsewhere", "Bearer key") in RedirectHandler.requests


def test_a_file_address_opens_no_file() -> None:
    assert fetch_model_names("file:///etc", 1.0) is None
