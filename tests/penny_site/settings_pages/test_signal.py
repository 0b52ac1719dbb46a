"""Signal on the setup page: its state, linking by a code, and the owner's numbers."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from devices.models import Device
from devices.models.deliveries import Delivery, LineState
from penny_site.health import parts
from tests.stand_ins import signal_server
from tests.stand_ins.signal_server import BOT, OWNER, PNG, SignalServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def signal(monkeypatch: pytest.MonkeyPatch) -> Iterator[SignalServer]:
    with signal_server.run_signal_server() as server:
        monkeypatch.setattr(settings, "SIGNAL_URL", server.url)
        yield server


def signal_part() -> parts.Part:
    return next(part for part in parts.readiness() if part.name == "signal")


def set_state(**fields: object) -> None:
    now = timezone.now()
    healthy = {"account": BOT, "version": "0.100", "checked_at": now, "listening_since": now}
    LineState.objects.update_or_create(line="signal", defaults=healthy | fields)


def test_without_signal_the_page_explains_its_setup_and_reports_no_problem(owner_client: Client) -> None:
    assert "PENNY_SIGNAL_URL" in owner_client.get("/settings/notifications/").content.decode()
    assert (signal_part().is_ok, signal_part().text) == (True, "not set up")


def test_the_linking_code_is_shown_and_not_stored(owner_client: Client, signal: SignalServer) -> None:
    response = owner_client.get("/setup/signal/code.png")
    assert (response.content, response["Content-Type"], response["Cache-Control"]) == (PNG, "image/png", "no-store")
    assert signal.linked == ["Penny"]
    assert "/setup/signal/code.png" in owner_client.get("/settings/notifications/").content.decode()


def test_without_a_server_there_is_no_code(
    owner_client: Client, signal: SignalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SIGNAL_URL", "http://127.0.0.1:9")
    assert owner_client.get("/setup/signal/code.png").status_code == 404
    assert Client().get("/setup/signal/code.png").status_code == 302


def test_a_new_code_has_a_new_address(owner_client: Client, signal: SignalServer) -> None:
    addresses = [
        re.findall(r'src="(/setup/signal/code.png\?\d+)"', owner_client.get("/setup/signal/code/").content.decode())
        for _ in range(2)
    ]
    assert (len(addresses[0]), addresses[0] == addresses[1]) == (1, False)
    assert owner_client.get(addresses[1][0]).content == PNG


def test_a_refresh_shows_a_linked_account_and_keeps_the_code_until_then(
    owner_client: Client, signal: SignalServer
) -> None:
    def refresh(linked_before: str) -> str:
        return owner_client.get(
            "/settings/notifications/", {"linked": linked_before}, headers={"HX-Request": "true"}
        ).content.decode()

    assert 'name="linked" value="no"' in owner_client.get("/settings/notifications/").content.decode()
    assert 'id="signal-account"' not in refresh("no")
    set_state()
    html = refresh("no")
    assert (f"{BOT} is linked." in html, 'name="linked" value="yes"' in html) == (True, True)
    assert 'name="number"' not in html
    assert 'id="signal-account"' not in refresh("yes")
    device = Device.objects.create(label="Signal", kind="signal", address=OWNER)
    Delivery.objects.create(device=device, key="x", reason="Because", state=Delivery.State.FAILED)
    assert "1 failed" in refresh("yes")


def test_a_number_is_entered_in_any_usual_form_and_removed_again(owner_client: Client, signal: SignalServer) -> None:
    owner_client.post("/setup/signal/", {"number": "+49 170 000-0002"})
    owner_client.post("/setup/signal/", {"number": OWNER})
    number = Device.objects.active().get(kind="signal")
    assert number.address == OWNER
    assert OWNER in owner_client.get("/settings/notifications/").content.decode()
    owner_client.post(f"/setup/signal/forget/{number.pk}/")
    assert not Device.objects.active().filter(kind="signal").exists()
    owner_client.post("/setup/signal/", {"number": OWNER})
    assert Device.objects.active().filter(kind="signal").count() == 1


def test_an_invalid_number_is_refused_with_advice(owner_client: Client, signal: SignalServer) -> None:
    response = owner_client.post("/setup/signal/", {"number": "0170 1234567"})
    assert response.status_code == 422
    assert "write a number with its country" in response.content.decode()
    assert not Device.objects.filter(kind="signal").exists()


def test_a_signal_number_does_not_count_as_a_browser(owner_client: Client, signal: SignalServer) -> None:
    Device.objects.create(label="Signal", kind="signal", address=OWNER)
    html = owner_client.get("/setup/").content.decode()
    assert "Connect this browser" in html


@pytest.mark.parametrize(
    ("fields", "numbers", "text", "is_ok"),
    [
        ({}, 1, f"{BOT} listens (version 0.100), nothing received yet", True),
        ({"heard_at": timezone.now(), "refused": 3}, 1, "3 messages of others refused", True),
        ({}, 0, "knows no number of yours", False),
        ({"checked_at": timezone.now() - timedelta(minutes=2)}, 1, "nobody listens", False),
        ({"listening_since": None}, 1, "is being connected", False),
        ({"problem": "old", "said": "Update it."}, 1, "does not work", False),
    ],
)
def test_the_state_of_signal_is_shown(
    signal: SignalServer, owner_client: Client, fields: dict[str, object], numbers: int, text: str, *, is_ok: bool
) -> None:
    set_state(**fields)
    for _ in range(numbers):
        Device.objects.create(label="Signal", kind="signal", address=OWNER)
    current = signal_part()
    assert (current.is_ok, current.is_required) == (is_ok, False)
    assert text in current.text
    rows = owner_client.get("/readyz").json()["parts"]
    assert next(row for row in rows if row["name"] == "signal")["text"] == current.text
    html = owner_client.get("/settings/notifications/", headers={"HX-Request": "true"}).content.decode()
    assert current.text[1:] in html


def test_a_problem_is_shown_with_advice(signal: SignalServer, owner_client: Client) -> None:
    set_state(problem="old", said="signal-cli-rest-api 0.60 is too old.")
    assert "signal-cli-rest-api 0.60 is too old." in owner_client.get("/settings/notifications/").content.decode()


def test_a_changed_safety_number_is_trusted_by_a_button_and_pending_messages_are_sent(
    owner_client: Client, signal: SignalServer
) -> None:
    number = Device.objects.create(label="Signal", kind="signal", address=OWNER)
    later = timezone.now() + timedelta(minutes=5)
    Delivery.objects.create(device=number, key="x", reason="Because", not_before=later)
    set_state()
    assert "/setup/signal/trust/" not in owner_client.get("/settings/notifications/").content.decode()
    set_state(problem="untrusted", said="Your safety number on Signal has changed.")
    assert "/setup/signal/trust/" in owner_client.get("/settings/notifications/").content.decode()
    owner_client.post("/setup/signal/trust/")
    assert signal.calls == [("PUT", f"/v1/identities/{BOT}/trust/{OWNER}", {"trust_all_known_keys": True})]
    assert (LineState.of("signal").problem, Delivery.objects.get().not_before) == ("", None)


def test_a_failed_trust_request_leaves_the_number_untrusted(owner_client: Client, signal: SignalServer) -> None:
    Device.objects.create(label="Signal", kind="signal", address=OWNER)
    set_state(problem="untrusted", said="Your safety number on Signal has changed.")
    signal.fail(signal_server.Fault(400, {"error": "no"}))
    page = owner_client.post("/setup/signal/trust/", follow=True).content.decode()
    assert ("did not take that" in page, LineState.of("signal").problem) == (True, "untrusted")


def test_pennys_account_gets_her_name_and_picture_and_the_owners_account_does_not(
    owner_client: Client, signal: SignalServer
) -> None:
    set_state()
    owner_client.post("/setup/signal/name/")
    method, path, body = signal.calls[0]
    assert (method, path, body["name"], len(body["base64_avatar"]) > 1000) == (
        "PUT",
        f"/v1/profiles/{BOT}",
        "Penny",
        True,
    )
    Device.objects.create(label="Signal", kind="signal", address=BOT)
    assert "Signal did not take them" in owner_client.post("/setup/signal/name/", follow=True).content.decode()
    assert len(signal.calls) == 1
