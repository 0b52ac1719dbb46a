"""Each defence of pages, pairing and guessing, on and off: a test patches the defence away, and the same attack
succeeds.

| defence | switched off by |
|---|---|
| Host names of pages | `ALLOWED_HOSTS = ["*"]` |
| web origins at pairing | `pairing.EXTENSION_ORIGIN` that fits everything |
| JSON alone at pairing | a content type that is always JSON |
| writes from Penny's own pages alone | `MIDDLEWARE` without `own_writes` |
| the token of forms | `MIDDLEWARE` without `CsrfViewMiddleware` |
| the counter of guesses | `failed_attempts.is_too_often` that says no |
| answers to many guesses wait | `SlowRefusals` left out |
| no address of a refused request in a log | the logger `django.request` at the level of warnings |
| few tries for a code | `PairingCode.WRONG_ANSWERS` of many |
| two minutes for a code | `PairingCode.LIFETIME` of an hour |
| what opens once | the mark that it was used, taken off |
"""

import json
import logging
import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import Settings

from devices.access import failed_attempts, pairing
from devices.access.pairing import open_code
from devices.models import PairingCode, SignInLink
from devices.owner.account import new_sign_in_link, the_owner
from penny_site import doors
from tests.raw import new_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

Patch = pytest.MonkeyPatch
EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
EVIL = "https://evil.example"
PASSWORD = "nine bars of pressure"


# Pages
# ----------------------------------------------------------------------------------------------------------------------


def _signed_in() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(the_owner())
    return client


def _token(client: Client) -> str:
    match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.get("/setup/").content.decode())
    assert match
    return match[1]


PAGES = [
    "/",
    "/chat/",
    "/setup/",
    "/sign-in/",
    "/sign-in/x/",
    "/api/pair",
    "/admin/",
    "/healthz",
    "/readyz",
    "/static/penny/penny.css",
    "/no/such",
]
FOREIGN_HOSTS = [
    "evil.example",
    "127.0.0.1.evil.example:8787",
    "0.0.0.0:8787",
    "2130706433",
    "127.0.0.1@evil.example",
    "127.0.0.1, evil.example",
]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_gets_no_page(host: str) -> None:
    client = _signed_in()
    assert {client.get(page, headers={"host": host}).status_code for page in PAGES} == {400}


def test_a_foreign_host_gets_pages_where_nobody_looks(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert _signed_in().get("/chat/", headers={"host": "evil.example"}).status_code == 200


WRITES = [
    "/sign-out/",
    "/password/",
    "/setup/code/",
    "/setup/test/model/",
    "/interests/",
    "/sign-in/",
    "/admin/devices/device/",
    "/admin/constance/config/",
    "/settings/you/",
    "/settings/model/",
    "/settings/model/stop/",
    "/settings/data/remove/",
    "/settings/undo/x/",
]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "none-of-these"])
def test_another_site_writes_nothing_though_it_has_cookie_and_token(write: str, site: str) -> None:
    client = _signed_in()
    data = {"csrfmiddlewaretoken": _token(client)}
    assert client.post(write, data, headers={"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    "headers", [{"origin": EVIL}, {"origin": "null"}, {"origin": "http://127.0.0.1:9999"}, {"origin": EXTENSION}]
)
def test_another_origin_writes_nothing_though_it_has_cookie_and_token(write: str, headers: dict[str, str]) -> None:
    client = _signed_in()
    assert client.post(write, {"csrfmiddlewaretoken": _token(client)}, headers=headers).status_code == 403


@pytest.mark.parametrize("write", WRITES)
def test_a_form_without_its_token_writes_nothing(write: str) -> None:
    assert _signed_in().post(write).status_code == 403


def test_without_the_rule_for_writes_another_site_writes(settings: Settings) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if not name.endswith("own_writes")]
    client = _signed_in()
    answer = client.post(
        "/sign-out/", {"csrfmiddlewaretoken": _token(client)}, headers={"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 302


def test_without_the_token_rule_a_form_of_another_site_writes(settings: Settings) -> None:
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "Csrf" not in name]
    assert _signed_in().post("/sign-out/", headers={"origin": EVIL}).status_code == 302


def test_pennys_own_forms_still_work() -> None:
    client = _signed_in()
    headers = {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:8787", "host": "127.0.0.1:8787"}
    assert client.post("/sign-out/", {"csrfmiddlewaretoken": _token(client)}, headers=headers).status_code == 302


# Pairing
# --------------------------------------------------------------------------------------------------------------------


def _pairs(code: str, content_type: str = "application/json", **headers: str) -> int:
    body = json.dumps({"code": code, "label": "Raw", "kind": "api", "public_key": new_device().public_key})
    return Client().post("/api/pair", body, content_type=content_type, headers=headers).status_code


@pytest.mark.parametrize(
    "origin",
    [EVIL, "null", "", "http://127.0.0.1:8787", EXTENSION + ", " + EVIL, EXTENSION + "/", "chrome-extension://"],
)
def test_a_web_origin_does_not_pair_whatever_code_it_has(origin: str) -> None:
    code = open_code()
    assert _pairs(code, origin=origin) == 403
    assert _pairs(code, origin=EXTENSION) == 201


def test_without_the_rule_for_origins_a_web_page_pairs(monkeypatch: Patch) -> None:
    monkeypatch.setattr(pairing, "EXTENSION_ORIGIN", re.compile(".*"))
    assert _pairs(open_code(), origin=EVIL) == 201


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonp"],
)
def test_what_is_not_json_does_not_pair_and_spends_nothing(kind: str) -> None:
    code = open_code()
    assert _pairs(code, kind) == 400
    assert _pairs(code) == 201


def test_without_the_rule_for_json_a_plain_form_pairs(monkeypatch: Patch) -> None:
    monkeypatch.setattr(
        "django.core.handlers.wsgi.WSGIRequest.content_type",
        property(lambda self: "application/json", lambda self, _: None),
        raising=False,
    )
    assert _pairs(open_code(), "text/plain") == 201


def _pairs_after(wrong_codes: int) -> bool:
    code = open_code()
    for _ in range(wrong_codes):
        _guess_code()
    return _pairs(code) == 201


def test_a_code_is_void_after_five_wrong_ones_and_without_that_rule_it_is_not(monkeypatch: Patch) -> None:
    assert _pairs_after(PairingCode.WRONG_ANSWERS - 1)
    assert not _pairs_after(5)
    monkeypatch.setattr(PairingCode, "WRONG_ANSWERS", 100)
    assert _pairs_after(5)


def _pairs_three_minutes_later() -> bool:
    code = open_code()
    PairingCode.objects.update(expires_at=F("expires_at") - timedelta(minutes=3))
    return _pairs(code) == 201


def test_a_code_is_void_after_two_minutes_and_without_that_rule_it_is_not(monkeypatch: Patch) -> None:
    assert not _pairs_three_minutes_later()
    monkeypatch.setattr(PairingCode, "LIFETIME", timedelta(hours=1))
    assert _pairs_three_minutes_later()


def test_codes_and_links_open_once_and_without_the_mark_of_their_use_again() -> None:
    code, link = open_code(), new_sign_in_link().removeprefix("http://127.0.0.1:8787")
    assert [(_pairs(code), Client().get(link).status_code) for _ in range(2)] == [(201, 302), (403, 403)]
    for kind in (PairingCode, SignInLink):
        kind.objects.update(used_at=None)
    assert (_pairs(code), Client().get(link).status_code) == (201, 302)


# Guessing
# -------------------------------------------------------------------------------------------------------------------


def _guess_password() -> int:
    return Client().post("/sign-in/", {"password": "a guess"}).status_code


def _guess_link() -> int:
    return Client().get("/sign-in/a-guess/").status_code


def _guess_code() -> int:
    return _pairs("12345678")


GUESSES = [(_guess_password, "password", {200}), (_guess_link, "link", {403}), (_guess_code, "code", {403})]


@pytest.fixture
def owner_with_password(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real hasher is slow on purpose
    owner = the_owner()
    owner.set_password(PASSWORD)
    owner.save()


@pytest.mark.usefixtures("owner_with_password")
@pytest.mark.parametrize(("guess", "kind", "before"), GUESSES)
def test_too_many_guesses_in_a_minute_are_told_so_on_loopback_too(
    guess: Callable[[], int], kind: str, before: set[int]
) -> None:
    most = failed_attempts.MOST[kind]
    assert {guess() for _ in range(most)} == before
    assert {guess() for _ in range(3)} == {429}


@pytest.mark.usefixtures("owner_with_password")
@pytest.mark.parametrize(("guess", "kind", "before"), GUESSES)
def test_without_the_counter_guessing_goes_on(
    guess: Callable[[], int], kind: str, before: set[int], monkeypatch: Patch
) -> None:
    for module in ("penny_site.forms", "penny_site.sign_in.views", "devices.access.failed_attempts"):
        monkeypatch.setattr(f"{module}.is_too_often", lambda *_: False)
    assert {guess() for _ in range(failed_attempts.MOST[kind] + 3)} == before


@pytest.mark.usefixtures("owner_with_password")
def test_nobody_locks_the_owner_out_by_guessing() -> None:
    for kind, most in failed_attempts.MOST.items():
        for _ in range(most * failed_attempts.ADDRESSES + 1):
            failed_attempts.is_too_often(kind, "127.0.0.1")
    assert _guess_password() == _guess_link() == _guess_code() == 429
    assert Client().post("/sign-in/", {"password": PASSWORD}).status_code == 302
    assert Client().get(new_sign_in_link().removeprefix("http://127.0.0.1:8787")).status_code == 302
    assert _pairs(open_code()) == 201


def test_many_addresses_together_are_too_many() -> None:
    most = failed_attempts.MOST["code"] * failed_attempts.ADDRESSES
    assert not any(failed_attempts.is_too_often("code", f"192.0.2.{number}") for number in range(most))
    assert failed_attempts.is_too_often("code", "198.51.100.1")


def test_without_redis_guesses_are_counted_all_the_same(settings: Settings) -> None:
    from devices.redis import rate_limiter

    settings.REDIS_URL = "unix:///nowhere"
    rate_limiter.cache_clear()
    try:
        refusals = [
            failed_attempts.is_too_often("link", "203.0.113.9") for _ in range(failed_attempts.MOST["link"] + 1)
        ]
    finally:
        rate_limiter.cache_clear()
    assert refusals == [False] * failed_attempts.MOST["link"] + [True]


async def _answered_after(app: Any, status: int) -> float:
    async def view(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})

    async def nothing(*_: Any) -> None:
        pass

    began = time.monotonic()
    await app(view)({}, nothing, nothing)
    return time.monotonic() - began


async def test_an_answer_that_says_too_many_waits_and_others_do_not(monkeypatch: Patch) -> None:
    monkeypatch.setattr(doors, "DELAY_S", 0.2)
    assert await _answered_after(doors.SlowRefusals, 429) >= 0.2
    assert await _answered_after(doors.SlowRefusals, 200) < 0.2
    assert await _answered_after(lambda view: view, 429) < 0.2


# What is written down
# -------------------------------------------------------------------------------------------------------


class LogLines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def test_a_link_that_is_refused_is_in_no_log() -> None:
    logger, log_lines = logging.getLogger("django.request"), LogLines()
    logger.addHandler(log_lines)
    try:
        Client().get("/sign-in/a-used-token/")
        assert log_lines.lines == []
        logger.setLevel(logging.WARNING)
        Client().get("/sign-in/a-used-token/")
        assert "a-used-token" in log_lines.lines[0]
    finally:
        logger.setLevel(logging.ERROR)
        logger.removeHandler(log_lines)
