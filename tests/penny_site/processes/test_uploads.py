"""What a large body costs the web process, and those who ask something meanwhile; over real connections."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.agents.api.calls import make_token
from tests.bench.slow_reader import rss_mb, web_process
from tests.penny import Penny
from tests.penny_site.processes.test_bodies import MB, length, send_post

GROWTH_MB, LATE_S = 64, 1.0
LINE = "0123456789abcdef"
EDGE = b"--" + LINE.encode()
FORM = {"Content-Type": f"multipart/form-data; boundary={LINE}"}
FILE = b'\r\nContent-Disposition: form-data; name="file"; filename="export.json"\r\n'


@dataclass
class Costs:
    """The memory that the web process took beyond what it had, and the longest wait of somebody else."""

    grew_mb: float = 0.0
    late_s: float = 0.0
    status: int = 0
    answer: str = ""

    @property
    def are_little(self) -> bool:
        return self.grew_mb < GROWTH_MB and self.late_s < LATE_S


@contextmanager
def measure_web(penny: Penny) -> Iterator[Costs]:
    """Ask for a page again and again, and see how much memory the web process had at most."""
    web, costs, is_over = web_process(penny), Costs(), threading.Event()

    def ask() -> None:
        with httpx2.Client(base_url=penny.url, trust_env=False, timeout=120) as client:
            while not is_over.is_set():
                began = time.monotonic()
                client.get("/healthz").raise_for_status()
                costs.late_s = max(costs.late_s, time.monotonic() - began)
                is_over.wait(0.02)

    Path(f"/proc/{web}/clear_refs").write_text("5")  # the peak begins anew
    before, other = rss_mb(web), threading.Thread(target=ask)
    other.start()
    try:
        yield costs
    finally:
        is_over.set()
        other.join()
        costs.grew_mb = rss_mb(web, "VmHWM") - before


def blocks(size: int, block: bytes) -> Iterator[bytes]:
    for _ in range(size // MB):
        yield block * (MB // len(block))


def multipart(token: str, size: int, head: bytes, block: bytes) -> tuple[int, Iterator[bytes]]:
    """Return length and pieces of a form with its token, and with one part of `size` bytes."""
    field = b'\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n' + token.encode() + b"\r\n"
    begin, end = EDGE + field + EDGE + head + b"\r\n", b"\r\n" + EDGE + b"--\r\n"

    def pieces() -> Iterator[bytes]:
        yield begin
        yield from blocks(size, block)
        yield end

    return len(begin) + size // MB * (MB // len(block) * len(block)) + len(end), pieces()


PARTS = {
    "a zip": (FILE, b"PK\x03\x04" + bytes(range(256))),
    "JSON": (FILE, b'["0123456789 not an address of the web", {"a": "'),
    "a file in base64": (FILE + b"Content-Transfer-Encoding: base64\r\n", b"UEsDBA" * 12 + b"AAAA\r\n"),
    "one long line": (FILE, b"a"),
    "one field": (b'\r\nContent-Disposition: form-data; name="text"\r\n', b"a"),
    "tiny fields": (
        b'\r\nContent-Disposition: form-data; name="a"\r\n',
        b"\r\n" + EDGE + b'\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
    ),
    "tiny files": (FILE, b"\r\n" + EDGE + FILE + b"\r\n1"),
    "parts without a name": (FILE, b"\r\n" + EDGE + b"\r\n\r\n1"),
    "lines": (FILE, b"\r\n"),
    "beginnings of an edge": (FILE, b"\r\n" + EDGE[:-1]),
}


REFUSED = {"one field": 400, "tiny fields": 400, "tiny files": 400, "parts without a name": 400, "JSON": 302}


@pytest.fixture
def token(penny: Penny) -> str:
    return next(value for name, value in penny.http.cookies.items() if name.endswith(f"csrf_{penny.port}"))


@pytest.fixture
def owner_headers(penny: Penny) -> dict[str, str]:
    cookies = "; ".join(f"{name}={value}" for name, value in penny.http.cookies.items())
    return {"Cookie": cookies, "Origin": penny.url, "Referer": f"{penny.url}/setup/"}


def costs_of(penny: Penny, path: str, headers: dict[str, str], pieces: Iterator[bytes]) -> Costs:
    with measure_web(penny) as costs:
        costs.status, _, costs.answer = send_post(penny, path, headers, pieces)
    return costs


@pytest.mark.parametrize("kind", PARTS)
def test_a_large_form_costs_little(penny: Penny, owner_headers: dict[str, str], token: str, kind: str) -> None:
    size, pieces = multipart(token, 63 * MB, *PARTS[kind])
    costs = costs_of(penny, "/interests/sources/", owner_headers | FORM | length(size), pieces)
    assert costs.status == REFUSED.get(kind, 200), costs.answer
    assert costs.are_little, costs


def test_two_at_once_and_one_that_never_ends_cost_little(
    penny: Penny, owner_headers: dict[str, str], token: str
) -> None:
    forms = [multipart(token, 63 * MB, *PARTS["a zip"]) for _ in range(3)]
    paths, url = ["/interests/sources/"] * 2, ("127.0.0.1", penny.port)
    with (
        closing(socket.create_connection(url)) as abandoned,
        ThreadPoolExecutor() as threads,
        measure_web(penny) as costs,
    ):
        head = "".join(f"{name}: {value}\r\n" for name, value in (owner_headers | FORM | length(forms[2][0])).items())
        abandoned.sendall(f"POST {paths[0]} HTTP/1.1\r\nHost: 127.0.0.1:{penny.port}\r\n{head}\r\n".encode())
        abandoned.sendall(next(forms[2][1]) + next(forms[2][1])[:1000])
        answers = threads.map(
            lambda path, form: send_post(penny, path, owner_headers | FORM | length(form[0]), form[1]), paths, forms
        )
        assert [status for status, _, _ in answers] == [200, 200]
    assert costs.are_little, costs


CALLS = {
    "numbers": b"1,",
    "lists": b"[],",
    "messages": b'{"role":"user","content":"a"},',
    "texts": b'{"role":"user","content":"' + b"a" * (MB - 40) + b'"},',
    "escapes": b'"' + b"\\n" * (MB // 2 - 2) + b'",',
}
PICTURE = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * (MB * 17 // 3 * 4 // 3 // 24)


@pytest.mark.parametrize("kind", CALLS)
def test_a_large_call_costs_little(penny: Penny, kind: str) -> None:
    pieces = [b'{"model":"penny","messages":[', *blocks(30 * MB, CALLS[kind]), b'{"role":"user","content":"a"}]}']
    costs = costs_of(penny, "/v1/chat/completions", call_headers(penny, pieces), iter(pieces))
    assert (costs.status, "more than" in costs.answer) == (400, True)
    assert costs.are_little, costs


def test_pictures_of_a_call_cost_little(penny: Penny) -> None:
    pictures = [{"type": "image_url", "image_url": {"url": PICTURE}}]
    messages = [{"role": "user", "content": pictures}, {"role": "user", "content": pictures * 2}]
    pieces = [json.dumps({"model": "penny", "messages": messages}).encode()]
    costs = costs_of(penny, "/v1/chat/completions", call_headers(penny, pieces), iter(pieces))
    assert costs.status == 200, costs.answer
    assert costs.are_little, costs


def call_headers(penny: Penny, pieces: list[bytes]) -> dict[str, str]:
    token = make_token(penny, "A program that sends much")
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | length(sum(map(len, pieces)))
