"""Receipts over Signal, and deliveries whose outcome only receipts resolve."""

from datetime import timedelta

import pytest
from constance import config
from django.utils import timezone

from agents.outbox import progress
from agents.outbox import receipts as outbox_receipts
from agents.signal import line_state, read_receipts
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from tests.agents.signal.on_signal import answer_again, lambda_of, listening, post_all, store_answer
from tests.stand_ins.signal_server import BOT, OWNER, Fault, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.mark.parametrize("is_on", [True, False])
def test_the_phone_is_told_what_was_read_only_where_the_owner_wants_that(
    signal: SignalServer, phone: Device, is_on: bool
) -> None:
    config.SIGNAL_READ_RECEIPTS = is_on
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: len(signal.calls) == 2 + is_on)
    receipts = [body for _, path, body in signal.calls if path == f"/v1/receipts/{BOT}"]
    at = LineEntry.objects.get().timestamp
    assert receipts == [{"recipient": OWNER, "receipt_type": "read", "timestamp": at}] * is_on


@pytest.mark.parametrize("fault", [Fault(0), Fault(500), Fault(504)])
def test_of_what_nobody_knows_a_receipt_says_that_it_arrived(
    signal: SignalServer, question: Message, fault: Fault
) -> None:
    delivery = store_answer("It is hot.")
    signal.fail(Fault(fault.status, happens=True))
    listening(signal, lambda_of(post_all), lambda: bool(LineState.of("signal").receipts))
    delivery.refresh_from_db()
    assert delivery.state == "unknown"
    post_all()
    delivery.refresh_from_db()
    assert (delivery.state, len(signal.sent)) == ("accepted", 1)


def test_of_what_nobody_knows_it_is_sent_once_more_where_the_phone_lives_and_has_not_got_it(
    signal: SignalServer, question: Message
) -> None:
    store_answer("First.")
    listening(signal, lambda_of(post_all), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    _forget_signs()
    second = answer_again("Second.", question)
    signal.fail(Fault(500))
    post_all()
    second.refresh_from_db()
    assert second.state == "unknown"
    post_all()
    assert len(signal.sent) == 1  # no proof yet
    LineState.objects.update(heard_at=timezone.now() + 2 * line_state.NO_ECHO)
    post_all()
    assert [message.text for message in signal.sent] == ["First.", "Second."]


def _forget_signs() -> None:
    """Leave no reaction open at the next send: the phone has confirmed them all."""
    LineState.objects.update(signs=[], receipts=[])


def test_that_the_phone_has_a_sign_does_not_prove_that_it_has_a_message(
    signal: SignalServer, question: Message
) -> None:
    """A phone confirms an emoji as it does a message, by its timestamp alone."""
    first = store_answer("First.")
    listening(signal, lambda_of(post_all), lambda: bool(LineState.of("signal").receipts))
    signs = [call for call in signal.calls if "/v1/reactions/" in call[1]]
    assert (len(signs), Delivery.objects.get(pk=first.pk).arrived_at is not None) == (1, True)
    second = answer_again("Second.", question)
    signal.fail(Fault(500))
    post_all()
    post_all()
    second.refresh_from_db()
    assert second.state == "unknown"
    LineState.objects.update(heard_at=timezone.now() + 2 * line_state.NO_ECHO)
    post_all()
    assert [message.text for message in signal.sent] == ["First.", f"{outbox_receipts.AGAIN}\n\nSecond."]


def test_a_receipt_more_than_there_were_signs_proves_that_a_message_arrived(
    signal: SignalServer, question: Message
) -> None:
    store_answer("First.")
    listening(signal, lambda_of(post_all), lambda: bool(LineState.of("signal").receipts))
    second = answer_again("Second.", question)
    signal.fail(Fault(500, happens=True))
    listening(signal, lambda_of(post_all), lambda: len(LineState.of("signal").receipts) == 2)
    post_all()
    second.refresh_from_db()
    assert (second.state, second.sent, len(signal.sent)) == ("accepted", [str(signal.sent[1].timestamp)], 2)


def test_what_comes_late_says_what_it_answers(signal: SignalServer, question: Message) -> None:
    """A phone that never sends receipts proves nothing by silence; other deliveries do not wait."""
    first = store_answer("First.")
    signal.fail(Fault(500))
    post_all()
    Delivery.objects.filter(pk=first.pk).update(tried_at=timezone.now() - timedelta(minutes=1))
    answer_again("Second.", question)
    listening(signal, lambda_of(post_all), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    _forget_signs()
    LineState.objects.update(listening_since=timezone.now() - timedelta(hours=1))
    post_all()
    assert [message.text for message in signal.sent] == ["Second.", "First."]
    assert (signal.sent[1].body["quote_author"], signal.sent[1].body["quote_message"]) == (OWNER, "Well?")


def test_what_is_noted_of_a_message_behind_its_answer_takes_nothing_back(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that the phone confirmed after the question means that the line is not deaf."""
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.5)
    signal.receipts = False  # for the progress reaction
    confirmed_at = []

    def confirm() -> None:
        confirmed_at.append(timezone.now())
        receipt = {
            "when": signal.moment(),
            "isDelivery": True,
            "isRead": False,
            "isViewed": False,
            "timestamps": [signal.moment()],
        }
        signal.deliver({"receiptMessage": receipt}, OWNER, signal.moment())

    listening(
        signal,
        lambda_of(signal.write, "Hello"),
        lambda: Message.objects.exists(),
        lambda_of(confirm),
        lambda: bool(LineState.of("signal").receipts),
        lambda: not read_receipts._marking,
    )
    heard_at = LineState.of("signal").heard_at
    assert heard_at is not None
    assert heard_at > confirmed_at[0]


def unknown_one(phone: Device, question: Message, age: timedelta = timedelta(minutes=1)) -> Delivery:
    """Store an answer whose process died while sending; the phone was heard since."""
    now = timezone.now()
    Delivery.objects.create(device=phone, key="before", reason="It question.", state="accepted", arrived_at=now)
    delivery = store_answer("It is hot.")
    Delivery.objects.filter(pk=delivery.pk).update(
        state="unknown", parts=["It is hot."], tried_at=now - age, attempts=1
    )
    LineState.objects.update_or_create(
        line="signal", defaults={"heard_at": now, "listening_since": now - timedelta(hours=3)}
    )
    return delivery


def test_silence_of_who_was_listened_to_all_the_time_proves_that_nothing_came(
    signal: SignalServer, phone: Device, question: Message
) -> None:
    unknown_one(phone, question)
    post_all()
    assert [message.text for message in signal.sent] == ["It is hot."]


def test_what_is_sent_again_without_a_proof_says_so_once(
    signal: SignalServer, phone: Device, question: Message
) -> None:
    delivery = unknown_one(phone, question)
    LineState.objects.update(listening_since=timezone.now())
    outbox_receipts.settle_unknown()
    Delivery.objects.filter(pk=delivery.pk).update(state="unknown")
    post_all()
    assert [message.text for message in signal.sent] == [f"{outbox_receipts.AGAIN}\n\nIt is hot."]


def test_what_nobody_waits_for_any_more_is_not_sent_again(
    signal: SignalServer, phone: Device, question: Message
) -> None:
    delivery = unknown_one(phone, question, age=timedelta(hours=2))
    post_all()
    delivery.refresh_from_db()
    assert (signal.sent, delivery.state) == ([], "unknown")
