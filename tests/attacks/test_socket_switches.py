"""Each defence of the sockets, on and off: a test patches the defence away, and the same attack succeeds.

| defence | switched off by |
|---|---|
| Host names of sockets | `doors.validate_host` that says yes |
| web origins at the devices' door | `consumers.is_device_origin` that says yes |
| the page's Origin at `/ws/web` | `PUBLIC_URL` that is the attacker's |
| the pinned Origin | an Origin that is equal to every other |
| the device's proof | `keys.is_proof` that says yes |
| a nonce for each socket | `secrets.token_bytes` that always returns the same |
| 4 kB before the proof | `UNAUTHENTICATED_BYTES` of a megabyte |
| the look for revocations | `DeviceConsumer._watch` that looks at nothing |
"""

import asyncio
import secrets

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from devices import protocol
from devices.access import handshake, keys
from devices.db import in_db
from devices.models import Device
from devices.owner.account import the_owner
from devices.sockets import consumers
from penny_site import asgi, doors
from tests.raw import Device as Keys
from tests.raw import new_device, unb64

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

Patch = pytest.MonkeyPatch
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
EVIL = "https://evil.example"


def says_yes(*_: object, **__: object) -> bool:
    return True


# Sockets
# --------------------------------------------------------------------------------------------------------------------


async def _is_accepted(path: str, **headers: str) -> bool:
    raw_headers = [
        (name.lower().encode(), value.encode()) for name, value in ({"Host": "127.0.0.1:8787"} | headers).items()
    ]
    socket = WebsocketCommunicator(asgi.application, path, headers=raw_headers)
    accepted, _ = await socket.connect(timeout=5)
    await socket.disconnect()
    return bool(accepted)


async def test_a_foreign_host_opens_no_socket(monkeypatch: Patch) -> None:
    assert not await _is_accepted("/ws/device", Host="evil.example")
    monkeypatch.setattr(doors, "validate_host", says_yes)
    assert await _is_accepted("/ws/device", Host="evil.example")


async def test_a_web_origin_opens_no_socket_of_devices(monkeypatch: Patch) -> None:
    assert not await _is_accepted("/ws/device", Origin=EVIL)
    monkeypatch.setattr(consumers, "is_device_origin", says_yes)
    assert await _is_accepted("/ws/device", Origin=EVIL)


def _session() -> str:
    client = Client()
    client.force_login(the_owner())
    session = client.session
    assert isinstance(session, SessionStore)
    return str(session.session_key)


@pytest.mark.django_db(transaction=True)
async def test_another_site_opens_no_socket_of_the_web_page_though_the_cookie_is_good(settings: Settings) -> None:
    cookie = f"{settings.SESSION_COOKIE_NAME}={await asyncio.to_thread(_session)}"
    assert not await _is_accepted("/ws/web", Origin=EVIL, Cookie=cookie)
    settings.PUBLIC_URL = EVIL
    assert await _is_accepted("/ws/web", Origin=EVIL, Cookie=cookie)


async def test_four_kilobytes_are_all_that_a_stranger_may_send(monkeypatch: Patch) -> None:
    assert await _closed_after("x" * 5000) == protocol.CLOSE_TOO_LARGE
    monkeypatch.setattr(protocol, "UNAUTHENTICATED_BYTES", 1024 * 1024)
    assert await _closed_after("x" * 5000) == protocol.CLOSE_MALFORMED


async def _closed_after(text: str) -> int:
    socket = WebsocketCommunicator(asgi.application, "/ws/device", headers=[(b"host", b"127.0.0.1:8787")])
    await socket.connect(timeout=5)
    await socket.send_to(text_data=text)
    closed = await socket.receive_output(timeout=5)
    await socket.disconnect()
    return int(closed["code"])


# The handshake
# --------------------------------------------------------------------------------------------------------------


def _paired(origin: str = "") -> tuple[Device, Keys]:
    device = new_device()
    return Device.objects.create(label="Raw", kind="api", public_key=unb64(device.public_key), origin=origin), device


def _admitted(row: Device, signer: Keys, origin: str = "", *, nonce: str = "") -> bool:
    """Whether the server admits a client with this key under this Origin.

    `nonce`: an old nonce to sign.
    """
    shake = handshake.Handshake(origin)
    client = protocol.Client(name="raw", version="1", browser="none")
    hello = protocol.AuthHello(device_id=row.id, nonce=keys.to_base64url(bytes(32)), protocol=1, client=client)
    challenge = shake.challenge(hello)
    signature = signer.sign(f"penny-device-v1\n{nonce or challenge.nonce}\n{row.id}\n{origin}")
    try:
        shake.admit(protocol.AuthProof(signature=signature, tools=[], cursor=None))
    except handshake.Refused:
        return False
    return True


class AnyOrigin(str):
    """An Origin that is equal to every other."""

    __slots__ = ()

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


def test_the_right_key_under_another_origin_is_not_let_in() -> None:
    row, device = _paired(EXTENSION)
    assert _admitted(row, device, EXTENSION)
    assert not _admitted(row, device, EXTENSION.replace("a", "b"))
    assert _admitted(row, device, AnyOrigin(EXTENSION.replace("a", "b")))


def test_another_key_is_not_let_in(monkeypatch: Patch) -> None:
    row, _ = _paired()
    assert not _admitted(row, new_device())
    monkeypatch.setattr(keys, "is_proof", says_yes)
    assert _admitted(row, new_device())


def test_an_old_proof_is_not_let_in(monkeypatch: Patch) -> None:
    row, device = _paired()
    old = keys.to_base64url(bytes(handshake.NONCE_BYTES))
    assert not _admitted(row, device, nonce=old)
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    assert _admitted(row, device, nonce=old)


async def _enter(socket: WebsocketCommunicator, row: Device, signer: Keys) -> None:
    await socket.connect(timeout=5)
    client = {"name": "raw", "version": "1", "browser": "none"}
    nonce = keys.to_base64url(bytes(32))
    await socket.send_json_to(
        {"type": "auth.hello", "device_id": str(row.id), "nonce": nonce, "protocol": 1, "client": client}
    )
    challenge = await socket.receive_json_from(timeout=5)
    signature = signer.sign(f"penny-device-v1\n{challenge['nonce']}\n{row.id}\n")
    await socket.send_json_to({"type": "auth.proof", "signature": signature, "tools": [], "cursor": None})
    assert (await socket.receive_json_from(timeout=5))["type"] == "welcome"


async def _is_revoked_within(seconds: float, socket: WebsocketCommunicator) -> bool:
    while not await socket.receive_nothing(timeout=seconds):
        frame = await socket.receive_output()
        if frame["type"] == "websocket.close":
            return bool(frame["code"] == protocol.CLOSE_REVOKED)
    return False


async def _is_closed_without_a_word(within_s: float) -> bool:
    """Whether a socket closes after only the row was revoked, as when Redis cannot notify it."""
    row, signer = await in_db(_paired)()
    socket = WebsocketCommunicator(asgi.application, "/ws/device", headers=[(b"host", b"127.0.0.1:8787")])
    await _enter(socket, row, signer)
    await Device.objects.filter(pk=row.pk).aupdate(revoked_at=timezone.now())
    try:
        return await _is_revoked_within(within_s, socket)
    finally:
        await socket.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_a_revoked_device_that_nobody_told_goes_and_without_the_look_it_stays(monkeypatch: Patch) -> None:
    async def looks_at_nothing(_: object) -> None:
        pass

    assert await _is_closed_without_a_word(within_s=10)
    monkeypatch.setattr(consumers.DeviceConsumer, "_watch", looks_at_nothing)
    assert not await _is_closed_without_a_word(within_s=1)


@pytest.mark.django_db(transaction=True)
async def test_the_older_of_two_sockets_goes_though_nobody_told_it() -> None:
    row, signer = await in_db(_paired)()
    socket = WebsocketCommunicator(asgi.application, "/ws/device", headers=[(b"host", b"127.0.0.1:8787")])
    await _enter(socket, row, signer)
    await Device.objects.filter(pk=row.pk).aupdate(connection="a newer one")
    try:
        while (frame := await socket.receive_output(timeout=10))["type"] != "websocket.close":
            pass
    finally:
        await socket.disconnect()
    assert frame["code"] == protocol.CLOSE_REPLACED
