"""Questions of background work at night: asked on Signal in the morning, once."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from constance import config

from agents.gateway import questions
from agents.models import Run, Schedule
from agents.worker import tick
from devices.channels.signal.channel import Signal
from devices.grants import asks
from devices.models import Ask, Delivery, Device
from devices.owner import muting
from tests.agents.background import Clock, movable_clock
from tests.agents.signal.questions import HOST, laptop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def at_night(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Set the clock to half past midnight in Berlin, with quiet hours until seven."""
    config.NOTIFY_CHANNEL, config.TIMEZONE, config.QUIET_FROM, config.QUIET_TO = (
        "signal",
        "Europe/Berlin",
        "22:00",
        "07:00",
    )
    return movable_clock(monkeypatch, datetime(2020, 11, 22, 23, 30, tzinfo=UTC))


def asked_in_the_background(host: str = HOST) -> Ask:
    schedule = Schedule.objects.filter(kind=Schedule.Kind.THINKING).first()
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED, schedule=schedule)
    assert schedule is not None
    ask = asks.ask_grant(waiting.pk, host, "read", "To read there.", is_background=True)
    questions.queue_question(waiting, ask)
    return ask


def prompts_sent() -> list[UUID | None]:
    """Tick; return the prompts that were sent to the phone, or are on their way."""
    tick.tick()
    return list(Delivery.objects.order_by("id").values_list("prompt", flat=True))


def test_what_arose_at_night_is_asked_in_the_morning_and_once(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    ask = asked_in_the_background()
    assert prompts_sent() == []
    clock.move(hours=6)
    assert prompts_sent() == []
    clock.move(minutes=30)
    assert prompts_sent() == prompts_sent() == [ask.prompt]
    clock.move(hours=24)
    assert prompts_sent() == [ask.prompt]


def test_what_is_answered_by_the_morning_is_not_asked_and_nothing_lapses_in_the_night(
    phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    asks.answer_ask(asked_in_the_background().prompt, "allow", laptop())
    other = asked_in_the_background("water.example")
    clock.move(hours=7)
    assert prompts_sent() == [other.prompt]
    assert Ask.objects.get(pk=other.pk).expires_at == clock.now + asks.SHOWN_FOR


def test_in_the_morning_each_site_is_asked_about_once(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    first = asked_in_the_background()
    clock.move(hours=1)
    other, again = asked_in_the_background("water.example"), asked_in_the_background()
    assert again.prompt != first.prompt
    clock.move(hours=6)
    assert prompts_sent() == [first.prompt, other.prompt]


def test_who_is_muted_in_the_morning_is_asked_when_that_is_over(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    ask = asked_in_the_background()
    muting.mute_until(clock.now + timedelta(hours=9))
    clock.move(hours=8)
    assert prompts_sent() == []
    clock.move(hours=2)
    assert prompts_sent() == [ask.prompt]
