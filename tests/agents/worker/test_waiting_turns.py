"""With more turns than can be answered, the excess is refused and no accepted turn is lost."""

from uuid import UUID, uuid4

import pytest

from agents.frames import answer as frames_answer
from agents.models import Run
from agents.turns import start
from devices import protocol
from devices.access.handshake import web_device
from devices.models import Message
from devices.owner.account import the_owner

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
MANY_HERE = start.WAITING_HERE_FREE


@pytest.fixture(autouse=True)
def waiting(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """Let as many turns wait as are allowed."""
    monkeypatch.setattr(start, "WAITING_MAX", 3)
    turns = [uuid4() for _ in range(3)]
    for turn in turns:
        assert isinstance(_send(turn), protocol.Ack)
    return turns


def _send(turn: UUID, waiting_here: int = MANY_HERE) -> protocol.ServerFrame:
    (answer,) = frames_answer.answer_frame(
        the_owner(), web_device(), protocol.ChatSend(turn_id=turn, text="How?"), waiting_here
    )
    return answer


def test_what_is_too_much_is_not_stored_and_taken_once_there_is_room() -> None:
    turn = uuid4()
    error = _send(turn)
    assert isinstance(error, protocol.Error)
    assert (error.code, error.ref, Message.objects.count()) == ("not_stored", str(turn), 3)
    Run.objects.filter(pk=Run.objects.earliest("created_at").pk).update(state=Run.State.DONE)
    assert isinstance(_send(turn), protocol.Ack)
    assert Message.objects.filter(turn_id=turn).count() == 1


def test_what_was_taken_before_is_acknowledged_again(waiting: list[UUID]) -> None:
    assert isinstance(_send(waiting[0]), protocol.Ack)
    assert Message.objects.count() == 3


def test_whoever_waits_for_very_many_waits_also_where_nobody_else_does() -> None:
    Run.objects.update(state=Run.State.DONE)
    error = _send(uuid4(), start.WAITING_HERE_MAX)
    assert isinstance(error, protocol.Error)
    assert (error.code, f"{start.WAITING_HERE_MAX} messages wait" in error.message) == ("not_stored", True)
    assert isinstance(_send(uuid4(), start.WAITING_HERE_MAX - 1), protocol.Ack)


def test_of_what_waits_together_nothing_is_stored_beyond_the_limit(waiting: list[UUID]) -> None:
    frames = [protocol.ChatSend(turn_id=turn, text="How?") for turn in (waiting[0], uuid4(), uuid4())]
    replies = frames_answer.answer_frames(the_owner(), web_device(), frames, MANY_HERE)
    assert [frame for frame, _ in replies] == frames
    assert [type(answer) for _, (answer,) in replies] == [protocol.Ack, protocol.Error, protocol.Error]
    assert Message.objects.count() == 3


def test_whoever_waits_for_little_is_taken_in_any_case() -> None:
    assert isinstance(_send(uuid4(), MANY_HERE - 1), protocol.Ack)
