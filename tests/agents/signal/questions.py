"""Ask and answer questions on Signal in tests."""

from collections.abc import Callable
from typing import Any

from agents.gateway import questions
from agents.models import Run
from devices.grants import asks
from devices.models import Ask, Device, LineEntry
from tests.agents.outbox.send_message import send_message
from tests.agents.signal.on_signal import lambda_of, listening, post_all
from tests.stand_ins.signal_server import OWNER, SignalServer

HOST = "beans.example"


def ask_on_signal(phone: Device, host: str = HOST, capability: str = "read") -> tuple[Ask, Run]:
    """Let a turn from the phone ask there for a grant; return the ask and the run."""
    turn = send_message(f"What is on {host}?", phone)
    ask = asks.ask_grant(
        turn.pk, host, capability, "To read pages there.", is_background=False, seconds=questions.answer_s(turn)
    )
    questions.queue_question(turn, ask)
    post_all()
    return ask, turn


def ask_state(ask: Ask) -> str:
    ask.refresh_from_db()
    return ask.state


def do_on_phone(signal: SignalServer, act: Callable[..., int], *words: Any, **how: Any) -> None:
    """Let the owner do something on the phone, and wait until Penny has processed it."""
    moments: list[int] = []
    own = LineEntry.objects.filter(author=OWNER, envelope__isnull=True)
    listening(
        signal,
        lambda_of(lambda: moments.append(act(*words, **how))),
        lambda: own.filter(timestamp__in=moments).exists(),
    )


def react_to_last(signal: SignalServer, emoji: str, at: int | None = None, **how: Any) -> None:
    """Put an emoji on the last message that Penny sent."""
    do_on_phone(signal, signal.react, emoji, at or signal.sent[-1].timestamp, **how)


def laptop() -> Device:
    return Device.objects.create(label="My *laptop", kind=Device.Kind.BROWSER)
