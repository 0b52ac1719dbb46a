"""The list of sign-ins: one row a browser, ended singly or all others at once."""

import asyncio
import re
from datetime import timedelta

import pytest
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from devices.access.sign_ins import browser_in
from devices.db import in_db
from devices.models.sign_in import SignIn
from devices.owner.account import new_sign_in_link, the_owner
from devices.sockets import consumers
from penny_site import asgi
from tests.page_client import PageClient
from tests.penny_site.sign_in.sessions import is_signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
PASSWORD = "correct horse battery"


def sign_in_by_link(user_agent: str = FIREFOX) -> Client:
    client = PageClient(headers={"User-Agent": user_agent})
    link = new_sign_in_link()
    client.get(link[link.index("/sign-in/") :])
    return client


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36 Edg/120",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Version/17.0 Mobile Safari/604.1",
            "Safari on iPhone",
        ),
        ("curl/8.0", "curl"),
        ("", "A program"),
    ],
)
def test_a_browser_is_named_as_people_know_it(user_agent: str, label: str) -> None:
    assert browser_in(user_agent).startswith(label)


def test_every_sign_in_is_listed_and_the_current_one_marked() -> None:
    here, _ = sign_in_by_link(), sign_in_by_link("Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1")
    html = here.get("/settings/signing-in/").content.decode()
    rows = re.findall(r"<li>.*?</li>", html, re.DOTALL)
    assert ["Firefox on Linux" in row and "here" in row for row in rows].count(True) == 1
    assert ["Safari on iPhone" in row for row in rows].count(True) == 1
    assert "by a link" in html
    assert "127.0.0.1" in html


def test_a_sign_in_is_ended_from_another_browser() -> None:
    here, lost = sign_in_by_link(), sign_in_by_link("Mozilla/5.0 (iPhone) Version/17.0 Safari/604.1")
    here.post(f"/settings/signing-in/{SignIn.objects.get(browser='Safari on iPhone').pk}/end/")
    assert not is_signed_in(lost)
    assert is_signed_in(here)
    assert "Safari" not in here.get("/settings/signing-in/").content.decode().partition('<ul class="rows">')[2]


def test_ending_a_sign_in_needs_confirmation_with_a_distinct_name() -> None:
    here, _ = sign_in_by_link(), sign_in_by_link()
    SignIn.objects.filter(pk=SignIn.objects.order_by("pk")[0].pk).update(created_at=timezone.now() - timedelta(days=1))
    html = here.get("/settings/signing-in/").content.decode()
    confirmations = re.findall(
        r'<details class="sure"><summary[^>]*>(.*?)</summary>.*?<form method="post" action="(.*?)".*?</details>',
        html,
        re.DOTALL,
    )
    assert len({words for words, _ in confirmations}) == 3
    assert {action for _, action in confirmations} == {
        f"/settings/signing-in/{pk}/end/" for pk in SignIn.objects.values_list("pk", flat=True)
    } | {"/settings/signing-in/others/end/"}
    assert html.count("/end/") == len(confirmations)
    assert "You are signed out here and now" in html


def test_all_other_sign_ins_are_ended_at_once() -> None:
    here, others = sign_in_by_link(), [sign_in_by_link(), sign_in_by_link()]
    here.post("/settings/signing-in/others/end/")
    assert [is_signed_in(client) for client in (here, *others)] == [True, False, False]
    assert SignIn.objects.count() == 1


def test_ending_the_current_sign_in_signs_out() -> None:
    here = sign_in_by_link()
    assert here.post(f"/settings/signing-in/{SignIn.objects.get().pk}/end/").headers["Location"] == "/sign-in/"
    assert not is_signed_in(here)


def test_a_new_password_ends_all_other_sign_ins() -> None:
    here, other = sign_in_by_link(), sign_in_by_link()
    here.post("/password/", {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert [is_signed_in(client) for client in (here, other)] == [True, False]
    assert SignIn.objects.standing().get().session_key == here.session.session_key


def test_a_stranger_sees_and_ends_nothing() -> None:
    sign_in_by_link()
    stranger = PageClient()
    assert stranger.get("/settings/signing-in/").headers["Location"].startswith("/sign-in/")
    stranger.post("/settings/signing-in/others/end/")
    assert SignIn.objects.count() == 1


@pytest.mark.django_db(transaction=True)
async def test_the_socket_of_an_ended_session_closes(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "POLL_S", 0.05)

    def cookie() -> str:
        client = PageClient()
        client.force_login(the_owner())
        return f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"

    request_headers = {"host": "127.0.0.1:8787", "origin": settings.PUBLIC_URL, "cookie": await in_db(cookie)()}
    socket = WebsocketCommunicator(
        asgi.application,
        "/ws/web",
        headers=[(name.encode(), value.encode()) for name, value in request_headers.items()],
    )
    assert (await socket.connect(timeout=5))[0]
    from django.contrib.sessions.models import Session

    await in_db(Session.objects.all().delete)()
    while (frame := await socket.receive_output(timeout=5))["type"] != "websocket.close":
        pass
    assert frame["code"] == 4401
    await socket.send_input({"type": "websocket.disconnect", "code": 4401})
    await asyncio.wait([socket.future], timeout=5)
    await in_db(connections.close_all)()
