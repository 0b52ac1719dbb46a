"""Outlets without a conversation; what one refuses goes to the next, once."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

import pytest
from constance import config
from django.db import transaction
from django.test import Client
from django.utils import timezone

from agents.gateway import questions
from agents.models import Run
from agents.outbox.notify import notify_due
from devices.channels import routing
from devices.conversation import messages
from devices.grants import asks
from devices.models import Ask, Device, Message
from devices.models.deliveries import Delivery
from devices.owner.account import the_owner
from devices.web.links import link_to
from tests.agents.signal.on_signal import post_all
from tests.stand_ins.push_service import PushService
from tests.stand_ins.serving import Http, Served, serving
from tests.stand_ins.signal_server import Fault, SignalServer
from thoughts.models import Thought, Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


class Ntfy(Served):
    """A fake notification server for Apprise."""

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
    with serving(Ntfy()) as server:
        yield server


@pytest.fixture
def push_browser() -> Iterator[PushService]:
    with serving(PushService()) as service:
        Device.objects.create(
            label="Firefox", kind="push", address=f"http://127.0.0.1:{service.port}/push/1", secrets=service.keys
        )
        yield service


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_a_browser_and_signal_refuse_comes_to_the_next_outlet_once(
    signal: SignalServer, phone: Device, push_browser: PushService, ntfy: Ntfy
) -> None:
    config.NOTIFY_CHANNEL = "push"
    Device.objects.create(
        label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny", used_at=timezone.now()
    )
    with transaction.atomic():
        words = messages.render_content("A lever holds.", [])
        message = messages.store_message(
            the_owner(), words, device=None, device_label="Penny", direction="out", kind="notification"
        )
        routing.send_proactive(message, "A find")
    push_browser.answers.append((410, {}))
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    for _ in range(4):
        post_all()
    deliveries = Delivery.objects.order_by("id").values_list("device__kind", "state")
    assert list(deliveries) == [("push", "failed"), ("signal", "failed"), ("apprise", "accepted")]
    assert (push_browser.shown, signal.sent, len(ntfy.bodies)) == ({}, [], 1)
    assert "A lever holds." in ntfy.bodies[0]


def send_notice(words: str) -> Message:
    """Send a proactive message."""
    with transaction.atomic():
        content = messages.render_content(words, [])
        message = messages.store_message(
            the_owner(), content, device=None, device_label="Penny", direction="out", kind="notification"
        )
        routing.send_proactive(message, "A reason")
    return message


def test_what_waits_for_a_browser_that_turns_out_to_be_gone_comes_to_the_next_device_too(
    signal: SignalServer, phone: Device, push_browser: PushService
) -> None:
    config.NOTIFY_CHANNEL = "push"
    for words in ("A lever holds.", "A wheel turns."):
        send_notice(words)
    push_browser.answers.append((410, {}))
    for _ in range(3):
        post_all()
    assert [message.body["message"] for message in signal.sent] == ["A lever holds.", "A wheel turns."]
    assert set(Delivery.objects.filter(device__kind="push").values_list("state", flat=True)) == {"failed"}


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_an_outlet_does_not_say_that_it_took_comes_to_the_next_device(signal: SignalServer, phone: Device) -> None:
    config.NOTIFY_CHANNEL = "apprise"
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://127.0.0.1:9/penny")
    send_notice("The reminder.")
    for _ in range(3):
        post_all()
    assert list(Delivery.objects.order_by("id").values_list("device__kind", "state")) == [
        ("apprise", "unknown"),
        ("signal", "accepted"),
    ]
    assert [message.text for message in signal.sent] == ["The reminder."]


def test_a_notification_whose_process_died_is_sent_again_in_its_own_place(push_browser: PushService) -> None:
    send_notice("The reminder.")
    assert Delivery.objects.get().claim(timezone.now(), ["The reminder."])
    Delivery.objects.update(lease_until=timezone.now())
    post_all()
    assert (Delivery.objects.get().state, [notification["body"] for notification in push_browser.shown.values()]) == (
        "accepted",
        ["The reminder."],
    )


def test_a_question_that_the_chosen_device_refuses_is_asked_on_the_next(
    signal: SignalServer, phone: Device, push_browser: PushService
) -> None:
    config.NOTIFY_CHANNEL = "signal"
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    questions.queue_question(
        waiting,
        asks.ask_grant(waiting.pk, "beans.example", "read", "To find something about beans.", is_background=True),
    )
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    for _ in range(3):
        post_all()
    assert list(Delivery.objects.order_by("id").values_list("device__kind", "state")) == [
        ("signal", "failed"),
        ("push", "accepted"),
    ]
    assert "beans.example" in next(iter(push_browser.shown.values()))["body"]
    assert Ask.objects.get().state == "open"


def a_find(**fields: object) -> Thought:
    """Store a find that is worth an interruption, and notify the owner."""
    values: dict[str, object] = {
        "text": "It holds.",
        "html": "",
        "origin": ["owner", "penny"],
        "points": 2.5,
        "seed_text": "levers",
    }
    thought = Thought.objects.create(title="A lever", **(values | fields))
    assert notify_due(timezone.now()) is not None
    post_all()
    return thought


def test_where_no_thumb_can_be_given_a_link_takes_less_like_this(push_browser: PushService) -> None:
    thought = a_find()
    [notification] = push_browser.shown.values()
    assert notification["body"].endswith("One of your best finds about “levers” this week.")
    assert (notification["less"], notification["less_called"]) == (
        f"{link_to('thought_alike', thought.pk)}?valence=-1",
        "Less like this",
    )


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_a_watch_tells_leads_there_to_the_watch(push_browser: PushService, ntfy: Ntfy) -> None:
    watch = Watch.objects.create(url="https://shop.example/", domain="shop.example", label="Lever")
    a_find(watch=watch)
    [notification] = push_browser.shown.values()
    assert notification["body"].endswith("You asked to be told, by a watch.")
    assert (notification["less"], notification["less_called"]) == (link_to("watch", watch.pk), "Pause this watch")
    Device.objects.update(revoked_at=timezone.now())
    Device.objects.create(label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny")
    a_find(watch=watch)
    assert json.loads(ntfy.bodies[0])["message"].endswith(f"\n\nPause this watch: {link_to('watch', watch.pk)}")


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_an_outlet_that_carries_words_alone_gets_that_link_too(ntfy: Ntfy) -> None:
    Device.objects.create(label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny")
    thought = a_find()
    body = json.loads(ntfy.bodies[0])["message"]
    assert "👎" not in body
    assert (
        f"{link_to('thought', thought.pk)}\n\nLess like this: {link_to('thought_alike', thought.pk)}?valence=-1" in body
    )


def test_a_thumb_is_asked_for_where_it_can_be_given(signal: SignalServer, phone: Device) -> None:
    a_find()
    assert signal.sent[0].text.endswith("Answer with 👎 for less like this.*")


def test_a_question_of_background_work_leads_to_where_it_is_answered_also_later(
    push_browser: PushService, client: Client
) -> None:
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    ask = asks.ask_grant(waiting.pk, "beans.example", "read", "To find something about beans.", is_background=True)
    questions.queue_question(waiting, ask)
    post_all()
    [notification] = push_browser.shown.values()
    assert notification["link"] == link_to("activity")
    assert notification["body"].endswith(f"Answer here: {link_to('activity')}")
    Ask.objects.update(prompt_until=timezone.now())  # devices no longer show it
    client.force_login(the_owner())
    assert "beans.example" in client.get(urlsplit(notification["link"]).path).content.decode()
