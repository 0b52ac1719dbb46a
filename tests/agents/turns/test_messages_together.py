"""Messages that queue at one socket: stored together, answered as if each had come alone."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.frames import answer as frames_answer
from agents.models import Run
from agents.runs import queue
from agents.turns import start
from devices import events, protocol
from devices.access.handshake import web_device
from devices.conversation import messages as conversation_messages
from devices.models import Message
from devices.owner import stop as owner_stop
from devices.owner.account import the_owner
from tests.client import make_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def question_frame(text: str = "How?", **more: Any) -> protocol.ChatSend:
    return protocol.ChatSend(turn_id=uuid4(), text=text, **more)


def answer_all(*frames: protocol.ClientFrame) -> list[protocol.ServerFrame]:
    """Return the one answer of each frame, in order."""
    pairs = frames_answer.answer_frames(the_owner(), web_device(), frames, 0)
    assert [frame for frame, _ in pairs] == list(frames)
    return [answer for _, (answer,) in pairs]


def acks(*frames: protocol.ChatSend) -> list[protocol.Ack]:
    return [protocol.Ack(ref=str(frame.turn_id)) for frame in frames]


def stored_turns() -> list[tuple[int, UUID | None]]:
    """Return `seq` and turn of the owner's messages, oldest first."""
    return list(Message.objects.filter(direction="in").order_by("seq").values_list("seq", "turn_id"))


def test_they_are_stored_in_their_order_in_one_transaction_each_with_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    events_sent: list[dict[str, Any]] = []
    monkeypatch.setattr(events, "send", lambda event, group=events.OWNER_GROUP: events_sent.append(event))
    frames = [question_frame(f"Question {number}") for number in range(5)]
    frames_answer.answer_frames(the_owner(), web_device(), [], 0)  # creates owner and device before COMMITs are counted
    with CaptureQueriesContext(connection) as queries:
        assert answer_all(*frames) == acks(*frames)
    assert len([query for query in queries if query["sql"].startswith("COMMIT")]) == 1
    first = stored_turns()[0][0]
    assert stored_turns() == [(first + number, frame.turn_id) for number, frame in enumerate(frames)]
    assert {run.turn_id: run.state for run in Run.objects.all()} == {frame.turn_id: "queued" for frame in frames}
    frames_sent = [protocol.parse_server(event["frame"]) for event in events_sent if event["type"] == "wake"]
    assert [frame.message.text for frame in frames_sent if isinstance(frame, protocol.MessageNew)] == [
        frame.text for frame in frames
    ]


def test_the_workers_hear_of_all_their_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[list[str]] = []

    class Listening:
        def publish(self, channel: str, data: str) -> int:
            published.append([channel, *data.split()])
            return 1

    monkeypatch.setattr(queue, "sync_client", Listening)
    answer_all(question_frame(), question_frame(), question_frame())
    runs = [str(pk) for pk in Run.objects.order_by("message__seq").values_list("pk", flat=True)]
    assert published == [[queue.START_CHANNEL, *runs]]


def test_one_that_was_stored_before_is_acknowledged_and_not_stored_twice() -> None:
    first, second, third = question_frame("1"), question_frame("2"), question_frame("3")
    answer_all(second)
    assert answer_all(first, second, third) == acks(first, second, third)
    assert [turn for _, turn in stored_turns()] == [second.turn_id, first.turn_id, third.turn_id]
    assert Run.objects.count() == 3


def test_the_same_one_twice_is_stored_once() -> None:
    frame, other = question_frame("1"), question_frame("2")
    assert answer_all(frame, frame, other) == acks(frame, frame, other)
    assert [turn for _, turn in stored_turns()] == [frame.turn_id, other.turn_id]


def test_a_command_among_them_is_obeyed_where_it_stands() -> None:
    first, stop, last = question_frame("1"), question_frame("/stop"), question_frame("2")
    assert answer_all(first, stop, last) == acks(first, stop, last)
    assert owner_stop.is_stopped()
    assert Run.objects.get(turn_id=first.turn_id).cancel_requested_at
    assert "Everything is stopped" in Message.objects.get(turn_id=last.turn_id, direction="out").text


def test_while_everything_is_stopped_each_is_told_so() -> None:
    with transaction.atomic():
        owner_stop.stop_everything("Phone", timezone.now())
    frames = [question_frame("1"), question_frame("2")]
    assert answer_all(*frames) == acks(*frames)
    assert not Run.objects.filter(state="queued").exists()
    assert Message.objects.filter(direction="out", text__startswith="Everything is stopped").count() == 2


def test_what_they_are_about_and_what_comes_behind_them_is_not_lost() -> None:
    answer_all(question_frame("What came before"))
    parent = Message.objects.get()
    first, second, reply = question_frame("1"), question_frame("2"), question_frame("3", parent_id=parent.pk)
    fetch = protocol.HistoryFetch(before_seq=parent.seq + 1, limit=9)
    *replies, page = answer_all(first, second, reply, fetch)
    assert replies == acks(first, second, reply)
    assert Message.objects.get(turn_id=reply.turn_id).parent == parent
    assert isinstance(page, protocol.HistoryPage)
    assert [message.id for message in page.messages] == [parent.pk]


@pytest.mark.parametrize(
    "broken",
    [OperationalError("disk I/O error"), RuntimeError("nobody expected this")],
    ids=lambda error: type(error).__name__,
)
def test_where_they_cannot_be_stored_together_each_is_stored_by_itself(
    monkeypatch: pytest.MonkeyPatch, broken: Exception
) -> None:
    store_all = conversation_messages.store_messages

    def only_one(owner: Any, rows: Any) -> list[Message]:
        messages = store_all(owner, rows)
        if len(rows) > 1:
            raise broken
        return messages

    monkeypatch.setattr(conversation_messages, "store_messages", only_one)
    frames = [question_frame("1"), question_frame("2")]
    assert answer_all(*frames) == acks(*frames)
    assert [turn for _, turn in stored_turns()] == [frame.turn_id for frame in frames]


def test_what_nobody_could_store_is_said_to_be_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> list[Message]:
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(conversation_messages, "store_messages", fails)
    errors = answer_all(question_frame("1"), question_frame("2"))
    assert [frame.code for frame in errors if isinstance(frame, protocol.Error)] == ["not_stored", "not_stored"]
    assert (Message.objects.count(), Run.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "what",
    [
        lambda: question_frame(temporary=True),
        lambda: question_frame(parent_id=uuid4()),
        lambda: question_frame(thought_id=uuid4()),
        lambda: question_frame(page=make_page("https://a.example/", "A", "Words.")),
    ],
    ids=["temporary", "a reply", "about a thought", "with a page"],
)
def test_only_words_alone_are_stored_together(what: Callable[[], protocol.ChatSend]) -> None:
    assert not start.is_plain(what())
    assert start.is_plain(question_frame())
