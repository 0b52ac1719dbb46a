"""Signing in through another service, against a stand-in of one: the owner's linked account alone, and nothing of it
where none is set.
"""

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
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, override_settings
from django.urls import clear_url_caches

import penny_site.urls  # noqa: F401  read before a service is set
from devices.models.sign_in import SignIn
from devices.owner.account import the_owner
from penny_site.sign_in import oidc
from tests.commands import ROOT, environment
from tests.page_client import PageClient
from tests.stand_ins import oidc_service

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with oidc_service.run_oidc_service() as found:
        yield found.url


def at(url: str) -> dict[str, Any]:
    return oidc.build_settings(url, oidc_service.CLIENT, oidc_service.SECRET, "Home")


@contextmanager
def set_up(url: str) -> Iterator[None]:
    """A Penny whose owner set this service, and its tables."""
    options = at(url) | {"MIDDLEWARE": [*settings.MIDDLEWARE, *oidc.MIDDLEWARE]}
    known = override_settings(**options, ROOT_URLCONF="tests.penny_site.oidc_urls")
    with known, override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, *oidc.APPS]):
        clear_url_caches()
        models = [model for name in sorted(oidc.APP_LABELS) for model in apps.get_app_config(name).get_models()]
        with connection.schema_editor() as editor:
            for model in models:
                editor.create_model(model)
        try:
            yield
        finally:
            with connection.schema_editor() as editor:
                for model in reversed(models):
                    editor.delete_model(model)
    clear_url_caches()


@pytest.fixture
def home(service: str) -> Iterator[None]:
    with set_up(service):
        yield


def signed_in() -> Client:
    client = PageClient()
    client.force_login(the_owner())
    return client


def there(client: Client, who: str, **fields: str) -> str:
    """Begin here, sign in there, and return the address that leads back."""
    page = client.post("/sign-in/oidc/", fields)
    assert page.status_code == 200, page.content
    led = httpx2.get(f"{page.context['address']}&as={who}")
    back = urlsplit(led.headers["location"])
    assert (back.netloc, back.path) == ("testserver", "/sign-in/oidc/back/")
    return f"{back.path}?{back.query}"


def through(client: Client, who: str, **fields: str) -> Any:
    return client.get(there(client, who, **fields))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.usefixtures("home")
def test_an_account_that_the_owner_linked_signs_them_in_until_it_is_removed() -> None:
    owner = signed_in()
    assert through(owner, "ada", link="yes").headers["location"] == "/sign-ins/"
    assert b"ada" in owner.get("/sign-ins/").content
    other = PageClient()
    assert through(other, "ada", next="/chat/").headers["location"] == "/chat/"
    assert (is_signed_in(other), other.session["_auth_user_id"]) == (True, str(the_owner().pk))
    assert list(SignIn.objects.values_list("how", flat=True)) == ["oidc"]
    through(owner, "ada", link="yes")  # the same again changes nothing
    from allauth.socialaccount.models import SocialAccount

    [row] = SocialAccount.objects.all()
    owner.post(f"/sign-in/oidc/linked/{row.pk}/remove/")
    refused = through(PageClient(), "ada")
    assert refused.status_code == 403


@pytest.mark.usefixtures("home")
def test_nobody_else_is_signed_in_made_or_linked() -> None:
    through(signed_in(), "ada", link="yes")
    for fields in ({}, {"link": "yes"}, {"next": "https://elsewhere.example/"}):
        stranger = PageClient()
        refused = through(stranger, "eve", **fields)
        assert refused.status_code == 403
        assert b"Nobody is linked to that account." in refused.content
        assert not is_signed_in(stranger)
    assert User.objects.count() == 1


@pytest.mark.usefixtures("home")
def test_the_way_back_leads_nowhere_else() -> None:
    through(signed_in(), "ada", link="yes")
    assert through(PageClient(), "ada", next="https://elsewhere.example/").headers["location"] == "/"


@pytest.mark.usefixtures("home")
def test_a_link_that_ends_after_signing_out_links_nothing() -> None:
    owner = signed_in()
    back = there(owner, "eve", link="yes")
    session = owner.session
    del session["_auth_user_id"]
    session.save()
    assert b"You were signed out meanwhile" in owner.get(back).content
    assert through(PageClient(), "eve").status_code == 403


@pytest.mark.usefixtures("home")
def test_what_came_from_another_browser_or_was_changed_or_used_already_signs_nobody_in() -> None:
    through(signed_in(), "ada", link="yes")
    client = PageClient()
    back = there(client, "ada")
    assert (
        PageClient().get(back).status_code == 403
    )  # who was led into it by somebody else's page has no such question open
    state = parse_qs(urlsplit(back).query)["state"][0]
    path = urlsplit(back).path
    for query in ("", "?error=access_denied", f"?state={state}x&code=1", "?state=1&code=1"):
        refused = client.get(path + query)
        assert (refused.status_code, b"did not sign you in" in refused.content) == (403, True)
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 403


@pytest.mark.usefixtures("home")
def test_a_service_that_is_away_is_said_and_other_ways_in_stay(service: str) -> None:
    with override_settings(**at("http://127.0.0.1:9")):
        refused = PageClient().post("/sign-in/oidc/")
    assert (refused.status_code, b"Home does not answer as it should." in refused.content) == (502, True)


@pytest.mark.usefixtures("home")
def test_an_account_at_one_service_is_none_at_another(service: str) -> None:
    through(signed_in(), "ada", link="yes")
    with override_settings(
        **oidc.build_settings(
            f"{service}/.well-known/openid-configuration", oidc_service.CLIENT, oidc_service.SECRET, "Another"
        )
    ):
        assert through(PageClient(), "ada").status_code == 403


def test_it_is_off_and_not_even_loaded_where_no_service_is_set(client: Client) -> None:
    assert client.post("/sign-in/oidc/").status_code in (302, 404, 405)
    assert b"oidc" not in client.get("/sign-in/").content
    loads = (
        "import sys, django; django.setup(); from penny_site import urls; print([n for n in sys.modules if "
        "n.startswith('allauth')])"
    )
    known = environment(settings.DATA) | {"DJANGO_SETTINGS_MODULE": "penny_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", loads], cwd=ROOT, env=known, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
