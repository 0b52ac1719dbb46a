"""A background run whose model is busy waits without a slot, and is told only when it is given up."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from constance import config
from django.test import Client

from agents.models import Run, Schedule
from agents.runs import busy_model
from agents.schedules import start as schedules_start
from agents.worker import tick
from devices.models import Message
from devices.owner.stop import is_stopped
from devices.web.links import link_to
from tests.agents.background import Clock, carry_out_all, movable_clock, use_model
from tests.page_client import page_words
from tests.stand_ins.model_server import ModelServer, Reply

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
EIGHT = datetime(2026, 6, 2, 6, tzinfo=UTC)  # on the owner's clock
OVERLOADED = Reply(status=529, headers={"Retry-After": "20"})


@pytest.fixture
def morning(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    use_model(monkeypatch, model)
    monkeypatch.setattr(busy_model, "BACKGROUND_PATIENCE_S", 0.0)
    Schedule.objects.all().delete()
    return movable_clock(monkeypatch, EIGHT - timedelta(minutes=1))


@pytest.fixture
def daily(morning: Clock) -> Schedule:
    task = "Write a line about rain"
    return Schedule.objects.create(name="Mine", kind="task", task=task, rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0")


def carry_on_until(morning: Clock, moment: datetime) -> None:
    """Let Penny tick every ten seconds."""
    while morning.now < moment:
        carry_out_all()
        morning.move(seconds=10)


def messages() -> list[Message]:
    return list(Message.objects.order_by("seq"))


def start_and_meet(model: ModelServer, daily: Schedule, reply: Reply = OVERLOADED) -> Run:
    model.on(lambda _: True, reply)
    schedules_start.run_now(daily)
    return carry_out_all()[0]


def test_a_task_at_eight_whose_model_is_overloaded_for_ten_minutes_is_done_at_a_quarter_past(
    morning: Clock, daily: Schedule, model: ModelServer
) -> None:
    model.on(lambda _: morning.now < EIGHT + timedelta(minutes=10), OVERLOADED)
    carry_on_until(morning, EIGHT + timedelta(minutes=20))
    [run], [message] = Run.objects.all(), messages()
    assert (run.state, message.kind) == ("done", "chat")
    assert run.ended_at == EIGHT + timedelta(minutes=15)
    assert (run.interrupted_attempts, run.spent_steps) == (1, 1)
    daily.refresh_from_db()
    assert daily.next_run_at == EIGHT + timedelta(days=1)
    assert len(model.requests) == 5


def test_it_is_told_once_it_is_given_up_with_the_words_of_the_failure_and_a_way_to_try_again(
    morning: Clock, daily: Schedule, model: ModelServer, owner_client: Client
) -> None:
    model.on(lambda _: True, OVERLOADED)
    carry_on_until(morning, EIGHT + timedelta(minutes=14, seconds=50))
    assert messages() == []
    carry_on_until(morning, EIGHT + timedelta(minutes=20))
    [run], [message] = Run.objects.all(), messages()
    assert (run.state, run.error_code, message.kind) == ("failed", "model_busy", "failure")
    assert "has no time now: its server answers 529. Try again in a minute." in message.text
    assert f"[Try again]({link_to('run', run.pk)})" in message.text
    model.reset()
    assert "Try again" in page_words(owner_client, f"/runs/{run.pk}/")
    owner_client.post(f"/activity/runs/{run.pk}/again/")
    assert [again.state for again in carry_out_all()] == ["done"]
    assert [message.kind for message in messages()] == ["failure", "chat"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=529, headers={"Retry-After": "20"}), "The model is busy. Again at 07:59."),
        (Reply(status=429, headers={"Retry-After": "3600"}), "The model is busy. Again at 08:59."),
        (Reply(status=503), "The model is busy. Again at 07:59."),
    ],
)
def test_activity_shows_what_it_waits_for(
    morning: Clock, daily: Schedule, model: ModelServer, owner_client: Client, reply: Reply, words: str
) -> None:
    run = start_and_meet(model, daily, reply)
    assert (run.state, run.outcome, run.lease_until, run.error_code) == ("queued", words, None, "")
    assert f"Write a line about rain Carrying out a task · {words}" in page_words(owner_client, "/activity/")
    assert words in page_words(owner_client, f"/runs/{run.pk}/")
    assert words in page_words(owner_client, "/activity/routine/")


def test_it_can_be_tried_now_and_stopped(
    morning: Clock, daily: Schedule, model: ModelServer, owner_client: Client
) -> None:
    run = start_and_meet(model, daily)
    assert carry_out_all() == []
    owner_client.post(f"/activity/runs/{run.pk}/now/")
    [run] = carry_out_all()
    assert (run.state, run.model_waits, len(model.requests)) == ("queued", 2, 2)
    owner_client.post(f"/activity/runs/{run.pk}/stop/")
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("cancelled", "Stopped.")
    Schedule.objects.update(enabled=False)
    morning.move(minutes=30)
    assert carry_out_all() == []
    assert len(model.requests) == 2
    html = owner_client.post(f"/activity/runs/{run.pk}/now/", follow=True).content.decode()
    assert "It does not wait any more." in html
    assert not is_stopped()


def test_trying_now_takes_no_later_try_away(
    morning: Clock, daily: Schedule, model: ModelServer, owner_client: Client
) -> None:
    run = start_and_meet(model, daily)
    for _ in range(6):
        morning.move(seconds=10)
        owner_client.post(f"/activity/runs/{run.pk}/now/")
        [run] = carry_out_all()
    begin = EIGHT - timedelta(minutes=1)
    assert (run.state, run.not_before, run.interrupted_attempts) == ("queued", begin + timedelta(minutes=2), 0)
    Schedule.objects.update(enabled=False)
    model.reset()
    carry_on_until(morning, begin + timedelta(minutes=2, seconds=10))
    run.refresh_from_db()
    assert run.state == "done"


def test_a_later_time_of_a_schedule_does_not_start_it_a_second_time(
    morning: Clock, daily: Schedule, model: ModelServer
) -> None:
    Schedule.objects.filter(pk=daily.pk).update(rrule="FREQ=MINUTELY;INTERVAL=5")
    model.on(lambda _: True, OVERLOADED)
    carry_on_until(morning, EIGHT + timedelta(minutes=12))
    assert Run.objects.count() == 1


def test_the_waits_are_no_attempts(morning: Clock, daily: Schedule, model: ModelServer) -> None:
    """A run that was interrupted five times ends; one that waited as often goes on."""
    run = start_and_meet(model, daily)
    abandoned: dict[str, Any] = {"state": "running", "attempt": 5, "model_waits": 3, "lease_until": morning.now}
    Run.objects.filter(pk=run.pk).update(**abandoned, started_at=morning.now)
    morning.move(seconds=10)
    tick.tick()
    run.refresh_from_db()
    assert run.state == "queued"


@pytest.mark.parametrize("status", [401, 404])
def test_what_no_waiting_mends_fails_at_once(morning: Clock, daily: Schedule, model: ModelServer, status: int) -> None:
    assert start_and_meet(model, daily, Reply(status=status)).state == "failed"
