"""Thousands of grants come on pages, each below the bound of a frame."""

import asyncio
import json
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.db import connections
from pytest_django.fixtures import Settings

from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.models import Grant
from tests.devices.sockets.page_socket import connect, texts_until_now

pytestmark = pytest.mark.django_db(transaction=True)


def _make_grants(count: int, **fields: Any) -> None:
    rows = [Grant(host=f"{number:05}.{'long-name.' * 22}example"[:253], **fields) for number in range(count)]
    Grant.objects.bulk_create(rows)


async def _state_of_a_start(settings: Settings) -> tuple[list[str], list[protocol.Welcome | protocol.GrantsSync]]:
    """Return the texts of the frames that a socket sends at its start, and those that bring grants."""
    socket: WebsocketCommunicator = await connect(settings)
    texts = await texts_until_now(socket, 1)
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await asyncio.wait([socket.future], timeout=5)
    await in_db(connections.close_all)()
    frames = [protocol.parse_server(text) for text in texts]
    return texts, [frame for frame in frames if isinstance(frame, protocol.Welcome | protocol.GrantsSync)]


@pytest.mark.usefixtures("redis")
async def test_thousands_of_grants_come_on_pages_after_the_welcome(settings: Settings) -> None:
    await in_db(_make_grants)(2 * grants.PAGE + 1)
    texts, frames = await _state_of_a_start(settings)
    assert max(len(text) for text in texts) < protocol.FRAME_BYTES
    welcome, *syncs = frames
    assert (type(welcome), welcome.grants) == (protocol.Welcome, [])
    pages = [sync.page for sync in syncs if isinstance(sync, protocol.GrantsSync) and sync.page]
    assert [(page.number, page.count) for page in pages] == [(1, 3), (2, 3), (3, 3)]
    assert len({page.set for page in pages}) == 1
    hosts = [grant.host for sync in syncs for grant in sync.grants]
    assert (len(hosts), len(set(hosts))) == (2 * grants.PAGE + 1, 2 * grants.PAGE + 1)


@pytest.mark.usefixtures("redis")
async def test_without_pages_so_many_grants_reach_nobody(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "PAGE", 10**9)
    await in_db(_make_grants)(2 * grants.MOST // 5)
    assert (await _state_of_a_start(settings))[1] == []


@pytest.mark.usefixtures("redis")
async def test_few_grants_come_in_the_welcome(settings: Settings) -> None:
    await in_db(_make_grants)(3)
    [welcome] = (await _state_of_a_start(settings))[1]
    assert len(welcome.grants) == 3


def test_of_more_than_a_browser_is_told_the_blocked_come_first_and_then_the_newest() -> None:
    _make_grants(grants.MOST)
    for host, state in (("blocked.example", "blocked"), ("newest.example", "allowed")):
        Grant.objects.create(host=host, state=state)
    Grant.objects.filter(host="blocked.example").update(created_at="2020-01-01T00:00:00Z")
    infos = grants.current_infos()
    assert len(infos) == grants.MOST
    assert [info.host for info in infos[:2]] == ["blocked.example", "newest.example"]


def test_pages_of_another_state_are_another_set() -> None:
    _make_grants(grants.PAGE + 1)
    before = grants.grant_frames(grants.current_infos())
    again = grants.grant_frames(grants.current_infos())
    Grant.objects.update(state="blocked")
    after = grants.grant_frames(grants.current_infos())
    sets = [{frame.page.set for frame in frames if frame.page} for frames in (before, again, after)]
    assert sets[0] == sets[1] != sets[2]
    assert json.loads(protocol.encode(before[0]))["page"]["count"] == 2
