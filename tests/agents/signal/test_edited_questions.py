"""Questions on Signal that were answered or ended elsewhere: edited where they stand."""

import pytest
from django.utils import timezone

from agents.gateway import questions
from devices.channels import routing
from devices.grants import ask_texts, asks
from devices.models import Delivery, Device
from tests.agents.outbox.send_message import send_message
from tests.agents.signal.on_signal import conversation, post_all
from tests.agents.signal.questions import HOST, ask_on_signal, ask_state, do_on_phone, laptop, react_to_last
from tests.stand_ins.signal_server import SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.mark.parametrize(
    ("decision", "how", "reply"),
    [
        ("allow", {"scope": "hour"}, f"I may read pages on {HOST} for an hour."),
        ("dismiss", {}, f"Not now: {HOST} stays as it was."),
        ("block", {}, f"I never open {HOST}. You can change that under Permissions."),
    ],
)
def test_a_question_that_was_answered_elsewhere_says_so_in_its_own_place(
    signal: SignalServer, phone: Device, decision: ask_texts.Decision, how: dict[str, str], reply: str
) -> None:
    ask, _ = ask_on_signal(phone)
    timestamp = signal.sent[-1].timestamp
    asks.answer_ask(ask.prompt, decision, laptop(), **how)
    post_all()
    assert [message.body.get("edit_timestamp") for message in signal.sent] == [None, timestamp]
    assert (
        signal.sent[-1].text
        == f"May I read pages on {HOST} and what is below it? To read pages there.\n\nAnswered on My \\*laptop: {reply}"
    )
    post_all()
    assert len(signal.sent) == 2
    react_to_last(signal, "👎", timestamp)
    react_to_last(signal, "👎")  # on the edited message
    assert len([text for _, text in conversation() if text.startswith("That was answered already: ")]) == (
        0 if decision == "dismiss" else 2
    )
    assert ask_state(ask) == {"allow": "allowed", "dismiss": "dismissed", "block": "blocked"}[decision]


def test_a_question_that_nobody_waits_for_any_more_says_so_in_its_own_place(
    signal: SignalServer, phone: Device
) -> None:
    ask, turn = ask_on_signal(phone)
    timestamp = signal.sent[-1].timestamp
    other = send_message("And there?", phone)
    shared = asks.ask_grant(other.pk, HOST, "read", "To read pages there.", is_background=False)
    asks.withdraw_run(turn.pk)
    post_all()
    assert len(signal.sent) == 1, "another run waits for the same answer"
    asks.withdraw_run(other.pk)
    post_all()
    assert [message.body.get("edit_timestamp") for message in signal.sent] == [None, timestamp]
    over = "I no longer wait for an answer to this. Nothing was stored."
    assert signal.sent[-1].text == f"May I read pages on {HOST} and what is below it? To read pages there.\n\n{over}"
    assert (ask_state(ask), ask_state(shared)) == ("expired", "expired")


def test_one_that_was_answered_on_the_phone_stays_as_it_is(signal: SignalServer, phone: Device) -> None:
    ask_on_signal(phone)
    react_to_last(signal, "👍")
    post_all()
    assert [message.body.get("edit_timestamp") for message in signal.sent] == [None, None]


def test_a_question_that_never_went_out_is_not_edited(signal: SignalServer, phone: Device) -> None:
    turn = send_message("What is there?", phone)
    ask = asks.ask_grant(turn.pk, HOST, "read", "To read pages there.", is_background=False)
    questions.queue_question(turn, ask)
    being_sent = Delivery.objects.get()
    assert being_sent.claim(timezone.now())
    asks.answer_ask(ask.prompt, "allow", laptop())
    being_sent.settle("failed")
    post_all()
    assert signal.sent == []
    assert set(Delivery.objects.values_list("state", flat=True)) == {"failed"}


def test_a_word_means_the_question_that_stands_last_whatever_was_edited_since(
    signal: SignalServer, phone: Device
) -> None:
    one, _ = ask_on_signal(phone)
    other, _ = ask_on_signal(phone, "water.example")
    asks.answer_ask(other.prompt, "dismiss", laptop())
    post_all()
    do_on_phone(signal, signal.write, "for an hour")
    assert (ask_state(one), ask_state(other)) == ("allowed", "dismissed")


def test_what_penny_said_since_is_what_a_word_means_though_the_question_was_edited_later(
    signal: SignalServer, phone: Device
) -> None:
    ask, turn = ask_on_signal(phone)
    assert turn.message is not None
    routing.queue(phone, None, "You asked on this device.", key="since", text="Shall I go on?")
    post_all()
    asks.answer_ask(ask.prompt, "dismiss", laptop())
    post_all()
    do_on_phone(signal, signal.write, "yes")
    assert conversation()[-1] == ("in", "yes")  # a turn like any other
