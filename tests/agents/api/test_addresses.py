"""Every address under /v1 answers programs in JSON, and lets no page of another site in."""

import json

import httpx2
import pytest
from django.test import Client, RequestFactory, override_settings
from django.utils.html import escape

from penny_site import errors
from penny_site.manage_command import manage_command
from tests.penny import Penny

pytestmark = pytest.mark.processes("programs of others open connections of their own")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/embeddings", 404),
        ("POST", "/v1/responses", 404),
        ("GET", "/v1/", 404),
        ("GET", "/v1", 404),
        ("GET", "/v1/models/", 200),
        ("GET", "/v1/models/penny/", 200),
        ("GET", "/v1/chat/completions", 405),
        ("OPTIONS", "/v1/chat/completions", 405),
        ("OPTIONS", "/v1/models", 405),
        ("POST", "/v1/chat/completions/", 400),
        ("DELETE", "/v1/models/penny", 405),
    ],
)
def test_every_address_answers_json(http: httpx2.Client, method: str, path: str, status: int) -> None:
    answer = http.request(method, path, headers={"Content-Type": "application/json", "Origin": "https://evil.example"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    assert status == 200 or answer.json()["error"]["message"]
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_addresses_that_do_not_exist_need_a_token_too(penny: Penny) -> None:
    assert httpx2.post(f"{penny.url}/v1/embeddings", json={}, trust_env=False).status_code == 401


def test_a_page_of_another_site_gets_json_without_permission(http: httpx2.Client) -> None:
    preflight = {
        "Origin": "https://evil.example",
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "cors",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    for path in ("/v1/chat/completions", "/v1/chat/completions/", "/v1/models", "/v1/embeddings", "/v1"):
        answer = http.request("OPTIONS", path, headers=preflight)
        assert (answer.status_code in (404, 405), answer.headers["Content-Type"]) == (True, "application/json")
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]


def test_a_wrong_host_is_refused_in_json(http: httpx2.Client) -> None:
    answer = http.get("/v1/models", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("", "application/json", 400),
        ("{", "application/json", 400),
        ("[]", "application/json", 400),
        ("null", "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ("\ufeff{}", "application/json; charset=utf-8", 400),
        ("model=penny", "application/x-www-form-urlencoded", 415),
        ("--x\r\n\r\na\r\n--x--\r\n", "multipart/form-data; boundary=x", 415),
    ],
)
def test_a_body_that_is_no_call_is_refused_in_json(http: httpx2.Client, body: str, kind: str, status: int) -> None:
    answer = http.post("/v1/chat/completions", content=body.encode(), headers={"Content-Type": kind})
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
    assert answer.json()["error"]["message"]


def test_what_fails_in_penny_is_json_for_a_program_and_a_page_for_people() -> None:
    answer = errors.server_error(RequestFactory().get("/v1/models"))
    assert (answer.status_code, json.loads(answer.content)["error"]["code"]) == (500, "failed")
    html = errors.server_error(RequestFactory().get("/setup/")).content.decode()
    assert "<html" in html
    assert f"<code>{escape(manage_command('doctor'))}</code>" in html


@override_settings(ROOT_URLCONF="tests.agents.api.failing_urls")
def test_the_site_answers_a_program_with_that_error() -> None:
    answer = Client(raise_request_exception=False).get("/v1/fails")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/json")
