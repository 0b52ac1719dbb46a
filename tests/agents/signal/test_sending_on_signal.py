"""Deliveries over Signal: in order, in parts, each sent once whatever fails."""

import asyncio
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from agents.outbox import send
from devices.channels import routing
from devices.conversation import messages
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner import muting
from devices.owner.account import the_owner
from tests.agents.signal.on_signal import answer_again, post_all, run_on_loop, store_answer, store_notification, until
from tests.stand_ins.signal_server import OWNER, Fault, SignalServer
from thoughts.models import Page, Picture, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_a_long_answer_comes_in_parts_that_end_with_sentences(signal: SignalServer, question: Message) -> None:
    words = " ".join(f"This is sentence number {number} of many." for number in range(200))
    store_answer(words)
    post_all()
    texts = [message.text for message in signal.sent]
    assert len(texts) > 3
    assert " ".join(texts) == words
    assert all(text.endswith(".") and len(text) <= 1800 for text in texts)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429, {"error": "Rate limited", "challenge_tokens": ["t"]}, {"Retry-After": "7"}),
        Fault(400, {"error": "Failed to send: [413] Rate limit exceeded"}),
        Fault(503),
        Fault(502),
        Fault(400, {"error": "Specified account does not exist"}),
    ],
)
def test_what_was_certainly_not_sent_is_sent_again(signal: SignalServer, question: Message, fault: Fault) -> None:
    delivery = store_answer("It is hot.")
    signal.fail(fault)
    run_on_loop(send.post_due())
    delivery.refresh_from_db()
    assert (delivery.state, signal.sent) == ("queued", [])
    assert delivery.not_before is not None
    post_all()
    assert [message.text for message in signal.sent] == ["It is hot."]


def test_what_signal_refuses_is_failed_and_says_why(signal: SignalServer, question: Message) -> None:
    delivery = store_answer("It is hot.")
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    post_all()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.error) == ("failed", "Signal refused it: Unregistered user")


def test_what_is_said_in_order_arrives_in_order(signal: SignalServer, question: Message) -> None:
    for number in range(5):
        answer_again(f"Number {number}.", question)
    signal.fail(Fault(503), Fault(429))
    for _ in range(4):
        post_all()
    assert [message.text for message in signal.sent] == [f"Number {number}." for number in range(5)]


def test_what_waits_keeps_its_order_after_many_failures(signal: SignalServer, question: Message) -> None:
    for number in range(3):
        answer_again(f"Number {number}.", question)
    signal.fail(*[Fault(503), Fault(400, {"error": "Specified account does not exist"}), Fault(429)] * 4)
    for _ in range(6):
        post_all()
        answer_again(f"Number {Delivery.objects.count()}.", question)
    for _ in range(12):
        post_all()
    assert [message.text for message in signal.sent] == [f"Number {number}." for number in range(9)]


def test_nothing_comes_between_the_parts_of_what_the_quiet_hours_met_half_sent(
    signal: SignalServer, question: Message
) -> None:
    digest = store_answer("The digest.")
    half_sent = {"is_proactive": True, "parts": ["One.", "Two."], "sent": ["1"], "attempts": 1}
    Delivery.objects.filter(pk=digest.pk).update(**half_sent, not_before=timezone.now() + timedelta(minutes=1))
    muting.mute_until(None)
    answer_again("It is hot.", question)
    run_on_loop(send.post_due())
    assert signal.sent == []
    post_all()
    assert [message.text for message in signal.sent] == ["Two.", "It is hot."]


def test_a_process_that_dies_while_it_sends_leaves_an_unknown_and_nothing_twice(
    signal: SignalServer, question: Message
) -> None:
    delivery = store_answer("It is hot.")
    assert delivery.claim(timezone.now(), ["It is hot."])
    Delivery.objects.update(lease_until=timezone.now())
    post_all()
    delivery.refresh_from_db()
    assert (delivery.state, signal.sent) == ("unknown", [])


def test_a_process_that_dies_before_it_sends_has_another_one_send_it(signal: SignalServer, question: Message) -> None:
    """Parts are stored before the first is sent: without parts nothing went out."""
    delivery = store_answer("It is hot.")
    assert delivery.claim(timezone.now())
    Delivery.objects.update(lease_until=timezone.now())
    post_all()
    delivery.refresh_from_db()
    assert (delivery.state, [message.text for message in signal.sent]) == ("accepted", ["It is hot."])


def test_what_is_sent_is_stored_as_it_is_taken_and_waits_for_the_disk_once(
    signal: SignalServer, question: Message
) -> None:
    """Words of pages are composed later, because that takes long."""
    mine, of_a_page = store_answer("It is **hot**."), answer_again("It is hot.", question)
    assert of_a_page.message is not None
    Message.objects.filter(pk=of_a_page.message.pk).update(origin=["owner", "penny", "coffee.example"])
    [first] = send._claim_heads()
    assert (first.pk, Delivery.objects.get(pk=mine.pk).parts) == (mine.pk, ["It is **hot**."])
    Delivery.objects.filter(pk=mine.pk).update(state="accepted")
    [other] = send._claim_heads()
    assert (other.pk, other.parts) == (of_a_page.pk, None)


def test_an_answer_quotes_its_question_where_others_were_said_since(signal: SignalServer, question: Message) -> None:
    with transaction.atomic():
        messages.store_message(
            the_owner(),
            messages.render_content("And this?"),
            device=question.device,
            device_label="Signal",
            direction="in",
        )
    with transaction.atomic():
        reply = messages.store_message(
            the_owner(),
            messages.render_content("So."),
            device=None,
            device_label="Penny",
            direction="out",
            parent=question,
        )
        routing.queue_reply(reply, question)
    post_all()
    entry = LineEntry.objects.get(message=question, author=OWNER)
    assert (signal.sent[0].body["quote_author"], signal.sent[0].body["quote_timestamp"]) == (OWNER, entry.timestamp)
    assert signal.sent[0].body["quote_message"] == "Well?"


def test_the_picture_of_a_find_goes_with_its_first_part(signal: SignalServer, phone: Device) -> None:
    picture = Picture.objects.create(sha256="a" * 64, data=b"RIFF....WEBP", width=1, height=1)
    page = Page.objects.create(
        url="https://lab.example/", domain="lab.example", title="", text="Levers.", picture=picture
    )
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", origin=["lab.example", "owner", "penny"]
    )
    thought.pages.add(page)
    routing.queue(phone, store_notification(thought), "A find")
    post_all()
    assert signal.sent[0].body["base64_attachments"] == [
        "data:image/webp;filename=picture.webp;base64,UklGRi4uLi5XRUJQ"
    ]


def test_what_takes_long_to_send_is_not_taken_for_left_behind(
    signal: SignalServer, phone: Device, question: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "RENEW_S", 0.05)
    signal.holds_answers = True
    store_answer("It is hot.")
    is_renewed = Delivery.objects.filter(lease_until__gt=timezone.now()).exists

    async def twice() -> None:
        first = asyncio.create_task(send.post_due())
        await until(lambda: signal.sent, "it is sent")
        await in_db(Delivery.objects.update)(lease_until=timezone.now() - timedelta(seconds=1))
        await until(is_renewed, "its lease is renewed")
        await send.post_due()
        signal.holds_answers = False
        await first

    run_on_loop(twice())
    assert (len(signal.sent), Delivery.objects.get().state, Delivery.objects.get().error) == (1, "accepted", "")


def test_a_part_that_another_process_sends_is_not_followed_by_more(
    signal: SignalServer, phone: Device, question: Message
) -> None:
    delivery = store_answer(" ".join(f"This is sentence number {number} of many." for number in range(200)))
    signal.holds_answers = True

    async def overtaken() -> None:
        first = asyncio.create_task(send.post_due())
        await until(lambda: signal.sent, "its first part is sent")
        await in_db(Delivery.objects.filter(pk=delivery.pk).update)(attempts=2)
        signal.holds_answers = False
        await first

    run_on_loop(overtaken())
    assert len(signal.sent) == 1
