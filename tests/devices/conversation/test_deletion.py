"""Messages and threads are deleted, come back for a day, and are removed for good after it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from agents.frames.answer import answer_frame
from agents.frames.welcome import first_frames
from agents.models import Run, Step
from agents.worker import forget_deleted
from devices import events, protocol
from devices.access.handshake import web_device
from devices.conversation import deletion
from devices.conversation.deletion import ranges_of
from devices.models import Delivery, Device, Message, Thread
from devices.owner.account import the_owner
from devices.sockets.window import Window
from tests.agents.background import carry_out_all
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[protocol.ServerFrame]:
    """The frames that every device is sent."""
    frames: list[protocol.ServerFrame] = []
    monkeypatch.setattr(events, "send_frame", lambda frame, *_: frames.append(frame))
    return frames


def say(text: str, **fields: Any) -> Message:
    run = send_message(text, **fields)
    carry_out_all()
    return reply_to(run)


def send_request(kind: str, **fields: Any) -> protocol.ServerFrame:
    frame = protocol.parse_client(protocol.encode(FRAMES[kind](ref=uuid4(), **fields)))
    [answer] = answer_frame(the_owner(), web_device(), frame)
    return answer


FRAMES: dict[str, Any] = {
    "delete": protocol.MessageDelete,
    "restore": protocol.MessageRestore,
    "delete thread": protocol.ThreadDelete,
    "restore thread": protocol.ThreadRestore,
}


def code(frame: protocol.ServerFrame) -> str:
    return frame.code if isinstance(frame, protocol.Error) else frame.type


def seqs() -> list[int]:
    return list(Message.objects.values_list("seq", flat=True))


def pairs_of(frames: Sequence[protocol.ServerFrame]) -> list[tuple[int, int]]:
    parts = [frame for frame in frames if isinstance(frame, protocol.MessagesGone)]
    return [(part.first, part.last) for frame in parts for part in frame.ranges]


def gone_at(cursor: int | None) -> list[tuple[int, int]]:
    start = 0 if cursor is None else cursor
    window = Window(sent_seq=start, acknowledged=start)
    frames = first_frames(web_device(), the_owner(), window)
    return pairs_of(frames)


def test_delete_takes_the_last_question_with_its_answer_and_restore_brings_both_back() -> None:
    say("First")
    say("Second")
    answer = immediate_answer("/delete")
    assert answer.text == "Deleted: “Second”, with its answer. `/restore` brings it back, for a day."
    assert seqs() == [1, 2, 5, 6]
    assert immediate_answer("/delete").text.startswith("Deleted: “First”")
    assert immediate_answer("/delete").text.startswith("There is nothing to delete here.")
    assert immediate_answer("/restore").text == "2 messages are back."
    assert immediate_answer("/restore").text == "2 messages are back."
    assert immediate_answer("/restore").text == "Nothing was deleted in the last day."
    assert seqs()[:4] == [1, 2, 3, 4]


def test_a_reply_deletes_what_it_replies_to_an_answer_alone() -> None:
    answer = say("First")
    say("Second")
    assert immediate_answer("/delete", parent_id=answer.pk).text.endswith("brings it back, for a day.")
    assert seqs()[:3] == [1, 3, 4]
    assert answer.parent
    assert "with" not in immediate_answer("/delete", parent_id=answer.parent.pk).text.partition("`/restore`")[0]
    assert seqs()[:2] == [3, 4]


def test_in_a_thread_it_is_the_last_question_of_that_thread() -> None:
    say("Grinders", thread=(thread := uuid4()))
    say("Passports")
    immediate_answer("/delete", thread=thread)
    assert Message.objects.filter(text="Passports").exists()
    assert not Message.objects.filter(text="Grinders").exists()


def test_what_is_deleted_is_gone_from_search_history_and_export() -> None:
    question = say("Canary").parent
    assert question
    assert code(send_request("delete", message_id=question.pk)) == "ack"
    page, hits = [
        answer_frame(the_owner(), web_device(), frame)[0]
        for frame in (
            protocol.HistoryFetch(before_seq=100, limit=50),
            protocol.HistorySearch(ref=uuid4(), text="canary"),
        )
    ]
    assert isinstance(page, protocol.HistoryPage)
    assert isinstance(hits, protocol.HistoryFound)
    assert [page.messages, hits.messages] == [[], []]
    assert code(send_request("delete", message_id=question.pk)) == "not_found"
    assert code(send_request("restore", message_id=question.pk)) == "ack"
    assert seqs() == [1, 2]
    assert code(send_request("restore", message_id=question.pk)) == "not_found"


def test_a_message_whose_answer_is_being_written_is_not_deleted() -> None:
    thread = uuid4()
    run = send_message("Slow", thread=thread)
    assert run.message
    assert code(send_request("delete", message_id=run.message.pk)) == "open"
    assert code(send_request("delete thread", thread_id=thread)) == "open"
    carry_out_all()
    assert code(send_request("delete thread", thread_id=thread)) == "ack"


def test_a_thread_goes_and_comes_back_with_its_messages(frames: list[protocol.ServerFrame]) -> None:
    thread = uuid4()
    say("Grinders", thread=thread)
    say("Passports")
    deleted = say("Filters", thread=thread)
    send_request("delete", message_id=deleted.pk)
    del frames[:]
    assert code(send_request("delete thread", thread_id=thread)) == "ack"
    assert pairs_of(frames) == [(1, 2), (5, 5)]
    assert [frame.threads for frame in frames if isinstance(frame, protocol.ThreadsSync)] == [[]]
    assert seqs() == [3, 4]
    assert code(send_request("delete thread", thread_id=thread)) == "not_found"
    assert code(send_request("restore thread", thread_id=thread)) == "ack"
    assert seqs() == [1, 2, 3, 4, 5]  # what was deleted before stays deleted
    assert [row.name for row in frames[-1].threads] == ["Grinders"]  # type: ignore[union-attr]
    assert code(send_request("restore thread", thread_id=thread)) == "not_found"


def test_a_message_into_a_deleted_thread_begins_it_again_without_what_was_said() -> None:
    say("Grinders", thread=(thread := uuid4()))
    send_request("delete thread", thread_id=thread)
    say("More grinders", thread=thread)
    assert [row.text for row in Message.objects.filter(thread=thread, direction="in")] == ["More grinders"]
    assert Thread.objects.kept().get().pk == thread


def test_a_device_that_was_away_is_told_what_is_gone() -> None:
    for words in ("One", "Two", "Three"):
        say(words)
    assert gone_at(6) == []
    immediate_answer("/delete")
    assert [gone_at(6), gone_at(4), gone_at(8), gone_at(None)] == [[(5, 6)], [], [(5, 6)], []]
    Message.objects.all().delete()
    assert gone_at(6) == [(1, 6)]


def test_as_far_back_as_clients_store_messages_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "GONE_MAX", 2)
    for words in ("One", "Two", "Three"):
        say(words)
    Message.objects.filter(seq__in=[1, 3, 5]).delete()
    assert gone_at(6) == [(5, 5)]


def test_numbers_are_joined_to_ranges() -> None:
    frame = protocol.MessagesGone(ranges=ranges_of([1, 2, 3, 5, 8, 9]))
    assert pairs_of([frame]) == [(1, 3), (5, 5), (8, 9)]


def test_over_signal_what_waits_is_not_sent_and_what_was_sent_is_taken_back() -> None:
    phone = Device.objects.create(label="Phone", kind="signal", address="+1")
    question = say("Hello").parent
    assert question
    answer = Message.objects.get(parent=question)
    Delivery.objects.create(device=phone, message=answer, key="waits", reason="x")
    Delivery.objects.create(device=phone, message=question, key="sent", reason="x", state="accepted", sent=["1"])
    send_request("delete", message_id=question.pk)
    assert [(row.key.partition(":")[0], row.withdraws) for row in Delivery.objects.order_by("id")] == [
        ("sent", []),
        ("withdraw", ["1"]),
    ]


def test_no_page_shows_what_is_deleted(owner_client: Client) -> None:
    answer = say("Canary of a question")
    run = Run.objects.get(turn_id=answer.turn_id)
    phone = Device.objects.create(label="Phone", kind="signal", address="+1")
    Delivery.objects.create(device=phone, message=answer.parent, key="sent", reason="x", state="accepted", sent=["1"])

    def shows() -> list[bool]:
        pages = ["/activity/", "/activity/runs/", "/activity/sent/", "/chat/", f"/runs/{run.pk}/"]
        return ["Canary" in owner_client.get(page).content.decode() for page in pages]

    assert shows() == [True] * 5
    assert answer.parent
    send_request("delete", message_id=answer.parent.pk)
    assert shows() == [False] * 5
    assert owner_client.get(f"/runs/{run.pk}/trace.json").status_code == 404


def test_after_a_day_all_of_it_is_removed_for_good() -> None:
    thread = uuid4()
    run = send_message("Grinders", thread=thread)
    carry_out_all()
    Step.objects.create(run=run, kind="tool", name="x", request={"words": "Grinders"})
    other = say("Passports")
    send_request("delete thread", thread_id=thread)
    now = timezone.now()
    assert forget_deleted.forget_deleted_messages(now + timedelta(hours=23)) == 0
    assert forget_deleted.forget_deleted_messages(now + timedelta(hours=25)) == 2
    assert [Message.all_rows.count(), Thread.objects.count()] == [2, 0]
    assert list(Run.objects.values_list("turn_id", flat=True)) == [other.turn_id]
    assert not Step.objects.filter(run_id=run.pk).exists()


def test_a_deletion_of_more_than_a_day_ago_is_final() -> None:
    say("Grinders", thread=(thread := uuid4()))
    send_request("delete thread", thread_id=thread)
    Thread.objects.update(deleted_at=timezone.now() - timedelta(hours=25))
    Message.all_rows.update(deleted_at=timezone.now() - timedelta(hours=25))
    assert code(send_request("restore thread", thread_id=thread)) == "not_found"
    assert deletion.last_deletion(the_owner()) is None
