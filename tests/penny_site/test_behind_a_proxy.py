"""Where Penny shares her host with something else: PENNY_PUBLIC_URL says it once, and every address follows from
that.
"""

from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.utils import override_settings
from django.urls import get_script_prefix, set_script_prefix

from agents.answers.attachments import CheckedFile
from devices.owner.account import new_sign_in_link, the_owner
from devices.web.links import link_to
from penny_site.doors import BelowBase
from tests import commands

NAMES = [
    "PUBLIC_URL",
    "HOME_URL",
    "BASE_PATH",
    "STATIC_URL",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "SESSION_COOKIE_PATH",
]


def known_as(public_url: str, data: Path) -> dict[str, str]:
    """Return what follows from an address, as a process of its own reads the settings."""
    code = (
        f"from django.conf import settings\nfrom django.urls import reverse\nfor name in {NAMES!r}: "
        "print(name, getattr(settings, name))\n"
    )
    code += "print('setup', settings.PUBLIC_URL + reverse('setup'))"
    done = commands.run_command(
        "shell", "-v0", "-c", code, environment={"PENNY_DATA": str(data), "PENNY_PUBLIC_URL": public_url}
    )
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def test_an_address_with_a_path_is_where_everything_stands(tmp_path: Path) -> None:
    assert known_as("https://Home.example.org:443/penny/", tmp_path) == {
        "PUBLIC_URL": "https://home.example.org",
        "HOME_URL": "https://home.example.org/penny",
        "BASE_PATH": "/penny",
        "STATIC_URL": "/penny/static/",
        "ALLOWED_HOSTS": "['home.example.org']",
        "CSRF_TRUSTED_ORIGINS": "['https://home.example.org']",
        "SESSION_COOKIE_PATH": "/",  # the name of the cookie asks for that
        "setup": "https://home.example.org/penny/setup/",
    }


@pytest.fixture
def below() -> Any:
    before = get_script_prefix()
    with override_settings(BASE_PATH="/penny", FORCE_SCRIPT_NAME="/penny", STATIC_URL="/penny/static/"):
        set_script_prefix("/penny/")
        yield
    set_script_prefix(before)


@pytest.mark.usefixtures("below")
def test_what_sockets_and_workers_link_begins_with_it_too() -> None:
    said: list[object] = []
    file = CheckedFile("a.png", "image/png", b"")
    thread = Thread(target=lambda: said.extend([link_to("chat"), file.info()["image"]]))
    thread.start()  # the path that `reverse` knows is that of its thread
    thread.join()
    here = f"{settings.PUBLIC_URL}/penny"
    assert said == [f"{here}/chat/", f"{here}/pictures/{file.sha256}.webp"] == [link_to("chat"), file.info()["image"]]


@pytest.mark.django_db
@pytest.mark.usefixtures("redis", "below")
class TestBelowAPath:
    def test_every_link_of_a_page_begins_with_it(self, client: Client) -> None:
        client.force_login(the_owner())
        for path in ("/", "/chat/", "/setup/", "/programs/", "/schedules/", "/preferences/"):
            html = client.get(path).content.decode()
            assert 'data-base="/penny"' in html
            elsewhere = [
                part[:40]
                for mark in ('href="/', 'src="/', 'action="/')
                for part in html.split(mark)[1:]
                if not part.startswith("penny/")
            ]
            assert elsewhere == [], path

    def test_signing_in_leads_on_below_it(self, client: Client) -> None:
        link = new_sign_in_link()
        assert link.startswith("http://127.0.0.1:8787/penny/sign-in/")
        assert client.get(link.removeprefix("http://127.0.0.1:8787/penny")).headers["Location"].startswith("/penny/")

    def test_the_app_that_browsers_install_is_below_it(self, client: Client) -> None:
        found = client.get("/manifest.webmanifest").json()
        assert (found["scope"], found["start_url"]) == ("/penny/", "/penny/")

    @pytest.mark.parametrize("path", ["/penny/ws/device", "/ws/device"])
    async def test_sockets_open_whether_or_not_the_proxy_took_the_path_off(self, path: str) -> None:
        seen = []

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            seen.append(scope["path"])

        async def nothing(*_: Any) -> Any:
            return {}

        await BelowBase(inner)({"path": path}, nothing, nothing)
        assert seen == ["/ws/device"]
