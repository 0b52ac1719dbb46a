"""Outlets on the setup page: told apart by name, tested with a result, and removed with a way back."""

import re

import pytest
from django.test import Client

from devices.models import Device
from devices.models.deliveries import Delivery

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("redis"),
    pytest.mark.filterwarnings("ignore:'imghdr' is deprecated"),
]


def add(client: Client, topic: str, label: str = "") -> Device:
    address = f"ntfy://ntfy.example/{topic}"
    client.post("/setup/outlets/", {"address": address, "label": label})
    return Device.objects.active().get(address=address)


def row(client: Client, device: Device) -> str:
    html = client.get("/setup/").content.decode()
    return next(
        str(found)
        for found in re.findall(r"<li>.*?</li>", html, re.DOTALL)
        if f"/setup/outlets/{device.pk}/test/" in found
    )


def test_two_of_one_service_have_names_of_their_own_that_hold_no_secret(owner_client: Client) -> None:
    names = [
        add(owner_client, "cats").label,
        add(owner_client, "dogs").label,
        add(owner_client, "birds", "My phone").label,
    ]
    assert names == ["ntfy", "ntfy 2", "My phone"]
    html = owner_client.get("/setup/").content.decode()
    buttons = re.findall(r"(?:Test|Remove)<span class=\"unseen\">.*?</span>", html)
    assert (len(buttons), len(set(buttons))) == (6, 6)
    assert "cats" not in html


def test_what_became_of_a_test_is_said_and_asked_for_until_then(owner_client: Client) -> None:
    device = add(owner_client, "cats")
    state = f"/setup/outlets/{device.pk}/state/"
    owner_client.post(f"/setup/outlets/{device.pk}/test/")
    assert "a test is on its way" in row(owner_client, device)
    assert f'hx-get="{state}"' in owner_client.get(state).content.decode()
    Delivery.objects.update(state=Delivery.State.ACCEPTED)
    taken = owner_client.get(state).content.decode()
    assert ("the test was taken" in taken, "hx-get" in taken) == (True, False)
    Delivery.objects.update(state=Delivery.State.UNKNOWN, error="The outlet did not say that it took it.")
    assert "The outlet did not say that it took it." in owner_client.get(state).content.decode()


def test_an_outlet_that_was_removed_comes_back(owner_client: Client) -> None:
    device = add(owner_client, "cats")
    said = owner_client.post(f"/setup/outlets/{device.pk}/remove/", follow=True).content.decode()
    assert not Device.objects.active().exists()
    assert f'action="/setup/outlets/{device.pk}/restore/"' in said
    owner_client.post(f"/setup/outlets/{device.pk}/restore/")
    assert Device.objects.active().get() == device
    owner_client.post(f"/setup/outlets/{device.pk}/remove/")
    anew = add(owner_client, "cats")
    owner_client.post(f"/setup/outlets/{device.pk}/restore/")
    assert Device.objects.active().get() == anew


def test_a_browser_that_gave_its_subscription_up_is_not_offered_back(owner_client: Client) -> None:
    device = Device.objects.create(label="Firefox", kind="push", address="https://push.example/abc", secrets={})
    html = owner_client.get("/setup/").content.decode()
    assert "push.example" not in html
    assert "data-push-browser=" in html
    said = owner_client.post(
        f"/setup/outlets/{device.pk}/remove/", {"unsubscribed": "yes"}, follow=True
    ).content.decode()
    assert ("/restore/" in said, "Have them shown here again" in said) == (False, True)
