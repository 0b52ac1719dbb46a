"""Messages over four channels while requests fail: none is lost or doubled, and each device gets them in order.

Two browsers read the conversation by its numbers, one of them over a real socket that is cut now and then. Signal and a
push service receive the outbox, and refuse, stall and cut off.
"""

import asyncio
import random
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection, connections, transaction
from django.utils import timezone

from agents.outbox import receipts, send
from agents.worker import loop
from devices import protocol
from devices.access import pairing
from devices.channels import routing
from devices.channels.signal import api
from devices.channels.signal.channel import CHANNEL
from devices.conversation import messages
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from devices.owner.account import the_owner
from tests import commands, databases
from tests.client import Client, pair
from tests.penny import free_port
from tests.stand_ins import signal_server
from tests.stand_ins.push_service import PushService
from tests.stand_ins.serving import serving
from tests.stand_ins.signal_server import BOT, OWNER, Fault, SignalServer
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
FAULTS = [
    lambda chance: Fault(429, {"error": "Rate limited"}),
    lambda chance: Fault(503),
    lambda chance: Fault(400, {"error": "Specified account does not exist"}),
    lambda chance: Fault(0, happens=chance.random() < 0.5),
    lambda chance: Fault(500, happens=chance.random() < 0.5),
]


@pytest.fixture
def signal(monkeypatch: pytest.MonkeyPatch) -> Iterator[SignalServer]:
    with signal_server.run_signal_server() as server:
        server.receipts = False  # the test sends the receipts, in its own order
        monkeypatch.setattr(settings, "SIGNAL_URL", server.url)
        monkeypatch.setattr(settings, "SIGNAL_NUMBER", BOT)
        monkeypatch.setattr(api, "AGAIN_S", 0.0)
        yield server


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with serving(PushService()) as service:
        yield service


@pytest.fixture
def web_device(tmp_path: Path, redis: str) -> Iterator[Client]:
    """A device at a separate web process, which shares the test's database and Redis."""
    (tmp_path / databases.FILE).symlink_to(connection.settings_dict["NAME"])
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "daphne",
        "-b",
        "127.0.0.1",
        "-p",
        str(port),
        "--verbosity",
        "0",
        "penny_site.asgi:application",
    ]
    web = subprocess.Popen(command, cwd=commands.ROOT, env=commands.environment(tmp_path, PENNY_REDIS_URL=redis))
    try:
        until(lambda: _listens(port), "the web process listens", 60)
        with Client(pair(f"http://127.0.0.1:{port}", pairing.open_code())) as client:
            yield client
    finally:
        web.kill()
        web.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def deliver(count: int, seed: int, signal: SignalServer, service: PushService, web_device: Client) -> None:
    """Store `count` messages for four devices and send the outbox while requests fail."""
    chance = random.Random(seed)
    phone = Device.objects.create(label="Signal", kind="signal", address=OWNER)
    pushed = Device.objects.create(
        label="Push", kind="push", address=f"http://127.0.0.1:{service.port}/1", secrets=service.keys
    )
    connected = Device.objects.get(pk=web_device.pairing.device_id)
    browsers = [connected, Device.objects.create(label="Asleep", kind="browser")]
    # This phone has sent a receipt before. The silence of a phone that never did proves nothing: an unknown delivery
    # is then repeated only after 30 s.
    Delivery.objects.create(device=phone, key="before", reason="It asked.", state="accepted", arrived_at=timezone.now())
    expected: dict[str, list[str]] = defaultdict(list)
    LineState.objects.create(line="signal", listening_since=timezone.now())
    count_sent = 0
    while count_sent < count:
        for _ in range(min(50, count - count_sent)):
            device = chance.choice([phone, pushed, *browsers])
            _store_reply(f"Message {count_sent}.", device)
            expected[device.label].append(f"Message {count_sent}.")
            count_sent += 1
        signal.fail(*(chance.choice(FAULTS)(chance) for _ in range(chance.randrange(6))))
        service.answers = [(chance.choice([429, 500, 503]), {}) for _ in range(chance.randrange(4))]
        if chance.random() < 0.3:
            web_device.abort()
            web_device.expect_closed()
            web_device.connect()
        _post(signal, chance)
    while Delivery.objects.exclude(state="accepted").exists():
        _post(signal, chance)
    assert [message.text for message in signal.sent] == expected["Signal"]
    assert [notification["body"] for notification in service.shown.values()] == expected["Push"]
    seqs = list(Message.objects.order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, count + 1))  # the numbers that browsers read: no gap, no repeat
    web_device.expect(protocol.MessageNew, 60, count)
    browser_messages = [frame.message for frame in web_device.frames_of(protocol.MessageNew)]
    assert [(message.seq, message.text) for message in browser_messages] == [
        (number + 1, f"Message {number}.") for number in range(count)
    ]
    texts = messages.messages_after(the_owner(), 0, count)
    assert [message.text for message in texts] == [f"Message {number}." for number in range(count)]


@transaction.atomic
def _store_reply(text: str, device: Device) -> None:
    question = Message(device=device)
    message = messages.store_message(
        the_owner(),
        messages.render_content(text, []),
        device=None,
        device_label="Penny",
        direction="out",
        turn_id=uuid4(),
    )
    routing.queue_reply(message, question)


def _post(signal: SignalServer, chance: random.Random) -> None:
    """Send the outbox, then let the phone send receipts; sometimes a process dies meanwhile."""
    Delivery.objects.filter(state="queued").update(not_before=None)
    if chance.random() < 0.2 and (head := Delivery.objects.heads(timezone.now()).first()) and head.message:
        head.claim(timezone.now())
        Delivery.objects.filter(pk=head.pk).update(
            lease_until=timezone.now() - timedelta(seconds=1), parts=[head.message.text]
        )
    loop.run_on_loop(_post_async())
    entries_before = set(LineEntry.objects.values_list("timestamp", flat=True))
    moments = [message.timestamp for message in signal.sent if message.timestamp not in entries_before]
    receipts.take_receipts(CHANNEL.line, moments, is_read=False, now=timezone.now())
    Delivery.objects.filter(state="accepted", arrived_at=None, device__kind="signal").update(arrived_at=timezone.now())
    receipts.settle_unknown()
    LineState.objects.update(heard_at=timezone.now() + timedelta(seconds=receipts.NO_SIGN_S + 1))
    receipts.settle_unknown()
    Delivery.objects.filter(state="unknown", device__kind="push").update(
        state="queued"
    )  # the push tag makes a repeat show once


async def _post_async() -> None:
    await send.post_due()
    await asyncio.sleep(0)
    await in_db(connections.close_all)()


def test_none_is_lost_none_comes_twice_and_order_is_kept(
    signal: SignalServer, push_service: PushService, web_device: Client
) -> None:
    deliver(120, 1, signal, push_service, web_device)


@pytest.mark.long
def test_of_ten_thousand_too(signal: SignalServer, push_service: PushService, web_device: Client) -> None:
    deliver(10_000, 2, signal, push_service, web_device)
