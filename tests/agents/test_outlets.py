"""What one outlet refuses goes to the next, once."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from constance import config
from django.db import transaction
from django.utils import timezone

from devices import conversation
from devices.channels import routing
from devices.deliveries import Delivery
from devices.models import Device
from devices.owner import the_owner
from tests.agents.on_signal import post
from tests.devices.test_push import PushService
from tests.serving import Http, Served, serving
from tests.signal_server import Fault, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


class Ntfy(Served):
    """A server of notifications that Apprise sends to."""

    def __init__(self) -> None:
        super().__init__(_Connection)
        self.bodies: list[str] = []


class _Connection(BaseHTTPRequestHandler):
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        assert isinstance(self.server.served, Ntfy)
        self.server.served.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


@pytest.fixture
def ntfy() -> Iterator[Ntfy]:
    with serving(Ntfy()) as found:
        yield found


@pytest.fixture
def browser() -> Iterator[PushService]:
    with serving(PushService()) as found:
        Device.objects.create(label="Firefox", kind="push", address=f"http://127.0.0.1:{found.port}/push/1", secrets=found.keys)
        yield found


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_a_browser_and_signal_refuse_comes_to_the_next_outlet_once(
    signal: SignalServer, phone: Device, browser: PushService, ntfy: Ntfy
) -> None:
    config.NOTIFY_CHANNEL = "push"
    Device.objects.create(label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny", used_at=timezone.now())
    with transaction.atomic():
        words = conversation.written("A lever holds.", [])
        message = conversation.store(the_owner(), words, device=None, device_label="Penny", direction="out", kind="notification")
        routing.tell(message, "A find")
    browser.answers.append((410, {}))
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    for _ in range(4):
        post()
    tried = Delivery.objects.order_by("id").values_list("device__kind", "state")
    assert list(tried) == [("push", "failed"), ("signal", "failed"), ("apprise", "accepted")]
    assert (browser.shown, signal.sent, len(ntfy.bodies)) == ({}, [], 1)
    assert "A lever holds." in ntfy.bodies[0]
