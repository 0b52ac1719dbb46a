"""A change of the password: who may, and what ends with it."""

import asyncio
import time

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from devices.access import sign_ins
from devices.db import in_db
from devices.owner.account import new_sign_in_link, the_owner
from devices.sockets import consumers
from penny_site import asgi
from penny_site.admin import OwnerAdmin
from penny_site.sign_in import views
from tests.page_client import PageClient
from tests.penny_site.sign_in.sessions import is_signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
OLD, NEW = "nine bars of pressure", "ten bars of pressure"
NEW_TWICE = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture(autouse=True)
def old_password(db: None) -> None:
    _set_password(OLD)


def _set_password(password: str) -> None:
    owner = the_owner()
    owner.set_password(password)
    owner.save()


def _signed_in() -> Client:
    client = PageClient()
    client.force_login(the_owner())
    return client


def _by_link() -> Client:
    client, link = PageClient(), new_sign_in_link()
    client.get(link[link.index("/sign-in/") :])
    return client


def test_the_admin_asks_for_the_old_password_and_with_its_own_form_it_does_not(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = _signed_in(), f"/admin/auth/user/{the_owner().pk}/password/"
    form = {"usable_password": "true", "password1": NEW, "password2": NEW, "set-password": ""}
    assert client.get(address).headers["Location"] == "/password/"
    client.post(address, form)
    assert the_owner().check_password(OLD)
    request = rf.post(address, form)
    request.user, request.session, request._dont_enforce_csrf_checks = the_owner(), client.session, True  # type: ignore[attr-defined]
    monkeypatch.setattr("django.contrib.messages.success", lambda *_: None)
    UserAdmin.user_change_password(OwnerAdmin(User, admin.site), request, str(the_owner().pk))
    assert the_owner().check_password(NEW)


def test_a_session_changes_the_password_with_the_old_one_alone() -> None:
    client = _signed_in()
    for old in ({}, {"old_password": ""}, {"old_password": NEW}):
        client.post("/password/", NEW_TWICE | old)
        assert the_owner().check_password(OLD)
    client.post("/password/", NEW_TWICE | {"old_password": OLD})
    assert the_owner().check_password(NEW)


def test_a_link_replaces_a_forgotten_password_once() -> None:
    client = _by_link()
    html = client.get("/password/").content.decode()
    assert 'name="old_password"' not in html
    assert "You came by a link" in html
    client.post("/password/", NEW_TWICE)
    assert the_owner().check_password(NEW)
    assert is_signed_in(client)
    assert 'name="old_password"' in client.get("/password/").content.decode()


def test_later_a_session_of_a_link_needs_the_old_password_too(monkeypatch: pytest.MonkeyPatch) -> None:
    client = _by_link()
    later = time.time() + views.REPLACES_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    client.post("/password/", NEW_TWICE)
    assert the_owner().check_password(OLD)


def test_guesses_of_the_old_password_are_slowed_down() -> None:
    client = _signed_in()
    answers = [client.post("/password/", NEW_TWICE | {"old_password": "a guess"}).status_code for _ in range(11)]
    assert (answers[0], answers[-1]) == (200, 429)


def test_a_password_that_a_command_changed_ends_each_session() -> None:
    key = _signed_in().session.session_key
    assert sign_ins.is_good(key)
    _set_password(NEW)
    assert not sign_ins.is_good(key)


@pytest.fixture
def unpolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets that hear of an ended session by its event alone."""
    monkeypatch.setattr(consumers, "POLL_S", 15)


def _open_socket(path: str, client: Client, settings: Settings) -> WebsocketCommunicator:
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"
    names = {"host": "127.0.0.1:8787", "origin": settings.PUBLIC_URL, "cookie": cookie}
    return WebsocketCommunicator(
        asgi.application, path, headers=[(name.encode(), value.encode()) for name, value in names.items()]
    )


async def _close_code(socket: WebsocketCommunicator, timeout_s: float) -> int | None:
    """The code with which a socket closes within this time; None while it stays open."""
    deadline = time.monotonic() + timeout_s
    while (left := deadline - time.monotonic()) > 0:
        if await socket.receive_nothing(timeout=min(left, 0.1)):
            continue
        frame = await socket.receive_output(timeout=1)
        if frame["type"] == "websocket.close":
            return int(frame["code"])
    return None


async def _end_of_another_socket(path: str, settings: Settings, timeout_s: float) -> int | None:
    """How the socket of one browser ends when another one changes the password."""
    other, here = await in_db(_signed_in)(), await in_db(_signed_in)()
    socket = await in_db(_open_socket)(path, other, settings)
    assert (await socket.connect(timeout=5))[0]
    while not await socket.receive_nothing(timeout=0.5):  # until it has joined its groups
        await socket.receive_output(timeout=1)
    await in_db(here.post)("/password/", NEW_TWICE | {"old_password": OLD})
    code = await _close_code(socket, timeout_s)
    await socket.send_input({"type": "websocket.disconnect", "code": code or 1000})
    await asyncio.wait([socket.future], timeout=5)
    await in_db(connections.close_all)()
    return code


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("unpolled")
@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
async def test_a_change_closes_the_sockets_of_other_sessions_at_once(path: str, settings: Settings) -> None:
    assert await _end_of_another_socket(path, settings, 5) == 4401


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("unpolled")
@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
async def test_without_that_event_they_stay_open(
    path: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ins, "close_sockets", lambda: None)
    assert await _end_of_another_socket(path, settings, 1) is None
