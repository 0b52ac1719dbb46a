"""Removal of old rows in small batches, after a preview; cited rows stay."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from constance import config
from constance.test import override_config
from django.test import Client
from django.utils import timezone

from agents.answers.writer import with_sources
from agents.llm.messages import Answer
from agents.models import Run, Step
from agents.runs.handles import Handles
from agents.turns.finish import finish_turn
from agents.worker import retention
from devices.models import BrowserCall, Device, Message, MessageClaim
from devices.owner.account import the_owner
from penny_site import tasks
from tests.pages import visible_words
from tests.penny import form_fields
from thoughts.models import Claim, Page, Picture, Thought

DATA = "/settings/data/"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

NOW = timezone.now()
PROMPT = {
    "instructions": "You are Penny.",
    "turns": [{"role": "user", "text": "secret words"}],
    "tools": ["browse_url"],
    "sent": [{"sha256": "f"}],
}


def add_page(days: int, **fields: Any) -> Page:
    row = Page.objects.create(
        url="https://a.example/", domain="a.example", title="A", text="It holds.", sha256="0" * 64, **fields
    )
    Page.objects.filter(pk=row.pk).update(fetched_at=NOW - timedelta(days=days))
    return row


def add_step(days: int, kind: str = "model", state: str = "done") -> Step:
    at = NOW - timedelta(days=days)
    run = Run.objects.create(kind=Run.Kind.THINKING, state=state, created_at=at)
    row = Step.objects.create(run=run, kind=kind, zone="planner", name="m", request=PROMPT, result={"text": "found"})
    Step.objects.filter(pk=row.pk).update(started_at=at)
    return row


def sweep_all() -> None:
    while retention.sweep(NOW):
        pass


def test_the_prompt_of_a_step_is_removed_first_and_its_audit_stays() -> None:
    old, fresh, tool, open_one = add_step(31), add_step(29), add_step(31, "tool"), add_step(31, state="parked")
    sweep_all()
    for row in (old, fresh, tool, open_one):
        row.refresh_from_db()
    assert old.request == {"tools": ["browse_url"], "sent": [{"sha256": "f"}]}
    assert (old.result, old.prompt_removed_at is not None) == ({"text": "found"}, True)
    assert [row.request for row in (fresh, tool, open_one)] == [PROMPT] * 3


def test_old_steps_and_calls_are_removed_unless_their_run_is_open() -> None:
    device = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    old, fresh, open_one = add_step(91), add_step(89), add_step(91, state="running")
    for row in (old, fresh, open_one):
        call = BrowserCall.objects.create(
            device=device, connection="c", run_id=row.run_id, tool="t", arguments={}, deadline_at=NOW
        )
        BrowserCall.objects.filter(pk=call.pk).update(created_at=row.run.created_at)
    sweep_all()
    remaining_run_ids = {fresh.run_id, open_one.run_id}
    assert (
        set(Step.objects.values_list("run_id", flat=True))
        == set(BrowserCall.objects.values_list("run_id", flat=True))
        == remaining_run_ids
    )
    assert Run.objects.count() == 3


def test_a_page_is_kept_as_long_as_a_thought_or_a_message_cites_it() -> None:
    message = Message.objects.create(owner=the_owner(), seq=1, device_label="Desk", direction="out", text="A", html="A")
    question = Message.objects.create(owner=the_owner(), seq=2, device_label="Desk", direction="in", text="B", html="B")
    thought = Thought.objects.create(title="A", text="A", html="A")
    claimed_page, thought_page, source_page, answer_page, shared_page, loose_page, fresh_page = (
        add_page(days) for days in (400, 400, 400, 400, 400, 91, 89)
    )
    Claim.objects.create(thought=thought, page=claimed_page, text="It holds.", quote="It holds.", start=0, end=9)
    thought.pages.add(thought_page)
    message.sources.add(source_page)
    MessageClaim.objects.create(
        message=message, number=1, page=answer_page, text="It holds.", quote="It holds.", start=0, end=9
    )
    Run.objects.create(kind=Run.Kind.TURN, state="done", message=question, page=shared_page)
    sweep_all()
    assert set(Page.objects.all()) == {claimed_page, thought_page, source_page, answer_page, shared_page, fresh_page}
    thought.delete()
    message.delete()
    question.delete()
    sweep_all()
    assert set(Page.objects.all()) == {fresh_page}
    assert not Page.objects.filter(pk=loose_page.pk).exists()


def test_an_answer_cites_the_pages_that_it_links() -> None:
    question = Message.objects.create(
        owner=the_owner(), seq=9, device_label="Desk", direction="in", text="A", html="A", turn_id=uuid4()
    )
    run = Run.objects.create(kind=Run.Kind.TURN, state="running", attempt=1, message=question, turn_id=question.turn_id)
    linked, unused = (
        Page.objects.create(url=f"https://a.example/{name}", domain="a.example", text="It holds.")
        for name in ("a_(b)", "c")
    )
    handles = Handles([])
    for row in (linked, unused):
        handles.add_page(row, row.url, row.domain)
    handles.domains |= {"p1": "a.example", "p2": "a.example"}
    assert finish_turn(run, with_sources(Answer(text="It holds [p1]."), handles))
    Page.objects.update(fetched_at=NOW - timedelta(days=400))
    sweep_all()
    assert list(Page.objects.all()) == [linked]


def test_a_picture_is_removed_with_the_last_page_that_shows_it() -> None:
    pictures = [Picture.objects.create(sha256=name, data=b"x", width=1, height=1) for name in ("a", "b")]
    add_page(91, picture=pictures[0])
    add_page(91, picture=pictures[1])
    add_page(1, picture=pictures[1])
    sweep_all()
    assert list(Picture.objects.all()) == [pictures[1]]


def test_one_sweep_removes_at_most_a_batch_of_each_kind() -> None:
    run = add_step(91).run
    Step.objects.bulk_create([Step(run=run, kind="tool", zone="planner", name="t") for _ in range(450)])
    Step.objects.update(started_at=NOW - timedelta(days=91))
    remaining_counts = []
    while retention.sweep(NOW):
        remaining_counts.append(Step.objects.count())
    assert remaining_counts == [251, 51, 0]


def test_zero_days_keep_everything() -> None:
    add_step(9000)
    add_page(9000)
    with override_config(KEEP_PROMPTS_DAYS=0, KEEP_STEPS_DAYS=0, KEEP_PAGES_DAYS=0, KEEP_VISITS_DAYS=0):
        assert retention.sweep(NOW) == 0


def test_the_tick_removes_old_rows_and_then_rests() -> None:
    add_step(91)
    for _ in range(3):
        tasks.keep_house()
    assert not Step.objects.exists()
    add_step(91)
    tasks.keep_house()
    assert Step.objects.count() == 1


def save_days(client: Client, press: str = "", **days: str) -> str:
    """Change times on the page and press Save, or the button that agrees; return the page that follows."""
    fields = form_fields(client.get(DATA).content.decode()) | days | ({"remove": press} if press else {})
    return client.post(DATA, fields, follow=True).content.decode()


def test_shorter_times_say_what_they_remove_and_nothing_is_removed_until_the_owner_agrees(owner_client: Client) -> None:
    add_step(20)
    add_page(20)
    days = {"KEEP_STEPS_DAYS": "10", "KEEP_PAGES_DAYS": "10"}
    words = visible_words(question := save_days(owner_client, **days))
    assert "With these times Penny removes 2 records now." in words
    assert "older than 10 days: 1, " in words
    assert (Step.objects.count(), Page.objects.count(), retention.settings()["KEEP_STEPS_DAYS"]) == (1, 1, 90)
    assert form_fields(question)["KEEP_STEPS_DAYS"] == "10"
    assert "0 of 2 records removed" in visible_words(save_days(owner_client, "save", **days))
    tasks.remove_old()
    assert (Step.objects.count(), Page.objects.count(), retention.settings()["KEEP_STEPS_DAYS"]) == (0, 0, 10)
    assert "2 of 2 records removed" in visible_words(owner_client.get(DATA).content.decode())


def test_a_reset_that_removes_something_asks_too(owner_client: Client) -> None:
    config.KEEP_STEPS_DAYS = 400
    add_step(200)
    fields = form_fields(owner_client.get(DATA).content.decode())
    question = owner_client.post(DATA, fields | {"reset": "KEEP_STEPS_DAYS"}).content.decode()
    assert (config.KEEP_STEPS_DAYS, 'name="remove" value="KEEP_STEPS_DAYS"' in question) == (400, True)
    owner_client.post(DATA, fields | {"remove": "KEEP_STEPS_DAYS"})
    assert config.KEEP_STEPS_DAYS == 90


@pytest.mark.parametrize(("days", "value"), [("400", 400), ("0", 0), ("89", 89)])
def test_times_that_remove_nothing_are_saved_at_once(owner_client: Client, days: str, value: int) -> None:
    add_step(20)
    assert "Saved." in save_days(owner_client, KEEP_STEPS_DAYS=days)
    assert value == config.KEEP_STEPS_DAYS


def test_what_is_too_old_can_be_removed_at_once(owner_client: Client) -> None:
    add_step(100)
    assert "Remove them now" in owner_client.get(DATA).content.decode()
    html = owner_client.post("/settings/data/remove/", follow=True).content.decode()
    assert "records removed" in visible_words(html)
    tasks.remove_old()
    owner_client.get(DATA)  # which shows the end of it
    assert "nothing to remove" in owner_client.post("/settings/data/remove/", follow=True).content.decode()


def test_invalid_times_are_refused(owner_client: Client) -> None:
    before = retention.settings()
    html = save_days(owner_client, "save", KEEP_PROMPTS_DAYS="-1", KEEP_STEPS_DAYS="x", KEEP_PAGES_DAYS="5")
    assert html.count('class="wrong"') == 2
    assert retention.settings() == before


def test_the_page_of_a_run_says_that_its_prompts_or_its_steps_were_removed(owner_client: Client) -> None:
    prompt_step, old_step = add_step(31), add_step(91)
    sweep_all()
    html = owner_client.get(f"/runs/{prompt_step.run_id}/").content.decode()
    assert "secret words" not in html
    assert "words that were removed on" in html
    assert "no longer kept" in owner_client.get(f"/runs/{old_step.run_id}/").content.decode()
    assert "secret words" not in owner_client.get(f"/admin/agents/run/{prompt_step.run_id}/change/").content.decode()


def test_only_the_owner_sees_and_removes(client: Client) -> None:
    for address in (DATA, "/settings/data/remove/", "/admin/retention/"):
        assert client.post(address, {"KEEP_STEPS_DAYS": "1", "remove": "save"}).status_code == 302
    assert retention.settings()["KEEP_STEPS_DAYS"] == 90


def test_the_page_exports_what_other_programs_read(owner_client: Client) -> None:
    html = owner_client.get(DATA).content.decode()
    exports = re.findall(r'<a class="what" href="([^"]+)"', html)
    assert [owner_client.get(address).status_code for address in exports] == [200] * 6
