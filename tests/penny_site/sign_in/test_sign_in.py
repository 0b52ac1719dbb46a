import re
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from devices.models import Device, SignInLink
from devices.owner.account import new_sign_in_link, the_owner
from penny_site.environment import ROOT
from penny_site.manage_command import manage_command
from tests import commands
from tests.page_client import PageClient
from tests.penny_site.sign_in.sessions import is_signed_in

pytestmark = pytest.mark.django_db

PASSWORD = "nine bars of pressure"
PAGES = [
    "/",
    "/archive/",
    "/thoughts/count/",
    "/interests/",
    "/chat/",
    "/setup/",
    "/setup/code/",
    "/setup/models/",
    "/password/",
    "/admin/",
]


def sign_in_path() -> str:
    return new_sign_in_link().removeprefix("http://127.0.0.1:8787")


@pytest.mark.parametrize("page", PAGES)
def test_without_a_session_every_page_leads_to_the_sign_in_page(client: Client, page: str) -> None:
    answer = client.get(page, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/sign-in/")
    assert "Sign in" in answer.content.decode()


def test_a_fragment_without_a_session_sends_the_whole_page_to_the_sign_in_page(client: Client) -> None:
    answer = client.get("/", headers={"HX-Request": "true"}, follow=True)
    assert answer.headers["HX-Redirect"] == "/sign-in/"
    assert answer.content == b""


def test_a_link_signs_in_once(client: Client) -> None:
    address = sign_in_path()
    assert client.get(address).status_code == 302
    assert is_signed_in(client)
    second = PageClient()
    response = second.get(address)
    assert response.status_code == 403
    assert "This link was used already, or it is older than 12 hours." in response.content.decode()
    assert not is_signed_in(second)


def test_on_loopback_the_first_link_leads_to_connecting_a_browser(client: Client) -> None:
    assert client.get(sign_in_path()).headers["Location"] == "/setup/"
    assert "You have no password yet" not in client.get("/").content.decode()


def test_with_a_password_a_link_leads_to_the_setup_until_a_device_is_paired(client: Client) -> None:
    owner = the_owner()
    owner.set_password(PASSWORD)
    owner.save()
    assert client.get(sign_in_path()).headers["Location"] == "/setup/"
    Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    assert client.get(sign_in_path()).headers["Location"] == "/"


def test_off_loopback_the_first_link_leads_to_choosing_a_password(client: Client, settings: Settings) -> None:
    settings.IS_LOOPBACK = False
    assert client.get(sign_in_path()).headers["Location"] == "/password/"
    assert client.post("/password/", {"skip": "1"}).status_code == 200
    assert client.get("/").headers["Location"] == "/password/"


@pytest.mark.parametrize(
    ("typed", "again"), [("short", "short"), ("password1234", "password1234"), (PASSWORD, PASSWORD + "!")]
)
def test_a_password_that_is_weak_or_mistyped_is_refused_with_a_sentence(client: Client, typed: str, again: str) -> None:
    client.get(sign_in_path())
    html = client.post("/password/", {"new_password1": typed, "new_password2": again}).content.decode()
    assert re.search(r'role="alert">\s*<p class="wrong">', html)
    assert not the_owner().has_usable_password()


def test_a_new_password_signs_in(client: Client) -> None:
    client.get(sign_in_path())
    assert (
        client.post("/password/", {"new_password1": PASSWORD, "new_password2": PASSWORD}).headers["Location"]
        == "/setup/"
    )
    assert is_signed_in(client)
    other = PageClient()
    assert other.post("/sign-in/", {"password": PASSWORD, "next": "/chat/"}).headers["Location"] == "/chat/"
    assert is_signed_in(other)


def test_changing_the_password_needs_the_old_one(client: Client) -> None:
    owner = the_owner()
    owner.set_password(PASSWORD)
    owner.save()
    client.force_login(owner)
    client.post(
        "/password/", {"old_password": "wrong", "new_password1": PASSWORD + "!", "new_password2": PASSWORD + "!"}
    )
    assert the_owner().check_password(PASSWORD)
    client.post(
        "/password/", {"old_password": PASSWORD, "new_password1": PASSWORD + "!", "new_password2": PASSWORD + "!"}
    )
    assert the_owner().check_password(PASSWORD + "!")
    assert is_signed_in(client)


def test_a_wrong_password_says_what_else_to_do(client: Client) -> None:
    owner = the_owner()
    owner.set_password(PASSWORD)
    owner.save()
    html = client.post("/sign-in/", {"password": "guess"}).content.decode()
    assert "That is not the password. Try again, or sign in with a link." in html
    assert manage_command("sign_in_link") in html
    assert not is_signed_in(client)


def test_before_a_password_is_set_no_password_signs_in(client: Client) -> None:
    html = client.get("/sign-in/").content.decode()
    assert 'type="password"' not in html
    assert manage_command("sign_in_link") in html
    for guess in ("", "owner", "admin", "password"):
        client.post("/sign-in/", {"password": guess})
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("data", "is_loopback", "manage", "command"),
    [
        ("data", True, "", f"{sys.executable} {ROOT}/manage.py sign_in_link"),
        ("my data", True, "", f"{sys.executable} {ROOT}/manage.py sign_in_link --data '{ROOT}/my data'"),
        ("data", False, "", ".venv/bin/python manage.py sign_in_link"),
        ("my data", False, "", ".venv/bin/python manage.py sign_in_link --data DATA_FOLDER"),
        (
            "data",
            False,
            "docker compose exec web python manage.py",
            "docker compose exec web python manage.py sign_in_link",
        ),
    ],
)
def test_the_command_for_a_link_is_that_of_this_penny_and_names_no_folder_elsewhere(
    settings: Settings, data: str, is_loopback: bool, manage: str, command: str
) -> None:
    settings.DATA, settings.IS_LOOPBACK, settings.MANAGE = ROOT / data, is_loopback, manage
    assert manage_command("sign_in_link") == command


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_after_signing_in_nobody_is_sent_to_another_site(client: Client, address: str) -> None:
    client.force_login(the_owner())
    assert client.get("/sign-in/", {"next": address}).headers["Location"] == "/"


def test_signing_out_ends_the_session_and_needs_a_post(client: Client) -> None:
    client.force_login(the_owner())
    assert client.get("/sign-out/").status_code == 405
    assert is_signed_in(client)
    assert client.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert not is_signed_in(client)


def test_forms_are_refused_without_their_token() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(the_owner())
    response = client.post("/sign-out/")
    assert response.status_code == 403
    assert "This page is too old" in response.content.decode()
    assert is_signed_in(client)


def test_the_token_of_a_link_is_not_stored() -> None:
    token = re.search(r"/sign-in/([^/]+)/", new_sign_in_link())
    assert token
    assert token[1] not in str(list(SignInLink.objects.values()))


# The admin, and cookies
# -----------------------------------------------------------------------------------------------------


ADMIN_PAGES = [
    "index",
    "agents_run_changelist",
    "agents_schedule_changelist",
    "devices_device_changelist",
    "devices_grant_changelist",
]
ADMIN_PAGES += [
    "devices_message_changelist",
    "auth_user_changelist",
    "constance_config_changelist",
    "jsi18n",
    "password_change",
]


def test_the_admin_has_no_sign_in_of_its_own(client: Client) -> None:
    pages = [reverse(f"admin:{name}") for name in ADMIN_PAGES]
    for page in [*pages, "/admin/login/", "/admin/no/such/", "/admin/devices/", "/admin/devices/device/1/change/"]:
        answer = client.get(page, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/sign-in/"), page
        assert 'name="username"' not in answer.content.decode()


def test_the_admin_accepts_no_password(client: Client) -> None:
    owner = the_owner()
    owner.set_password(PASSWORD)
    owner.save()
    client.post("/admin/login/", {"username": "owner", "password": PASSWORD})
    assert not is_signed_in(client)


def read_cookie_settings(public_url: str, data: Path) -> dict[str, str]:
    names = [
        "SESSION_COOKIE_NAME",
        "SESSION_COOKIE_SECURE",
        "SESSION_COOKIE_HTTPONLY",
        "SESSION_COOKIE_SAMESITE",
        "SESSION_COOKIE_DOMAIN",
    ]
    names += [
        "SESSION_COOKIE_PATH",
        "CSRF_COOKIE_NAME",
        "CSRF_COOKIE_SECURE",
        "CSRF_COOKIE_HTTPONLY",
        "CSRF_COOKIE_DOMAIN",
    ]
    code = f"from django.conf import settings\nfor name in {names!r}: print(name, getattr(settings, name))"
    environment = {"PENNY_DATA": str(data), "PENNY_PUBLIC_URL": public_url}
    result = commands.run_command("shell", "-v0", "-c", code, environment=environment)
    return dict(line.split(" ", 1) for line in result.stdout.splitlines())


def test_cookies_on_loopback_carry_the_port_and_no_script_reads_the_sessions(tmp_path: Path) -> None:
    assert read_cookie_settings("http://127.0.0.1:8123", tmp_path) == {
        "SESSION_COOKIE_NAME": "penny_8123",
        "SESSION_COOKIE_SECURE": "False",
        "SESSION_COOKIE_HTTPONLY": "True",
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_DOMAIN": "None",
        "SESSION_COOKIE_PATH": "/",
        "CSRF_COOKIE_NAME": "penny_csrf_8123",
        "CSRF_COOKIE_SECURE": "False",
        "CSRF_COOKIE_HTTPONLY": "True",
        "CSRF_COOKIE_DOMAIN": "None",
    }


def test_cookies_under_tls_never_travel_in_the_clear_and_no_other_host_sets_them(tmp_path: Path) -> None:
    cookies = read_cookie_settings("https://penny.example.org", tmp_path)
    assert (cookies["SESSION_COOKIE_NAME"], cookies["CSRF_COOKIE_NAME"]) == ("__Host-penny", "__Host-penny-csrf")
    assert (cookies["SESSION_COOKIE_SECURE"], cookies["CSRF_COOKIE_SECURE"], cookies["SESSION_COOKIE_HTTPONLY"]) == (
        "True",
        "True",
        "True",
    )
    assert (cookies["SESSION_COOKIE_DOMAIN"], cookies["SESSION_COOKIE_PATH"]) == ("None", "/")


def test_the_cookie_of_a_session_is_set_as_the_settings_say(client: Client) -> None:
    cookie = client.get(sign_in_path()).cookies[django_settings.SESSION_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["domain"], cookie["path"], cookie["secure"]) == (
        True,
        "Lax",
        "",
        "/",
        "",
    )


def test_each_sign_in_starts_a_new_session(client: Client) -> None:
    """A session id planted before the sign-in gives no access after the sign-in."""
    client.cookies[django_settings.SESSION_COOKIE_NAME] = "planted"
    client.get(sign_in_path())
    assert client.cookies[django_settings.SESSION_COOKIE_NAME].value != "planted"
    assert is_signed_in(client)
