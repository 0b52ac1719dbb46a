"""Signal on the setup page: how it stands, linking by a code, and the owner's own numbers."""

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


def part() -> parts.Part:
    return next(part for part in parts.readiness() if part.name == "signal")


def stands(**fields: object) -> None:
    now = timezone.now()
    well = {"account": BOT, "version": "0.100", "checked_at": now, "listening_since": now}
    LineState.objects.update_or_create(line="signal", defaults=well | fields)


def test_where_it_is_not_set_up_the_page_says_how_and_nothing_is_wrong(owner_client: Client) -> None:
    assert "PENNY_SIGNAL_URL" in owner_client.get("/setup/").content.decode()
    assert (part().is_ok, part().text) == (True, "not set up")


def test_the_code_that_links_is_shown_and_kept_nowhere(owner_client: Client, signal: SignalServer) -> None:
    response = owner_client.get("/setup/signal/code.png")
    assert (response.content, response["Content-Type"], response["Cache-Control"]) == (PNG, "image/png", "no-store")
    assert signal.linked == ["Penny"]
    assert "/setup/signal/code.png" in owner_client.get("/setup/").content.decode()


def test_without_a_server_there_is_no_code(
    owner_client: Client, signal: SignalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SIGNAL_URL", "http://127.0.0.1:9")
    assert owner_client.get("/setup/signal/code.png").status_code == 404
    assert Client().get("/setup/signal/code.png").status_code == 302


def test_a_new_code_stands_under_another_address_each_time(owner_client: Client, signal: SignalServer) -> None:
    shown = [
        re.findall(r'src="(/setup/signal/code.png\?\d+)"', owner_client.get("/setup/signal/code/").content.decode())
        for _ in range(2)
    ]
    assert (len(shown[0]), shown[0] == shown[1]) == (1, False)
    assert owner_client.get(shown[1][0]).content == PNG


def test_the_page_shows_by_itself_that_an_account_was_linked_and_draws_no_code_anew_before(
    owner_client: Client, signal: SignalServer
) -> None:
    def told(shown: str) -> str:
        return owner_client.get("/setup/", {"linked": shown}, headers={"HX-Request": "true"}).content.decode()

    assert 'name="linked" value="no"' in owner_client.get("/setup/").content.decode()
    assert 'id="signal-account"' not in told("no")
    stands()
    linked = told("no")
    assert (f"{BOT} is linked." in linked, 'name="linked" value="yes"' in linked) == (True, True)
    assert 'name="number"' not in linked
    assert 'id="signal-account"' not in told("yes")
    device = Device.objects.create(label="Signal", kind="signal", address=OWNER)
    Delivery.objects.create(device=device, key="x", reason="Because", state=Delivery.State.FAILED)
    assert "1 failed" in told("yes")


def test_a_number_is_entered_as_people_write_it_and_removed_again(owner_client: Client, signal: SignalServer) -> None:
    owner_client.post("/setup/signal/", {"number": "+49 170 000-0002"})
    owner_client.post("/setup/signal/", {"number": OWNER})
    number = Device.objects.active().get(kind="signal")
    assert number.address == OWNER
    assert OWNER in owner_client.get("/setup/").content.decode()
    owner_client.post(f"/setup/signal/forget/{number.pk}/")
    assert not Device.objects.active().filter(kind="signal").exists()
    owner_client.post("/setup/signal/", {"number": OWNER})
    assert Device.objects.active().filter(kind="signal").count() == 1


def test_what_is_no_number_is_refused_with_what_to_write(owner_client: Client, signal: SignalServer) -> None:
    response = owner_client.post("/setup/signal/", {"number": "0170 1234567"})
    assert response.status_code == 422
    assert "write a number with its country" in response.content.decode()
    assert not Device.objects.filter(kind="signal").exists()


def test_a_number_is_no_browser(owner_client: Client, signal: SignalServer) -> None:
    Device.objects.create(label="Signal", kind="signal", address=OWNER)
    html = owner_client.get("/setup/").content.decode()
    assert "No browser is paired yet." in html


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
def test_how_it_stands_is_said(
    signal: SignalServer, owner_client: Client, fields: dict[str, object], numbers: int, text: str, *, is_ok: bool
) -> None:
    stands(**fields)
    for _ in range(numbers):
        Device.objects.create(label="Signal", kind="signal", address=OWNER)
    found = part()
    assert (found.is_ok, found.is_required) == (is_ok, False)
    assert text in found.text
    told = owner_client.get("/readyz").json()["parts"]
    assert next(row for row in told if row["name"] == "signal")["text"] == found.text
    html = owner_client.get("/setup/", headers={"HX-Request": "true"}).content.decode()
    assert found.text[1:] in html


def test_its_problem_is_named_with_what_to_do(signal: SignalServer, owner_client: Client) -> None:
    stands(problem="old", said="signal-cli-rest-api 0.60 is too old.")
    assert "signal-cli-rest-api 0.60 is too old." in owner_client.get("/setup/").content.decode()


def test_a_changed_safety_number_is_trusted_by_a_button_and_what_waited_goes_out(
    owner_client: Client, signal: SignalServer
) -> None:
    number = Device.objects.create(label="Signal", kind="signal", address=OWNER)
    later = timezone.now() + timedelta(minutes=5)
    Delivery.objects.create(device=number, key="x", reason="Because", not_before=later)
    stands()
    assert "/setup/signal/trust/" not in owner_client.get("/setup/").content.decode()
    stands(problem="untrusted", said="Your safety number on Signal has changed.")
    assert "/setup/signal/trust/" in owner_client.get("/setup/").content.decode()
    owner_client.post("/setup/signal/trust/")
    assert signal.calls == [("PUT", f"/v1/identities/{BOT}/trust/{OWNER}", {"trust_all_known_keys": True})]
    assert (LineState.of("signal").problem, Delivery.objects.get().not_before) == ("", None)


def test_where_the_server_does_not_take_it_nothing_is_said_to_be_trusted(
    owner_client: Client, signal: SignalServer
) -> None:
    Device.objects.create(label="Signal", kind="signal", address=OWNER)
    stands(problem="untrusted", said="Your safety number on Signal has changed.")
    signal.fail(signal_server.Fault(400, {"error": "no"}))
    page = owner_client.post("/setup/signal/trust/", follow=True).content.decode()
    assert ("did not take that" in page, LineState.of("signal").problem) == (True, "untrusted")


def test_the_account_gets_pennys_name_and_picture_and_one_of_the_owners_own_never(
    owner_client: Client, signal: SignalServer
) -> None:
    stands()
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
