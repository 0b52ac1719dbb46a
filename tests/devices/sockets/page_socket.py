"""A socket of the web page, in this process."""

from channels.testing import WebsocketCommunicator
from django.test import Client
from pytest_django.fixtures import Settings

from devices.db import in_db
from devices.owner.account import the_owner
from penny_site import asgi


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
