"""Permissions › Sites: the owner sees what Penny may open, and changes it with an undo."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from devices.grants.grants import set_grant
from devices.models import Grant
from devices.owner.account import the_owner
from tests.pages import visible_words

pytestmark = pytest.mark.django_db
SITES = "/permissions/"
DECIDE = "/permissions/sites/decide/"


def decide(client: Client, **fields: str) -> str:
    response = client.post(DECIDE, {"host": "coffee.example", "capability": "read"} | fields, follow=True)
    return response.content.decode()


def undo_address(html: str) -> str:
    return html.split('role="status"')[1].split('action="')[1].split('"')[0].replace("&amp;", "&")


def test_a_site_is_added_and_listed_with_what_penny_may_do_there(owner_client: Client) -> None:
    assert "Penny may open no site yet" in owner_client.get(SITES).content.decode()
    owner_client.post(SITES, {"host": "https://Coffee.example/water?a=1", "how": "clean"})
    html = owner_client.get(SITES).content.decode()
    assert "coffee.example" in html
    assert "reads without your logins" in html
    assert "not used yet" in html
    grant = Grant.objects.get()
    assert (grant.state, grant.session, grant.scope) == ("allowed", "clean", "always")


@pytest.mark.parametrize("host", ["", "  ", "two words", "com", "a" * 300, "<script>"])
def test_what_is_no_site_is_refused_with_a_sentence(owner_client: Client, host: str) -> None:
    response = owner_client.post(SITES, {"host": host, "how": "owner"})
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ({"state": "blocked"}, ("blocked", "owner")),
        ({"state": "allowed", "session": "clean"}, ("allowed", "clean")),
        ({"state": "none"}, None),
    ],
)
def test_a_decision_is_changed_and_undone(
    owner_client: Client, fields: dict[str, str], left: tuple[str, str] | None
) -> None:
    set_grant("coffee.example", "read", "allowed")
    html = decide(owner_client, **fields)
    assert Grant.objects.values_list("state", "session").first() == left
    owner_client.post(undo_address(html))
    assert Grant.objects.values_list("state", "session").get() == ("allowed", "owner")


def test_acting_is_a_mark_on_the_rows_that_have_it(owner_client: Client) -> None:
    set_grant("coffee.example", "read", "allowed")
    set_grant("shop.example", "act", "allowed")
    html = owner_client.get(SITES).content.decode()
    assert html.count("clicks and types") == 1
    html = decide(owner_client, host="shop.example", capability="act", state="none")
    assert not Grant.objects.filter(capability="act").exists()
    owner_client.post(undo_address(html))
    assert Grant.objects.get(capability="act").state == "allowed"


def test_how_long_penny_may_act_is_said_and_what_is_blocked(owner_client: Client) -> None:
    set_grant("hour.example", "act", "allowed", "hour")
    set_grant("task.example", "act", "allowed", "run", run_id=uuid4())
    set_grant("never.example", "read", "allowed")
    set_grant("never.example", "act", "blocked")
    set_grant("shut.example", "act", "allowed")
    set_grant("shut.example", "read", "blocked")
    html = owner_client.get(SITES).content.decode()
    rows = {row.split("</b>")[0]: visible_words(row) for row in html.split('<b class="address">')}
    assert "clicks and types until" in rows["hour.example"]
    assert "clicks and types for one task" in rows["task.example"]
    assert "reads never clicks or types" in rows["never.example"]
    assert "Ask before acting" in rows["never.example"]
    assert "blocked" in rows["shut.example"]
    assert "clicks and types" not in rows["shut.example"]


def test_sites_that_opened_nothing_for_a_month_are_shown_apart(owner_client: Client) -> None:
    old = timezone.now() - timedelta(days=31)
    for host, used_at in (("old.example", old), ("idle.example", None), ("fresh.example", timezone.now())):
        set_grant(host, "read", "allowed")
        Grant.objects.filter(host=host).update(created_at=old, used_at=used_at)
    set_grant("new.example", "read", "allowed")
    assert "2 not used in 30 days" in owner_client.get(SITES).content.decode()
    html = owner_client.get(f"{SITES}?unused").content.decode()
    assert ("old.example" in html, "idle.example" in html) == (True, True)
    assert ("fresh.example" in html, "new.example" in html) == (False, False)


def test_a_grant_for_one_task_says_so_and_leaves_when_it_is_over(owner_client: Client) -> None:
    set_grant("coffee.example", "read", "allowed", scope="run", run_id=uuid4())
    assert "For one task" in owner_client.get(SITES).content.decode()
    Grant.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert "coffee.example" not in owner_client.get(SITES).content.decode()


@pytest.mark.parametrize(
    "fields", [{"state": "any"}, {"state": ""}, {"state": "allowed", "session": "x"}, {"capability": "pay"}]
)
def test_what_is_no_decision_is_refused(owner_client: Client, fields: dict[str, str]) -> None:
    response = owner_client.post(DECIDE, {"host": "coffee.example", "capability": "read", "state": "none"} | fields)
    assert response.status_code == 400


def test_hundreds_of_sites_are_pages_and_a_search_finds_one(owner_client: Client) -> None:
    for number in range(105):
        set_grant(f"site{number:03}.example", "read", "allowed")
    html = owner_client.get(SITES).content.decode()
    assert ("site099.example" in html, "site104.example" in html) == (True, False)
    assert "site104.example" in owner_client.get(f"{SITES}?page=2").content.decode()
    assert "site104.example" in owner_client.get(f"{SITES}?q=104").content.decode()
    assert "No site here" in owner_client.get(f"{SITES}?q=nothing").content.decode()


def test_the_export_holds_what_stands(owner_client: Client) -> None:
    set_grant("coffee.example", "read", "blocked")
    response = owner_client.get("/permissions/sites/penny-sites.json")
    assert response.headers["Content-Disposition"] == 'attachment; filename="penny-sites.json"'
    assert [(site["host"], site["state"]) for site in response.json()["sites"]] == [("coffee.example", "blocked")]


def test_a_program_or_stranger_sees_none_of_it(client: Client) -> None:
    set_grant("coffee.example", "read", "allowed")
    assert client.get(SITES).status_code == 302
    assert client.post(DECIDE, {"host": "coffee.example", "capability": "read", "state": "none"}).status_code == 302
    assert Grant.objects.count() == 1


def test_an_undo_without_the_form_s_token_changes_nothing() -> None:
    set_grant("coffee.example", "read", "blocked")
    client = Client(enforce_csrf_checks=True)
    client.force_login(the_owner())
    fields = "host=coffee.example&capability=read&state=allowed"
    assert client.get(f"{DECIDE}?{fields}").status_code == 405
    assert client.post(f"{DECIDE}?{fields}").status_code == 403
    assert Grant.objects.get().state == "blocked"
