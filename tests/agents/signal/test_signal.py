"""Signal, against a stand-in of signal-cli-rest-api: what comes in, what goes out, and what is done when either
fails.
"""

import asyncio
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from constance import config
from django.db import OperationalError, transaction
from django.utils import timezone

from agents.learning.forget_preference import forget
from agents.models import Run
from agents.outbox import progress, send
from agents.outbox import receipts as outbox_receipts
from agents.signal import inbox, line_state, read_receipts
from agents.signal import listener as signal_listener
from devices.channels import routing
from devices.conversation import messages
from devices.db import in_db
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from devices.owner import stop
from devices.owner.account import the_owner
from tests.agents.background import carry_out_all
from tests.agents.signal.on_signal import lambda_of, listening, post, run, said, until
from tests.stand_ins.signal_server import BOT, OWNER, STRANGER, Fault, SignalServer
from thoughts.models import Page, Picture, Preference, Thought

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def answer(text: str, origin: list[str] | None = None) -> Delivery:
    """Penny's answer to the last message."""
    asked = Message.objects.filter(direction="in").latest("seq")
    with transaction.atomic():
        message = messages.store(
            the_owner(),
            messages.written(text, []),
            device=None,
            device_label="Penny",
            direction="out",
            turn_id=asked.turn_id,
            parent=asked,
            origin=origin or ["owner", "penny"],
        )
        delivery = routing.reply(message, asked)
    assert delivery is not None
    return delivery


def test_a_message_becomes_a_turn_and_the_answer_goes_back_to_the_phone(signal: SignalServer, phone: Device) -> None:
    def ask() -> None:
        signal.write("How hot is the water?")

    listening(signal, ask, lambda: Run.objects.exists(), lambda: len(signal.calls) == 2)
    asked = Message.objects.get()
    assert (asked.text, asked.device, asked.device_label, asked.direction) == (
        "How hot is the water?",
        phone,
        "Signal",
        "in",
    )
    assert [(method, path.split("/")[2], body.get("reaction")) for method, path, body in signal.calls] == [
        ("PUT", "typing-indicator", None),
        ("POST", "reactions", "👀"),
    ]
    answer("It is **hot**.")
    run(send.post_due())
    assert [(sent.text, sent.body["recipients"], sent.body["text_mode"]) for sent in signal.sent] == [
        ("It is **hot**.", [OWNER], "styled")
    ]
    assert signal.calls[-1][:2] == ("DELETE", f"/v1/reactions/{BOT}")
    assert Delivery.objects.get().state == "accepted"


# What comes in
# ----------------------------------------------------------------------------------------------------------------


def test_what_comes_twice_is_stored_once(signal: SignalServer, phone: Device) -> None:
    def ask() -> None:
        at = signal.write("Once")
        data = {"dataMessage": {"timestamp": at, "message": "Once"}}
        signal.deliver(data, OWNER, at)

    listening(
        signal, ask, lambda: Message.objects.exists(), lambda: not LineEntry.objects.exclude(envelope=None).exists()
    )
    assert said() == [("in", "Once")]
    LineEntry.objects.update(
        envelope={"account": BOT, "envelope": _envelope(LineEntry.objects.get().timestamp, "Once")}
    )
    run(_taken())  # a process that was stopped between the two leaves it like this
    assert (said(), Run.objects.count()) == ([("in", "Once")], 1)


def _envelope(at: int, text: str) -> dict[str, Any]:
    return {"source": OWNER, "sourceNumber": OWNER, "timestamp": at, "dataMessage": {"timestamp": at, "message": text}}


def test_what_a_process_left_behind_is_taken_by_the_next(signal: SignalServer, phone: Device) -> None:
    for at, text in ((2, "Second"), (1, "First")):
        frame = {"account": BOT, "envelope": _envelope(at, text)}
        LineEntry.objects.create(line="signal", author=OWNER, timestamp=at, device=phone, envelope=frame)
    run(_taken())
    assert said() == [
        ("in", "Second"),
        ("in", "First"),
    ]  # in the order in which they came, whatever the phones' clocks say


def test_strangers_and_groups_are_refused_silently_and_counted(signal: SignalServer, phone: Device) -> None:
    def knock() -> None:
        signal.write("Let me in", author=STRANGER)
        signal.write("All of us", groupInfo={"groupId": "g", "type": "DELIVER"})
        signal.deliver_raw("no frame at all")
        signal.deliver_raw('{"error": "something"}')
        signal.write("It is me")

    listening(signal, knock, lambda: Message.objects.exists())
    assert said() == [("in", "It is me")]
    assert LineState.of("signal").refused == 2
    assert signal.sent == []
    assert not LineEntry.objects.filter(author=STRANGER).exists()


def test_without_the_look_at_who_writes_a_stranger_asks(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening(signal, lambda_of(signal.write, "Let me in", STRANGER), lambda: LineState.of("signal").refused == 1)
    assert said() == []
    monkeypatch.setattr(inbox, "_sender", lambda *_: phone)
    listening(signal, lambda_of(signal.write, "Let me in", STRANGER), lambda: Message.objects.exists())
    assert said() == [("in", "Let me in")]


def test_a_revoked_number_is_a_stranger_s(signal: SignalServer, phone: Device) -> None:
    Device.objects.update(revoked_at=timezone.now())
    listening(signal, lambda_of(signal.write, "Hello"), lambda: LineState.of("signal").refused == 1)
    assert said() == []


def test_notes_to_self_are_the_owner_s_where_the_account_is_their_own(signal: SignalServer) -> None:
    own = Device.objects.create(label="Signal", kind=Device.Kind.SIGNAL, address=BOT)
    listening(signal, lambda_of(signal.note_to_self, "Remember"), lambda: Message.objects.exists())
    assert Message.objects.get().device == own


def test_a_quote_says_what_is_answered_and_its_words_are_not_believed(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: Message.objects.exists())
    answer("Hot.")
    run(send.post_due())
    listening(
        signal, lambda_of(signal.quote, "And now?", signal.sent[0].timestamp), lambda: Message.objects.count() == 3
    )
    follow_up = Message.objects.latest("seq")
    assert (follow_up.text, follow_up.parent and follow_up.parent.text) == ("And now?", "Hot.")


def test_an_emoji_on_a_thought_is_a_reaction_to_it_and_is_taken_back(signal: SignalServer, phone: Device) -> None:
    liked = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="<p>It holds.</p>", preference=liked, origin=["owner", "penny"]
    )
    message = tell(thought)
    routing.queue(phone, message, "A find")
    run(send.post_due())
    at = signal.sent[0].timestamp

    def stands() -> int | None:
        return Thought.objects.get().reaction

    listening(signal, lambda_of(signal.react, "❤️", at), lambda: stands() == 1)
    assert Preference.objects.get().strength > 1
    listening(signal, lambda_of(lambda: signal.react("❤️", at, remove=True)), lambda: stands() is None)
    assert Preference.objects.get().strength == 1
    listening(signal, lambda_of(signal.react, "👎", at), lambda: stands() == -1)


def tell(thought: Thought, text: str = "") -> Message:
    with transaction.atomic():
        return messages.store(
            the_owner(),
            messages.written(text or thought.text, []),
            device=None,
            device_label="Penny",
            direction="out",
            kind="notification",
            thought=thought,
            origin=thought.origin,
        )


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
    changed: list[int] = []
    listening(
        signal,
        lambda_of(lambda: changed.append(signal.edit("My pin is 4321", first))),
        lambda: Message.objects.filter(text="My pin is 4321").exists(),
        lambda_of(lambda: signal.quote("Not this one", first, author=OWNER)),
        lambda: Message.objects.filter(text="Not this one").exists(),
    )
    listening(
        signal, lambda_of(signal.delete, changed[0]), lambda: Message.objects.filter(text="(deleted)").count() == 2
    )
    assert [text for _, text in said()] == ["(deleted)", "(deleted)", "Not this one"]
    assert [run.cancel_requested_at is not None for run in Run.objects.order_by("created_at")] == [True, True, False]


@pytest.mark.parametrize("is_on", [True, False])
def test_the_phone_is_told_what_was_read_only_where_the_owner_wants_that(
    signal: SignalServer, phone: Device, is_on: bool
) -> None:
    config.SIGNAL_READ_RECEIPTS = is_on
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: len(signal.calls) == 2 + is_on)
    receipts = [body for _, path, body in signal.calls if path == f"/v1/receipts/{BOT}"]
    at = LineEntry.objects.get().timestamp
    assert receipts == [{"recipient": OWNER, "receipt_type": "read", "timestamp": at}] * is_on


async def _taken() -> None:
    """Take what came in, and wait for what is shown of that."""
    await inbox.take_all()
    await asyncio.gather(*progress._showing)


# What goes out
# ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(signal: SignalServer, phone: Device) -> Message:
    at = signal.moment()
    entry = LineEntry.objects.create(
        line="signal",
        author=OWNER,
        timestamp=at,
        device=phone,
        envelope={"account": BOT, "envelope": _envelope(at, "Well?")},
    )
    run(_taken())
    found = LineEntry.objects.get(pk=entry.pk).message
    assert found is not None
    signal.calls.clear()
    LineState.objects.update(signs=[])
    return found


def test_a_long_answer_comes_in_parts_that_end_with_sentences(signal: SignalServer, asked: Message) -> None:
    words = " ".join(f"This is sentence number {number} of many." for number in range(200))
    answer(words)
    post()
    texts = [sent.text for sent in signal.sent]
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
def test_what_was_certainly_not_sent_is_sent_again(signal: SignalServer, asked: Message, fault: Fault) -> None:
    delivery = answer("It is hot.")
    signal.fail(fault)
    run(send.post_due())
    delivery.refresh_from_db()
    assert (delivery.state, signal.sent) == ("queued", [])
    assert delivery.not_before is not None
    post()
    assert [sent.text for sent in signal.sent] == ["It is hot."]


def test_what_signal_refuses_is_failed_and_says_why(signal: SignalServer, asked: Message) -> None:
    delivery = answer("It is hot.")
    signal.fail(Fault(400, {"error": "Unregistered user"}))
    post()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.error) == ("failed", "Signal refused it: Unregistered user")


@pytest.mark.parametrize("fault", [Fault(0), Fault(500), Fault(504)])
def test_of_what_nobody_knows_a_receipt_says_that_it_arrived(
    signal: SignalServer, asked: Message, fault: Fault
) -> None:
    delivery = answer("It is hot.")
    signal.fail(Fault(fault.status, happens=True))
    listening(signal, lambda_of(post), lambda: bool(LineState.of("signal").receipts))
    delivery.refresh_from_db()
    assert delivery.state == "unknown"
    post()
    delivery.refresh_from_db()
    assert (delivery.state, len(signal.sent)) == ("accepted", 1)


def test_of_what_nobody_knows_it_is_sent_once_more_where_the_phone_lives_and_has_not_got_it(
    signal: SignalServer, asked: Message
) -> None:
    answer("First.")
    listening(signal, lambda_of(post), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    _forget_signs()
    second = answer_again("Second.", asked)
    signal.fail(Fault(500))
    post()
    second.refresh_from_db()
    assert second.state == "unknown"
    post()
    assert len(signal.sent) == 1  # nothing proves anything yet
    LineState.objects.update(heard_at=timezone.now() + 2 * line_state.NO_ECHO)
    post()
    assert [sent.text for sent in signal.sent] == ["First.", "Second."]


def _forget_signs() -> None:
    """Nothing was put on a message at the moment that follows; the phone has said that it has the signs before."""
    LineState.objects.update(signs=[], receipts=[])


def test_that_the_phone_has_a_sign_does_not_prove_that_it_has_a_message(signal: SignalServer, asked: Message) -> None:
    """A phone confirms an emoji as it does a message, by its moment alone."""
    first = answer("First.")
    listening(signal, lambda_of(post), lambda: bool(LineState.of("signal").receipts))
    signs = [call for call in signal.calls if "/v1/reactions/" in call[1]]
    assert (len(signs), Delivery.objects.get(pk=first.pk).arrived_at is not None) == (1, True)
    second = answer_again("Second.", asked)
    signal.fail(Fault(500))
    post()
    post()
    second.refresh_from_db()
    assert second.state == "unknown"
    LineState.objects.update(heard_at=timezone.now() + 2 * line_state.NO_ECHO)
    post()
    assert [sent.text for sent in signal.sent] == ["First.", f"{outbox_receipts.AGAIN}\n\nSecond."]


def test_a_receipt_more_than_there_were_signs_proves_that_a_message_arrived(
    signal: SignalServer, asked: Message
) -> None:
    answer("First.")
    listening(signal, lambda_of(post), lambda: bool(LineState.of("signal").receipts))
    second = answer_again("Second.", asked)
    signal.fail(Fault(500, happens=True))
    listening(signal, lambda_of(post), lambda: len(LineState.of("signal").receipts) == 2)
    post()
    second.refresh_from_db()
    assert (second.state, second.sent, len(signal.sent)) == ("accepted", [str(signal.sent[1].timestamp)], 2)


def test_what_comes_late_says_what_it_answers(signal: SignalServer, asked: Message) -> None:
    """Of a phone that never said what it has, nothing proves at first that a message did not arrive, and others do not
    wait for ever.
    """
    first = answer("First.")
    signal.fail(Fault(500))
    post()
    Delivery.objects.filter(pk=first.pk).update(tried_at=timezone.now() - timedelta(minutes=1))
    answer_again("Second.", asked)
    listening(signal, lambda_of(post), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    _forget_signs()
    LineState.objects.update(listening_since=timezone.now() - timedelta(hours=1))
    post()
    assert [sent.text for sent in signal.sent] == ["Second.", "First."]
    assert (signal.sent[1].body["quote_author"], signal.sent[1].body["quote_message"]) == (OWNER, "Well?")


def answer_again(text: str, asked: Message) -> Delivery:
    Message.objects.filter(direction="out").update(turn_id=None)
    assert asked.device is not None
    return answer(text)


def test_what_is_said_in_order_arrives_in_order(signal: SignalServer, asked: Message) -> None:
    for number in range(5):
        answer_again(f"Number {number}.", asked)
    signal.fail(Fault(503), Fault(429))
    for _ in range(4):
        post()
    assert [sent.text for sent in signal.sent] == [f"Number {number}." for number in range(5)]


def test_a_process_that_dies_while_it_sends_leaves_an_unknown_and_nothing_twice(
    signal: SignalServer, asked: Message
) -> None:
    delivery = answer("It is hot.")
    assert delivery.claim(timezone.now(), ["It is hot."])
    Delivery.objects.update(lease_until=timezone.now())
    post()
    delivery.refresh_from_db()
    assert (delivery.state, signal.sent) == ("unknown", [])


def test_a_process_that_dies_before_it_sends_has_another_one_send_it(signal: SignalServer, asked: Message) -> None:
    """What is sent is stored before its first part is: while its words are looked for nothing went out."""
    delivery = answer("It is hot.")
    assert delivery.claim(timezone.now())
    Delivery.objects.update(lease_until=timezone.now())
    post()
    delivery.refresh_from_db()
    assert (delivery.state, [sent.text for sent in signal.sent]) == ("accepted", ["It is hot."])


def test_what_is_sent_is_stored_as_it_is_taken_and_waits_for_the_disk_once(
    signal: SignalServer, asked: Message
) -> None:
    """The words of pages are looked for later, since that takes long."""
    mine, of_a_page = answer("It is **hot**."), answer_again("It is hot.", asked)
    assert of_a_page.message is not None
    Message.objects.filter(pk=of_a_page.message.pk).update(origin=["owner", "penny", "coffee.example"])
    [taken] = send._claimed()
    assert (taken.pk, Delivery.objects.get(pk=mine.pk).parts) == (mine.pk, ["It is **hot**."])
    Delivery.objects.filter(pk=mine.pk).update(state="accepted")
    [other] = send._claimed()
    assert (other.pk, other.parts) == (of_a_page.pk, None)


def test_an_answer_quotes_its_question_where_others_were_said_since(signal: SignalServer, asked: Message) -> None:
    with transaction.atomic():
        messages.store(
            the_owner(), messages.written("And this?"), device=asked.device, device_label="Signal", direction="in"
        )
    with transaction.atomic():
        told = messages.store(
            the_owner(), messages.written("So."), device=None, device_label="Penny", direction="out", parent=asked
        )
        routing.reply(told, asked)
    post()
    quoted = LineEntry.objects.get(message=asked, author=OWNER)
    assert (signal.sent[0].body["quote_author"], signal.sent[0].body["quote_timestamp"]) == (OWNER, quoted.timestamp)
    assert signal.sent[0].body["quote_message"] == "Well?"


def test_the_answer_to_a_changed_question_takes_the_place_of_the_earlier_one(
    signal: SignalServer, asked: Message
) -> None:
    answer("It is cold.")
    post()
    first = LineEntry.objects.get(message=asked, author=OWNER).timestamp
    listening(
        signal,
        lambda_of(signal.edit, "Well, really?", first),
        lambda: LineEntry.objects.filter(message__text="Well, really?").exists(),
    )
    answer("It is hot.")
    post()
    assert [(sent.text, sent.body.get("edit_timestamp")) for sent in signal.sent] == [
        ("It is cold.", None),
        ("It is hot.", signal.sent[0].timestamp),
    ]


def test_the_answer_to_a_question_that_quotes_an_earlier_one_takes_no_place(
    signal: SignalServer, asked: Message
) -> None:
    answer("It is cold.")
    post()
    first = LineEntry.objects.get(message=asked, author=OWNER).timestamp
    quoting = lambda_of(lambda: signal.quote("And this?", first, author=OWNER))
    listening(signal, quoting, lambda: Message.objects.filter(text="And this?").exists())
    answer("That is hot.")
    post()
    assert [(sent.text, sent.body.get("edit_timestamp")) for sent in signal.sent] == [
        ("It is cold.", None),
        ("That is hot.", None),
    ]


def test_the_picture_of_a_find_goes_with_its_first_part(signal: SignalServer, phone: Device) -> None:
    picture = Picture.objects.create(sha256="a" * 64, data=b"RIFF....WEBP", width=1, height=1)
    page = Page.objects.create(
        url="https://lab.example/", domain="lab.example", title="", text="Levers.", picture=picture
    )
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", origin=["lab.example", "owner", "penny"]
    )
    thought.pages.add(page)
    routing.queue(phone, tell(thought), "A find")
    post()
    assert signal.sent[0].body["base64_attachments"] == [
        "data:image/webp;filename=picture.webp;base64,UklGRi4uLi5XRUJQ"
    ]


def test_what_is_forgotten_is_taken_back_from_the_phone(signal: SignalServer, phone: Device) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", preference=levers, origin=["owner", "penny"]
    )
    routing.queue(phone, tell(thought), "A find")
    post()
    forget(levers)
    post()
    assert signal.calls == [
        ("DELETE", f"/v1/remote-delete/{BOT}", {"recipient": OWNER, "timestamp": signal.sent[0].timestamp})
    ]
    assert (len(signal.sent), Delivery.objects.get().state) == (1, "accepted")


def test_what_is_forgotten_while_it_is_being_sent_is_taken_back_too(signal: SignalServer, phone: Device) -> None:
    levers = Preference.objects.create(text="levers")
    thought = Thought.objects.create(
        title="A lever", text="It holds.", html="", preference=levers, origin=["owner", "penny"]
    )
    routing.queue(phone, tell(thought), "A find")
    signal.answers_after_s = 0.5

    async def forgotten() -> None:
        first = asyncio.create_task(send.post_due())
        await asyncio.to_thread(signal.took.wait, 10)
        await in_db(forget)(levers)
        await first

    run(forgotten())
    post()
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
    routing.queue(phone, tell(thought), "A find")
    post()
    forget(levers)
    signal.fail(fault)
    post()
    assert Delivery.objects.get().state == "queued"
    post()
    assert signal.calls[-1][:2] == ("DELETE", f"/v1/remote-delete/{BOT}")
    assert Delivery.objects.get().state == "accepted"


def test_what_is_answered_at_once_gets_no_eyes(signal: SignalServer, asked: Message) -> None:
    device = asked.device
    assert device is not None

    async def shown() -> None:
        progress.show_progress(asked, device)
        await in_db(Run.objects.update)(state=Run.State.DONE)
        await asyncio.gather(*progress._showing)

    run(shown())
    assert signal.calls == []


def test_eyes_that_come_after_the_answer_are_taken_away_at_once(signal: SignalServer, asked: Message) -> None:
    Run.objects.update(state=Run.State.DONE)
    device = asked.device
    assert device is not None
    run(progress._show_progress(asked, device))
    assert [method for method, path, _ in signal.calls if "reactions" in path] == ["POST", "DELETE"]


def test_the_eyes_are_taken_from_a_question_that_is_cancelled(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: len(signal.calls) == 2)
    at = LineEntry.objects.get().timestamp
    listening(signal, lambda_of(signal.delete, at), lambda: Message.objects.filter(text="(deleted)").exists())
    carry_out_all()
    post()
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


# How the line stands
# ----------------------------------------------------------------------------------------------------------


def stands() -> str:
    return LineState.of("signal").problem


@pytest.mark.parametrize(
    ("broken", "problem", "words"),
    [
        ({"version": "0.60"}, "old", "Update its image to 0.100 or newer"),
        ({"version": "0.99"}, "old", "what you write does not come in with it"),
        ({"mode": "normal"}, "mode", "Set MODE=json-rpc"),
        ({"accounts": []}, "unlinked", "Link one below"),
        ({"accounts": ["+491709999999"]}, "number", "has no account +491700000001"),
    ],
)
def test_what_is_wrong_with_the_line_is_named(
    signal: SignalServer, phone: Device, broken: dict[str, Any], problem: str, words: str
) -> None:
    for name, value in broken.items():
        setattr(signal, name, value)

    async def probed() -> None:
        listener = asyncio.create_task(signal_listener.listen())
        await until(lambda: stands() == problem, f"{problem} is noticed")
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)

    run(probed())
    assert words in LineState.of("signal").said


def test_a_listener_that_hears_nothing_while_sending_works_is_noticed_said_and_recovered(
    signal: SignalServer, phone: Device, asked: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.3))
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    answer("Before.")
    listening(
        signal,
        lambda_of(post),
        lambda: Delivery.objects.filter(arrived_at__isnull=False).exists(),
        lambda_of(signal.wedge_listeners),
        lambda_of(answer_again, "While it is wedged.", asked),
        lambda_of(post),
        lambda: any("nothing has come back since" in text for _, text in said()),
        lambda: signal.listening > 0,
        lambda_of(signal.write, "Do you hear me?"),
        lambda: any(text == "Do you hear me?" for _, text in said()),
        lambda: any(text == line_state.RETURNED for _, text in said()),
    )
    assert [sent.text for sent in signal.sent] == ["Before.", "While it is wedged."]


def test_what_is_heard_of_before_the_server_says_that_it_took_it_makes_no_deaf_line(
    signal: SignalServer, phone: Device, asked: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.3))
    signal.answers_after_s = 0.2
    answer("It is hot.")
    listening(signal, lambda_of(post), lambda: _looked_since_accepted(timedelta(seconds=0.5)))
    assert (stands(), Delivery.objects.get().arrived_at is not None) == ("", True)


def _looked_since_accepted(after: timedelta) -> bool:
    state = LineState.of("signal")
    return bool(state.accepted_at and state.checked_at and state.checked_at > state.accepted_at + after)


@pytest.mark.parametrize(
    ("fault", "problem", "words"),
    [
        (Fault(429), "limited", "Signal accepts no more messages for a while"),
        (
            Fault(400, {"error": "Specified account does not exist"}),
            "unregistered",
            f"Signal does not know the number {BOT} any more",
        ),
        (
            Fault(400, {"error": "Failed to send message due to untrusted identities"}),
            "untrusted",
            "Your safety number on Signal has",
        ),
    ],
)
def test_what_only_sending_finds_out_is_said_and_stands_until_something_is_accepted(
    signal: SignalServer,
    phone: Device,
    asked: Message,
    monkeypatch: pytest.MonkeyPatch,
    fault: Fault,
    problem: str,
    words: str,
) -> None:
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    answer("It is hot.")
    signal.fail(fault)
    post()
    assert stands() == problem
    listening(signal, lambda: any(text.startswith(f"Signal: {words}") for _, text in said()))
    assert (stands(), LineState.of("signal").said.startswith(words)) == (problem, True)
    post()
    assert stands() == ""
    listening(signal, lambda: any(text == line_state.RETURNED for _, text in said()))


def test_a_number_that_is_heard_from_again_is_registered(signal: SignalServer, phone: Device) -> None:
    LineState.objects.create(line="signal", problem="unregistered", said="Link it again.", problem_since=timezone.now())
    listening(signal, lambda_of(signal.write, "Hello"), lambda: stands() == "")
    assert Message.objects.get().text == "Hello"
    assert "DELETE" not in [method for method, *_ in signal.calls]  # nobody had to ask


def test_what_is_noted_of_a_message_behind_its_answer_takes_nothing_back(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line on which the phone has said that it has the answer is not deaf because the question came before that."""
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.5)
    signal.receipts = False  # of the eyes
    came = []

    def confirm() -> None:
        came.append(timezone.now())
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
    assert heard_at > came[0]


def test_a_number_that_signal_knows_again_is_found_out_though_nothing_is_sent_or_heard(
    signal: SignalServer, phone: Device
) -> None:
    since = timezone.now() - timedelta(hours=1)
    LineState.objects.create(
        line="signal", problem="unregistered", said="Link it again.", problem_since=since, told=True
    )
    signal.fail(Fault(400, {"error": "Specified account does not exist"}))
    listening(signal, lambda: not signal.faults)
    assert stands() == "unregistered"
    listening(signal, lambda: stands() == "", lambda: any(text == line_state.RETURNED for _, text in said()))
    assert [(method, path, body) for method, path, body in signal.calls] == [
        ("DELETE", f"/v1/typing-indicator/{BOT}", {"recipient": OWNER})
    ]


def test_a_listener_that_hears_nothing_is_said_within_a_minute() -> None:
    assert line_state.NO_ECHO + line_state.SAID_AFTER + timedelta(seconds=2 * signal_listener.PROBE_S) <= timedelta(
        minutes=1
    )


def test_a_connection_is_replaced_before_it_is_closed_so_that_nothing_is_missed(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "RENEW_S", 0.05)
    written = list[str]()

    def write() -> None:
        ends_at = time.monotonic() + 60
        while signal.opened <= 5 or len(written) < 30:
            assert time.monotonic() < ends_at, f"{signal.opened} connections were opened"
            written.append(f"Number {len(written)}")
            signal.write(written[-1])
            time.sleep(0.02)

    listening(signal, write, lambda: Message.objects.count() == len(written))
    assert [text for _, text in said()] == written
    assert signal.lost == 0


def test_what_may_have_been_missed_while_nobody_listened_is_said(signal: SignalServer, phone: Device) -> None:
    LineState.objects.create(line="signal", checked_at=timezone.now() - timedelta(hours=1))
    listening(signal, lambda: Message.objects.exists())
    assert said()[0][1].startswith("I was not listening to Signal since ")


def test_a_connection_that_breaks_is_opened_again(signal: SignalServer, phone: Device) -> None:
    listening(
        signal,
        lambda_of(signal.cut_listeners),
        lambda: LineState.of("signal").reconnects > 0,
        lambda: signal.listening > 0,
        lambda_of(signal.write, "Again"),
        lambda: Message.objects.exists(),
        lambda: stands() == "",
    )


def test_a_server_that_answers_no_pings_is_noticed(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal_listener, "PING_S", 0.1)
    monkeypatch.setattr(signal_listener, "PONG_S", 0.1)

    def fall_silent() -> None:
        signal.is_silent = True

    def speak() -> None:
        signal.is_silent = False

    listening(
        signal,
        fall_silent,
        lambda: LineState.of("signal").reconnects > 0,
        speak,
        lambda: signal.listening > 0,
        lambda: stands() == "",
    )


def test_two_processes_do_not_listen_at_once() -> None:
    one, other, now = uuid4(), uuid4(), timezone.now()
    state = LineState.of("signal")
    assert (state.hold(one, now), state.hold(other, now), state.hold(one, now)) == (True, False, True)
    assert state.hold(other, now + timedelta(minutes=1))


# Nothing of this may end for good
# -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["_listen", "_take", "_probe"])
def test_whatever_ends_a_part_of_listening_has_all_of_it_begin_anew(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(signal_listener, "PROBE_S", 0.1)
    whole, failed = getattr(signal_listener._Line, part), list[int]()

    async def fails_once(line: signal_listener._Line) -> None:
        if not failed:
            failed.append(1)
            raise OperationalError("the database is being started")
        await whole(line)

    monkeypatch.setattr(signal_listener._Line, part, fails_once)
    listening(
        signal, lambda: bool(failed), lambda: signal.write("Do you hear me?") and Message.objects.exists()
    )  # what is lost is lost
    assert said()[0] == ("in", "Do you hear me?")


def test_what_is_missed_while_the_server_is_away_is_said_though_nobody_was_stopped(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "MISSED", timedelta(0))
    listening(
        signal,
        lambda: LineState.of("signal").listening_since is not None,
        lambda_of(signal.cut_listeners),
        lambda: LineState.of("signal").listening_since is None,
        lambda: any(text.startswith("I was not listening to Signal since ") for _, text in said()),
    )


def test_a_connection_that_takes_the_place_of_another_misses_nothing(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "RENEW_S", 0.05)
    monkeypatch.setattr(line_state, "MISSED", timedelta(0))
    since: list[Any] = []
    listening(
        signal,
        lambda: LineState.of("signal").listening_since is not None,
        lambda_of(lambda: since.append(LineState.of("signal").listening_since)),
        lambda: signal.opened > 8,
    )
    assert (LineState.of("signal").listening_since, said()) == (since[0], [])


def test_a_phone_that_is_off_has_nobody_connect_again_and_again(
    signal: SignalServer, phone: Device, asked: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "NO_ECHO", timedelta(seconds=0.2))
    monkeypatch.setattr(signal_listener, "PROBE_S", 0.05)
    answer("Before.")
    listening(signal, lambda_of(post), lambda: Delivery.objects.filter(arrived_at__isnull=False).exists())
    signal.receipts, opened = False, signal.opened
    answer_again("While it is off.", asked)
    post()
    listening(signal, lambda: stands() == "deaf", lambda_of(time.sleep, 1.0))
    assert (stands(), signal.opened - opened) == ("deaf", 2)


def test_trouble_on_the_line_is_told_on_another_device(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_state, "SAID_AFTER", timedelta(0))
    pushed = Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.NOTIFY_CHANNEL = "signal"
    signal.mode = "normal"
    listening_in_vain(lambda: Delivery.objects.exists())
    told = Delivery.objects.get()
    assert told.message is not None
    assert (told.device, told.message.text.startswith("Signal: "), told.is_proactive) == (pushed, True, True)


def listening_in_vain(condition: Any) -> None:
    """Listen where no connection comes about."""

    async def probed() -> None:
        listener = asyncio.create_task(signal_listener.listen())
        await until(condition, "the condition")
        listener.cancel()
        await asyncio.gather(listener, return_exceptions=True)

    run(probed())


def test_what_is_not_as_described_is_counted_and_what_is_null_is_left_out(signal: SignalServer, phone: Device) -> None:
    def write() -> None:
        signal.write("With a picture of nothing", attachments=None, quote=None, reaction=None)
        signal.deliver({"dataMessage": {"timestamp": "soon", "message": "What?"}}, OWNER, signal.moment())
        signal.deliver_raw('{"error": "something"}')

    listening(signal, write, lambda: Message.objects.exists(), lambda: LineState.of("signal").unread == 1)
    assert said() == [("in", "With a picture of nothing")]


def test_a_character_that_no_database_holds_is_left_out_of_what_is_written(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "One\0two\0\0 and \\u0000, \\\0three"), lambda: Message.objects.exists())
    assert said() == [("in", "Onetwo and \\u0000, \\three")]


def test_what_cannot_be_taken_is_answered(signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("agents.turns.start.start_turn", breaks)
    listening(signal, lambda_of(signal.write, "This one"), lambda: Message.objects.count() == 2)
    assert said() == [("in", "(a message on Signal)"), ("out", line_state.UNTAKEN)]
    assert Delivery.objects.get().device == phone


def test_a_change_of_words_in_a_group_is_not_heard(signal: SignalServer, phone: Device) -> None:
    def change() -> None:
        at = signal.moment()
        data = {"timestamp": at, "message": "All of us", "groupInfo": {"groupId": "g", "type": "DELIVER"}}
        signal.deliver({"editMessage": {"targetSentTimestamp": at - 1, "dataMessage": data}}, OWNER, at)

    listening(signal, change, lambda: LineState.of("signal").refused == 1)
    assert said() == []


def test_a_stop_waits_for_nothing_that_came_before_it(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetching = asyncio.Event()

    async def fetched_for_ever(*_: object, **__: object) -> None:
        fetching.set()
        await asyncio.sleep(60)

    monkeypatch.setattr("agents.signal.files.brought", fetched_for_ever)
    listening(
        signal,
        lambda_of(signal.send_file, "note.aac", "audio/aac", b"words"),
        lambda: fetching.is_set(),
        lambda_of(signal.write, "And then this"),
        lambda_of(signal.write, "/stop"),
        lambda: stop.is_stopped(),
    )
    assert next(text for _, text in said()) == "/stop"
    assert LineEntry.objects.exclude(envelope=None).count() == 2
    stop.end(timezone.now())


def test_words_are_stored_and_taken_in_one_transaction(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def takes_nothing(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(inbox, "take_all", takes_nothing)
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: Run.objects.exists())
    [entry] = LineEntry.objects.all()
    assert (said(), entry.envelope, entry.message) == ([("in", "How hot?")], None, Message.objects.get())


# What nobody knows the outcome of
# ------------------------------------------------------------------------------------------------


def unknown_one(phone: Device, asked: Message, tried: timedelta = timedelta(minutes=1)) -> Delivery:
    """An answer whose process died while it sent; the phone is known to say what it has, and has said something
    since.
    """
    now = timezone.now()
    Delivery.objects.create(device=phone, key="before", reason="It asked.", state="accepted", arrived_at=now)
    delivery = answer("It is hot.")
    Delivery.objects.filter(pk=delivery.pk).update(
        state="unknown", parts=["It is hot."], tried_at=now - tried, attempts=1
    )
    LineState.objects.update_or_create(
        line="signal", defaults={"heard_at": now, "listening_since": now - timedelta(hours=3)}
    )
    return delivery


def test_silence_of_who_was_listened_to_all_the_time_proves_that_nothing_came(
    signal: SignalServer, phone: Device, asked: Message
) -> None:
    unknown_one(phone, asked)
    post()
    assert [sent.text for sent in signal.sent] == ["It is hot."]


def test_what_is_sent_again_without_a_proof_says_so_once(signal: SignalServer, phone: Device, asked: Message) -> None:
    delivery = unknown_one(phone, asked)
    LineState.objects.update(listening_since=timezone.now())
    outbox_receipts.settle_unknown()
    Delivery.objects.filter(pk=delivery.pk).update(state="unknown")
    post()
    assert [sent.text for sent in signal.sent] == [f"{outbox_receipts.AGAIN}\n\nIt is hot."]


def test_what_nobody_waits_for_any_more_is_not_sent_again(signal: SignalServer, phone: Device, asked: Message) -> None:
    delivery = unknown_one(phone, asked, tried=timedelta(hours=2))
    post()
    delivery.refresh_from_db()
    assert (signal.sent, delivery.state) == ([], "unknown")


def test_what_takes_long_to_send_is_not_taken_for_left_behind(
    signal: SignalServer, phone: Device, asked: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devices.models.deliveries.LEASE", timedelta(seconds=0.5))
    monkeypatch.setattr(send, "RENEW_S", 0.1)
    signal.answers_after_s = 1.5
    answer("It is hot.")

    async def twice() -> None:
        first = asyncio.create_task(send.post_due())
        await asyncio.sleep(0.9)
        await send.post_due()
        await first

    run(twice())
    assert (len(signal.sent), Delivery.objects.get().state, Delivery.objects.get().error) == (1, "accepted", "")


def test_a_part_that_another_process_sends_is_not_followed_by_more(
    signal: SignalServer, phone: Device, asked: Message
) -> None:
    delivery = answer(" ".join(f"This is sentence number {number} of many." for number in range(200)))
    signal.answers_after_s = 0.5

    async def overtaken() -> None:
        first = asyncio.create_task(send.post_due())
        await asyncio.sleep(0.3)
        await in_db(Delivery.objects.filter(pk=delivery.pk).update)(attempts=2)
        await first

    run(overtaken())
    assert len(signal.sent) == 1
