"""What Penny says by herself, or beside an answer, reaches who talks to her over Signal."""

from datetime import UTC, datetime

import pytest
from constance import config
from django.utils import timezone

from agents import ticking
from agents.models import Run, Schedule
from devices.models import Device, Message
from tests.agents.background import Clock, carry_out_all, moved, use_model
from tests.agents.on_signal import post
from tests.agents.telling import answer, tell
from tests.model_server import ModelServer, Reply, ToolUse, text
from tests.signal_server import OWNER, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
OTHER = "+491710000009"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    Schedule.objects.all().delete()
    return moved(monkeypatch, datetime(2020, 11, 22, 16, 30, tzinfo=UTC))


def told(signal: SignalServer) -> list[tuple[str, str]]:
    """Send what waits; return who got what."""
    post()
    return [(sent.body["recipients"][0], sent.text) for sent in signal.sent]


def reminded(clock: Clock, **later: float) -> None:
    clock.move(**later)
    ticking.tick()


def test_a_reminder_comes_to_the_phone_that_set_it(signal: SignalServer, phone: Device, clock: Clock) -> None:
    Device.objects.create(label="Other", kind=Device.Kind.SIGNAL, address=OTHER, used_at=timezone.now())
    config.QUIET_FROM, config.QUIET_TO = "00:00", "23:59"
    answer("/remind me in 20 minutes to turn off the oven", phone)
    told(signal)
    reminded(clock, minutes=20)
    assert told(signal)[1:] == [(OWNER, "⏰ turn off the oven")]


def test_one_that_repeats_comes_to_the_phone_that_set_it(signal: SignalServer, phone: Device, clock: Clock) -> None:
    Device.objects.create(label="Other", kind=Device.Kind.SIGNAL, address=OTHER, used_at=timezone.now())
    answer("/remind every day at 18:00 stretch", phone)
    answer("yes", phone)
    told(signal)
    reminded(clock, hours=1)
    assert told(signal)[2:] == [(OWNER, "⏰ stretch")]


def test_one_that_was_set_in_the_chat_comes_to_where_the_owner_is_told_things(signal: SignalServer, phone: Device, clock: Clock) -> None:
    config.NOTIFY_CHANNEL = "signal"
    Device.objects.filter(pk=phone.pk).update(used_at=clock.now)
    Device.objects.create(label="Never used", kind=Device.Kind.SIGNAL, address=OTHER)
    answer("/remind me in 20 minutes to turn off the oven")
    reminded(clock, minutes=20)
    assert told(signal) == [(OWNER, "⏰ turn off the oven")]


def test_the_phone_that_set_one_and_was_taken_away_since_hears_nothing(signal: SignalServer, phone: Device, clock: Clock) -> None:
    answer("/remind me in 20 minutes to turn off the oven", phone)
    told(signal)
    Device.objects.filter(pk=phone.pk).update(revoked_at=clock.now)
    reminded(clock, minutes=20)
    assert len(told(signal)) == 1


def test_who_uses_signal_only_is_asked_there_how_to_be_called(signal: SignalServer, phone: Device, clock: Clock) -> None:
    for _ in range(3):
        tell("Hello", phone)
        answer("/status", phone)
    Run.objects.update(state=Run.State.DONE)
    Message.objects.update(created_at=clock.now)
    told(signal)
    clock.move(hours=1)
    ticking.tick()
    assert "how may I call you" in told(signal)[-1][1]


def test_what_the_planner_reads_back_is_read_on_the_phone_that_asked(
    signal: SignalServer, phone: Device, clock: Clock, monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    asked = {"when": "every weekday at 8", "what": "find news"}
    model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=(ToolUse("schedule", asked),)))
    model.on(lambda request: bool(request.tool_results), text("Done."))
    tell("Every weekday at eight, find news", phone)
    carry_out_all()
    [(_, read_back), (_, done)] = told(signal)
    assert (read_back.startswith("I would do this"), done) == (True, "Done.")
    assert "Kept." in answer("yes", phone).text
