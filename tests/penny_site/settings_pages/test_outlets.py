"""Outlets on the setup page: their names, their test, and removal with undo."""

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


def add_ntfy(client: Client, topic: str, label: str = "") -> Device:
    address = f"ntfy://ntfy.example/{topic}"
    client.post("/setup/outlets/", {"address": address, "label": label})
    return Device.objects.active().get(address=address)


def outlet_row(client: Client, device: Device) -> str:
    html = client.get("/settings/notifications/").content.decode()
    return next(
        str(item)
        for item in re.findall(r"<li>.*?</li>", html, re.DOTALL)
        if f"/setup/outlets/{device.pk}/test/" in item
    )


def test_two_outlets_of_one_service_get_distinct_names_without_secrets(owner_client: Client) -> None:
    names = [
        add_ntfy(owner_client, "cats").label,
        add_ntfy(owner_client, "dogs").label,
        add_ntfy(owner_client, "birds", "My phone").label,
    ]
    assert names == ["ntfy", "ntfy 2", "My phone"]
    html = owner_client.get("/settings/notifications/").content.decode()
    buttons = re.findall(r"(?:Test|Remove)<span class=\"unseen\">.*?</span>", html)
    assert (len(buttons), len(set(buttons))) == (6, 6)
    assert "cats" not in html


def test_the_result_of_a_test_is_polled_and_shown(owner_client: Client) -> None:
    device = add_ntfy(owner_client, "cats")
    state = f"/setup/outlets/{device.pk}/state/"
    owner_client.post(f"/setup/outlets/{device.pk}/test/")
    assert "a test is on its way" in outlet_row(owner_client, device)
    assert f'hx-get="{state}"' in owner_client.get(state).content.decode()
    Delivery.objects.update(state=Delivery.State.ACCEPTED)
    html = owner_client.get(state).content.decode()
    assert ("the test was taken" in html, "hx-get" in html) == (True, False)
    Delivery.objects.update(state=Delivery.State.UNKNOWN, error="The outlet did not say that it took it.")
    assert "The outlet did not say that it took it." in owner_client.get(state).content.decode()


def test_a_removed_outlet_is_restored_unless_its_address_was_added_again(owner_client: Client) -> None:
    device = add_ntfy(owner_client, "cats")
    html = owner_client.post(f"/setup/outlets/{device.pk}/remove/", follow=True).content.decode()
    assert not Device.objects.active().exists()
    assert f'action="/setup/outlets/{device.pk}/restore/"' in html
    owner_client.post(f"/setup/outlets/{device.pk}/restore/")
    assert Device.objects.active().get() == device
    owner_client.post(f"/setup/outlets/{device.pk}/remove/")
    new_device = add_ntfy(owner_client, "cats")
    owner_client.post(f"/setup/outlets/{device.pk}/restore/")
    assert Device.objects.active().get() == new_device


def test_a_browser_that_unsubscribed_is_not_offered_for_restore(owner_client: Client) -> None:
    device = Device.objects.create(label="Firefox", kind="push", address="https://push.example/abc", secrets={})
    html = owner_client.get("/settings/notifications/").content.decode()
    assert "push.example" not in html
    assert "data-push-browser=" in html
    notice = owner_client.post(
        f"/setup/outlets/{device.pk}/remove/", {"unsubscribed": "yes"}, follow=True
    ).content.decode()
    assert ("/restore/" in notice, "Have them shown here again" in notice) == (False, True)
