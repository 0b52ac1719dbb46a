"""Where outlets may lead: to what the owner typed and to public addresses, and by no redirect."""

import socket
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from devices.channels import apprise, reach
from devices.channels.channel import OutcomeUnknown, Piece
from devices.channels.reach import OutOfReach, only_public_or_typed
from devices.models import Device
from tests.stand_ins.serving import Http, Served, serving

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
NAMES = {
    "ntfy.example.com": "93.184.215.14",
    "rebound.example.com": "127.0.0.1",
    "metadata.example.com": "169.254.169.254",
    "nas.example.com": "192.168.1.5",
    "nas.lan": "192.168.1.5",
    "penny-box": "127.0.1.1",
}


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def look_up(host: Any, *others: Any, **names: Any) -> Any:
        return real(NAMES.get(host, host), *others, **names)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.parametrize(
    ("typed", "reached", "is_refused"),
    [
        ("ntfy.example.com", "93.184.215.14", False),
        ("ntfy.example.com", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", False),
        ("ntfy.example.com", "127.0.0.1", True),
        ("ntfy.example.com", "::1", True),
        ("ntfy.example.com", "::ffff:127.0.0.1", True),
        ("ntfy.example.com", "0.0.0.0", True),
        ("ntfy.example.com", "10.0.0.1", True),
        ("ntfy.example.com", "192.168.1.5", True),
        ("ntfy.example.com", "100.64.0.1", True),
        ("ntfy.example.com", "169.254.169.254", True),
        ("ntfy.example.com", "fe80::1%lo", True),
        ("ntfy.example.com", "fd00::1", True),
        ("rebound.example.com", "127.0.0.1", True),
        ("metadata.example.com", "169.254.169.254", True),
        ("nas.example.com", "192.168.1.5", False),
        ("nas.example.com", "192.168.1.6", True),
        ("nas.lan", "192.168.1.5", False),
        ("nas.lan", "127.0.0.1", True),
        ("penny-box", "127.0.1.1", False),
        ("192.168.1.5", "192.168.1.5", False),
        ("[::1]", "::1", False),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "127.0.0.2", True),
        ("ntfy.example.com", "rebound.example.com", True),
        ("ntfy.example.com", "no such name", False),
    ],
)
def test_a_private_address_is_reached_only_if_the_owner_typed_it(typed: str, reached: str, is_refused: bool) -> None:
    for event in ("socket.connect", "socket.sendto"):
        sys.audit(event, None, (reached, 80))
        with only_public_or_typed(typed):
            if is_refused:
                with pytest.raises(OutOfReach):
                    sys.audit(event, None, (reached, 80))
            else:
                sys.audit(event, None, (reached, 80))


def test_no_socket_with_a_path_is_reached() -> None:
    with only_public_or_typed("127.0.0.1"), socket.socket(socket.AF_UNIX) as end, pytest.raises(OutOfReach):
        end.connect("/run/none.sock")


def test_a_proxy_that_is_set_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.3:3128")
    with only_public_or_typed("ntfy.example.com"):
        sys.audit("socket.connect", None, ("127.0.0.3", 3128))


class _Leads(Served):
    """A server of notifications that leads elsewhere, if `target` is set."""

    def __init__(self, target: str = "") -> None:
        super().__init__(_Connection)
        self.target = target
        self.visits = 0


class _Connection(BaseHTTPRequestHandler):
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        served = self.server.served
        assert isinstance(served, _Leads)
        served.visits += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(307 if served.target else 200)
        if served.target:
            self.send_header("Location", served.target)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


@pytest.fixture
def inner() -> Iterator[_Leads]:
    with serving(_Leads()) as server:
        yield server


async def _tell(address: str) -> None:
    piece = Piece(key="1", text="The price fell.")
    await apprise.CHANNEL.send(Device(label="ntfy", kind="apprise", address=address), piece)


async def test_an_outlet_that_redirects_is_not_followed(inner: _Leads) -> None:
    with serving(_Leads(f"http://127.0.0.1:{inner.port}/")) as outer:
        for rest in ("", "?redirect=yes"):
            with pytest.raises(OutcomeUnknown):
                await _tell(f"ntfy://127.0.0.1:{outer.port}/penny{rest}")
        assert (outer.visits, inner.visits) == (2, 0)


async def test_without_that_it_leads_penny_anywhere(inner: _Leads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apprise, "_follow_no_redirect", lambda _: None)
    with serving(_Leads(f"http://127.0.0.1:{inner.port}/")) as outer:
        await _tell(f"ntfy://127.0.0.1:{outer.port}/penny")
        assert inner.visits == 1


async def test_a_public_name_that_leads_to_this_machine_is_not_reached_and_without_the_bound_it_is(
    inner: _Leads, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"ntfy://rebound.example.com:{inner.port}/penny"
    with pytest.raises(OutcomeUnknown):
        await _tell(address)
    assert inner.visits == 0
    monkeypatch.setattr(reach, "_check", lambda *_: None)
    await _tell(address)
    assert inner.visits == 1
