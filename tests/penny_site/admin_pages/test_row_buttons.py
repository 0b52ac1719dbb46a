"""The buttons in the rows of the admin's lists: each acts at once, comes back to the list, and can be undone."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import Run, Schedule, Skill
from devices.models import Grant
from tests.agents.skills.skills import add_skill, bring
from thoughts.models import Watch

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
SITES, SKILLS, ROUTINE = "/admin/devices/grant/", "/admin/agents/skill/", "/admin/agents/schedule/"


def buttons(client: Client, address: str) -> dict[str, str]:
    """Return the addresses of the buttons of a list by their words."""
    html = client.get(address).content.decode()
    matches = re.findall(r'formaction="([^"]+)">([^<]+)<span class="unseen">: ([^<]+)</span>', html)
    return {f"{label}: {row}": unescape(there) for there, label, row in matches}


def press(client: Client, address: str, button: str) -> str:
    """Press a button of a list, as the browser sends its form; the answer is the list again."""
    response = client.post(buttons(client, address)[button], {"next": address, "action": ""})
    assert response.headers["Location"] == address
    return client.get(address).content.decode()


def undo(client: Client, html: str, address: str) -> None:
    there = re.search(r'<form method="post" action="([^"]+)">(?:(?!</form>).)*?value="([^"]*)"><button[^>]*>Undo', html)
    assert there, html
    assert there[2] == address
    response = client.post(unescape(there[1]), {"next": address})
    assert response.headers["Location"] == address


def test_a_site_is_revoked_by_one_button_and_comes_back_as_it_was(owner_client: Client) -> None:
    Grant.objects.create(host="shop.example", session="clean")
    page = press(owner_client, SITES, "Revoke: shop.example")
    assert not Grant.objects.exists()
    undo(owner_client, page, SITES)
    assert list(Grant.objects.values_list("host", "state", "session", "scope")) == [
        ("shop.example", "allowed", "clean", "always")
    ]


def test_a_site_is_blocked_and_allowed_from_its_row(owner_client: Client) -> None:
    Grant.objects.create(host="shop.example", session="clean")
    page = press(owner_client, SITES, "Block: shop.example")
    assert Grant.objects.get().state == "blocked"
    undo(owner_client, page, SITES)
    assert (Grant.objects.get().state, Grant.objects.get().session) == ("allowed", "clean")
    Grant.objects.update(state="blocked")
    press(owner_client, SITES, "Allow: shop.example")
    assert Grant.objects.get().state == "allowed"


def test_undo_gives_an_hour_back_as_an_hour(owner_client: Client) -> None:
    Grant.objects.create(host="shop.example", scope="hour", expires_at=timezone.now() + timedelta(minutes=9))
    undo(owner_client, press(owner_client, SITES, "Revoke: shop.example"), SITES)
    grant = Grant.objects.get()
    assert grant.scope == "hour"
    assert grant.expires_at
    assert grant.expires_at < timezone.now() + timedelta(hours=1, minutes=1)


def test_a_decision_for_one_task_is_only_revoked(owner_client: Client) -> None:
    grant = Grant.objects.create(
        host="shop.example", scope="run", run_id=uuid4(), expires_at=timezone.now() + timedelta(hours=1)
    )
    assert list(buttons(owner_client, SITES)) == ["Revoke: shop.example"]
    address = f"{SITES}{grant.pk}/change/"
    assert owner_client.get(address).status_code == 200
    assert owner_client.post(address, {"how": "owner", "scope": "always"}).status_code == 403
    grant.refresh_from_db()
    assert grant.scope == "run"


def test_a_decision_that_is_over_is_not_listed(owner_client: Client) -> None:
    Grant.objects.create(host="shop.example", scope="hour", expires_at=timezone.now() - timedelta(minutes=1))
    assert buttons(owner_client, SITES) == {}


def test_clicking_and_typing_is_revoked_without_touching_reading(owner_client: Client) -> None:
    Grant.objects.create(host="bank.example")
    Grant.objects.create(host="shop.example", capability="act")
    page = press(owner_client, SITES, "Revoke: shop.example")
    assert "Penny asks before she clicks or types on shop.example." in page
    assert list(Grant.objects.values_list("host", "capability")) == [("bank.example", "read")]


def test_a_skill_is_approved_switched_and_deleted_from_its_row(owner_client: Client) -> None:
    add_skill("tea-forum", approve=False)
    undo(owner_client, press(owner_client, SKILLS, "Approve: tea-forum"), SKILLS)
    assert Skill.objects.get().approved is None
    press(owner_client, SKILLS, "Approve: tea-forum")
    assert Skill.objects.get().approved is not None
    undo(owner_client, press(owner_client, SKILLS, "Turn off: tea-forum"), SKILLS)
    assert Skill.objects.get().is_on
    undo(owner_client, press(owner_client, SKILLS, "Delete: tea-forum"), SKILLS)
    assert Skill.objects.get().deleted_at is None


def test_a_skill_without_sites_is_not_approved_from_its_row(owner_client: Client) -> None:
    bring("---\nname: tea-forum\ndescription: Reads threads.\n---\nRead all.\n")
    assert list(buttons(owner_client, SKILLS)) == ["Turn off: tea-forum", "Delete: tea-forum"]


def test_a_routine_runs_pauses_and_is_deleted_from_its_row(owner_client: Client) -> None:
    Schedule.objects.exclude(kind="thinking").delete()
    press(owner_client, ROUTINE, "Run now: Thinking")
    assert Run.objects.get().schedule == Schedule.objects.get()
    undo(owner_client, press(owner_client, ROUTINE, "Pause: Thinking"), ROUTINE)
    assert Schedule.objects.get().enabled
    press(owner_client, ROUTINE, "Pause: Thinking")
    press(owner_client, ROUTINE, "Resume: Thinking")
    assert Schedule.objects.get().next_run_at is not None
    undo(owner_client, press(owner_client, ROUTINE, "Delete: Thinking"), ROUTINE)
    assert Schedule.objects.get().deleted_at is None


def test_a_watch_is_paused_from_its_row_and_brought_back(owner_client: Client) -> None:
    watch = Watch.objects.create(url="https://tea.example/", domain="tea.example", label="Oolong")
    address = "/admin/thoughts/watch/"
    press(owner_client, address, "Pause: Oolong")
    watch.refresh_from_db()
    assert watch.is_paused
    press(owner_client, address, "Delete: Oolong")
    press(owner_client, address, "Bring back: Oolong")
    watch.refresh_from_db()
    assert watch.deleted_at is None


def test_the_form_of_a_row_has_its_buttons_too_and_no_page_that_asks(owner_client: Client) -> None:
    grant = Grant.objects.create(host="shop.example")
    html = owner_client.get(f"{SITES}{grant.pk}/change/").content.decode()
    assert f'name="next" value="{SITES}"' in html
    assert "Revoke" in html
    assert f"{SITES}{grant.pk}/delete/" not in html


@pytest.mark.parametrize(
    "there", ["https://other.example/", "//other.example/admin/", "/chat/", "/admin@other.example"]
)
def test_a_button_comes_back_to_the_admin_or_to_its_own_page_alone(owner_client: Client, there: str) -> None:
    fields = {"host": "shop.example", "capability": "read", "state": "blocked", "next": there}
    assert owner_client.post("/permissions/sites/decide/", fields).headers["Location"] == "/permissions/"


def test_a_scope_that_needs_a_run_is_no_decision_of_a_button(owner_client: Client) -> None:
    fields = {"host": "shop.example", "capability": "read", "state": "allowed", "scope": "once"}
    assert owner_client.post("/permissions/sites/decide/", fields).status_code == 400
    assert not Grant.objects.exists()
