"""A long message is rendered outside of the thread that serves the sockets."""

import asyncio
import threading
from typing import Any
from uuid import uuid4

import pytest
from pytest_django.fixtures import Settings

from devices import protocol
from tests.devices.sockets.page_socket import connect, disconnect
from tests.devices.sockets.test_sockets import _frames_received
from thoughts.rendering import render_safe


@pytest.mark.django_db(transaction=True)
async def test_while_a_long_message_is_rendered_every_socket_is_served(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_rendering, goes_on = threading.Event(), threading.Event()

    def slow(*arguments: Any) -> Any:
        is_rendering.set()
        goes_on.wait(60)
        return render_safe(*arguments)

    monkeypatch.setattr("devices.conversation.messages.render_safe", slow)
    first, second = await connect(settings), await connect(settings)
    await _frames_received(second, protocol.Welcome, 1)
    try:
        await first.send_to(text_data=protocol.encode(protocol.ChatSend(turn_id=(turn := uuid4()), text="[" * 9000)))
        assert await asyncio.to_thread(is_rendering.wait, 60)
        await second.send_to(text_data=protocol.encode(protocol.HistoryFetch(before_seq=1, limit=1)))
        assert await asyncio.wait_for(_frames_received(second, protocol.HistoryPage, 1), 10)
    finally:
        goes_on.set()
    assert [frame.ref for frame in await _frames_received(first, protocol.Ack, 1)] == [str(turn)]
    await disconnect(first)
    await disconnect(second)
