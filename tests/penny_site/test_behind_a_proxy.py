"""Penny below a path of a shared host: every address follows from PENNY_PUBLIC_URL."""

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


def read_url_settings(public_url: str, data: Path) -> dict[str, str]:
    code = (
        f"from django.conf import settings\nfrom django.urls import reverse\nfor name in {NAMES!r}: "
        "print(name, getattr(settings, name))\n"
    )
    code += "print('setup', settings.PUBLIC_URL + reverse('setup'))"
    result = commands.run_command(
        "shell", "-v0", "-c", code, environment={"PENNY_DATA": str(data), "PENNY_PUBLIC_URL": public_url}
    )
    return dict(line.split(" ", 1) for line in result.stdout.splitlines())


def test_every_address_follows_from_a_public_url_with_a_path(tmp_path: Path) -> None:
    assert read_url_settings("https://Home.example.org:443/penny/", tmp_path) == {
        "PUBLIC_URL": "https://home.example.org",
        "HOME_URL": "https://home.example.org/penny",
        "BASE_PATH": "/penny",
        "STATIC_URL": "/penny/static/",
        "ALLOWED_HOSTS": "['home.example.org']",
        "CSRF_TRUSTED_ORIGINS": "['https://home.example.org']",
        "SESSION_COOKIE_PATH": "/",  # the prefix __Host- of the cookie requires it
        "setup": "https://home.example.org/penny/setup/",
    }


@pytest.fixture
def base_path() -> Any:
    before = get_script_prefix()
    with override_settings(BASE_PATH="/penny", FORCE_SCRIPT_NAME="/penny", STATIC_URL="/penny/static/"):
        set_script_prefix("/penny/")
        yield
    set_script_prefix(before)


@pytest.mark.usefixtures("base_path")
def test_links_of_sockets_and_workers_begin_with_the_base_path() -> None:
    links: list[object] = []
    file = CheckedFile("a.png", "image/png", b"")
    thread = Thread(target=lambda: links.extend([link_to("chat"), file.info()["image"]]))
    thread.start()  # `reverse` keeps its prefix per thread
    thread.join()
    here = f"{settings.PUBLIC_URL}/penny"
    assert links == [f"{here}/chat/", f"{here}/pictures/{file.sha256}.webp"] == [link_to("chat"), file.info()["image"]]


@pytest.mark.django_db
@pytest.mark.usefixtures("redis", "base_path")
class TestBelowAPath:
    def test_every_link_of_a_page_begins_with_the_base_path(self, client: Client) -> None:
        client.force_login(the_owner())
        for path in ("/", "/chat/", "/setup/", "/permissions/programs/", "/activity/routine/", "/interests/"):
            html = client.get(path).content.decode()
            assert 'data-base="/penny"' in html
            elsewhere = [
                part[:40]
                for mark in ('href="/', 'src="/', 'action="/')
                for part in html.split(mark)[1:]
                if not part.startswith("penny/")
            ]
            assert elsewhere == [], path

    def test_signing_in_leads_to_a_page_below_it(self, client: Client) -> None:
        link = new_sign_in_link()
        assert link.startswith("http://127.0.0.1:8787/penny/sign-in/")
        assert client.get(link.removeprefix("http://127.0.0.1:8787/penny")).headers["Location"].startswith("/penny/")

    def test_the_app_that_browsers_install_is_below_it(self, client: Client) -> None:
        manifest = client.get("/manifest.webmanifest").json()
        assert (manifest["scope"], manifest["start_url"]) == ("/penny/", "/penny/")

    @pytest.mark.parametrize("path", ["/penny/ws/device", "/ws/device"])
    async def test_sockets_open_whether_or_not_the_proxy_strips_the_path(self, path: str) -> None:
        paths = []

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            paths.append(scope["path"])

        async def receive_nothing(*_: Any) -> Any:
            return {}

        await BelowBase(inner)({"path": path}, receive_nothing, receive_nothing)
        assert paths == ["/ws/device"]
