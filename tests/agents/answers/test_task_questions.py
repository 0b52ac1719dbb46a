"""Questions of a task: asked when they may be, and open until they are answered."""

from datetime import timedelta

import pytest
from constance import config

from agents.gateway import questions
from agents.models import Day, Run
from agents.schedules import start as schedules_start
from agents.worker import tick
from devices import events, protocol
from devices.grants import asks
from devices.models import Ask, Delivery, Device, Message
from devices.owner import muting
from tests.agents.answers.tasks import run_now, schedule_task, stored_messages
from tests.agents.background import Clock, carry_out_all
from tests.agents.outbox.send_message import immediate_answer, send_message
from tests.stand_ins.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


# Muted, and out of interruptions
# --------------------------------------------------------------------------


def allow_and_carry_out(run: Run) -> Run:
    asks.answer_ask(Ask.objects.open().get().prompt, "allow", scope="always")
    carry_out_all()
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("days_muted", [3, None])
def test_who_is_muted_is_asked_once_they_are_not_and_has_their_whole_time_then(
    clock: Clock, canned_browser: Device, model: ModelServer, days_muted: int | None
) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    muting.mute_until(clock.now + timedelta(days=days_muted) if days_muted else None)
    run = run_now(schedule_task())
    assert (run.state, Ask.objects.get().state) == ("parked", "open")
    clock.move(hours=48)
    tick.tick()
    assert (Ask.objects.get().state, Delivery.objects.count(), Day.objects.filter(interruptions__gt=0).exists()) == (
        "open",
        0,
        False,
    )
    muting.unmute()
    questions.ask_held(clock.now)
    ask = Ask.objects.get()
    assert (Delivery.objects.get().prompt, ask.held_until) == (ask.prompt, None)
    assert ask.expires_at == clock.now + asks.SHOWN_FOR
    assert allow_and_carry_out(run).state == "done"


def test_who_was_asked_enough_today_is_asked_tomorrow(clock: Clock, canned_browser: Device, model: ModelServer) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.DAY_INTERRUPTIONS_MAX = 1
    Day.objects.create(day=clock.now.date(), interruptions=1)
    run = run_now(schedule_task())
    assert (run.state, Delivery.objects.count(), Day.objects.get().interruptions) == ("parked", 0, 1)
    clock.move(hours=20)  # the next morning
    questions.ask_held(clock.now)
    assert Delivery.objects.get().prompt == Ask.objects.get().prompt
    assert Day.objects.get(day=clock.now.date()).interruptions == 1
    assert allow_and_carry_out(run).state == "done"


def test_the_last_question_of_a_day_is_asked(clock: Clock, canned_browser: Device, model: ModelServer) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.DAY_INTERRUPTIONS_MAX = 1
    run_now(schedule_task())
    assert (Delivery.objects.count(), Day.objects.get().interruptions) == (1, 1)


# Shown in browsers
# -------------------------------------------------


@pytest.fixture
def frames_sent(monkeypatch: pytest.MonkeyPatch) -> list[protocol.ServerFrame]:
    """What open sockets are sent about questions."""
    frames: list[protocol.ServerFrame] = []

    def send(frame: protocol.ServerFrame, group: str = events.OWNER_GROUP) -> None:
        if group == events.OWNER_GROUP:
            frames.append(frame)

    monkeypatch.setattr(events, "send_frame", send)
    return frames


def open_prompts() -> list[str]:
    """Return the prompts that a device shows if it connects now."""
    return [str(frame.request_id) for frame in asks.shown_now()]


@pytest.mark.parametrize("hours", [0.1, 10, 40])
def test_a_question_of_it_is_shown_and_answered_by_a_word_as_long_as_it_waits(
    clock: Clock, canned_browser: Device, frames_sent: list[protocol.ServerFrame], hours: float
) -> None:
    run = run_now(schedule_task())
    prompt = str(Ask.objects.get().prompt)
    assert ([frame.type for frame in frames_sent], open_prompts()) == (["grant.ask"], [prompt])
    for _ in range(10):
        clock.move(hours=hours / 10)
        tick.tick()
        assert open_prompts() == [prompt]
    assert immediate_answer("yes, always").text == "I may read pages on coffee.example always."
    assert ([frame.type for frame in frames_sent][-1], open_prompts()) == ("grant.dismiss", [])
    carry_out_all()
    run.refresh_from_db()
    assert run.state == "done"


def test_after_days_of_silence_it_still_waits_and_was_asked_once(
    clock: Clock, canned_browser: Device, frames_sent: list[protocol.ServerFrame]
) -> None:
    schedule = schedule_task()
    run = run_now(schedule)
    for _ in range(7 * 24):
        clock.move(hours=1)
        assert carry_out_all() == []
    run.refresh_from_db()
    ask = Ask.objects.get()
    assert (run.state, ask.state, open_prompts()) == ("parked", "open", [str(ask.prompt)])
    assert (stored_messages(), sum(Day.objects.values_list("interruptions", flat=True))) == ([], 1)
    assert {(frame.type, getattr(frame, "request_id", None)) for frame in frames_sent} == {
        ("grant.ask", ask.prompt)
    }  # in its place, for longer
    assert schedules_start.why_waiting(schedule, clock.now) == "It waits for your answer."
    assert allow_and_carry_out(run).state == "done"


def test_a_machine_that_slept_for_days_asks_on_when_it_wakes(clock: Clock, canned_browser: Device) -> None:
    run = run_now(schedule_task())
    clock.move(hours=100)
    assert carry_out_all() == []
    assert (open_prompts(), allow_and_carry_out(run).state) == ([str(Ask.objects.get().prompt)], "done")


def test_what_arose_in_quiet_hours_is_shown_when_they_are_over(
    clock: Clock, canned_browser: Device, frames_sent: list[protocol.ServerFrame]
) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    clock.move(hours=10)  # midnight in Berlin
    run = run_now(schedule_task(in_quiet_hours=True))
    clock.move(hours=1)
    again = run_now(schedule_task(in_quiet_hours=True))
    assert (frames_sent, open_prompts(), Ask.objects.open().count()) == ([], [], 2)
    immediate_answer("/status")  # she has said something else since it arose
    Message.objects.update(created_at=clock.now)
    clock.move(hours=7)
    tick.tick()
    [prompt] = open_prompts()  # one for both
    assert {(frame.type, str(getattr(frame, "request_id", ""))) for frame in frames_sent} == {("grant.ask", prompt)}
    assert immediate_answer("always").text == "I may read pages on coffee.example always."
    carry_out_all()
    assert [Run.objects.get(pk=row.pk).state for row in (run, again)] == ["done", "done"]


def test_a_plain_yes_at_night_is_no_answer_to_what_was_not_asked_yet(clock: Clock, canned_browser: Device) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    clock.move(hours=10)
    run_now(schedule_task(in_quiet_hours=True))
    send_message("yes")
    assert Ask.objects.get().state == "open"


def test_a_question_of_a_run_that_is_no_more_goes(clock: Clock, canned_browser: Device) -> None:
    run = run_now(schedule_task())
    Run.objects.filter(pk=run.pk).update(state="failed")
    clock.move(hours=13)
    tick.tick()
    assert (Ask.objects.get().state, open_prompts()) == ("expired", [])


def test_a_question_for_what_was_called_off_goes_with_its_run(clock: Clock, canned_browser: Device) -> None:
    schedule = schedule_task()
    run = run_now(schedule)
    schedule.set_deleted(clock.now)
    clock.move(hours=13)
    assert carry_out_all() == []
    run.refresh_from_db()
    assert (run.state, Ask.objects.get().state, open_prompts(), stored_messages()) == ("cancelled", "expired", [], [])


def test_a_turn_asks_for_its_minute_beside_it_and_one_answer_is_for_both(clock: Clock, canned_browser: Device) -> None:
    run = run_now(schedule_task())
    turn = send_message("How is it brewed?")
    ask = asks.ask_grant(turn.pk, "coffee.example", "read", "To read a page there.", is_background=False)
    assert set(open_prompts()) == {str(Ask.objects.get(run_id=run.pk).prompt), str(ask.prompt)}
    assert ask.prompt_until == clock.now + timedelta(minutes=1)
    asks.answer_ask(ask.prompt, "allow", scope="always")
    assert (open_prompts(), Ask.objects.open().exists()) == ([], False)
