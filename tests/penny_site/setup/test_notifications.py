"""The page of notifications: what stands now, muting with a way back, and the settings that they follow."""

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
SAID = {
    "NOTIFY_CHANNEL": "push",
    "NOTIFY_FINDS_MAX": "3",
    "NOTIFY_POINTS_MIN": "1.5",
    "NOTIFY_COOLDOWN_MIN": "20",
    "NOTIFY_COOLDOWN_MAX_MIN": "60",
    "QUIET_FROM": "22:00",
    "QUIET_TO": "07:00",
}


def page(client: Client) -> str:
    return client.get("/notifications/").content.decode()


def test_what_stands_now_is_said_in_a_sentence(owner_client: Client) -> None:
    assert "Nothing can be reached on which I would tell you" in page(owner_client)
    muting.mute_until(None)
    assert "You muted me until you say otherwise." in page(owner_client)


def test_muting_and_unmuting_are_undone_to_what_stood_before(owner_client: Client) -> None:
    assert 'action="/notifications/unmute/"' in owner_client.post("/notifications/mute/", follow=True).content.decode()
    now = timezone.now()
    assert muting.muted_until(now) == muting.UNTIL_TOLD
    undo = owner_client.post("/notifications/unmute/", follow=True).context["messages"]
    assert muting.muted_until(now) is None
    owner_client.post(next(iter(undo)).extra_tags)
    assert muting.muted_until(now) == muting.UNTIL_TOLD


def test_it_is_muted_until_a_time_and_no_time_that_is_none_ends_it(owner_client: Client) -> None:
    now = timezone.now()
    until = (now + timedelta(hours=5)).replace(microsecond=0)
    owner_client.post("/notifications/mute/", query_params={"until": until.isoformat()})
    assert muting.muted_until(now) == until
    owner_client.post("/notifications/mute/", query_params={"until": "2026-99-99T00:00"})
    assert muting.muted_until(now) == muting.UNTIL_TOLD


def test_the_settings_are_shown_and_kept(owner_client: Client) -> None:
    assert 'name="NOTIFY_FINDS_MAX" value="1"' in page(owner_client)
    assert owner_client.post("/notifications/", SAID).headers["Location"] == "/notifications/"
    assert {name: str(getattr(config, name)) for name in SAID} == SAID
    assert 'value="22:00"' in page(owner_client)
    owner_client.post("/notifications/", SAID | {"QUIET_FROM": "", "QUIET_TO": ""})
    assert (config.QUIET_FROM, config.QUIET_TO) == ("", "")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"QUIET_TO": ""}, "Choose this time as well, or leave both empty."),
        ({"NOTIFY_COOLDOWN_MAX_MIN": "5"}, "Write 20 or more: that is where they begin."),
        ({"NOTIFY_FINDS_MAX": "-1"}, "greater than or equal to 0"),
        ({"NOTIFY_CHANNEL": "pigeon"}, "pigeon is not one of the available choices"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_write_and_nothing_is_kept(
    owner_client: Client, said: dict[str, str], words: str
) -> None:
    response = owner_client.post("/notifications/", SAID | said)
    assert (response.status_code, words in response.content.decode()) == (422, True)
    assert (config.NOTIFY_CHANNEL, config.QUIET_FROM) == ("", "")


def test_of_several_browsers_the_owner_chooses_the_one_that_is_told(owner_client: Client) -> None:
    phone, laptop = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://ntfy.example/penny")
    assert [device.label for device in routing.reachable()] == ["Laptop", "Phone", "ntfy"]
    assert re.findall(r'<option value="[\w-]{36}">(\w+), added', page(owner_client)) == ["Phone", "Laptop"]
    owner_client.post("/notifications/", SAID | {"NOTIFY_CHANNEL": str(phone.pk)})
    assert f'<option value="{phone.pk}" selected>' in page(owner_client)
    assert [device.label for device in routing.reachable()] == ["Phone", "Laptop", "ntfy"]
    phone.revoked_at = timezone.now()
    phone.save()
    assert [device.label for device in routing.reachable()] == ["Laptop", "ntfy"]
    assert (
        owner_client.post("/notifications/", SAID | {"NOTIFY_CHANNEL": str(laptop.pk)}).status_code == 422
    )  # there are no several


def test_the_same_choice_is_made_by_a_command() -> None:
    phone, _ = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    immediate_answer(f"/config NOTIFY_CHANNEL {phone.pk}")
    assert str(phone.pk) == config.NOTIFY_CHANNEL
    assert "cannot be that" in immediate_answer(f"/config NOTIFY_CHANNEL {uuid4()}").text


def test_setup_and_the_digests_lead_there(owner_client: Client) -> None:
    assert [
        'href="/notifications/"' in owner_client.get(path).content.decode() for path in ("/setup/", "/digest/")
    ] == [True, True]
