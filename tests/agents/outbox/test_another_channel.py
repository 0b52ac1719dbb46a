"""Another channel is one module and one row of the registry."""

import asyncio

import pytest
from constance import config
from django.conf import settings
from django.db import transaction
from django.test import Client

from agents.worker import loop
from devices.channels import registry, routing
from devices.channels.registry import Row
from devices.conversation import messages
from devices.models import Device
from devices.owner.account import the_owner
from tests.agents.outbox import fake_channel
from tests.agents.signal.on_signal import post_all

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture(autouse=True)
def loft(monkeypatch: pytest.MonkeyPatch) -> Device:
    """Register the fake channel; its row is all that says how to reach it."""
    fake_channel.arrived.clear()
    fake_channel.incoming.clear()
    monkeypatch.setitem(
        registry.ROWS, "pigeon", Row(fake_channel.__name__, listener=fake_channel.__name__, needs="PIGEONS")
    )
    return Device.objects.create(label="The loft", kind="pigeon", address="roof")


@transaction.atomic
def send_notice(words: str) -> Device | None:
    content = messages.render_content(words, [])
    message = messages.store_message(
        the_owner(), content, device=None, device_label="Penny", direction="out", kind="notification"
    )
    return routing.send_proactive(message, "A find")


def test_a_message_reaches_it_through_the_outbox_in_parts_of_its_own(loft: Device) -> None:
    assert send_notice("A lever holds 2 * 3 kilos. It is of brass.") == loft
    post_all()
    assert fake_channel.arrived == [("roof", "A LEVER HOLDS 2 * 3 KILOS."), ("roof", "IT IS OF BRASS.")]


def test_it_can_be_chosen_for_what_nobody_asked_for(loft: Device) -> None:
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://127.0.0.1:1/penny")
    assert registry.chosen_kinds() == ["signal", "push", "apprise", "browser", "pigeon"]
    config.NOTIFY_CHANNEL = "pigeon"
    assert send_notice("A lever holds.") == loft


def test_it_is_listed_among_the_outlets_and_removed_there(loft: Device, owner_client: Client) -> None:
    assert "The loft" in owner_client.get("/settings/notifications/").content.decode()
    owner_client.post(f"/setup/outlets/{loft.pk}/remove/")
    assert not Device.objects.active().exists()


def test_what_comes_in_is_listened_to_where_it_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SIGNAL_URL", "")
    monkeypatch.setattr(settings, "PIGEONS", "", raising=False)
    lines = loop.channel_listeners()
    assert len(lines) == 1  # the sender
    monkeypatch.setattr(settings, "PIGEONS", "http://loft")
    lines += loop.channel_listeners()
    asyncio.run(lines[2])
    assert fake_channel.incoming == ["coo"]
    for line in lines:
        line.close()
