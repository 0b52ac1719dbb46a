"""Web Push: readable by one browser alone, signed by Penny, given up if the browser is gone."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import unescape
from typing import Any

import pytest
from constance import config
from django.db import connections
from django.test import Client
from py_vapid import Vapid02

from agents.outbox import send as outbox_send
from agents.worker import loop
from devices.channels import push, routing
from devices.channels.channel import Piece
from devices.db import in_db
from devices.models import Device
from devices.models.deliveries import Delivery
from tests.stand_ins.push_service import PushService, encode_base64url
from tests.stand_ins.serving import serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def service() -> Iterator[PushService]:
    with serving(PushService()) as fake_service:
        yield fake_service


@pytest.fixture
def push_browser(service: PushService) -> Device:
    address = f"http://127.0.0.1:{service.port}/push/1"
    return Device.objects.create(label="Firefox", kind="push", address=address, secrets=service.keys)


def queue_and_post(push_browser: Device, words: str, key: str = "one", **fields: Any) -> Delivery:
    delivery = routing.queue(push_browser, None, "A test", key=key, text=words, **fields)
    Delivery.objects.filter(state="queued").update(not_before=None)
    loop.run_on_loop(_post_due())
    delivery.refresh_from_db()
    return delivery


async def _post_due() -> None:
    await outbox_send.post_due()
    await in_db(connections.close_all)()  # PostgreSQL drops no database in use


def test_what_is_sent_is_readable_by_that_browser_alone_and_signed_by_this_penny(
    service: PushService, push_browser: Device
) -> None:
    assert queue_and_post(push_browser, "It is **hot**.").state == "accepted"
    notification = service.shown["one:0"]
    assert (notification["title"], notification["body"], notification["tag"]) == ("Penny", "It is hot.", "one:0")
    headers = service.requests[0]
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "43200")
    assert headers["Authorization"].endswith(f"k={push.public_key()}")
    assert Vapid02.verify(headers["Authorization"])


@pytest.mark.parametrize(
    ("fields", "kept_s"),
    [
        ({"is_proactive": True}, range(29 * 60, 30 * 60 + 1)),
        ({"is_proactive": True, "despite": Delivery.Despite.QUIET}, [43200]),  # the owner set it for that time
        ({}, [43200]),
    ],
)
def test_what_nobody_asked_for_is_not_kept_into_the_quiet_hours(
    service: PushService, push_browser: Device, fields: dict[str, Any], kept_s: Sequence[int]
) -> None:
    now = datetime.now(UTC)
    config.TIMEZONE = "UTC"
    config.QUIET_FROM, config.QUIET_TO = (f"{now + timedelta(minutes=minutes):%H:%M}" for minutes in (30, 500))
    queue_and_post(push_browser, "A find", **fields)
    assert int(service.requests[0]["TTL"]) in kept_s


def test_where_there_are_no_quiet_hours_it_is_kept_for_half_a_day(service: PushService, push_browser: Device) -> None:
    queue_and_post(push_browser, "A find", is_proactive=True)
    assert service.requests[0]["TTL"] == "43200"


def test_what_is_sent_as_they_begin_is_kept_for_a_minute(service: PushService, push_browser: Device) -> None:
    loop.run_on_loop(_send_piece(push_browser, Piece("A find", key="one", kept_s=3.2)))
    assert service.requests[0]["TTL"] == "60"


async def _send_piece(push_browser: Device, piece: Piece) -> None:
    await push.CHANNEL.send(push_browser, piece)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again_and_the_same_shows_once(
    service: PushService, push_browser: Device, status: int
) -> None:
    service.answers = [(status, {"Retry-After": "60"} if status == 429 else {})]
    waiting = queue_and_post(push_browser, "Hot")
    assert (waiting.state, waiting.not_before is not None) == ("queued", True)
    if status == 429:
        assert waiting.not_before is not None
        assert waiting.not_before > datetime.now(UTC) + timedelta(seconds=50)
    queue_and_post(push_browser, "Hot")
    assert list(service.shown) == ["one:0"]


def test_a_browser_that_is_gone_is_asked_no_more(service: PushService, push_browser: Device) -> None:
    service.answers = [(410, {})]
    delivery = queue_and_post(push_browser, "Hot")
    assert (delivery.state, delivery.error) == ("failed", "That browser takes no notifications any more.")
    assert not Device.objects.active().exists()


@pytest.mark.parametrize("words", ["Sehr heiß 🔥. " * 400, "烧杯里的水很热。" * 87])
def test_a_long_text_fits_what_a_service_takes_in_any_script(
    service: PushService, push_browser: Device, words: str
) -> None:
    assert queue_and_post(push_browser, words).state == "accepted"
    assert len(service.shown["one:0"]["body"]) <= 700
    assert int(service.requests[0]["Content-Length"]) < 4096


def test_a_browser_subscribes_on_the_setup_page_and_the_same_again_is_the_same(
    owner_client: Client, service: PushService
) -> None:
    subscription = {"endpoint": "https://push.example/abc", "label": "Firefox on Android", **service.keys}
    for _ in range(2):
        owner_client.post("/setup/push/", subscription)
    assert Device.objects.active().get().label == "Firefox on Android"
    html = owner_client.get("/settings/notifications/").content.decode()
    assert "Firefox on Android" in html
    assert f'data-push-key="{push.public_key()}"' in html
    owner_client.post(f"/setup/outlets/{Device.objects.get().pk}/remove/")
    assert not Device.objects.active().exists()


def test_a_browser_that_subscribes_anew_stays_the_same_outlet(owner_client: Client, service: PushService) -> None:
    owner_client.post(
        "/setup/push/", {"endpoint": "https://push.example/old", "label": "Firefox on Android", **service.keys}
    )
    device = Device.objects.get()
    anew = {
        "endpoint": "https://push.example/new",
        "instead": "https://push.example/old",
        **service.keys,
        "auth": encode_base64url(bytes(16)),
    }
    for _ in range(2):
        owner_client.post("/setup/push/", anew)
    outlet = Device.objects.get()
    assert (outlet.pk, outlet.label, outlet.address) == (device.pk, "Firefox on Android", "https://push.example/new")
    assert outlet.secrets == {name: anew[name] for name in ("p256dh", "auth")}
    owner_client.post(
        "/setup/push/", anew | {"endpoint": "https://push.example/other", "instead": "https://push.example/unknown"}
    )
    assert Device.objects.count() == 2


def test_of_several_browsers_the_one_that_was_used_last_is_told(owner_client: Client) -> None:
    for name in ("phone", "laptop"):
        Device.objects.create(label=name, kind="push", address=f"https://push.example/{name}")
    assert [device.label for device in routing.reachable()] == ["laptop", "phone"]
    for name in ("phone", "laptop", "phone", "unknown"):
        assert owner_client.post("/setup/push/used/", {"endpoint": f"https://push.example/{name}"}).status_code == 204
    assert [device.label for device in routing.reachable()] == ["phone", "laptop"]
    Client().post("/setup/push/used/", {"endpoint": "https://push.example/laptop"})  # a client that is not signed in
    assert [device.label for device in routing.reachable()] == ["phone", "laptop"]


@pytest.mark.parametrize(
    "endpoint", ["http://push.example/abc", "https://127.0.0.1/abc", "https://localhost/x", "ftp://x", ""]
)
def test_what_is_no_push_service_is_refused(owner_client: Client, service: PushService, endpoint: str) -> None:
    owner_client.post("/setup/push/", {"endpoint": endpoint, **service.keys})
    owner_client.post("/setup/push/", {"endpoint": "https://push.example/abc", "p256dh": "abc", "auth": "abc"})
    assert not Device.objects.exists()


@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
def test_another_outlet_is_added_by_its_address_and_what_runs_programs_is_none(owner_client: Client) -> None:
    owner_client.post("/setup/outlets/", {"address": "ntfy://ntfy.example/penny"})
    assert Device.objects.get().label == "ntfy"
    for address in ("syslog://", "nothing", "json://127.0.0.1:8080", "dbus://"):
        assert owner_client.post("/setup/outlets/", {"address": address}).status_code == 422
    assert Device.objects.count() == 1


def test_an_outlet_that_ended_during_its_test_says_so_on_the_open_page(
    owner_client: Client, service: PushService, push_browser: Device
) -> None:
    service.answers = [(410, {})]
    queue_and_post(push_browser, "Hot")
    assert not Device.objects.active().exists()
    state = owner_client.get(f"/setup/outlets/{push_browser.pk}/state/")
    assert "That browser takes no notifications any more." in state.content.decode()
    for action in ("test", "remove"):
        page = owner_client.post(f"/setup/outlets/{push_browser.pk}/{action}/", follow=True)
        assert f"{push_browser} is no outlet any more. To have notifications there again, add it anew." in unescape(
            page.content.decode()
        )


def test_a_push_service_that_refuses_pennys_key_is_told_with_what_to_do(
    service: PushService, push_browser: Device
) -> None:
    service.answers = [(403, {})]
    delivery = queue_and_post(push_browser, "Hot")
    assert (delivery.state, delivery.error) == ("failed", push.KEY_REFUSED)


def test_a_clock_that_is_wrong_is_named_where_a_push_service_refuses_what_it_signs(
    service: PushService, push_browser: Device
) -> None:
    service.answers = [(401, {"Date": format_datetime(datetime.now(UTC) - timedelta(minutes=90), usegmt=True)})]
    delivery = queue_and_post(push_browser, "Hot")
    assert delivery.state == "queued"
    assert "clock of this machine is 90 minutes fast" in delivery.error


@pytest.mark.parametrize("date", ["", "soon", "Wed, 30 Nov 2026 06:00:00", "0"])
def test_a_push_service_that_names_no_time_says_nothing_of_the_clock(date: str) -> None:
    assert push._clock_error_s(date) == 0.0
