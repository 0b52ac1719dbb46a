"""Defences of the web pages, on and off: headers, links, and who may see the admin."""

import pytest
from constance import config
from django.contrib.admin import site
from django.http import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from devices.models import Message
from devices.owner.account import the_owner
from penny_site import middleware
from penny_site.admin_site import PennyAdmin
from penny_site.settings_pages import save
from thoughts import rendering

MESSAGES = "/admin/devices/message/"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
# What browsers let other sites do with an answer, by the header that forbids it.
FORBIDDEN = {
    "X-Content-Type-Options": "take a file for a script",
    "X-Frame-Options": "put a page into a frame of theirs",
    "Referrer-Policy": "learn the address that a link was followed from",
    "Cross-Origin-Opener-Policy": "hold on to a window that they opened",
    "Cross-Origin-Resource-Policy": "embed a picture",
    "Permissions-Policy": "ask for the camera through a frame",
    "X-DNS-Prefetch-Control": "see their name looked up before anybody follows a link",
}


def _permitted_deeds(answer: HttpResponseBase) -> list[str]:
    return [deed for header, deed in FORBIDDEN.items() if header not in answer.headers]


def _get_feed() -> HttpResponseBase:
    client = Client()
    client.force_login(the_owner())
    return client.get("/")


def test_other_sites_may_nothing_and_without_the_headers_all_that_browsers_let_them(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    assert _permitted_deeds(_get_feed()) == []
    monkeypatch.setattr(middleware, "HEADERS", {})
    settings.SECURE_CONTENT_TYPE_NOSNIFF = False
    settings.SECURE_REFERRER_POLICY = settings.SECURE_CROSS_ORIGIN_OPENER_POLICY = None
    assert _permitted_deeds(_get_feed()) == list(FORBIDDEN.values())


def test_a_link_tells_its_site_nothing_and_without_its_rel_who_opened_it(monkeypatch: pytest.MonkeyPatch) -> None:
    link = "https://coffee.org/"
    assert 'rel="noopener noreferrer nofollow"' in rendering.render_safe(link)
    monkeypatch.setattr(rendering, "REL", None)
    bare = rendering.render_safe(link)
    assert 'href="https://coffee.org/"' in bare
    assert "noreferrer" not in bare


@pytest.fixture
def unasked(settings: Settings) -> None:
    """Let anybody open every page that does not check the session by itself."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if not name.endswith("LoginRequiredMiddleware")]


def test_a_stranger_sees_no_page() -> None:
    the_owner()
    assert Client().get("/").status_code == 302


@pytest.mark.usefixtures("unasked")
def test_without_the_question_who_it_is_a_stranger_sees_the_feed() -> None:
    the_owner()
    assert Client().get("/").status_code == 200


@pytest.mark.usefixtures("unasked")
def test_the_admin_asks_by_itself_and_without_that_a_stranger_sees_the_conversation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    the_owner()
    assert Client().get(MESSAGES).status_code == 302
    monkeypatch.setattr(PennyAdmin, "has_permission", lambda *_: True)
    for permission in ("has_view_permission", "has_view_or_change_permission", "has_module_permission"):
        monkeypatch.setattr(type(site._registry[Message]), permission, lambda *_: True)
    assert Client().get(MESSAGES).status_code == 200


def test_an_undo_needs_the_token_of_the_last_change_and_without_that_rule_any_will_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client()
    client.force_login(the_owner())
    client.post("/settings/limits/", {"reset": "all"})  # nothing was changed: there is nothing to undo yet
    config.DAY_PAGES_MAX = 5
    client.post("/settings/limits/", {"reset": "DAY_PAGES_MAX"})
    client.post("/settings/undo/guessed/")
    assert config.DAY_PAGES_MAX == 400
    monkeypatch.setattr(save, "is_of_last_change", lambda *_: True)
    client.post("/settings/undo/guessed/")
    assert config.DAY_PAGES_MAX == 5


def test_a_form_changes_no_setting_of_another_page() -> None:
    client = Client()
    client.force_login(the_owner())
    foreign = {"OWNER_NAME": "Eve", "SECRET_KEY": "x", "DAY_PAGES_MAX": "7"}
    for reset in ("OWNER_NAME", "SECRET_KEY", "__class__", "ALL"):
        config.OWNER_NAME = "Ada"
        client.post("/settings/limits/", foreign | {"reset": reset})
        assert config.OWNER_NAME == "Ada"
