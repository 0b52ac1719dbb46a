"""A socket of the web page, in this process."""

import asyncio
import sys
import traceback
from io import StringIO
from uuid import uuid4

from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client
from pytest_django.fixtures import Settings

from devices import events
from devices.db import in_db
from devices.owner.account import the_owner
from devices.redis import async_client
from penny_site import asgi

MARK = "all that was sent before has arrived"


def _cookie(settings: Settings) -> str:
    client = Client()
    client.force_login(the_owner())
    return f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"


async def connect(settings: Settings, query: str = "") -> WebsocketCommunicator:
    header_values = {"host": "127.0.0.1:8787", "origin": settings.PUBLIC_URL, "cookie": await in_db(_cookie)(settings)}
    headers = [(name.encode(), value.encode()) for name, value in header_values.items()]
    socket = WebsocketCommunicator(asgi.application, f"/ws/web{query}", headers=headers)
    accepted, _ = await socket.connect(timeout=5)
    assert accepted
    return socket


async def disconnect(socket: WebsocketCommunicator) -> None:
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    assert await asyncio.wait([socket.future], timeout=5) == ({socket.future}, set())
    await in_db(connections.close_all)()  # connections of this loop's thread, which nothing else can close


async def receive_text(socket: WebsocketCommunicator) -> str:
    """Return the next text of a socket that is no mark."""
    while (text := str(await socket.receive_from(timeout=60))).startswith(MARK):
        pass
    return text


async def texts_until_now(socket: WebsocketCommunicator, least: int) -> list[str]:
    """Return the texts that a socket sends: at least `least`, and more until a mark that is sent after them.

    A socket receives marks once it has sent its first text. Every socket receives them.
    """
    texts = [await receive_text(socket) for _ in range(least)]
    mark = f"{MARK}: {uuid4()}"
    await events.asend({"type": "frame", "frame": mark, "standing": []})
    try:
        while (text := str(await socket.receive_from(timeout=60))) != mark:
            texts += [] if text.startswith(MARK) else [text]
    except TimeoutError:
        raise AssertionError(f"no mark came; {await _layer_and_stacks()}") from None
    return texts


async def _layer_and_stacks() -> str:
    """Return what the channel layer of this loop knows and Redis counts, and where each task and thread waits."""
    layer, stacks = get_channel_layer()._get_layer(), StringIO()
    for task in asyncio.all_tasks():
        task.print_stack(limit=6, file=stacks)
    for identifier, frame in sys._current_frames().items():
        print(f"\nThread {identifier}", file=stacks)
        traceback.print_stack(frame, limit=-6, file=stacks)
    async with async_client() as client:
        channels = await client.execute_command("PUBSUB", "CHANNELS")
    shard = layer._shards[0]
    return f"{shard._receive_task=} {shard._subscribed_to=} {layer.groups=} {channels=}\n{stacks.getvalue()}"
