from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import Run, Schedule, Step
from devices.models import Ask, Device, Grant, Message
from devices.owner.account import the_owner
from penny_site.settings_pages.groups import SETTINGS
from tests.agents.skills.skills import add_skill
from thoughts.models import Candidate, Claim, MutedSite, Page, Preference, Reaction, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

LISTS = [
    "agents/run", "agents/schedule", "agents/skill", "devices/ask", "devices/device", "devices/grant",
    "devices/message",
    "thoughts/mutedsite", "thoughts/page", "thoughts/preference", "thoughts/reaction", "thoughts/thought", "auth/user",
]  # fmt: skip


@pytest.fixture
def rows(owner_client: Client) -> dict[str, object]:
    """One row of each list, with its related rows."""
    now = timezone.now()
    preference = Preference.objects.create(text="lever espresso")
    page = Page.objects.create(
        url="https://a.example/",
        domain="a.example",
        title="A",
        text="It holds.",
        extracted_with="text",
        sha256="0" * 64,
    )
    thought = Thought.objects.create(title="A lever", text="It holds.", html="<p>It holds.</p>", preference=preference)
    thought.pages.add(page)
    Claim.objects.create(thought=thought, page=page, text="It holds.", quote="It holds.", start=0, end=9)
    device = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER, tools=["browse_url"])
    message = Message.objects.create(
        owner=the_owner(), seq=1, device=device, device_label="Desk", direction="in", text="Hello", html="Hello"
    )
    schedule = Schedule.objects.get(kind="thinking")
    run = Run.objects.create(
        kind=Run.Kind.THINKING,
        schedule=schedule,
        preference=preference,
        message=message,
        outcome="No browser was connected.",
    )
    Step.objects.create(
        run=run, kind=Step.Kind.TOOL, zone="planner", name="search_web", request={"query": "<b>lever</b>"}, ended_at=now
    )
    return {
        "agents/run": run, "agents/schedule": schedule, "agents/skill": add_skill("lever-forum").skill,
         "devices/device": device, "devices/message": message, "thoughts/page": page,
        "devices/ask": Ask.objects.create(run_id=run.pk, text="May Penny read pages on a.example?", prompt_until=now,
        expires_at=now),
        "devices/grant": Grant.objects.create(host="a.example"), "thoughts/preference": preference,
        "thoughts/thought": thought,
        "thoughts/mutedsite": MutedSite.objects.create(host="b.example"), "auth/user": the_owner(),
        "thoughts/reaction": Reaction.objects.create(thought=thought, valence=1, preference=preference,
        device_label="Desk"),
    }  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_every_list_opens_searches_and_leads_to_a_row(owner_client: Client, rows: dict[str, object], name: str) -> None:
    key = getattr(rows[name], "pk", None)
    assert owner_client.get(f"/admin/{name}/", {"q": "lever"} if name != "auth/user" else {}).status_code == 200
    assert owner_client.get(f"/admin/{name}/{key}/change/").status_code == 200


def test_the_settings_open(owner_client: Client) -> None:
    html = owner_client.get("/admin/constance/config/").content.decode()
    assert "FEED_PAGE_SIZE" in html


@pytest.mark.parametrize("name", ["agents/run", "devices/ask", "devices/message", "thoughts/page", "thoughts/reaction"])
def test_history_is_read_only(owner_client: Client, rows: dict[str, object], name: str) -> None:
    key = getattr(rows[name], "pk", None)
    for address in (f"/admin/{name}/add/", f"/admin/{name}/{key}/delete/"):
        assert owner_client.get(address).status_code == 403
    assert owner_client.post(f"/admin/{name}/{key}/change/", {"text": "x"}).status_code == 403


@pytest.mark.parametrize("name", ["devices/device", "thoughts/thought", "auth/user"])
def test_devices_thoughts_and_owners_cannot_be_added_by_a_form(owner_client: Client, name: str) -> None:
    assert owner_client.get(f"/admin/{name}/add/").status_code == 403


def test_the_request_of_a_step_is_shown_as_text(owner_client: Client, rows: dict[str, object]) -> None:
    html = owner_client.get(f"/admin/agents/run/{rows['agents/run'].pk}/change/").content.decode()  # type: ignore[attr-defined]
    assert "&lt;b&gt;lever&lt;/b&gt;" in html


def test_the_host_of_a_grant_is_stored_in_its_normal_form(owner_client: Client) -> None:
    grant = {"host": "https://WWW.Example.org/page", "how": "clean", "scope": "always"}
    assert owner_client.post("/admin/devices/grant/add/", grant).status_code == 302
    assert list(Grant.objects.values_list("host", "state", "session")) == [("www.example.org", "allowed", "clean")]


@pytest.mark.parametrize(
    "host", ["com", "github.io", "http://", "a b", "127.0.0.1:8787", "[::ffff:7f00:1]:8787", "x@a.example", "a..b"]
)
def test_a_grant_for_a_suffix_or_for_penny_is_refused_with_a_sentence(owner_client: Client, host: str) -> None:
    html = owner_client.post("/admin/devices/grant/add/", {"host": host, "how": "clean", "scope": "always"}).content
    assert b'class="wrong"' in html
    assert not Grant.objects.exists()


def test_a_second_grant_for_a_host_points_to_the_first(owner_client: Client) -> None:
    Grant.objects.create(host="example.org")
    grant = {"host": "https://Example.org/", "how": "blocked", "scope": "always"}
    html = owner_client.post("/admin/devices/grant/add/", grant).content.decode()
    assert "You decided about example.org already." in html
    assert Grant.objects.get().state == "allowed"


def test_a_grant_is_changed_and_deleted(owner_client: Client) -> None:
    grant = Grant.objects.create(host="example.org")
    address = f"/admin/devices/grant/{grant.pk}"
    assert owner_client.post(f"{address}/change/", {"how": "blocked", "scope": "hour"}).status_code == 302
    grant.refresh_from_db()
    assert (grant.state, grant.scope, grant.expires_at is not None) == ("blocked", "hour", True)
    assert owner_client.post(f"{address}/delete/", {"post": "yes"}).status_code == 302
    assert not Grant.objects.exists()


def test_revoking_asks_for_confirmation_first(owner_client: Client) -> None:
    device = Device.objects.create(label="Kitchen", kind=Device.Kind.BROWSER)
    form = {"action": "revoke", "_selected_action": str(device.pk)}
    assert "until you pair them anew" in owner_client.post("/admin/devices/device/", form).content.decode()
    device.refresh_from_db()
    assert device.revoked_at is None
    owner_client.post("/admin/devices/device/", form | {"sure": "1"})
    device.refresh_from_db()
    assert device.revoked_at is not None


def test_the_web_page_is_not_revoked(owner_client: Client) -> None:
    device = Device.objects.create(label="Web page", kind=Device.Kind.WEB)
    owner_client.post("/admin/devices/device/", {"action": "revoke", "_selected_action": str(device.pk), "sure": "1"})
    device.refresh_from_db()
    assert device.revoked_at is None


def test_the_list_of_schedules_shows_the_outcome_of_the_last_run(owner_client: Client, rows: dict[str, object]) -> None:
    assert "No browser was connected." in owner_client.get("/admin/agents/schedule/").content.decode()


def test_a_liked_preference_is_thought_about_now_and_a_disliked_one_is_not(owner_client: Client) -> None:
    like, dislike = Preference.objects.create(text="maps"), Preference.objects.create(text="gossip", valence=-1)
    owner_client.post(
        "/admin/thoughts/preference/", {"action": "think_now", "_selected_action": [str(like.pk), str(dislike.pk)]}
    )
    assert [run.preference for run in Run.objects.all()] == [like]


def test_reactions_are_filtered_by_valence_and_by_whether_they_were_undone(
    owner_client: Client, rows: dict[str, object]
) -> None:
    for filters, count in (
        ({"valence": "1"}, "1 thumb"),
        ({"valence": "-1"}, "0 thumbs"),
        ({"undone_at__isempty": "0"}, "0 thumbs"),
    ):
        assert count in owner_client.get("/admin/thoughts/reaction/", filters).content.decode()
    assert "1 find" in owner_client.get("/admin/thoughts/thought/", {"reaction__isnull": "True"}).content.decode()


def test_a_thought_is_deleted_with_the_reactions_to_it(owner_client: Client, rows: dict[str, object]) -> None:
    form = {"action": "delete_selected", "_selected_action": str(Thought.objects.get().pk), "post": "yes"}
    owner_client.post("/admin/thoughts/thought/", form)
    assert not Thought.objects.exists()
    assert not Reaction.objects.exists()


def test_a_preference_is_deleted_with_the_candidates_that_pages_suggested(owner_client: Client) -> None:
    preference = Preference.objects.create(text="lever espresso")
    Candidate.objects.create(text="hand grinders", source=Preference.Source.ADDED, seed=preference)
    form = {"action": "delete_selected", "_selected_action": str(preference.pk), "post": "yes"}
    owner_client.post("/admin/thoughts/preference/", form)
    assert not Preference.objects.exists()
    assert not Candidate.objects.exists()


def test_preferences_are_muted_and_hidden_thoughts_shown_again_in_bulk(
    owner_client: Client, rows: dict[str, object]
) -> None:
    Thought.objects.update(hidden_at=timezone.now())

    def act(name: str, model: type[Preference] | type[Thought], action: str) -> None:
        owner_client.post(
            f"/admin/thoughts/{name}/",
            {"action": action, "_selected_action": [str(row.pk) for row in model.objects.all()]},
        )

    act("preference", Preference, "mute")
    assert Preference.objects.get().muted
    act("preference", Preference, "unmute")
    assert not Preference.objects.get().muted
    act("thought", Thought, "show_again")
    assert Thought.objects.unread().exists()


def test_a_site_is_muted_in_its_normal_form(owner_client: Client) -> None:
    assert b'class="wrong"' in owner_client.post("/admin/thoughts/mutedsite/add/", {"host": "co.uk"}).content
    assert (
        owner_client.post("/admin/thoughts/mutedsite/add/", {"host": "https://WWW.News.Example/x"}).status_code == 302
    )
    assert [site.host for site in MutedSite.objects.all()] == ["news.example"]


def test_signing_in_and_the_password_are_those_of_the_other_pages(client: Client) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/sign-in/?next=/admin/")
    client.force_login(the_owner())
    assert client.get("/admin/password_change/").headers["Location"] == "/password/"
    assert client.post("/admin/logout/").headers["Location"] == "/sign-in/"


def test_groups_have_no_admin_page(owner_client: Client) -> None:
    assert owner_client.get("/admin/auth/group/").status_code == 404
    assert owner_client.get(f"/admin/devices/device/{uuid4()}/change/").status_code == 302


def test_every_setting_has_a_label_a_default_in_words_and_its_own_button_back(owner_client: Client) -> None:
    html = owner_client.get("/admin/constance/config/").content.decode()
    for setting in SETTINGS.values():
        assert f'<label for="id_{setting.name}">{setting.label}</label>' in html
        assert f'aria-label="Back to the default: {setting.label}"' in html
    for words in ("<td>empty</td>", "<td>on</td>", "<td>1,000,000</td>", 'data-default="true"'):
        assert words in html
    assert "True" not in html
