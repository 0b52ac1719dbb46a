"""The page of notifications: the current state, muting with undo, and the settings."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from constance import config
from django.test import Client
from django.utils import timezone

from devices.channels import routing
from devices.models import Device
from devices.owner import muting
from tests.agents.outbox.send_message import immediate_answer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
SETTINGS = {
    "NOTIFY_CHANNEL": "push",
    "NOTIFY_FINDS_MAX": "3",
    "NOTIFY_POINTS_MIN": "1.5",
    "NOTIFY_COOLDOWN_MIN": "20",
    "NOTIFY_COOLDOWN_MAX_MIN": "60",
    "QUIET_FROM": "22:00",
    "QUIET_TO": "07:00",
}


def page_html(client: Client) -> str:
    return client.get("/settings/notifications/").content.decode()


def test_the_current_state_is_shown_in_a_sentence(owner_client: Client) -> None:
    assert "Nothing can be reached on which I would tell you" in page_html(owner_client)
    muting.mute_until(None)
    assert "You muted me until you say otherwise." in page_html(owner_client)


def test_undo_restores_the_muting_that_unmuting_ended(owner_client: Client) -> None:
    assert (
        'action="/settings/notifications/unmute/"'
        in owner_client.post("/settings/notifications/mute/", follow=True).content.decode()
    )
    now = timezone.now()
    assert muting.muted_until(now) == muting.UNTIL_TOLD
    undo = owner_client.post("/settings/notifications/unmute/", follow=True).context["messages"]
    assert muting.muted_until(now) is None
    owner_client.post(next(iter(undo)).extra_tags)
    assert muting.muted_until(now) == muting.UNTIL_TOLD


def test_muting_takes_a_time_and_an_invalid_time_mutes_without_end(owner_client: Client) -> None:
    now = timezone.now()
    until = (now + timedelta(hours=5)).replace(microsecond=0)
    owner_client.post("/settings/notifications/mute/", query_params={"until": until.isoformat()})
    assert muting.muted_until(now) == until
    owner_client.post("/settings/notifications/mute/", query_params={"until": "2026-99-99T00:00"})
    assert muting.muted_until(now) == muting.UNTIL_TOLD


def test_the_settings_are_shown_and_saved(owner_client: Client) -> None:
    assert 'name="NOTIFY_FINDS_MAX" value="1"' in page_html(owner_client)
    assert owner_client.post("/settings/notifications/", SETTINGS).headers["Location"] == "/settings/notifications/"
    assert {name: str(getattr(config, name)) for name in SETTINGS} == SETTINGS
    assert 'value="22:00"' in page_html(owner_client)
    owner_client.post("/settings/notifications/", SETTINGS | {"QUIET_FROM": "", "QUIET_TO": ""})
    assert (config.QUIET_FROM, config.QUIET_TO) == ("", "")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"QUIET_TO": ""}, "Choose this time as well, or leave both empty."),
        ({"NOTIFY_COOLDOWN_MAX_MIN": "5"}, "Write 20 or more: that is where they begin."),
        ({"NOTIFY_FINDS_MAX": "-1"}, "greater than or equal to 0"),
        ({"NOTIFY_CHANNEL": "pigeon"}, "pigeon is not one of the available choices"),
    ],
)
def test_invalid_settings_are_refused_with_advice_and_not_saved(
    owner_client: Client, changes: dict[str, str], words: str
) -> None:
    response = owner_client.post("/settings/notifications/", SETTINGS | changes)
    assert (response.status_code, words in response.content.decode()) == (422, True)
    assert (config.NOTIFY_CHANNEL, config.QUIET_FROM) == ("", "")


def test_the_owner_chooses_which_of_several_browsers_is_notified(owner_client: Client) -> None:
    phone, laptop = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://ntfy.example/penny")
    assert [device.label for device in routing.reachable()] == ["Laptop", "Phone", "ntfy"]
    assert re.findall(r'<option value="[\w-]{36}">(\w+), added', page_html(owner_client)) == ["Phone", "Laptop"]
    owner_client.post("/settings/notifications/", SETTINGS | {"NOTIFY_CHANNEL": str(phone.pk)})
    assert f'<option value="{phone.pk}" selected>' in page_html(owner_client)
    assert [device.label for device in routing.reachable()] == ["Phone", "Laptop", "ntfy"]
    phone.revoked_at = timezone.now()
    phone.save()
    assert [device.label for device in routing.reachable()] == ["Laptop", "ntfy"]
    assert (
        owner_client.post("/settings/notifications/", SETTINGS | {"NOTIFY_CHANNEL": str(laptop.pk)}).status_code == 422
    )  # one browser is left, so there is no choice


def test_a_command_makes_the_same_choice() -> None:
    phone, _ = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    immediate_answer(f"/config NOTIFY_CHANNEL {phone.pk}")
    assert str(phone.pk) == config.NOTIFY_CHANNEL
    assert "cannot be that" in immediate_answer(f"/config NOTIFY_CHANNEL {uuid4()}").text


def test_the_notifications_are_a_tab_of_the_settings(owner_client: Client) -> None:
    assert 'href="/settings/notifications/"' in owner_client.get("/setup/").content.decode()
