"""Messages over Signal: whose they are, and how each becomes a turn exactly once."""

import asyncio
from typing import Any

import pytest
from django.utils import timezone

from agents.models import Run
from agents.outbox import send
from agents.signal import inbox, line_state
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry, LineState
from devices.owner import stop
from tests.agents.signal.on_signal import (
    conversation,
    envelope,
    lambda_of,
    listening,
    process_entries,
    run_on_loop,
    store_answer,
)
from tests.stand_ins.signal_server import BOT, OWNER, STRANGER, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_a_message_becomes_a_turn_and_the_answer_goes_back_to_the_phone(signal: SignalServer, phone: Device) -> None:
    def ask() -> None:
        signal.write("How hot is the water?")

    listening(signal, ask, lambda: Run.objects.exists(), lambda: len(signal.calls) == 2)
    question = Message.objects.get()
    assert (question.text, question.device, question.device_label, question.direction) == (
        "How hot is the water?",
        phone,
        "Signal",
        "in",
    )
    assert [(method, path.split("/")[2], body.get("reaction")) for method, path, body in signal.calls] == [
        ("PUT", "typing-indicator", None),
        ("POST", "reactions", "👀"),
    ]
    store_answer("It is **hot**.")
    run_on_loop(send.post_due())
    assert [(message.text, message.body["recipients"], message.body["text_mode"]) for message in signal.sent] == [
        ("It is **hot**.", [OWNER], "styled")
    ]
    assert signal.calls[-1][:2] == ("DELETE", f"/v1/reactions/{BOT}")
    assert Delivery.objects.get().state == "accepted"


def test_what_comes_twice_is_stored_once(signal: SignalServer, phone: Device) -> None:
    def ask() -> None:
        at = signal.write("Once")
        data = {"dataMessage": {"timestamp": at, "message": "Once"}}
        signal.deliver(data, OWNER, at)

    listening(
        signal, ask, lambda: Message.objects.exists(), lambda: not LineEntry.objects.exclude(envelope=None).exists()
    )
    assert conversation() == [("in", "Once")]
    LineEntry.objects.update(envelope={"account": BOT, "envelope": envelope(LineEntry.objects.get().timestamp, "Once")})
    run_on_loop(process_entries())  # as a process leaves it that stops between the two steps
    assert (conversation(), Run.objects.count()) == ([("in", "Once")], 1)


def test_what_a_process_left_behind_is_taken_by_the_next(signal: SignalServer, phone: Device) -> None:
    for at, text in ((2, "Second"), (1, "First")):
        frame = {"account": BOT, "envelope": envelope(at, text)}
        LineEntry.objects.create(line="signal", author=OWNER, timestamp=at, device=phone, envelope=frame)
    run_on_loop(process_entries())
    assert conversation() == [
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
    assert conversation() == [("in", "It is me")]
    assert LineState.of("signal").refused == 2
    assert signal.sent == []
    assert not LineEntry.objects.filter(author=STRANGER).exists()


def test_without_the_look_at_who_writes_a_stranger_asks(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening(signal, lambda_of(signal.write, "Let me in", STRANGER), lambda: LineState.of("signal").refused == 1)
    assert conversation() == []
    monkeypatch.setattr(inbox, "_sender", lambda *_: phone)
    listening(signal, lambda_of(signal.write, "Let me in", STRANGER), lambda: Message.objects.exists())
    assert conversation() == [("in", "Let me in")]


def test_a_revoked_number_is_a_stranger_s(signal: SignalServer, phone: Device) -> None:
    Device.objects.update(revoked_at=timezone.now())
    listening(signal, lambda_of(signal.write, "Hello"), lambda: LineState.of("signal").refused == 1)
    assert conversation() == []


def test_notes_to_self_are_the_owner_s_where_the_account_is_their_own(signal: SignalServer) -> None:
    own = Device.objects.create(label="Signal", kind=Device.Kind.SIGNAL, address=BOT)
    listening(signal, lambda_of(signal.note_to_self, "Remember"), lambda: Message.objects.exists())
    assert Message.objects.get().device == own


def test_a_quote_says_what_is_answered_and_its_words_are_not_believed(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: Message.objects.exists())
    store_answer("Hot.")
    run_on_loop(send.post_due())
    listening(
        signal, lambda_of(signal.quote, "And now?", signal.sent[0].timestamp), lambda: Message.objects.count() == 3
    )
    follow_up = Message.objects.latest("seq")
    assert (follow_up.text, follow_up.parent and follow_up.parent.text) == ("And now?", "Hot.")


def test_what_is_not_as_described_is_counted_and_what_is_null_is_left_out(signal: SignalServer, phone: Device) -> None:
    def write() -> None:
        signal.write("With a picture of nothing", attachments=None, quote=None, reaction=None)
        signal.deliver({"dataMessage": {"timestamp": "soon", "message": "What?"}}, OWNER, signal.moment())
        signal.deliver_raw('{"error": "something"}')

    listening(signal, write, lambda: Message.objects.exists(), lambda: LineState.of("signal").unread == 1)
    assert conversation() == [("in", "With a picture of nothing")]


def test_a_character_that_no_database_holds_is_left_out_of_what_is_written(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.write, "One\0two\0\0 and \\u0000, \\\0three"), lambda: Message.objects.exists())
    assert conversation() == [("in", "Onetwo and \\u0000, \\three")]


def test_what_cannot_be_taken_is_answered(signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("agents.turns.start.start_turn", breaks)
    listening(signal, lambda_of(signal.write, "This one"), lambda: Message.objects.count() == 2)
    assert conversation() == [("in", "(a message on Signal)"), ("out", line_state.UNTAKEN)]
    assert Delivery.objects.get().device == phone


def test_a_stop_waits_for_nothing_that_came_before_it(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetching = asyncio.Event()

    async def fetched_for_ever(*_: object, **__: object) -> None:
        fetching.set()
        await asyncio.sleep(60)

    monkeypatch.setattr("agents.signal.files.fetch_content", fetched_for_ever)
    listening(
        signal,
        lambda_of(signal.send_file, "note.aac", "audio/aac", b"words"),
        lambda: fetching.is_set(),
        lambda_of(signal.write, "And then this"),
        lambda_of(signal.write, "/stop"),
        lambda: stop.is_stopped(),
    )
    assert next(text for _, text in conversation()) == "/stop"
    assert LineEntry.objects.exclude(envelope=None).count() == 2
    stop.resume_everything(timezone.now())


def test_words_are_stored_and_taken_in_one_transaction(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def takes_nothing(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(inbox, "process_entries", takes_nothing)
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: Run.objects.exists())
    [entry] = LineEntry.objects.all()
    assert (conversation(), entry.envelope, entry.message) == ([("in", "How hot?")], None, Message.objects.get())


KINDS: dict[str, dict[str, Any]] = {
    "a sticker": {"sticker": {"packId": "a1", "stickerId": 3}},
    "a contact card": {"contacts": [{"name": {"display": "Grace"}, "phone": [{"value": "+491"}]}]},
    "a poll": {"pollCreate": {"question": "When?", "allowMultiple": False, "options": ["Now", "Later"]}},
    "a payment": {"payment": {"note": "coffee", "receipt": "AA=="}},
    "a location": {"location": {"latitude": 52.1, "longitude": 13.2}},
    "a reply to a story": {"storyContext": {"authorUuid": "x", "sentTimestamp": 1}},
    "this kind of message": {"somethingNew": {"id": 1}},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_read_is_answered_with_its_name(signal: SignalServer, phone: Device, kind: str) -> None:
    signal_write = lambda_of(lambda: signal.write(None, **KINDS[kind]))
    listening(signal, signal_write, lambda: Message.objects.count() == 2)
    assert conversation() == [
        ("in", f"({kind})"),
        ("out", f"I cannot read {kind}. Write me in words what you want to say with it."),
    ]
    assert not Run.objects.exists()


def test_words_are_answered_beside_what_is_new_and_silence_where_nothing_was_said(
    signal: SignalServer, phone: Device
) -> None:
    def speak() -> None:
        signal.write(None)  # a new profile key
        signal.write(None, pollVote={"optionIndexes": [1]})
        signal.write(None, isExpirationUpdate=True)
        signal.write("Why?", storyContext={"sentTimestamp": 1}, somethingNew={"id": 1}, mentions=[{"start": 0}])
        signal.write("See her", contacts=[{"name": {"display": "Grace"}}])

    listening(signal, speak, lambda: Message.objects.count() == 3)
    assert [text for _, text in conversation()][:2] == ["Why?", "See her"]
    assert "a contact card" in conversation()[2][1]
