"""Permissions › Browsers: rename, unpair with undo, and a switch for each tool."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from devices.access.revoke import UNDO_FOR
from devices.models import ACTING_TOOLS, Device
from devices.models.sign_in import ApiToken
from tests.page_client import page_words

pytestmark = pytest.mark.django_db
PAGE = "/permissions/browsers/"


@pytest.fixture
def browser() -> Device:
    now = timezone.now()
    tools = ["browse_url", "search_web", "get_history"]
    return Device.objects.create(label="Firefox", kind="browser", tools=tools, connection="one", seen_at=now)


def press(client: Client, device: Device, what: str, **fields: str) -> str:
    return client.post(f"{PAGE}{device.pk}/{what}/", fields, follow=True).content.decode()


def test_browsers_and_phones_are_listed_and_programs_with_a_token_are_not(
    owner_client: Client, browser: Device
) -> None:
    Device.objects.create(label="My phone", kind="signal", address="+4915112345678")
    program = Device.objects.create(label="A script", kind="api")
    ApiToken.objects.create(device=program, digest="d")
    words = page_words(owner_client, PAGE)
    assert "Firefox" in words
    assert "connected" in words
    assert "My phone" in words
    assert "A script" not in words
    assert "This browser does not share its history." in words


def test_a_switch_takes_one_tool_from_one_browser(owner_client: Client, browser: Device) -> None:
    other = Device.objects.create(
        label="Chrome", kind="browser", tools=browser.tools, connection="two", seen_at=timezone.now()
    )
    html = press(owner_client, browser, "tool", tool="browse_url", on="no")
    assert "Penny may not use Firefox to read a page." in html
    assert 'aria-checked="false"' in html
    assert Device.objects.capable("browse_url") == [other]
    assert set(Device.objects.capable("search_web")) == {browser, other}
    press(owner_client, browser, "tool", tool="browse_url", on="yes")
    assert set(Device.objects.capable("browse_url")) == {browser, other}


def test_the_browser_s_own_switch_holds_though_all_of_the_page_are_on(owner_client: Client, browser: Device) -> None:
    Device.objects.filter(pk=browser.pk).update(tool_use=False)
    press(owner_client, browser, "tool", tool="browse_url", on="yes")
    assert Device.objects.capable("browse_url") == []


@pytest.mark.parametrize("tool", ["", "propose", "rm", "x" * 5000])
def test_a_switch_of_no_browser_tool_is_refused(owner_client: Client, browser: Device, tool: str) -> None:
    assert owner_client.post(f"{PAGE}{browser.pk}/tool/", {"tool": tool, "on": "no"}).status_code == 400
    browser.refresh_from_db()
    assert browser.tools_off == []


def test_a_browser_is_renamed(owner_client: Client, browser: Device) -> None:
    press(owner_client, browser, "rename", label="  Desk   browser ")
    browser.refresh_from_db()
    assert browser.label == "Desk browser"
    assert "keeps its name" in press(owner_client, browser, "rename", label="  ")


def test_unpairing_is_undone_within_the_hour(owner_client: Client, browser: Device) -> None:
    html = press(owner_client, browser, "unpair")
    assert "is let in no more" in html
    assert f"{PAGE}{browser.pk}/restore/" in html
    browser.refresh_from_db()
    assert (browser.revoked_at is not None, browser.connection) == (True, None)
    press(owner_client, browser, "restore")
    browser.refresh_from_db()
    assert browser.revoked_at is None


def test_what_was_revoked_long_ago_stays_out(owner_client: Client, browser: Device) -> None:
    Device.objects.filter(pk=browser.pk).update(revoked_at=timezone.now() - UNDO_FOR - timedelta(seconds=1))
    assert "cannot come back by itself" in press(owner_client, browser, "restore")
    browser.refresh_from_db()
    assert browser.revoked_at is not None


def test_what_waits_since_a_restore_is_not_let_in_by_an_undo(owner_client: Client, browser: Device) -> None:
    Device.objects.filter(pk=browser.pk).update(revoked_at=timezone.now(), waits=True)
    press(owner_client, browser, "restore")
    browser.refresh_from_db()
    assert browser.revoked_at is not None


@pytest.mark.parametrize("what", ["tool", "rename", "unpair", "restore"])
def test_no_other_site_and_no_program_presses_a_button(
    owner_client: Client, client: Client, browser: Device, what: str
) -> None:
    address = f"{PAGE}{browser.pk}/{what}/"
    fields = {"label": "x", "tool": "browse_url"}
    foreign = owner_client.post(address, fields, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    by_token = Client().post(address, fields, headers={"Authorization": "Bearer penny-abc"})
    assert by_token.status_code == 302
    assert by_token.headers["Location"].startswith("/sign-in/")
    browser.refresh_from_db()
    assert (browser.label, browser.tools_off, browser.revoked_at) == ("Firefox", [], None)


def test_no_browser_acts_until_the_owner_switches_it_on(owner_client: Client, browser: Device) -> None:
    assert "Act on pages" not in page_words(owner_client, PAGE)
    Device.objects.filter(pk=browser.pk).update(tools=[*browser.tools, *ACTING_TOOLS])
    assert "Act on pages" in page_words(owner_client, PAGE)
    assert Device.objects.capable("act_on_page") == []
    html = press(owner_client, browser, "tool", tool="act_on_page", on="yes")
    assert "Penny may use Firefox to act on pages." in html
    assert Device.objects.capable("act_on_page") == [browser]
    press(owner_client, browser, "tool", tool="act_on_page", on="no")
    assert Device.objects.capable("act_on_page") == []
    assert Device.objects.capable("browse_url") == [browser]
