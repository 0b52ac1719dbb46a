"""Proactive messages reach an owner who uses Signal."""

from datetime import UTC, datetime, timedelta

import pytest
from constance import config
from django.db import transaction
from django.utils import timezone

from agents.models import Schedule
from agents.outbox import send
from agents.worker import tick
from devices.channels import routing
from devices.conversation import messages
from devices.models import Delivery, Device, LineState, Message
from devices.owner import muting
from devices.owner.account import the_owner
from tests.agents.background import Clock, carry_out_all, movable_clock, use_model
from tests.agents.outbox.send_message import immediate_answer, send_message
from tests.agents.signal.on_signal import post_all
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text
from tests.stand_ins.signal_server import OWNER, Fault, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
OTHER = "+491710000009"


@pytest.fixture
def sunday_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    Schedule.objects.all().delete()
    return movable_clock(monkeypatch, datetime(2020, 11, 22, 16, 30, tzinfo=UTC))


def messages_sent(signal: SignalServer) -> list[tuple[str, str]]:
    """Send what waits; return recipients and texts."""
    post_all()
    return [(message.body["recipients"][0], message.text) for message in signal.sent]


def move_and_tick(clock: Clock, **later: float) -> None:
    clock.move(**later)
    tick.tick()


def test_a_reminder_comes_to_the_phone_that_set_it(signal: SignalServer, phone: Device, sunday_clock: Clock) -> None:
    Device.objects.create(label="Other", kind=Device.Kind.SIGNAL, address=OTHER, used_at=timezone.now())
    config.QUIET_FROM, config.QUIET_TO = "00:00", "23:59"
    muting.mute_until(None)
    immediate_answer("/remind me in 20 minutes to turn off the oven", phone)
    messages_sent(signal)
    move_and_tick(sunday_clock, minutes=20)
    assert messages_sent(signal)[1:] == [(OWNER, "⏰ turn off the oven")]


def test_one_that_repeats_comes_to_the_phone_that_set_it(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    Device.objects.create(label="Other", kind=Device.Kind.SIGNAL, address=OTHER, used_at=timezone.now())
    immediate_answer("/remind every day at 18:00 stretch", phone)
    immediate_answer("yes", phone)
    messages_sent(signal)
    move_and_tick(sunday_clock, hours=1)
    assert messages_sent(signal)[2:] == [(OWNER, "⏰ stretch")]


def test_one_that_was_set_in_the_chat_comes_to_where_the_owner_is_told_things(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    config.NOTIFY_CHANNEL = "signal"
    Device.objects.filter(pk=phone.pk).update(used_at=sunday_clock.now)
    Device.objects.create(label="Never used", kind=Device.Kind.SIGNAL, address=OTHER)
    immediate_answer("/remind me in 20 minutes to turn off the oven")
    move_and_tick(sunday_clock, minutes=20)
    assert messages_sent(signal) == [(OWNER, "⏰ turn off the oven")]


def test_the_phone_that_set_one_and_was_taken_away_since_hears_nothing(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    immediate_answer("/remind me in 20 minutes to turn off the oven", phone)
    messages_sent(signal)
    Device.objects.filter(pk=phone.pk).update(revoked_at=sunday_clock.now)
    move_and_tick(sunday_clock, minutes=20)
    assert len(messages_sent(signal)) == 1


def test_one_that_is_due_while_the_line_is_away_comes_when_it_is_back(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    immediate_answer("/remind me in 20 minutes to turn off the oven", phone)
    messages_sent(signal)
    state = LineState.of("signal")
    LineState.objects.filter(pk=state.pk).update(problem="away", problem_since=sunday_clock.now)
    move_and_tick(sunday_clock, minutes=20)
    LineState.objects.filter(pk=state.pk).update(problem="", problem_since=None)
    assert messages_sent(signal)[1:] == [(OWNER, "⏰ turn off the oven")]


def test_what_is_told_while_the_line_is_away_for_days_is_not_kept_for_it(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    state = LineState.of("signal")
    LineState.objects.filter(pk=state.pk).update(
        problem="unregistered", problem_since=sunday_clock.now - timedelta(days=2)
    )
    a_notice("A find.")
    assert not Delivery.objects.exists()


def a_notice(text: str, despite: Delivery.Despite = Delivery.Despite.NOTHING) -> None:
    """Send a proactive message."""
    with transaction.atomic():
        words = messages.render_content(text, [])
        message = messages.store_message(
            the_owner(), words, device=None, device_label="Penny", direction="out", kind="notification"
        )
        routing.send_proactive(message, "A find", despite=despite)


def texts_sent(signal: SignalServer) -> list[str]:
    return [text for _, text in messages_sent(signal)]


def test_what_is_put_off_into_quiet_hours_waits_for_their_end_and_holds_up_no_answer(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    a_notice("A find.")
    signal.fail(Fault(429))
    assert messages_sent(signal) == []
    sunday_clock.move(hours=5)  # 22:30
    immediate_answer("/remind me in 20 minutes to turn off the oven", phone)
    a_notice("A task that may be told at night.", Delivery.Despite.QUIET)
    move_and_tick(sunday_clock, minutes=20)
    assert [line.split()[0] for line in texts_sent(signal)] == ["I", "A", "⏰"]
    sunday_clock.move(hours=9)
    assert texts_sent(signal)[3:] == ["A find."]


@pytest.mark.parametrize("is_tried_first", [True, False])
def test_what_was_held_for_days_is_sent_afterwards_also_where_the_line_is_slow_then(
    signal: SignalServer, phone: Device, sunday_clock: Clock, is_tried_first: bool
) -> None:
    if is_tried_first:
        a_notice("A find.")
        signal.fail(Fault(429))
        assert messages_sent(signal) == []
    muting.mute_until(sunday_clock.now + timedelta(days=3, minutes=30))
    if not is_tried_first:
        a_notice("A find.")
    for _ in range(3):
        sunday_clock.move(hours=24)
        assert messages_sent(signal) == []
    sunday_clock.move(hours=1)
    signal.fail(Fault(429), Fault(503))
    assert messages_sent(signal) == []
    sunday_clock.move(hours=20)
    assert messages_sent(signal) == []
    assert texts_sent(signal) == ["A find."]


def test_what_its_line_does_not_take_for_a_day_is_given_up_and_says_so(
    signal: SignalServer, phone: Device, sunday_clock: Clock
) -> None:
    a_notice("A find.")
    signal.fail(Fault(429), Fault(429))
    assert messages_sent(signal) == []
    sunday_clock.move(hours=25)
    assert messages_sent(signal) == []
    failed = Delivery.objects.get()
    assert (failed.state, failed.error) == ("failed", "Not within a day: Signal's rate limit")


@pytest.mark.parametrize("is_elsewhere", [True, False])
def test_after_an_hour_of_trying_another_device_is_told_where_there_is_one(
    signal: SignalServer, phone: Device, sunday_clock: Clock, is_elsewhere: bool
) -> None:
    a_notice("A find.")
    signal.fail(Fault(503))
    if is_elsewhere:
        Device.objects.create(label="Other", kind=Device.Kind.SIGNAL, address=OTHER)
    Delivery.objects.update(attempts=send.ATTEMPTS_MAX)
    messages_sent(signal)
    assert messages_sent(signal) == [(OTHER if is_elsewhere else OWNER, "A find.")]


def test_what_was_scheduled_is_not_told_to_who_is_muted_until_that_is_over(
    signal: SignalServer, phone: Device, sunday_clock: Clock, monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    Schedule.objects.create(
        name="Beans", kind="task", task="What is new?", rrule="", next_run_at=sunday_clock.now, in_quiet_hours=True
    )
    immediate_answer("/mute", phone)
    messages_sent(signal)
    sunday_clock.move(hours=1)
    Message.objects.update(created_at=sunday_clock.now - timedelta(hours=1))
    assert [run.state for run in carry_out_all()] == ["done"]
    assert len(texts_sent(signal)) == 1
    immediate_answer("/unmute", phone)
    assert sorted(line.splitlines()[-1] for line in texts_sent(signal)[1:]) == [
        "I speak up again.",
        "You said: What is new? I have nothing to add.",
    ]


def test_what_the_planner_reads_back_is_read_on_the_phone_that_asked(
    signal: SignalServer, phone: Device, sunday_clock: Clock, monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    arguments = {"when": "every weekday at 8", "what": "find news"}
    model.on(
        lambda request: bool(request.tools) and not request.tool_results, Reply(tools=(ToolUse("schedule", arguments),))
    )
    model.on(lambda request: bool(request.tool_results), text("Done."))
    send_message("Every weekday at eight, find news", phone)
    carry_out_all()
    [(_, read_back), (_, reply)] = messages_sent(signal)
    assert (read_back.startswith("I would do this"), reply) == (True, "Done.")
    assert "Kept." in immediate_answer("yes", phone).text
