"""Reactions over Signal: the owner's on a thought, and Penny's progress reactions."""

import asyncio

import pytest

from agents.models import Run
from agents.outbox import progress, send
from devices.channels import routing
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import LineEntry, LineState
from tests.agents.background import carry_out_all
from tests.agents.signal.on_signal import lambda_of, listening, post_all, run_on_loop, store_notification
from tests.stand_ins.signal_server import Fault, SignalServer
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_an_emoji_on_a_thought_is_a_reaction_to_it_and_is_taken_back(signal: SignalServer, phone: Device) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="<p>It holds.</p>", preference=levers, origin=["owner", "penny"]
    )
    message = store_notification(thought)
    routing.queue(phone, message, "A find")
    run_on_loop(send.post_due())
    at = signal.sent[0].timestamp

    def current_reaction() -> int | None:
        return Thought.objects.get().reaction

    listening(signal, lambda_of(signal.react, "❤️", at), lambda: current_reaction() == 1)
    assert Preference.objects.get().strength > 1
    listening(signal, lambda_of(lambda: signal.react("❤️", at, remove=True)), lambda: current_reaction() is None)
    assert Preference.objects.get().strength == 1
    listening(signal, lambda_of(signal.react, "👎", at), lambda: current_reaction() == -1)


def test_what_is_answered_at_once_gets_no_eyes(signal: SignalServer, question: Message) -> None:
    device = question.device
    assert device is not None

    async def show_and_end() -> None:
        progress.show_progress(question, device)
        await in_db(Run.objects.update)(state=Run.State.DONE)
        await asyncio.gather(*progress._showing)

    run_on_loop(show_and_end())
    assert signal.calls == []


def test_eyes_that_come_after_the_answer_are_taken_away_at_once(signal: SignalServer, question: Message) -> None:
    Run.objects.update(state=Run.State.DONE)
    device = question.device
    assert device is not None
    run_on_loop(progress._show_progress(question, device))
    assert [method for method, path, _ in signal.calls if "reactions" in path] == ["POST", "DELETE"]


def test_the_eyes_are_taken_from_a_question_that_is_cancelled(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: len(signal.calls) == 2)
    at = LineEntry.objects.get().timestamp
    listening(signal, lambda_of(signal.delete, at), lambda: Message.objects.filter(text="(deleted)").exists())
    carry_out_all()
    post_all()
    assert [(method, body["timestamp"]) for method, path, body in signal.calls if "reactions" in path] == [
        ("POST", at),
        ("DELETE", at),
    ]
    assert (signal.sent, LineState.of("signal").accepted_at) == ([], None)


def test_a_slow_line_holds_up_nothing_that_comes_in(signal: SignalServer, phone: Device) -> None:
    signal.fail(*[Fault(204, after_s=20.0)] * 3)

    def write() -> None:
        for number in range(3):
            signal.write(f"Number {number}")

    listening(signal, write, lambda: Run.objects.count() == 3)
    assert signal.calls == []
