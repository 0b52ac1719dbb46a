"""The page of what a browser brought: counts, deletion of parts with an undo, and who may open it."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from agents.learning import history_reports
from agents.models import Run
from agents.vault.keep import keep_page
from agents.worker.forget_deleted import forget_deleted_messages
from agents.worker.forget_kept import delete_forgotten
from devices import protocol
from devices.access import api_tokens
from devices.models import Device, Grant, Message
from devices.owner.account import the_owner
from tests.agents.outbox.send_message import immediate_answer
from tests.client import make_page
from tests.page_client import page_words
from thoughts.models import Kept, Page, Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
NOW = timezone.now()


@pytest.fixture
def leaver(keeper: Device) -> Device:
    """A browser that brought one of each, beside another that did so too."""
    other = Device.objects.create(label="Laptop", kind=Device.Kind.BROWSER, shares_history=True)
    Device.objects.filter(pk=keeper.pk).update(shares_history=True)
    for device in (keeper, other):
        host = f"{device.label.lower()}.example"
        keep_page(make_page(f"https://{host}/", device.label, f"{device.label} wants water."), device, "asked")
        visit = protocol.Visit(domain=host, title="Water", visited_at=NOW)
        history_reports.store_report(device, [visit])
        immediate_answer("/help", device)
    Grant.objects.create(host="example.com")
    return keeper


def left_over() -> dict[str, list[str]]:
    """Return what is there, by the browsers' names."""
    questions = Message.objects.filter(direction="in")
    return {
        "pages": sorted(Kept.objects.kept().values_list("page__title", flat=True)),
        "visits": sorted(Visit.objects.kept().values_list("device_label", flat=True)),
        "questions": sorted(questions.values_list("device_label", flat=True)),
        "answers": sorted(Message.objects.filter(direction="out").values_list("parent__device_label", flat=True)),
    }


def delete(client: Client, device: Device, *parts: str) -> str:
    return client.post(f"/left/{device.pk}/", dict.fromkeys(parts, "on"), follow=True).content.decode()


BOTH = ["Desk", "Laptop"]
ALL = {"pages": BOTH, "visits": BOTH, "questions": BOTH, "answers": BOTH}


def test_the_page_counts_what_that_browser_brought_and_says_what_stays(owner_client: Client, leaver: Device) -> None:
    words = page_words(owner_client, f"/left/{leaver.pk}/")
    for part in (
        "What Desk brought",
        "Kept pages: 1",
        "Visits of its browsing history: 1",
        "Questions that you asked there: 1",
        "with 1 answer and",
        "1 permission for sites holds for all of your browsers",
    ):
        assert part in words
    assert left_over() == ALL, "looking deletes nothing"


def test_the_chosen_parts_go_and_an_undo_brings_all_of_them_back(owner_client: Client, leaver: Device) -> None:
    html = delete(owner_client, leaver, "pages", "visits", "questions")
    assert left_over() == {part: ["Laptop"] for part in ALL}
    [undo] = [part.split('"')[0] for part in html.split('action="') if part.startswith(f"/left/{leaver.pk}/restore/")]
    assert "It is back." in owner_client.post(undo, follow=True).content.decode()
    assert left_over() == ALL


@pytest.mark.parametrize("part", ["pages", "visits", "questions"])
def test_what_was_not_chosen_stays(owner_client: Client, leaver: Device, part: str) -> None:
    delete(owner_client, leaver, part)
    parts = {part} | ({"answers"} if part == "questions" else set())
    assert left_over() == {name: ["Laptop"] if name in parts else BOTH for name in ALL}


def test_after_ten_minutes_nothing_of_it_is_in_the_database(owner_client: Client, leaver: Device) -> None:
    html = delete(owner_client, leaver, "pages", "visits", "questions")
    later = timezone.now() + timedelta(days=1, minutes=1)
    delete_forgotten(later)
    history_reports.forget_visits(Visit.objects.forgotten(later))
    forget_deleted_messages(later)
    assert not Page.objects.filter(domain="desk.example").exists()
    assert not Visit.objects.filter(domain="desk.example").exists()
    assert not Message.all_rows.filter(device=leaver).exists()
    assert not Run.objects.filter(message__device=leaver).exists()
    [undo] = [part.split('"')[0] for part in html.split('action="') if part.startswith(f"/left/{leaver.pk}/restore/")]
    assert "gone for good" in owner_client.post(undo, follow=True).content.decode()


def test_visits_of_before_know_a_name_alone_and_count_where_no_other_browser_has_it(
    owner_client: Client, leaver: Device
) -> None:
    Visit.objects.update(device="")
    assert "Visits of its browsing history: 1" in page_words(owner_client, f"/left/{leaver.pk}/")
    Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    assert "Visits of its browsing history" not in page_words(owner_client, f"/left/{leaver.pk}/")


def test_unpairing_alone_deletes_nothing_and_the_page_stays(owner_client: Client, leaver: Device) -> None:
    assert "is let in no more" in delete(owner_client, leaver, "unpair")
    leaver.refresh_from_db()
    assert leaver.revoked_at is not None
    assert left_over() == ALL
    assert f'href="/left/{leaver.pk}/"' in owner_client.get("/permissions/browsers/").content.decode()
    delete(owner_client, leaver, "pages", "visits", "questions")
    assert "Nothing is left of it" in page_words(owner_client, f"/left/{leaver.pk}/")


def test_nothing_chosen_deletes_nothing(owner_client: Client, leaver: Device) -> None:
    assert "choose what to delete first" in delete(owner_client, leaver)
    assert left_over() == ALL


def test_the_page_of_browsers_leads_there(owner_client: Client, leaver: Device) -> None:
    assert f'href="/left/{leaver.pk}/"' in owner_client.get("/permissions/browsers/").content.decode()


def test_a_stranger_and_a_program_are_asked_to_sign_in(client: Client, leaver: Device) -> None:
    _, token = api_tokens.new_token("A program")
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        for answer in (
            client.get(f"/left/{leaver.pk}/", headers=headers),
            client.post(f"/left/{leaver.pk}/", {"pages": "on"}, headers=headers),
            client.post(f"/left/{leaver.pk}/restore/1/", headers=headers),
        ):
            assert answer.status_code == 302
            assert answer["Location"].startswith("/sign-in/?next=/left/")
    assert left_over() == ALL


def test_another_site_deletes_nothing(owner_client: Client, leaver: Device) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(the_owner())
    assert strict.post(f"/left/{leaver.pk}/", {"pages": "on"}).status_code == 403
    cross = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert owner_client.post(f"/left/{leaver.pk}/", {"pages": "on"}, headers=cross).status_code == 403
    assert owner_client.get(f"/left/{leaver.pk}/", headers=cross).status_code == 403
    assert left_over() == ALL


def test_an_address_of_no_browser_is_none(owner_client: Client, leaver: Device) -> None:
    program = Device.objects.create(label="A script", kind=Device.Kind.API)
    for key in (uuid4(), program.pk):
        assert owner_client.get(f"/left/{key}/").status_code == 404
    assert owner_client.post(f"/left/{leaver.pk}/restore/{10**30}/", follow=True).status_code == 200
