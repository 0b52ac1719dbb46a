"""Edits and deletions over Signal: the owner's, and those of what Penny forgets."""

import asyncio

import pytest

from agents.learning.forget_preference import forget_preference
from agents.models import Run
from agents.outbox import send
from devices.channels import routing
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from tests.agents.signal.on_signal import (
    conversation,
    lambda_of,
    listening,
    post_all,
    run_on_loop,
    store_answer,
    store_notification,
)
from tests.stand_ins.signal_server import BOT, OWNER, Fault, SignalServer
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_an_edit_asks_anew_and_a_deletion_takes_the_words_away(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "How hit?"), lambda: Message.objects.exists())
    first = LineEntry.objects.get().timestamp
    listening(
        signal, lambda_of(signal.edit, "How hot?", first), lambda: Message.objects.filter(text="How hot?").exists()
    )
    assert Run.objects.get(message__text="How hit?").cancel_requested_at is not None
    assert Run.objects.get(message__text="How hot?").cancel_requested_at is None
    listening(signal, lambda_of(signal.delete, first), lambda: Message.objects.filter(text="(deleted)").exists())
    assert not Message.objects.filter(text="How hit?").exists()


def test_a_deletion_takes_the_words_of_every_version(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "My pin is 1234"), lambda: Message.objects.exists())
    first = LineEntry.objects.get().timestamp
    edits: list[int] = []
    listening(
        signal,
        lambda_of(lambda: edits.append(signal.edit("My pin is 4321", first))),
        lambda: Message.objects.filter(text="My pin is 4321").exists(),
        lambda_of(lambda: signal.quote("Not this one", first, author=OWNER)),
        lambda: Message.objects.filter(text="Not this one").exists(),
    )
    listening(signal, lambda_of(signal.delete, edits[0]), lambda: Message.objects.filter(text="(deleted)").count() == 2)
    assert [text for _, text in conversation()] == ["(deleted)", "(deleted)", "Not this one"]
    assert [run.cancel_requested_at is not None for run in Run.objects.order_by("created_at")] == [True, True, False]


def test_the_answer_to_a_changed_question_takes_the_place_of_the_earlier_one(
    signal: SignalServer, question: Message
) -> None:
    store_answer("It is cold.")
    post_all()
    first = LineEntry.objects.get(message=question, author=OWNER).timestamp
    listening(
        signal,
        lambda_of(signal.edit, "Well, really?", first),
        lambda: LineEntry.objects.filter(message__text="Well, really?").exists(),
    )
    store_answer("It is hot.")
    post_all()
    assert [(message.text, message.body.get("edit_timestamp")) for message in signal.sent] == [
        ("It is cold.", None),
        ("It is hot.", signal.sent[0].timestamp),
    ]


def test_the_answer_to_a_question_that_quotes_an_earlier_one_takes_no_place(
    signal: SignalServer, question: Message
) -> None:
    store_answer("It is cold.")
    post_all()
    first = LineEntry.objects.get(message=question, author=OWNER).timestamp
    quoting = lambda_of(lambda: signal.quote("And this?", first, author=OWNER))
    listening(signal, quoting, lambda: Message.objects.filter(text="And this?").exists())
    store_answer("That is hot.")
    post_all()
    assert [(message.text, message.body.get("edit_timestamp")) for message in signal.sent] == [
        ("It is cold.", None),
        ("That is hot.", None),
    ]


def test_what_is_forgotten_is_taken_back_from_the_phone(signal: SignalServer, phone: Device) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", preference=levers, origin=["owner", "penny"]
    )
    routing.queue(phone, store_notification(thought), "A find")
    post_all()
    forget_preference(levers)
    post_all()
    assert signal.calls == [
        ("DELETE", f"/v1/remote-delete/{BOT}", {"recipient": OWNER, "timestamp": signal.sent[0].timestamp})
    ]
    assert (len(signal.sent), Delivery.objects.get().state) == (1, "accepted")


def test_what_is_forgotten_while_it_is_being_sent_is_taken_back_too(signal: SignalServer, phone: Device) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", preference=levers, origin=["owner", "penny"]
    )
    routing.queue(phone, store_notification(thought), "A find")
    signal.answers_after_s = 0.5

    async def forgotten() -> None:
        first = asyncio.create_task(send.post_due())
        await asyncio.to_thread(signal.took.wait, 10)
        await in_db(forget_preference)(levers)
        await first

    run_on_loop(forgotten())
    post_all()
    assert signal.calls == [
        ("DELETE", f"/v1/remote-delete/{BOT}", {"recipient": OWNER, "timestamp": signal.sent[0].timestamp})
    ]


@pytest.mark.parametrize("fault", [Fault(), Fault(500, {"error": "timeout"}, happens=True)])
def test_what_is_forgotten_is_taken_back_again_where_signal_did_not_say_that_it_was(
    signal: SignalServer, phone: Device, fault: Fault
) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", preference=levers, origin=["owner", "penny"]
    )
    routing.queue(phone, store_notification(thought), "A find")
    post_all()
    forget_preference(levers)
    signal.fail(fault)
    post_all()
    assert Delivery.objects.get().state == "queued"
    post_all()
    assert signal.calls[-1][:2] == ("DELETE", f"/v1/remote-delete/{BOT}")
    assert Delivery.objects.get().state == "accepted"


def test_a_change_of_words_in_a_group_is_not_heard(signal: SignalServer, phone: Device) -> None:
    def change() -> None:
        at = signal.moment()
        data = {"timestamp": at, "message": "All of us", "groupInfo": {"groupId": "g", "type": "DELIVER"}}
        signal.deliver({"editMessage": {"targetSentTimestamp": at - 1, "dataMessage": data}}, OWNER, at)

    listening(signal, change, lambda: LineState.of("signal").refused == 1)
    assert conversation() == []
