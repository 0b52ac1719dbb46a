"""The shared browsing history: list, search, delete, undo."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.learning import history_reports
from agents.learning.forget_preference import forget_preference
from agents.models import Run, Step
from agents.worker import retention
from devices.models import Device
from penny_site import tasks
from thoughts.models import Candidate, Preference, Visit
from thoughts.preferences import candidates

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
NOW = timezone.now()


def visit(domain: str, title: str, hours_ago: float = 1, **fields: Any) -> Visit:
    return Visit.objects.create(
        domain=domain, title=title, visited_at=NOW - timedelta(hours=hours_ago), device_label="Desk", **fields
    )


def listed_titles(client: Client, address: str = "/memory/history/") -> list[str]:
    html = client.get(address).content.decode().partition('id="visits"')[2].partition("</ul>")[0]
    return re.findall(r'<div class="what"><b>([^<]*)</b>', html)


def undo_address(html: str) -> str:
    [address] = re.findall(r'action="(/memory/history/restore/\d+/)"', html)
    return str(address)


def test_visits_are_listed_the_newest_first_and_older_ones_follow(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        visit("a.example", f"Page {number}", hours_ago=number)
    monkeypatch.setattr("thoughts.visits.views.VISITS_SHOWN", 2)
    titles, address = [], "/memory/history/"
    while address:
        titles.append(listed_titles(owner_client, address))
        older = re.search(r'id="older"><a class="button" href="([^"]+)"', owner_client.get(address).content.decode())
        address = f"/memory/history/{older[1]}" if older else ""
    assert titles == [["Page 0", "Page 1"], ["Page 2", "Page 3"], ["Page 4"]]


def test_titles_are_words_of_pages_and_are_shown_as_text(owner_client: Client) -> None:
    visit("a.example", "<script>alert(1)</script>")
    assert listed_titles(owner_client) == ["&lt;script&gt;alert(1)&lt;/script&gt;"]


def test_words_and_a_site_narrow_it_down(owner_client: Client) -> None:
    visit("coffee.example", "Lever espresso")
    visit("maps.example", "Old maps of espresso bars", hours_ago=2)
    assert listed_titles(owner_client, "/memory/history/?q=ESPRESSO+old") == ["Old maps of espresso bars"]
    assert listed_titles(owner_client, "/memory/history/?q=coffee") == ["Lever espresso"]
    assert listed_titles(owner_client, "/memory/history/?site=maps.example") == ["Old maps of espresso bars"]
    assert "No visit holds that" in owner_client.get("/memory/history/?q=zebra").content.decode()


@pytest.mark.parametrize("cursor", ["x", "-", "1", "9" * 30 + "-1", "1-" + "9" * 30])
def test_a_place_that_was_made_up_is_the_start_or_the_end(owner_client: Client, cursor: str) -> None:
    visit("a.example", "Lever espresso")
    assert owner_client.get("/memory/history/", {"before": cursor}).status_code == 200


def test_one_visit_a_site_or_everything_is_deleted_and_brought_back(owner_client: Client) -> None:
    one = visit("coffee.example", "One")
    visit("coffee.example", "Two", hours_ago=2)
    visit("maps.example", "Three", hours_ago=3)
    acts = [
        (f"/memory/history/{one.pk}/delete/", {}, ["Two", "Three"]),
        ("/memory/history/delete-site/", {"site": "coffee.example"}, ["Three"]),
        ("/memory/history/delete-all/", {}, []),
    ]
    for address, fields, remaining in acts:
        html = owner_client.post(address, fields, follow=True).content.decode()
        assert listed_titles(owner_client) == remaining
        assert "It is back." in owner_client.post(undo_address(html), follow=True).content.decode()
        assert listed_titles(owner_client) == ["One", "Two", "Three"]
    assert owner_client.post("/memory/history/delete-site/", {"site": "nowhere.example"}).status_code == 404


def test_what_is_deleted_goes_for_good_after_some_minutes(owner_client: Client) -> None:
    deleted_visit = visit("coffee.example", "One")
    visit("maps.example", "Two")
    html = owner_client.post(f"/memory/history/{deleted_visit.pk}/delete/", follow=True).content.decode()
    tasks.keep_house()
    assert Visit.objects.count() == 2
    at = undo_address(html)
    Visit.objects.filter(pk=deleted_visit.pk).update(deleted_at=NOW - timedelta(hours=1))
    history_reports.forget_visits(Visit.objects.forgotten(timezone.now()))
    assert [row.domain for row in Visit.objects.all()] == ["maps.example"]
    assert "gone for good" in owner_client.post(at, follow=True).content.decode()
    assert owner_client.post(f"/memory/history/restore/{'9' * 30}/").status_code == 404


def test_the_page_says_who_shares_it_and_stops_that(owner_client: Client) -> None:
    desk = Device.objects.create(label="Desk <1>", kind=Device.Kind.BROWSER, shares_history=True)
    assert "Desk &lt;1&gt;" in owner_client.get("/memory/history/").content.decode()
    html = owner_client.post(f"/memory/history/devices/{desk.pk}/stop/", follow=True).content.decode()
    assert "shares its history no more" in html
    assert "Nothing is shared" in html
    desk.refresh_from_db()
    assert not desk.shares_history


def test_nothing_of_it_is_for_strangers(client: Client) -> None:
    row = visit("a.example", "Mine")
    for address in ("/memory/history/", f"/memory/history/{row.pk}/delete/", "/memory/history/delete-all/"):
        assert client.post(address).status_code == 302
    assert Visit.objects.kept().count() == 1


# Ideas
# ---------------------------------------------------------------------------------------------------------------------


def idea(text: str, *visits: Visit) -> Candidate:
    assert candidates.suggest_visited({text: visits}) == 1
    return Candidate.objects.get(text=text)


def test_an_idea_is_shown_with_the_sites_that_were_visited_and_starts_nothing_until_it_is_confirmed(
    owner_client: Client,
) -> None:
    candidate = idea(
        "lever espresso", visit("b.example", "Lever espresso"), visit("a.example", "Espresso with a lever")
    )
    assert (candidate.source, candidate.origin) == ("history", ["a.example", "b.example"])
    html = owner_client.get("/interests/suggestions/").content.decode()
    assert re.search(r"lever espresso</b> .*you visited .*a\.example.*b\.example", html)
    assert list(Preference.objects.seeds()) == []
    owner_client.post(f"/candidates/{candidate.pk}/confirm/")
    assert [(row.text, row.source, row.origin) for row in Preference.objects.seeds()] == [
        ("lever espresso", "history", ["owner"])
    ]


def test_deleting_what_an_idea_came_from_takes_it_away_at_once_and_undo_brings_it_back(owner_client: Client) -> None:
    row = visit("a.example", "Lever espresso")
    idea("lever espresso", row)
    html = owner_client.post(f"/memory/history/{row.pk}/delete/", follow=True).content.decode()
    assert list(Candidate.objects.open()) == []
    assert "No suggestions now" in owner_client.get("/interests/suggestions/").content.decode()
    owner_client.post(undo_address(html))
    assert [candidate.text for candidate in Candidate.objects.open()] == ["lever espresso"]


def test_an_idea_stays_as_long_as_one_visit_speaks_of_it_and_names_only_that_one() -> None:
    first, second, other = (
        visit("a.example", "Lever espresso"),
        visit("b.example", "Lever espresso"),
        visit("c.example", "Maps"),
    )
    both, alone, dismissed = idea("lever espresso", first, second), idea("old maps", other), idea("steam trains", first)
    candidates.dismiss(dismissed)
    page_s = Candidate.objects.create(text="of a page", source=Preference.Source.PAGE)
    history_reports.forget_visits(Visit.objects.filter(pk__in=[first.pk, other.pk]))
    both.refresh_from_db()
    assert both.origin == ["b.example"]
    assert set(Candidate.objects.all()) == {both, page_s}
    assert not Candidate.objects.filter(pk=alone.pk).exists()


def test_a_preference_that_the_owner_confirmed_is_theirs_and_stays_when_the_history_goes() -> None:
    row = visit("a.example", "Lever espresso")
    candidates.confirm(idea("lever espresso", row), 1)
    history_reports.forget_visits(Visit.objects.all())
    assert [preference.text for preference in Preference.objects.all()] == ["lever espresso"]
    assert not Candidate.objects.exists()


def test_forgetting_a_preference_forgets_that_the_history_gave_the_idea_and_keeps_the_history() -> None:
    row = visit("a.example", "Lever espresso")
    forget_preference(candidates.confirm(idea("lever espresso", row), 1))
    assert not Candidate.objects.exists()
    assert list(Visit.objects.all()) == [row]


def test_what_looking_through_it_left_in_records_goes_with_it() -> None:
    run, other = (Run.objects.create(kind=kind, state="done") for kind in ("history", "thinking"))
    for of_run, domain in ((run, "a.example"), (run, "b.example"), (other, "a.example")):
        content = {"domain": domain, "reading": {"candidates": ["lever espresso"]}}
        Step.objects.create(
            run=of_run, kind="model", zone="reader", name="m", origin=["owner", domain], request=content, result=content
        )
    visit("a.example", "Lever espresso")
    history_reports.forget_visits(Visit.objects.all())
    blank, other_site, thinking = Step.objects.order_by("id")
    assert (blank.origin, blank.request, blank.result, blank.prompt_removed_at is not None) == (["owner"], {}, {}, True)
    assert [bool(step.result) for step in (other_site, thinking)] == [True, True]


def test_what_is_older_than_the_settings_say_goes(owner_client: Client) -> None:
    idea("lever espresso", visit("a.example", "Lever espresso", hours_ago=24 * 91))
    visit("a.example", "Lever espresso", hours_ago=24 * 89)
    [history] = [batch for batch in retention.due(retention.settings()) if batch.kind.name == "history"]
    assert history.rows == 1
    retention.sweep(NOW)
    assert Visit.objects.count() == 1
    assert not Candidate.objects.exists()


def test_the_admin_lists_it_and_deletes_for_good(admin_client: Client) -> None:
    row = visit("a.example", "Lever <espresso>")
    idea("lever espresso", row)
    html = admin_client.get("/admin/thoughts/visit/").content.decode()
    assert "Lever &lt;espresso&gt;" in html
    assert admin_client.get(f"/admin/thoughts/visit/{row.pk}/change/").status_code == 200
    admin_client.post(
        "/admin/thoughts/visit/", {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    )
    assert not Visit.objects.exists()
    assert not Candidate.objects.exists()
