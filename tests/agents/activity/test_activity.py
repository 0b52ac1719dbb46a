"""Activity: what waits, what runs, what happened, what was sent."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.frames.counts import current_counts
from agents.models import Run
from devices.grants import asks
from devices.models import Delivery, Device, Grant
from devices.owner.stop import is_stopped
from tests.agents.background import movable_clock
from tests.page_client import page_words
from thoughts.models import Thought

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 24, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    movable_clock(monkeypatch, NOON)


def make_run(state: str, task: str = "Find concerts", **fields: object) -> Run:
    return Run.objects.create(kind="task", task=task, state=state, started_at=timezone.now(), **fields)


@pytest.mark.parametrize(
    ("decision", "state", "grant_count"),
    [
        ("allow-always", "allowed", 1),
        ("allow-hour", "allowed", 1),
        ("block-always", "blocked", 1),
        ("dismiss", "dismissed", 0),
    ],
)
def test_a_question_of_background_work_is_answered_there_long_after_its_prompt(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch, decision: str, state: str, grant_count: int
) -> None:
    run = Run.objects.create(kind="task", task="Search for <b>concerts</b>", state="parked")
    ask = asks.ask_grant(run.pk, "tickets.example", "read", "To read a page there.", is_background=True)
    movable_clock(monkeypatch, NOON).move(hours=23)
    question = "May Penny read pages on tickets.example? Without your logins. Only this site."
    assert f"{question} For Search for <b>concerts</b> , asked yesterday" in page_words(owner_client, "/activity/")
    after = owner_client.post(f"/asks/{ask.prompt}/", {"decision": decision}, follow=True).content.decode()
    ask.refresh_from_db()
    assert (ask.state, Grant.objects.filter(host="tickets.example").count()) == (state, grant_count)
    assert "Waits for your answer" not in page_words(owner_client, "/activity/")
    html = owner_client.post(f"/asks/{ask.prompt}/", {"decision": decision}, follow=True).content.decode()
    assert "already answered" in html
    undo_at = re.search(r'action="(/permissions/sites/[^"]+)"', after)
    assert (undo_at is not None) == bool(grant_count)
    if undo_at is not None:
        owner_client.post(unescape(undo_at.group(1)))
        assert not Grant.objects.filter(host="tickets.example").exists()


def test_a_question_is_a_line_of_the_feed_and_answered_nowhere_twice(owner_client: Client) -> None:
    asks_made = [
        asks.ask_grant(make_run("parked").pk, host, "read", "To read a page there.", is_background=True)
        for host in ("tickets.example", "halls.example")
    ]
    assert "2 background questions Answer" in page_words(owner_client, "/")
    owner_client.post(f"/asks/{asks_made[0].prompt}/", {"decision": "dismiss"})
    assert "1 background question Answer" in page_words(owner_client, "/")
    line = owner_client.get("/looking/", headers={"HX-Request": "true"}).content.decode()
    assert "1 background question" in line
    owner_client.post(f"/asks/{asks_made[1].prompt}/", {"decision": "allow-once"})
    assert "background question" not in page_words(owner_client, "/")


def test_page_and_socket_count_alike(owner_client: Client) -> None:
    for state in ("running", "running", "parked", "queued", "done"):
        make_run(state)
    asks.ask_grant(make_run("parked").pk, "tickets.example", "read", "To read a page there.", is_background=True)
    Thought.objects.create(title="A lever")
    counts = current_counts()
    assert (counts.finds, counts.questions, counts.browsers, counts.running) == (1, 1, 0, 2)
    html = owner_client.get("/watches/").content.decode()
    assert [
        int(re.search(pattern, html)[1])  # type: ignore[index]
        for pattern in (r'data-unread="(\d+)"', r"data-questions\s*><b>(\d+)</b>")
    ] == [counts.finds, counts.questions]
    assert re.search(r"data-running\s*>", html)
    assert "penny-working.svg" in html
    Run.objects.filter(state="running").update(state="done")
    assert re.search(r"data-running hidden\s*>", owner_client.get("/watches/").content.decode())


def test_an_answer_may_leave_the_logins_out(owner_client: Client) -> None:
    ask = asks.ask_grant(make_run("parked").pk, "tickets.example", "read", "To read a page.", is_background=True)
    owner_client.post(f"/asks/{ask.prompt}/", {"decision": "allow-always-clean"})
    assert Grant.objects.values_list("state", "scope", "session").get() == ("allowed", "always", "clean")


def test_what_is_no_answer_is_refused(owner_client: Client) -> None:
    run = Run.objects.create(kind="task", task="Search", state="parked")
    ask = asks.ask_grant(run.pk, "tickets.example", "read", "To read a page there.", is_background=True)
    for decision in ("", "yes", "allow-forever", "allow-always-twice", "allow-always-clean-x"):
        assert owner_client.post(f"/asks/{ask.prompt}/", {"decision": decision}).status_code == 400
    ask.refresh_from_db()
    assert ask.state == "open"


def test_what_runs_is_listed_and_stopped_one_by_one(owner_client: Client) -> None:
    running, queued = make_run("running"), make_run("queued", "Find trains")
    text = page_words(owner_client, "/activity/")
    assert "Find concerts Carrying out a task" in text
    assert "Find trains Carrying out a task · waits for its turn" in text
    assert "Stopped." in owner_client.post(f"/activity/runs/{queued.pk}/stop/", follow=True).content.decode()
    owner_client.post(f"/activity/runs/{running.pk}/stop/")
    queued.refresh_from_db()
    running.refresh_from_db()
    assert (queued.state, running.cancel_requested_at is not None) == ("cancelled", True)
    html = owner_client.post(f"/activity/runs/{queued.pk}/stop/", follow=True).content.decode()
    assert "It was over already." in html


def test_everything_is_stopped_and_goes_on_with_one_button_each(owner_client: Client) -> None:
    make_run("queued")
    html = owner_client.post("/activity/stop/", follow=True).content.decode()
    assert ("1 run ended." in html, is_stopped(), Run.objects.get().state) == (True, True, "cancelled")
    assert "Everything is stopped ( just now , from Penny's page)." in page_words(owner_client, "/activity/")
    owner_client.post("/activity/resume/")
    assert not is_stopped()


@pytest.mark.parametrize("page", ["/", "/watches/", "/help/"])
def test_every_page_says_that_everything_is_stopped_and_goes_on_from_there(owner_client: Client, page: str) -> None:
    def banner() -> tuple[bool, str]:
        match = re.search(r"<aside[^>]*data-stopped(.*?)</aside>", owner_client.get(page).content.decode(), re.DOTALL)
        assert match
        return " hidden>" not in match[1].partition("<span>")[0], match[1]

    assert banner()[0] is False
    owner_client.post("/activity/stop/")
    owner_client.get("/activity/")  # which shows the notice of that
    is_shown, html = banner()
    assert is_shown
    assert 'action="/activity/resume/"' in html
    assert f'name="next" value="{page}"' in html
    assert owner_client.post("/activity/resume/", {"next": page}).headers["Location"] == page
    assert banner()[0] is False


def test_a_stranger_who_reads_the_handbook_sees_no_stop(client: Client, owner_client: Client) -> None:
    owner_client.post("/activity/stop/")
    client.logout()
    assert "data-stopped" not in client.get("/help/").content.decode()


def test_an_open_page_hears_of_changes_alone(owner_client: Client) -> None:
    run = make_run("queued")
    html = owner_client.get("/activity/").content.decode()
    address = re.findall(r'hx-get="(/activity/[^"]+)"', html)[0]
    assert owner_client.get(address, headers={"HX-Request": "true"}).status_code == 204
    Run.objects.filter(pk=run.pk).update(state="running", started_at=timezone.now())
    answer = owner_client.get(address, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()


def test_runs_are_pages_each_row_leads_to_its_steps(owner_client: Client) -> None:
    begin = timezone.now()
    for number in range(55):
        make_run("done", f"Task {number:02}", created_at=begin + timedelta(seconds=number), outcome="Two pages read.")
    html = owner_client.get("/activity/runs/").content.decode()
    assert ("Task 54" in html, "Task 04" in html) == (True, False)
    assert f"/runs/{Run.objects.get(task='Task 54').pk}/" in html
    assert "Task 04" in owner_client.get("/activity/runs/?page=2").content.decode()
    assert "Two pages read." in page_words(owner_client, "/activity/")


def test_many_runs_need_no_more_queries(owner_client: Client) -> None:
    def queries(count: int) -> int:
        for number in range(count):
            make_run("done", f"Task {count} {number}")
        with CaptureQueriesContext(connection) as captured:
            owner_client.get("/activity/runs/")
        return len(captured)

    owner_client.get("/activity/runs/")
    assert queries(1) == queries(40)


@pytest.mark.parametrize(
    ("fields", "chip"),
    [
        ({"state": "queued"}, "waits"),
        ({"state": "accepted"}, "sent"),
        ({"state": "accepted", "read_at": NOON}, "read"),
        ({"state": "failed", "error": "no such number"}, "failed"),
        ({"state": "unknown"}, "not known"),
    ],
)
def test_what_was_sent_says_where_and_what_became_of_it(
    owner_client: Client, fields: dict[str, object], chip: str
) -> None:
    assert "Nothing was sent" in page_words(owner_client, "/activity/sent/")
    phone = Device.objects.create(label="Phone", kind="push", address="https://push.example/1")
    Delivery.objects.create(device=phone, key="1", reason="A find", text="A <b>quiet</b> keyboard", **fields)
    text = page_words(owner_client, "/activity/sent/")
    assert "A <b>quiet</b> keyboard to Phone" in text
    assert f">{chip}</span>" in owner_client.get("/activity/sent/").content.decode()


def test_a_stranger_stops_nothing(client: Client) -> None:
    run = make_run("queued")
    for address in (f"/activity/runs/{run.pk}/stop/", "/activity/stop/", "/activity/resume/"):
        assert client.post(address).headers["Location"].startswith("/sign-in/")
    run.refresh_from_db()
    assert (run.state, is_stopped()) == ("queued", False)
