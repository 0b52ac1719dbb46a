"""Sign-in through an OpenID Connect service (a stand-in): only for the linked account."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, override_settings
from django.urls import clear_url_caches

import penny_site.urls  # noqa: F401  must be imported before a service is set
from devices.models.sign_in import SignIn
from devices.owner.account import the_owner
from penny_site.sign_in import challenge, oidc
from tests.commands import ROOT, environment
from tests.page_client import PageClient
from tests.stand_ins import oidc_service

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with oidc_service.run_oidc_service() as stand_in:
        yield stand_in.url


def service_settings(url: str) -> dict[str, Any]:
    return oidc.build_settings(url, oidc_service.CLIENT, oidc_service.SECRET, "Home")


@contextmanager
def set_up_service(url: str) -> Iterator[None]:
    """Configure Penny for this service and create its tables."""
    options = service_settings(url) | {"MIDDLEWARE": [*settings.MIDDLEWARE, *oidc.MIDDLEWARE]}
    overrides = override_settings(**options, ROOT_URLCONF="tests.penny_site.oidc_urls")
    with overrides, override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, *oidc.APPS]):
        clear_url_caches()
        models = [model for name in sorted(oidc.APP_LABELS) for model in apps.get_app_config(name).get_models()]
        with connection.schema_editor() as editor:
            for model in models:
                editor.create_model(model)
        try:
            yield
        finally:
            for model in filter(admin.site.is_registered, models):
                admin.site.unregister(model)
            with connection.schema_editor() as editor:
                for model in reversed(models):
                    editor.delete_model(model)
    clear_url_caches()


@pytest.fixture
def home(service: str) -> Iterator[None]:
    with set_up_service(service):
        yield


def sign_owner_in() -> Client:
    client = PageClient()
    client.force_login(the_owner())
    return client


def sign_in_at_service(client: Client, who: str, **fields: str) -> str:
    """Begin at Penny, sign in at the service, and return the path of the callback."""
    page = client.post("/sign-in/oidc/", fields)
    assert page.status_code == 200, page.content
    redirect = httpx2.get(f"{page.context['address']}&as={who}")
    back = urlsplit(redirect.headers["location"])
    assert (back.netloc, back.path) == ("testserver", "/sign-in/oidc/back/")
    return f"{back.path}?{back.query}"


def sign_in_through(client: Client, who: str, **fields: str) -> Any:
    return client.get(sign_in_at_service(client, who, **fields))


def has_session(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.usefixtures("home")
def test_a_linked_account_signs_the_owner_in_until_it_is_removed() -> None:
    owner = sign_owner_in()
    assert sign_in_through(owner, "ada", link="yes").headers["location"] == "/settings/signing-in/"
    assert b"ada" in owner.get("/settings/signing-in/").content
    other = PageClient()
    assert sign_in_through(other, "ada", next="/chat/").headers["location"] == "/chat/"
    assert (has_session(other), other.session["_auth_user_id"]) == (True, str(the_owner().pk))
    assert list(SignIn.objects.values_list("how", flat=True)) == ["oidc"]
    sign_in_through(owner, "ada", link="yes")  # linking again changes nothing
    from allauth.socialaccount.models import SocialAccount

    [row] = SocialAccount.objects.all()
    owner.post(f"/sign-in/oidc/linked/{row.pk}/remove/")
    response = sign_in_through(PageClient(), "ada")
    assert response.status_code == 403


@pytest.mark.usefixtures("home")
def test_an_unlinked_account_is_neither_signed_in_nor_created_nor_linked() -> None:
    sign_in_through(sign_owner_in(), "ada", link="yes")
    for fields in ({}, {"link": "yes"}, {"next": "https://elsewhere.example/"}):
        stranger = PageClient()
        response = sign_in_through(stranger, "eve", **fields)
        assert response.status_code == 403
        assert b"Nobody is linked to that account." in response.content
        assert not has_session(stranger)
    assert User.objects.count() == 1


@pytest.mark.usefixtures("home")
def test_signing_in_never_leads_to_another_site() -> None:
    sign_in_through(sign_owner_in(), "ada", link="yes")
    assert sign_in_through(PageClient(), "ada", next="https://elsewhere.example/").headers["location"] == "/"


@pytest.mark.usefixtures("home")
def test_linking_that_ends_after_signing_out_links_nothing() -> None:
    owner = sign_owner_in()
    back = sign_in_at_service(owner, "eve", link="yes")
    session = owner.session
    del session["_auth_user_id"]
    session.save()
    assert b"You were signed out meanwhile" in owner.get(back).content
    assert sign_in_through(PageClient(), "eve").status_code == 403


@pytest.mark.usefixtures("home")
def test_a_foreign_altered_or_used_callback_signs_nobody_in() -> None:
    sign_in_through(sign_owner_in(), "ada", link="yes")
    client = PageClient()
    back = sign_in_at_service(client, "ada")
    assert PageClient().get(back).status_code == 403  # login CSRF: this browser did not begin the sign-in
    state = parse_qs(urlsplit(back).query)["state"][0]
    path = urlsplit(back).path
    for query in ("", "?error=access_denied", f"?state={state}x&code=1", "?state=1&code=1"):
        response = client.get(path + query)
        assert (response.status_code, b"did not sign you in" in response.content) == (403, True)
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 403


@pytest.mark.usefixtures("home")
def test_an_unreachable_service_is_reported(service: str) -> None:
    with override_settings(**service_settings("http://127.0.0.1:9")):
        response = PageClient().post("/sign-in/oidc/")
    assert (response.status_code, b"Home does not answer as it should." in response.content) == (502, True)


@pytest.mark.usefixtures("home")
def test_an_account_counts_for_one_service_only(service: str) -> None:
    sign_in_through(sign_owner_in(), "ada", link="yes")
    with override_settings(
        **oidc.build_settings(
            f"{service}/.well-known/openid-configuration", oidc_service.CLIENT, oidc_service.SECRET, "Another"
        )
    ):
        assert sign_in_through(PageClient(), "ada").status_code == 403


def test_without_a_service_oidc_is_off_and_not_loaded(client: Client) -> None:
    assert client.post("/sign-in/oidc/").status_code in (302, 404, 405)
    assert b"oidc" not in client.get("/sign-in/").content
    loads = (
        "import sys, django; django.setup(); from penny_site import urls; print([n for n in sys.modules if "
        "n.startswith('allauth')])"
    )
    variables = environment(settings.DATA) | {"DJANGO_SETTINGS_MODULE": "penny_site.settings"}
    result = subprocess.run(
        [sys.executable, "-c", loads], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


@pytest.mark.usefixtures("home")
def test_a_sign_in_that_begins_leaves_no_row() -> None:
    client = PageClient()
    sign_in_at_service(client, "eve", next="/chat/?words=" + "long " * 2000)
    for query in ("", "?error=access_denied", "?state=1&code=1"):
        client.get("/sign-in/oidc/back/" + query)
    assert sign_in_through(client, "eve").status_code == 403
    assert not Session.objects.exists()
    assert len(client.cookies[challenge.cookie_name()].value) < 3000


@pytest.mark.usefixtures("home")
def test_with_a_session_for_that_it_leaves_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge, "Challenge", SessionStore)
    sign_in_at_service(PageClient(), "eve")
    assert Session.objects.exists()
