"""Penny behind the nginx of the handbook, over TLS, below a path and at the root."""

import re
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen
from uuid import uuid4

import httpx2
import openai
import pytest
from websockets.exceptions import InvalidStatus

from tests import nginx, penny
from tests.client import Client, pair
from tests.nginx import NAME
from tests.penny import Penny, form_fields, free_port
from tests.raw import Socket
from tests.stand_ins.model_server import ModelServer, text

pytestmark = pytest.mark.processes("nginx stands before a running Penny")

PASSWORD = "correct horse battery"
EVIL = "https://evil.example"
ELSEWHERE = "203.0.113.9"


class PennyBehindProxy(Penny):
    """A Penny whose public URL is that of a proxy, and the proxy."""

    certificate: Path

    def __init__(self, data: Path, base: str, **settings: str) -> None:
        self.proxy_port, self.base = free_port(), base
        self.origin = f"https://{NAME}:{self.proxy_port}"
        super().__init__(data, PENNY_PUBLIC_URL=self.origin + base, **settings)
        self.url = self.origin + base

    def is_ready(self) -> bool:
        try:
            with urlopen(Request(f"http://127.0.0.1:{self.port}/readyz", headers={"Host": NAME}), timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.certificate)

    def browser(self, **headers: str) -> httpx2.Client:
        """Return a browser that is not signed in."""
        return httpx2.Client(base_url=self.url, verify=self.trusted, trust_env=False, timeout=30, headers=headers)

    def sign_in(self, browser: httpx2.Client) -> httpx2.Client:
        answer = post(browser, "/sign-in/", password=PASSWORD, next=f"{self.base}/chat/")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"{self.base}/chat/")
        return browser


@pytest.fixture(scope="module", params=["/penny", ""])
def _behind(request: pytest.FixtureRequest, _model: ModelServer) -> Iterator[PennyBehindProxy]:
    with tempfile.TemporaryDirectory(prefix="penny-") as data, nginx.resolve_to_loopback():
        instance = PennyBehindProxy(Path(data), request.param, **penny.with_model(_model.url))
        try:
            instance.start()
            with nginx.run_nginx(instance.proxy_port, instance.port, instance.base) as instance.certificate:
                choose_password(instance)
                yield instance
        finally:
            instance.stop()


def choose_password(behind: PennyBehindProxy) -> None:
    """Sign in by the link of `up` and choose a password, which is required off loopback."""
    with behind.browser() as browser:
        assert behind.link.startswith(f"{behind.url}/sign-in/")
        first_answer = browser.get(behind.link)
        cookies = first_answer.headers.get_list("set-cookie")
        assert first_answer.headers["Location"] == f"{behind.base}/password/"
        assert browser.get("/").headers["Location"] == f"{behind.base}/password/"
        assert cookies
        assert all(cookie.startswith("__Host-") and "; Secure" in cookie and "Path=/" in cookie for cookie in cookies)
        last_answer = post(browser, "/password/", new_password1=PASSWORD, new_password2=PASSWORD)
        assert last_answer.headers["Location"] == f"{behind.base}/setup/"


@pytest.fixture
def behind(_behind: PennyBehindProxy, model: ModelServer) -> PennyBehindProxy:
    return _behind


@pytest.fixture(scope="module")
def _signed_in(_behind: PennyBehindProxy) -> httpx2.Cookies:
    """The cookies of a browser that signed in, which costs half a second of hashing."""
    with _behind.browser() as client:
        return _behind.sign_in(client).cookies


@pytest.fixture
def browser(behind: PennyBehindProxy, _signed_in: httpx2.Cookies) -> Iterator[httpx2.Client]:
    with behind.browser() as client:
        client.cookies.update(_signed_in)
        yield client


def post(browser: httpx2.Client, path: str, origin: str = "", form_path: str = "", **fields: str) -> httpx2.Response:
    """Send the form of a page with the Origin and Referer of a browser."""
    page = browser.get(form_path or path)
    token = form_fields(page.text)["csrfmiddlewaretoken"]
    here = f"{browser.base_url.scheme}://{browser.base_url.netloc.decode()}"
    headers = {"Origin": origin or here, "Referer": f"{origin or here}/"}
    return browser.post(path, data={**fields, "csrfmiddlewaretoken": token}, headers=headers)


# Signing in, and pages
# --------------------------------------------------------------------------------------------------------


def test_a_password_signs_in_with_secure_cookies_and_the_pages_are_below_the_path(
    behind: PennyBehindProxy, browser: httpx2.Client
) -> None:
    jar = {cookie.name: cookie for cookie in browser.cookies.jar}
    assert {"__Host-penny", "__Host-penny-csrf"} == set(jar)
    assert all(cookie.secure for cookie in jar.values())
    chat = browser.get("/chat/")
    assert chat.status_code == 200
    [style, *_] = re.findall(r'<link rel="stylesheet" href="([^"]+)"', chat.text)
    assert style.startswith(f"{behind.base}/static/")
    assert browser.get(behind.origin + style).status_code == 200
    assert httpx2.get(f"{behind.origin}/elsewhere/", verify=behind.trusted, trust_env=False).status_code == 404


def test_a_form_of_another_site_is_refused(behind: PennyBehindProxy, browser: httpx2.Client) -> None:
    form = {"label": "Stolen"}
    assert post(browser, "/permissions/programs/", origin=EVIL, **form).status_code == 403
    assert browser.post("/permissions/programs/", data=form, headers={"Origin": behind.origin}).status_code == 403
    assert post(browser, "/permissions/programs/", **form).status_code in (200, 302)


def test_another_host_is_refused(behind: PennyBehindProxy, browser: httpx2.Client) -> None:
    assert browser.get("/chat/", headers={"Host": "evil.example"}).status_code == 400


# Sockets
# ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def trusted_certificate(behind: PennyBehindProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the certificate in clients that open their own connections."""
    monkeypatch.setenv("SSL_CERT_FILE", str(behind.certificate))


def cookie_header(browser: httpx2.Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


@pytest.mark.usefixtures("trusted_certificate")
def test_the_web_chat_asks_and_is_answered_over_its_socket(behind: PennyBehindProxy, browser: httpx2.Client) -> None:
    with Socket(behind.url, "/ws/web?cursor=0", Origin=behind.origin, Cookie=cookie_header(browser)) as socket:
        assert socket.frame()["type"] == "welcome"
        turn = str(uuid4())
        socket.send(type="chat.send", turn_id=turn, text="Say a word about rain")
        turn_done = socket.next("turn.done", matching=lambda frame: frame["turn_id"] == turn)
    assert turn_done["message"]["text"].startswith("You said: Say a word about rain")


@pytest.mark.usefixtures("trusted_certificate")
@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
def test_a_socket_of_another_origin_or_without_a_session_is_refused(
    behind: PennyBehindProxy, browser: httpx2.Client, path: str
) -> None:
    cookies = cookie_header(browser)
    here_unencrypted = behind.origin.replace("https", "http")
    for headers in (
        {"Origin": EVIL, "Cookie": cookies},
        {"Origin": here_unencrypted, "Cookie": cookies},
        {"Origin": behind.origin},
    ):
        with pytest.raises(InvalidStatus) as error:
            Socket(behind.url, path, **headers)
        assert error.value.response.status_code == 403
    with Socket(behind.url, path, Origin=behind.origin, Cookie=cookies):
        pass


@pytest.mark.usefixtures("trusted_certificate")
def test_a_device_pairs_and_works(behind: PennyBehindProxy, browser: httpx2.Client) -> None:
    code = re.search(r"\b\d{4} \d{4}\b", post(browser, "/setup/code/", form_path="/setup/").text)
    assert code is not None
    with Client(pair(behind.url, code.group())) as device:
        assert device.ask("Say a word about rain").text.startswith("You said")


# What follows is the same at the root.
below_a_path = pytest.mark.parametrize("_behind", ["/penny"], indirect=True)


# Streams
# ----------------------------------------------------------------------------------------------------------------------

WORDS, EVERY_S = "One two three four five six seven eight nine ten.", 0.15


@contextmanager
def open_program(behind: PennyBehindProxy, browser: httpx2.Client, url: str) -> Iterator[openai.OpenAI]:
    post(browser, "/permissions/programs/", label="Editor")
    token = re.search(r'data-copy="(penny-[\w-]+)"', browser.get("/permissions/programs/").text)
    assert token is not None
    client = openai.DefaultHttpxClient(verify=behind.trusted, trust_env=False)
    with openai.OpenAI(base_url=f"{url}/v1", api_key=token[1], max_retries=0, http_client=client) as api:
        yield api


def measure_spread_s(api: openai.OpenAI) -> float:
    """Return the time between the first and the last piece of a slow answer."""
    stream = api.chat.completions.create(model="penny", messages=[{"role": "user", "content": "Count"}], stream=True)
    at = [time.monotonic() for chunk in stream if chunk.choices and chunk.choices[0].delta.content]
    return at[-1] - at[0]


@below_a_path
def test_an_answer_is_streamed_while_it_is_written(
    behind: PennyBehindProxy, browser: httpx2.Client, model: ModelServer
) -> None:
    model.on(lambda _: True, text(WORDS, every_s=EVERY_S))
    with open_program(behind, browser, behind.url) as api:
        assert measure_spread_s(api) > 3 * EVERY_S


@below_a_path
def test_a_buffering_proxy_would_be_detected(
    behind: PennyBehindProxy, browser: httpx2.Client, model: ModelServer
) -> None:
    def buffer_answers(config_text: str) -> str:
        return config_text.replace(
            "proxy_buffering off;", "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;"
        )

    model.on(lambda _: True, text(WORDS, every_s=EVERY_S))
    port = free_port()
    with (
        put_another_nginx_before(behind, port, buffer_answers),
        open_program(behind, browser, f"https://{NAME}:{port}{behind.base}") as api,
    ):
        assert measure_spread_s(api) < EVERY_S


@contextmanager
def put_another_nginx_before(behind: PennyBehindProxy, port: int, edit: Callable[[str], str]) -> Iterator[None]:
    """Run nginx with an edited example before the same Penny, and trust its certificate."""
    first = behind.certificate
    try:
        with nginx.run_nginx(port, behind.port, behind.base, edit=edit) as behind.certificate:
            yield
    finally:
        behind.certificate = first


# Large calls
# ----------------------------------------------------------------------------------------------------------------


def ask_after(api: openai.OpenAI, megabytes: int) -> str:
    before = {"role": "user", "content": "x" * (megabytes * 1024 * 1024)}
    messages: Any = [before, {"role": "user", "content": "Say a word about rain"}]
    return api.chat.completions.create(model="penny", messages=messages).choices[0].message.content or ""


@below_a_path
def test_a_large_call_passes_and_penny_herself_refuses_a_larger_one(
    behind: PennyBehindProxy, browser: httpx2.Client
) -> None:
    with open_program(behind, browser, behind.url) as api:
        assert ask_after(api, 7).startswith("You said: Say a word about rain")
        with pytest.raises(openai.APIStatusError) as error:
            ask_after(api, 34)
        assert (error.value.status_code, error.value.code) == (413, "too_large")


@below_a_path
def test_without_that_line_of_the_example_nginx_would_refuse_a_large_call(
    behind: PennyBehindProxy, browser: httpx2.Client
) -> None:
    port = free_port()
    with (
        put_another_nginx_before(
            behind, port, lambda config_text: config_text.replace("client_max_body_size 40m;", "")
        ),
        open_program(behind, browser, f"https://{NAME}:{port}{behind.base}") as api,
        pytest.raises(openai.APIStatusError) as error,
    ):
        ask_after(api, 7)
    assert (error.value.status_code, error.value.code) == (413, None)


# Spoofed headers
# -------------------------------------------------------------------------------------------------

SPOOFED = {
    "X-Forwarded-For": ELSEWHERE,
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "1",
    "X-Real-IP": ELSEWHERE,
    "Forwarded": f"for={ELSEWHERE};host=evil.example;proto=http",
}


def read_sign_in_place(behind: PennyBehindProxy, url: str) -> str:
    """Sign in with spoofed headers and return the place that Penny shows."""
    with behind.browser(**SPOOFED) as browser:
        browser.base_url = httpx2.URL(url)
        answer = post(browser, "/sign-in/", origin=behind.origin, password=PASSWORD)
        assert (answer.status_code, answer.headers["Location"]) == (302, f"{behind.base}/")
        html = browser.get("/settings/signing-in/").text
        assert "evil.example" not in html
        rows: list[str] = re.findall(r"<li>.*?</li>", html, re.DOTALL)
        return next(row for row in rows if "here" in row)


@below_a_path
def test_a_spoofed_address_is_ignored(behind: PennyBehindProxy) -> None:
    place = read_sign_in_place(behind, behind.url)
    assert "127.0.0.1" in place
    assert ELSEWHERE not in place


@below_a_path
def test_without_that_line_of_the_example_a_spoofed_address_would_count(behind: PennyBehindProxy) -> None:
    port = free_port()
    with put_another_nginx_before(
        behind, port, lambda config_text: re.sub(r"proxy_set_header X-Forwarded-For [^;]+;", "", config_text)
    ):
        assert ELSEWHERE in read_sign_in_place(behind, f"https://{NAME}:{port}{behind.base}")
