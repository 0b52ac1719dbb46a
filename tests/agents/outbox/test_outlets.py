"""What outlets get that hold no conversation, and what one refuses: that goes to the next, once."""

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
from tests.agents.signal.on_signal import post
from tests.stand_ins.push_service import PushService
from tests.stand_ins.serving import Http, Served, serving
from tests.stand_ins.signal_server import Fault, SignalServer
from thoughts.models import Thought, Watch

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
        Device.objects.create(
            label="Firefox", kind="push", address=f"http://127.0.0.1:{found.port}/push/1", secrets=found.keys
        )
        yield found


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_a_browser_and_signal_refuse_comes_to_the_next_outlet_once(
    signal: SignalServer, phone: Device, browser: PushService, ntfy: Ntfy
) -> None:
    config.NOTIFY_CHANNEL = "push"
    Device.objects.create(
        label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny", used_at=timezone.now()
    )
    with transaction.atomic():
        words = messages.written("A lever holds.", [])
        message = messages.store(
            the_owner(), words, device=None, device_label="Penny", direction="out", kind="notification"
        )
        routing.tell(message, "A find")
    browser.answers.append((410, {}))
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    for _ in range(4):
        post()
    tried = Delivery.objects.order_by("id").values_list("device__kind", "state")
    assert list(tried) == [("push", "failed"), ("signal", "failed"), ("apprise", "accepted")]
    assert (browser.shown, signal.sent, len(ntfy.bodies)) == ({}, [], 1)
    assert "A lever holds." in ntfy.bodies[0]


def told(words: str) -> Message:
    """What nobody asked for, on its way to where the owner is told things."""
    with transaction.atomic():
        written = messages.written(words, [])
        message = messages.store(
            the_owner(), written, device=None, device_label="Penny", direction="out", kind="notification"
        )
        routing.tell(message, "A reason")
    return message


def test_what_waits_for_a_browser_that_turns_out_to_be_gone_comes_to_the_next_device_too(
    signal: SignalServer, phone: Device, browser: PushService
) -> None:
    config.NOTIFY_CHANNEL = "push"
    for words in ("A lever holds.", "A wheel turns."):
        told(words)
    browser.answers.append((410, {}))
    for _ in range(3):
        post()
    assert [sent.body["message"] for sent in signal.sent] == ["A lever holds.", "A wheel turns."]
    assert set(Delivery.objects.filter(device__kind="push").values_list("state", flat=True)) == {"failed"}


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_an_outlet_does_not_say_that_it_took_comes_to_the_next_device(signal: SignalServer, phone: Device) -> None:
    config.NOTIFY_CHANNEL = "apprise"
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://127.0.0.1:9/penny")
    told("The reminder.")
    for _ in range(3):
        post()
    assert list(Delivery.objects.order_by("id").values_list("device__kind", "state")) == [
        ("apprise", "unknown"),
        ("signal", "accepted"),
    ]
    assert [sent.text for sent in signal.sent] == ["The reminder."]


def test_a_notification_whose_process_died_is_sent_again_in_its_own_place(browser: PushService) -> None:
    told("The reminder.")
    assert Delivery.objects.get().claim(timezone.now(), ["The reminder."])
    Delivery.objects.update(lease_until=timezone.now())
    post()
    assert (Delivery.objects.get().state, [shown["body"] for shown in browser.shown.values()]) == (
        "accepted",
        ["The reminder."],
    )


def test_a_question_that_the_chosen_device_refuses_is_asked_on_the_next(
    signal: SignalServer, phone: Device, browser: PushService
) -> None:
    config.NOTIFY_CHANNEL = "signal"
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    questions.tell(
        waiting,
        asks.ask_grant(waiting.pk, "beans.example", "read", "To find something about beans.", is_background=True),
    )
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    for _ in range(3):
        post()
    assert list(Delivery.objects.order_by("id").values_list("device__kind", "state")) == [
        ("signal", "failed"),
        ("push", "accepted"),
    ]
    assert "beans.example" in next(iter(browser.shown.values()))["body"]
    assert Ask.objects.get().state == "open"


def a_find(**fields: object) -> Thought:
    """A find that is worth an interruption; Penny has told the owner of it."""
    values: dict[str, object] = {
        "text": "It holds.",
        "html": "",
        "origin": ["owner", "penny"],
        "points": 2.5,
        "seed_text": "levers",
    }
    found = Thought.objects.create(title="A lever", **(values | fields))
    assert notify_due(timezone.now()) is not None
    post()
    return found


def test_where_no_thumb_can_be_given_a_link_takes_less_like_this(browser: PushService) -> None:
    found = a_find()
    [shown] = browser.shown.values()
    assert shown["body"].endswith("One of your best finds about “levers” this week.")
    assert (shown["less"], shown["less_called"]) == (
        f"{link_to('thought_alike', found.pk)}?valence=-1",
        "Less like this",
    )


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_what_a_watch_tells_leads_there_to_the_watch(browser: PushService, ntfy: Ntfy) -> None:
    watch = Watch.objects.create(url="https://shop.example/", domain="shop.example", label="Lever")
    a_find(watch=watch)
    [shown] = browser.shown.values()
    assert shown["body"].endswith("You asked to be told, by a watch.")
    assert (shown["less"], shown["less_called"]) == (link_to("watch", watch.pk), "Pause this watch")
    Device.objects.update(revoked_at=timezone.now())
    Device.objects.create(label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny")
    a_find(watch=watch)
    assert json.loads(ntfy.bodies[0])["message"].endswith(f"\n\nPause this watch: {link_to('watch', watch.pk)}")


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_an_outlet_that_carries_words_alone_gets_that_link_too(ntfy: Ntfy) -> None:
    Device.objects.create(label="ntfy", kind="apprise", address=f"ntfy://127.0.0.1:{ntfy.port}/penny")
    found = a_find()
    said = json.loads(ntfy.bodies[0])["message"]
    assert "👎" not in said
    assert f"{link_to('thought', found.pk)}\n\nLess like this: {link_to('thought_alike', found.pk)}?valence=-1" in said


def test_a_thumb_is_asked_for_where_it_can_be_given(signal: SignalServer, phone: Device) -> None:
    a_find()
    assert signal.sent[0].text.endswith("Answer with 👎 for less like this.*")


def test_a_question_of_background_work_leads_to_where_it_is_answered_also_later(
    browser: PushService, client: Client
) -> None:
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    ask = asks.ask_grant(waiting.pk, "beans.example", "read", "To find something about beans.", is_background=True)
    questions.tell(waiting, ask)
    post()
    [shown] = browser.shown.values()
    assert shown["link"] == link_to("schedules")
    assert shown["body"].endswith(f"Answer here: {link_to('schedules')}")
    Ask.objects.update(prompt_until=timezone.now())  # devices show it no more
    client.force_login(the_owner())
    assert "beans.example" in client.get(urlsplit(shown["link"]).path).content.decode()
