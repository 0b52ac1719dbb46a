"""Penny behind the nginx of the handbook, over TLS, beside something else on her host and with the host to herself."""

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

PASSWORD = "correct horse battery"
EVIL = "https://evil.example"
ELSEWHERE = "203.0.113.9"


class Behind(Penny):
    """A Penny that is known by an address of a proxy, and the proxy."""

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

    def signed_in(self, browser: httpx2.Client) -> httpx2.Client:
        answer = post(browser, "/sign-in/", password=PASSWORD, next=f"{self.base}/chat/")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"{self.base}/chat/")
        return browser


@pytest.fixture(scope="module", params=["/penny", ""])
def _behind(request: pytest.FixtureRequest, _model: ModelServer) -> Iterator[Behind]:
    with tempfile.TemporaryDirectory(prefix="penny-") as data, nginx.resolve_to_loopback():
        found = Behind(Path(data), request.param, **penny.with_model(_model.url))
        try:
            found.start()
            with nginx.run_nginx(found.proxy_port, found.port, found.base) as found.certificate:
                _choose_password(found)
                yield found
        finally:
            found.stop()


def _choose_password(behind: Behind) -> None:
    """Use the link that `up` printed. Off loopback a password comes before anything else."""
    with behind.browser() as browser:
        assert behind.link.startswith(f"{behind.url}/sign-in/")
        arrived = browser.get(behind.link)
        cookies = arrived.headers.get_list("set-cookie")
        assert arrived.headers["Location"] == f"{behind.base}/password/"
        assert browser.get("/").headers["Location"] == f"{behind.base}/password/"
        assert cookies
        assert all(cookie.startswith("__Host-") and "; Secure" in cookie and "Path=/" in cookie for cookie in cookies)
        chosen = post(browser, "/password/", new_password1=PASSWORD, new_password2=PASSWORD)
        assert chosen.headers["Location"] == f"{behind.base}/setup/"


@pytest.fixture
def behind(_behind: Behind, model: ModelServer) -> Behind:
    return _behind


@pytest.fixture
def browser(behind: Behind) -> Iterator[httpx2.Client]:
    with behind.browser() as found:
        yield behind.signed_in(found)


def post(browser: httpx2.Client, path: str, origin: str = "", shown_at: str = "", **fields: str) -> httpx2.Response:
    """Send the form of a page as a browser does, which says where it came from."""
    shown = browser.get(shown_at or path)
    token = form_fields(shown.text)["csrfmiddlewaretoken"]
    here = f"{browser.base_url.scheme}://{browser.base_url.netloc.decode()}"
    headers = {"Origin": origin or here, "Referer": f"{origin or here}/"}
    return browser.post(path, data={**fields, "csrfmiddlewaretoken": token}, headers=headers)


# Signing in, and pages
# --------------------------------------------------------------------------------------------------------


def test_a_password_signs_in_with_cookies_that_need_tls_and_the_pages_stand_below_the_path(
    behind: Behind, browser: httpx2.Client
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


def test_a_form_of_another_site_is_refused(behind: Behind, browser: httpx2.Client) -> None:
    sent = {"label": "Stolen"}
    assert post(browser, "/programs/", origin=EVIL, **sent).status_code == 403
    assert browser.post("/programs/", data=sent, headers={"Origin": behind.origin}).status_code == 403
    assert post(browser, "/programs/", **sent).status_code in (200, 302)


def test_another_host_than_its_own_is_refused(behind: Behind, browser: httpx2.Client) -> None:
    assert browser.get("/chat/", headers={"Host": "evil.example"}).status_code == 400


# Sockets
# ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def trusting(behind: Behind, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes its own connections trusts the certificate too, as the owner's machine does."""
    monkeypatch.setenv("SSL_CERT_FILE", str(behind.certificate))


def cookies_of(browser: httpx2.Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


@pytest.mark.usefixtures("trusting")
def test_the_web_chat_asks_and_is_answered_over_its_socket(behind: Behind, browser: httpx2.Client) -> None:
    with Socket(behind.url, "/ws/web?cursor=0", Origin=behind.origin, Cookie=cookies_of(browser)) as socket:
        assert socket.frame()["type"] == "welcome"
        turn = str(uuid4())
        socket.send(type="chat.send", turn_id=turn, text="Say a word about rain")
        done = socket.next("turn.done", matching=lambda frame: frame["turn_id"] == turn)
    assert done["message"]["text"].startswith("You said: Say a word about rain")


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("path", ["/ws/web", "/ws/feed"])
def test_a_socket_of_another_origin_or_without_a_session_is_refused(
    behind: Behind, browser: httpx2.Client, path: str
) -> None:
    cookies = cookies_of(browser)
    here_unencrypted = behind.origin.replace("https", "http")
    for headers in (
        {"Origin": EVIL, "Cookie": cookies},
        {"Origin": here_unencrypted, "Cookie": cookies},
        {"Origin": behind.origin},
    ):
        with pytest.raises(InvalidStatus) as refused:
            Socket(behind.url, path, **headers)
        assert refused.value.response.status_code == 403
    with Socket(behind.url, path, Origin=behind.origin, Cookie=cookies):
        pass


@pytest.mark.usefixtures("trusting")
def test_a_device_pairs_and_works(behind: Behind, browser: httpx2.Client) -> None:
    code = re.search(r"\b\d{4} \d{4}\b", post(browser, "/setup/code/", shown_at="/setup/").text)
    assert code is not None
    with Client(pair(behind.url, code.group())) as device:
        assert device.ask("Say a word about rain").text.startswith("You said")


# Streams
# ----------------------------------------------------------------------------------------------------------------------

WORDS, EVERY_S = "One two three four five six seven eight nine ten.", 0.15


@contextmanager
def program(behind: Behind, browser: httpx2.Client, url: str) -> Iterator[openai.OpenAI]:
    post(browser, "/programs/", label="Editor")
    found = re.search(r'data-copy="(penny-[\w-]+)"', browser.get("/programs/").text)
    assert found is not None
    client = openai.DefaultHttpxClient(verify=behind.trusted, trust_env=False)
    with openai.OpenAI(base_url=f"{url}/v1", api_key=found[1], max_retries=0, http_client=client) as api:
        yield api


def spread_s(api: openai.OpenAI) -> float:
    """Return how much time lies between the first and the last piece of an answer that takes a while."""
    stream = api.chat.completions.create(model="penny", messages=[{"role": "user", "content": "Count"}], stream=True)
    at = [time.monotonic() for chunk in stream if chunk.choices and chunk.choices[0].delta.content]
    return at[-1] - at[0]


def test_an_answer_comes_as_it_is_written(behind: Behind, browser: httpx2.Client, model: ModelServer) -> None:
    model.on(lambda _: True, text(WORDS, every_s=EVERY_S))
    with program(behind, browser, behind.url) as api:
        assert spread_s(api) > 3 * EVERY_S


def test_a_proxy_that_holds_answers_back_would_be_seen(
    behind: Behind, browser: httpx2.Client, model: ModelServer
) -> None:
    def buffering(said: str) -> str:
        return said.replace("proxy_buffering off;", "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;")

    model.on(lambda _: True, text(WORDS, every_s=EVERY_S))
    port = free_port()
    with another(behind, port, buffering), program(behind, browser, f"https://{NAME}:{port}{behind.base}") as api:
        assert spread_s(api) < EVERY_S


@contextmanager
def another(behind: Behind, port: int, changed: Callable[[str], str]) -> Iterator[None]:
    """Put another example before the same Penny, which is then the one that is trusted."""
    first = behind.certificate
    try:
        with nginx.run_nginx(port, behind.port, behind.base, edit=changed) as behind.certificate:
            yield
    finally:
        behind.certificate = first


# What is large
# ----------------------------------------------------------------------------------------------------------------


def asked_after(api: openai.OpenAI, megabytes: int) -> str:
    """Ask with so much said before, as a program that sends its whole conversation does; return the answer."""
    before = {"role": "user", "content": "x" * (megabytes * 1024 * 1024)}
    said: Any = [before, {"role": "user", "content": "Say a word about rain"}]
    return api.chat.completions.create(model="penny", messages=said).choices[0].message.content or ""


def test_a_large_call_comes_through_and_what_is_too_large_penny_refuses_herself(
    behind: Behind, browser: httpx2.Client
) -> None:
    with program(behind, browser, behind.url) as api:
        assert asked_after(api, 20).startswith("You said: Say a word about rain")
        with pytest.raises(openai.APIStatusError) as refused:
            asked_after(api, 26)
        assert (refused.value.status_code, refused.value.code) == (413, "too_large")


def test_without_that_line_of_the_example_the_proxy_would_refuse_it(behind: Behind, browser: httpx2.Client) -> None:
    port = free_port()
    with (
        another(behind, port, lambda said: said.replace("client_max_body_size 32m;", "")),
        program(behind, browser, f"https://{NAME}:{port}{behind.base}") as api,
        pytest.raises(openai.APIStatusError) as refused,
    ):
        asked_after(api, 20)
    assert (refused.value.status_code, refused.value.code) == (413, None)


# What a client says of itself
# -------------------------------------------------------------------------------------------------

SPOOFED = {
    "X-Forwarded-For": ELSEWHERE,
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "1",
    "X-Real-IP": ELSEWHERE,
    "Forwarded": f"for={ELSEWHERE};host=evil.example;proto=http",
}


def place_of_sign_in(behind: Behind, url: str) -> str:
    """Sign in while claiming to be somewhere else, and return where Penny thinks that was."""
    with behind.browser(**SPOOFED) as browser:
        browser.base_url = httpx2.URL(url)
        answer = post(browser, "/sign-in/", origin=behind.origin, password=PASSWORD)
        assert (answer.status_code, answer.headers["Location"]) == (302, f"{behind.base}/")
        shown = browser.get("/sign-ins/").text
        assert "evil.example" not in shown
        rows: list[str] = re.findall(r"<li>.*?</li>", shown, re.DOTALL)
        return next(row for row in rows if "here" in row)


def test_what_a_client_says_of_where_it_comes_from_does_not_count(behind: Behind) -> None:
    place = place_of_sign_in(behind, behind.url)
    assert "127.0.0.1" in place
    assert ELSEWHERE not in place


def test_without_that_line_of_the_example_it_would(behind: Behind) -> None:
    port = free_port()
    with another(behind, port, lambda said: re.sub(r"proxy_set_header X-Forwarded-For [^;]+;", "", said)):
        assert ELSEWHERE in place_of_sign_in(behind, f"https://{NAME}:{port}{behind.base}")
