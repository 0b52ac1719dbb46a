"""Rows of sessions: a stranger makes none, and ended ones are cleared."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from devices.models.sign_in import SignIn
from devices.owner.account import new_sign_in_link, the_owner
from devices.redis import sync_client
from penny_site import tasks
from penny_site.sign_in import challenge
from tests.page_client import PageClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

PATHS = ("/sign-in/", "/sign-in/no-link/", "/", "/help/", "/healthz", "/offline/", "/subscriptions/none/new.atom")


def _begin_passkey(client: Client) -> Any:
    return client.post("/sign-in/passkey/begin/", "{}", content_type="application/json")


@pytest.fixture
def with_passkeys(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://penny.example"


@pytest.mark.usefixtures("with_passkeys")
def test_no_request_of_a_stranger_makes_a_row() -> None:
    stranger = PageClient()
    for path in PATHS:
        stranger.get(path)
    stranger.post("/sign-in/", {"password": "a guess"})
    assert _begin_passkey(stranger).status_code == 200
    body = json.dumps({"credential": {"id": "x"}})
    assert stranger.post("/sign-in/passkey/", body, content_type="application/json").status_code in {403, 429}
    assert not Session.objects.exists()


@pytest.mark.usefixtures("with_passkeys")
def test_with_a_session_for_a_challenge_each_request_makes_a_row_of_ninety_days(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(challenge, "Challenge", db.SessionStore)
    for _ in range(3):
        _begin_passkey(PageClient())
    assert [row.expire_date > timezone.now() + timedelta(days=89) for row in Session.objects.all()] == [True] * 3


@pytest.mark.usefixtures("with_passkeys")
def test_the_cookie_of_a_challenge_is_short_lived_and_closed_to_scripts(settings: Settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    cookie = _begin_passkey(PageClient()).cookies[challenge.cookie_name()]
    assert (cookie["max-age"], cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (
        600,
        True,
        True,
        "Lax",
        "/",
    )


@pytest.mark.usefixtures("with_passkeys")
def test_an_altered_challenge_counts_as_none() -> None:
    client = PageClient()
    _begin_passkey(client)
    client.cookies[challenge.cookie_name()] = client.cookies[challenge.cookie_name()].value + "x"
    body = json.dumps({"credential": {"id": "x"}})
    assert client.post("/sign-in/passkey/", body, content_type="application/json").status_code in {403, 429}


def _by_link() -> Client:
    client, link = PageClient(), new_sign_in_link()
    client.get(link[link.index("/sign-in/") :])
    return client


def test_ended_sessions_are_cleared_once_a_day() -> None:
    good, over = _by_link(), _by_link()
    before_password = _by_link()
    session = before_password.session
    session["_auth_user_hash"] = "of an older password"
    session.save()
    db.SessionStore().create()  # nobody's
    Session.objects.update(expire_date=timezone.now() + timedelta(days=30))
    Session.objects.filter(pk=over.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    under_way = db.SessionStore()
    under_way.create()  # a sign-in has its row before it names the owner
    tasks.keep_house()
    keys = {good.session.session_key, under_way.session_key}
    assert set(Session.objects.values_list("pk", flat=True)) == keys
    assert [row.session_key for row in SignIn.objects.all()] == [good.session.session_key]
    db.SessionStore().create()
    tasks.keep_house()
    assert Session.objects.count() == 3
    assert 0 < sync_client().ttl(tasks.SESSIONS_CLEARED) <= 24 * 3600
    assert the_owner().is_active
