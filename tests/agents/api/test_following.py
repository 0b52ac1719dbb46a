"""How a program's turn is followed where the word of its end is lost."""

import asyncio
from uuid import uuid4

import pytest

from agents.api import following
from agents.api.following import Following, Over
from devices import events
from devices.db import in_db
from tests.agents.outbox.send_message import tell
from tests.agents.signal.on_signal import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


async def _speak_of_others() -> None:
    """Have the devices be told of another turn all the time."""
    while True:
        await events.asend({"type": "turn.status", "turn_id": str(uuid4()), "frame": "{}", "is_private": False})
        await asyncio.sleep(0.02)


async def _end_of(turn: Following) -> Over:
    async for state in turn.states():
        if isinstance(state, Over):
            return state
    raise AssertionError("it ended without an end")


def test_an_end_that_nobody_heard_of_is_found_while_others_are_spoken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "LOOK_S", 0.2)

    found = list[Over]()

    async def followed() -> None:
        ended = await in_db(tell)("/help stop")
        assert ended.turn_id is not None
        turn = Following(ended.turn_id, is_to_come=True)
        await turn.begin()
        others = asyncio.create_task(_speak_of_others())
        try:
            found.append(await asyncio.wait_for(_end_of(turn), 10))
        finally:
            others.cancel()
            await turn.end()

    run(followed())
    assert found[0].message.text.startswith("`/stop`")
