"""A run whose worker died is retried with growing delays. The last failure says so."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone

from agents.models import ATTEMPTS_MAX, BACKOFF_S, Run, Step
from agents.turns.start import start_turn
from agents.worker import tick
from agents.worker.tick import SENT_AGAIN
from devices import protocol
from devices.access.handshake import web_device
from devices.conversation import messages
from devices.models import Message
from devices.owner.account import the_owner
from devices.web.links import link_to
from tests.agents.background import carry_out_all
from thoughts.models import Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
WORDS = "Espresso is [coffee.example](https://coffee.example/)"
PARTIAL = {
    "text": WORDS,
    "links": ["https://coffee.example/"],
    "origin": ["coffee.example"],
}


def ask_turn(**fields: object) -> Run:
    """Return a turn that is stored and not started."""
    frame = protocol.ChatSend.model_validate({"turn_id": uuid4(), "text": "How?"} | fields)
    run = start_turn(the_owner(), web_device(), frame)
    assert run is not None
    return run


def abandoned_turn(attempt: int, **fields: object) -> Run:
    """Return a turn whose worker was killed during that attempt."""
    run, lease_until = ask_turn(), timezone.now() - timedelta(seconds=1)
    fields |= {"state": "running", "attempt": attempt, "lease_until": lease_until, "started_at": lease_until}
    Run.objects.filter(pk=run.pk).update(**fields)
    run.refresh_from_db()
    return run


def wait_s(run: Run) -> float:
    return (run.not_before - timezone.now()).total_seconds() if run.not_before else 0.0


@pytest.mark.parametrize("attempt", range(1, ATTEMPTS_MAX))
def test_an_abandoned_run_waits_longer_before_each_next_attempt(attempt: int) -> None:
    run = abandoned_turn(attempt)
    tick.tick()
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("queued", attempt)
    assert wait_s(run) == pytest.approx(BACKOFF_S[attempt - 1], abs=0.9)


def test_a_run_that_waits_for_its_next_attempt_is_not_claimed_before() -> None:
    run, now = ask_turn(), timezone.now()
    Run.objects.filter(pk=run.pk).update(not_before=now + timedelta(seconds=4))
    assert Run.objects.claim([run.pk], now) == []
    assert Run.objects.claim([run.pk], now + timedelta(seconds=5)) == [run]


def test_after_the_last_attempt_what_was_written_is_kept_and_it_is_said_why_there_is_no_more() -> None:
    run = abandoned_turn(ATTEMPTS_MAX, partial=PARTIAL)
    tick.tick()
    run.refresh_from_db()
    answer = Message.objects.get(turn_id=run.turn_id, direction="out")
    assert (run.state, run.error_code, run.partial) == ("failed", "interrupted", {})
    assert answer.kind == "failure"
    assert answer.text.startswith(WORDS)
    assert "interrupted" in answer.text
    assert answer.origin == ["coffee.example"]
    assert '<a href="https://coffee.example/"' in answer.html


def test_a_run_whose_lease_was_renewed_meanwhile_is_left_alone() -> None:
    run = abandoned_turn(ATTEMPTS_MAX)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() + timedelta(seconds=5))
    tick._requeue_abandoned(run)
    run.refresh_from_db()
    assert run.state == "running"


def test_of_steps_that_were_interrupted_nobody_says_that_they_still_run() -> None:
    run = abandoned_turn(1)
    step = Step.objects.create(run=run, kind="model", zone="planner", name="m")
    tick.tick()
    assert Run.objects.claim([run.pk], timezone.now()) == [run]
    step.refresh_from_db()
    assert (step.state, step.ended_at is not None) == ("unknown", True)


def test_a_question_that_failed_is_asked_again_with_the_page_that_it_was_about() -> None:
    page = {
        "url": "https://coffee.example/",
        "title": "Coffee",
        "text": "Nine bars.",
        "links": [],
        "extracted_with": "text",
        "truncated": False,
    }
    first = ask_turn(page=page)
    Run.objects.update(state="running", attempt=ATTEMPTS_MAX, lease_until=timezone.now() - timedelta(seconds=1))
    tick.tick()
    failure = Message.objects.get(turn_id=first.turn_id, direction="out")
    again = ask_turn(turn_id=failure.id, parent_id=failure.id)
    assert again.message is not None
    assert (again.page, again.message.page) == (
        Page.objects.get(),
        {"url": "https://coffee.example/", "title": "Coffee", "read": link_to("page_read", Page.objects.get().pk)},
    )
    assert ask_turn(parent_id=failure.id, text="Something else?").page is None
    assert first.message is not None
    reply = ask_turn(parent_id=first.message.pk, text="A better question?")  # a reply to the question about the page
    assert reply.message is not None
    assert (reply.page, reply.message.page) == (again.page, again.message.page)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_turn_is_not_over_before_what_ended_it_is_stored(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    run, store, failures = ask_turn(), messages.store_message, [times]

    def store_later(*args: Any, **fields: Any) -> Message:
        if failures[0]:
            failures[0] -= 1
            raise OperationalError("database or disk is full")
        return store(*args, **fields)

    monkeypatch.setattr(messages, "store_message", store_later)
    carry_out_all()
    run.refresh_from_db()
    assert (run.state, failures) == ("running" if times == 3 else "failed", [0])
    assert Message.objects.filter(turn_id=run.turn_id, direction="out").exists() == (run.state == "failed")
    Run.objects.filter(state="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    carry_out_all()
    assert Message.objects.filter(turn_id=run.turn_id, direction="out").exists()


def test_of_a_long_queue_only_the_oldest_are_sent_again() -> None:
    runs = [Run(kind="turn", turn_id=uuid4()) for _ in range(SENT_AGAIN + 5)]
    Run.objects.bulk_create(runs)
    long_ago = timezone.now() - timedelta(seconds=10)
    Run.objects.update(updated_at=long_ago)
    tick.tick()
    requeued_runs = Run.objects.filter(updated_at__gt=long_ago).order_by("created_at")
    assert [run.pk for run in requeued_runs] == [run.pk for run in runs[:SENT_AGAIN]]
