"""Following a turn: its end without an event, and the new parts of its text."""

import asyncio
from uuid import uuid4

import pytest

from agents.api import following
from agents.api.following import FollowedTurn, Increments, TurnEnd
from devices import events
from devices.db import in_db
from tests.agents.outbox.send_message import send_message
from tests.agents.signal.on_signal import run_on_loop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


async def _speak_of_others() -> None:
    """Send events of another turn all the time."""
    while True:
        await events.asend({"type": "turn.status", "turn_id": str(uuid4()), "frame": "{}", "is_private": False})
        await asyncio.sleep(0.02)


async def _end_of(turn: FollowedTurn) -> TurnEnd:
    async for state in turn.states():
        if isinstance(state, TurnEnd):
            return state
    raise AssertionError("it ended without an end")


def test_an_end_that_nobody_heard_of_is_found_while_others_are_spoken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "LOOK_S", 0.2)

    ends = list[TurnEnd]()

    async def followed() -> None:
        turn_run = await in_db(send_message)("/help stop")
        assert turn_run.turn_id is not None
        turn = FollowedTurn(turn_run.turn_id, is_to_come=True)
        await turn.begin()
        others = asyncio.create_task(_speak_of_others())
        try:
            ends.append(await asyncio.wait_for(_end_of(turn), 10))
        finally:
            others.cancel()
            await turn.end()

    run_on_loop(followed())
    assert ends[0].message.text.startswith("`/stop`")


@pytest.mark.parametrize(
    ("states", "pieces"),
    [
        (["One", "One two", "One two three"], ["One", " two", " three"]),
        (["Let me look", "", "It is", "It is nine"], ["Let me look", "", "\n\nIt is", " nine"]),
        (
            ["Nine bars [", "Nine bars [p1", "Nine bars [p1.c2].", "Nine bars [p1.c2]. So"],
            ["Nine bars", "", ".", " So"],
        ),
        (["a[", "a[x", "a[x]"], ["a", "[x", "]"]),
    ],
)
def test_only_what_is_new_is_sent_and_no_handle(states: list[str], pieces: list[str]) -> None:
    increments = Increments()
    assert [increments.of(state) for state in states] == pieces


def test_at_the_end_comes_what_is_missing() -> None:
    streamed, unheard = Increments(), Increments()
    streamed.of("Nine bars.")
    assert streamed.rest("Nine bars. The budget is used up.", []) == " The budget is used up."
    assert (
        streamed.rest("Nine [bars](x)", [("Water", "https://a.example/")]) == "\n\nFrom:\n- [Water](https://a.example/)"
    )
    assert unheard.rest("All of it", []) == "All of it"
