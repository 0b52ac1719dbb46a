"""A socket in this process: what no device can make happen from outside."""

import asyncio
import time

import pytest
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client
from pytest_django.fixtures import Settings

from agents import inbound
from devices import consumers, protocol
from devices.db import in_db
from devices.owner import the_owner
from penny_site import asgi


def _cookie(settings: Settings) -> str:
    client = Client()
    client.force_login(the_owner())
    return f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"


@pytest.mark.django_db(transaction=True)
async def test_an_error_that_nobody_expected_closes_the_socket_and_nothing_waits_behind_it(
    redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        time.sleep(0.3)  # meanwhile more comes in than is taken
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(inbound, "answer", breaks)
    sent = {"host": "127.0.0.1:8787", "origin": settings.PUBLIC_URL, "cookie": await in_db(_cookie)(settings)}
    socket = WebsocketCommunicator(asgi.application, "/ws/web", headers=[(name.encode(), value.encode()) for name, value in sent.items()])
    accepted, _ = await socket.connect(timeout=5)
    assert accepted
    fetch = protocol.encode(protocol.HistoryFetch(before_seq=1, limit=1))
    for _ in range(3 * consumers.WAITING_FRAMES):
        await socket.send_to(text_data=fetch)
    while (said := await socket.receive_output(timeout=5))["type"] != "websocket.close":
        pass
    assert said["code"] == consumers.CLOSE_FAILED
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    assert await asyncio.wait([socket.future], timeout=5) == ({socket.future}, set())
    await in_db(connections.close_all)()  # those of the thread that worked for this loop: nobody else can
