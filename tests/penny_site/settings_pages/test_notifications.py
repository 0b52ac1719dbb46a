"""The page of notifications: the current state, muting with undo, and the settings."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from constance import config
from django.test import Client
from django.utils import timezone

from devices.channels import routing
from devices.models import Device
from devices.owner import muting
from tests.agents.outbox.send_message import immediate_answer
from tests.penny import form_fields
from tests.penny_site.settings_pages.undo import undo_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
ADDRESS = "/settings/notifications/"


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


def save(client: Client, **changes: str) -> Any:
    return client.post(ADDRESS, form_fields(page_html(client)) | changes)


@pytest.mark.parametrize(
    ("choice", "most", "finds"),
    [("watches", "10", 0), ("best", "10", 1), ("strong", "10", 10), ("strong", "4", 4)],
)
def test_one_of_three_choices_says_how_many_finds_are_told(
    owner_client: Client, choice: str, most: str, finds: int
) -> None:
    config.NOTIFY_FINDS_MAX = 7
    assert save(owner_client, tell=choice, strong_most=most).status_code == 302
    assert finds == config.NOTIFY_FINDS_MAX
    checked = re.findall(r'<input type="radio" name="tell" value="(\w+)"[^>]* checked', page_html(owner_client))
    assert checked == [choice]


def test_at_first_the_best_find_of_the_day_is_told_and_more_is_closed(owner_client: Client) -> None:
    html = page_html(owner_client)
    assert re.findall(r'name="tell" value="(\w+)"[^>]* checked', html) == ["best"]
    assert '<details class="connect"><summary>More</summary>' in html
    for choice in ("Only watches", "Best find of the day", "All strong finds"):
        assert f"<b>{choice}</b>" in html


def test_the_choice_goes_back_to_its_default_with_an_undo(owner_client: Client) -> None:
    config.NOTIFY_FINDS_MAX = 25
    fields = form_fields(page_html(owner_client)) | {"tell": "strong", "reset": "NOTIFY_FINDS_MAX"}
    html = owner_client.post(ADDRESS, fields, follow=True).content.decode()
    assert config.NOTIFY_FINDS_MAX == 1
    owner_client.post(undo_address(html))
    assert config.NOTIFY_FINDS_MAX == 25


def test_the_settings_are_saved_and_shown(owner_client: Client) -> None:
    changes = {"NOTIFY_CHANNEL": "push", "NOTIFY_POINTS_MIN": "1.5", "NOTIFY_COOLDOWN_MIN": "20",
               "NOTIFY_COOLDOWN_MAX_MIN": "60", "QUIET_FROM": "21:30", "QUIET_TO": "06:00"}  # fmt: skip
    assert save(owner_client, **changes).headers["Location"] == ADDRESS
    assert {name: str(getattr(config, name)) for name in changes} == changes
    assert 'value="21:30"' in page_html(owner_client)
    save(owner_client, QUIET_FROM="", QUIET_TO="")
    assert (config.QUIET_FROM, config.QUIET_TO) == ("", "")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"QUIET_FROM": "22:00"}, "Choose this time as well, or clear both."),
        ({"QUIET_FROM": "25:00", "QUIET_TO": "07:00"}, "Write a time such as 22:00."),
        ({"NOTIFY_COOLDOWN_MAX_MIN": "5"}, "Write 10 or more: the wait begins there."),
        ({"strong_most": "1"}, "Write 2 or more."),
        ({"tell": "everything"}, "everything is not one of the available choices"),
        ({"NOTIFY_CHANNEL": "pigeon"}, "pigeon is not one of the available choices"),
    ],
)
def test_invalid_settings_are_refused_with_advice_and_nothing_is_saved(
    owner_client: Client, changes: dict[str, str], words: str
) -> None:
    response = save(owner_client, NOTIFY_POINTS_MIN="3", **changes)
    assert (response.status_code, words in response.content.decode()) == (422, True)
    assert (config.NOTIFY_CHANNEL, config.QUIET_FROM, config.NOTIFY_POINTS_MIN) == ("", "", 1.0)


def test_the_owner_chooses_which_of_several_browsers_is_notified(owner_client: Client) -> None:
    phone, laptop = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    Device.objects.create(label="ntfy", kind="apprise", address="ntfy://ntfy.example/penny")
    assert [device.label for device in routing.reachable()] == ["Laptop", "Phone", "ntfy"]
    assert re.findall(r'<option value="[\w-]{36}">(\w+), added', page_html(owner_client)) == ["Phone", "Laptop"]
    save(owner_client, NOTIFY_CHANNEL=str(phone.pk))
    assert f'<option value="{phone.pk}" selected>' in page_html(owner_client)
    assert [device.label for device in routing.reachable()] == ["Phone", "Laptop", "ntfy"]
    phone.revoked_at = timezone.now()
    phone.save()
    assert [device.label for device in routing.reachable()] == ["Laptop", "ntfy"]
    assert save(owner_client, NOTIFY_CHANNEL=str(laptop.pk)).status_code == 422  # one browser is left: no choice


def test_a_command_makes_the_same_choice() -> None:
    phone, _ = (
        Device.objects.create(label=label, kind="push", address=f"https://push.example/{label}")
        for label in ("Phone", "Laptop")
    )
    immediate_answer(f"/config NOTIFY_CHANNEL {phone.pk}")
    assert str(phone.pk) == config.NOTIFY_CHANNEL
    assert "cannot be that" in immediate_answer(f"/config NOTIFY_CHANNEL {uuid4()}").text


def test_the_notifications_are_a_tab_of_the_settings(owner_client: Client) -> None:
    assert 'href="/settings/notifications/"' in owner_client.get("/settings/you/").content.decode()
