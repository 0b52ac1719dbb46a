"""How much of a body Penny reads, by who sends it; over a real connection."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.agents.api.calls import make_token
from tests.penny import Penny
from thoughts.sources import files

MB = 1024 * 1024


def send_post(penny: Penny, path: str, headers: dict[str, str], pieces: Iterator[bytes]) -> tuple[int, int, str]:
    """Write a request until the server answers: the status, the bytes that it took, and the body of the answer."""
    head = "".join(f"{name}: {value}\r\n" for name, value in ({"Host": penny.url.partition("//")[2]} | headers).items())
    with closing(socket.create_connection(("127.0.0.1", penny.port), timeout=20)) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode())
        accepted = 0
        try:
            for piece in pieces:
                connection.settimeout(0.01)
                try:
                    if connection.recv(1, socket.MSG_PEEK):
                        break
                except TimeoutError:
                    pass
                connection.settimeout(20)
                connection.sendall(piece)
                accepted += len(piece)
            connection.settimeout(20)
            answer = b""
            while b"\r\n\r\n" not in answer or len(answer) < 200:
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
        except ConnectionError:
            return 0, accepted, ""
    status, _, rest = answer.partition(b"\r\n")
    return int(status.split()[1]), accepted, rest.partition(b"\r\n\r\n")[2].decode(errors="replace")


def zeros(size: int) -> Iterator[bytes]:
    for _ in range(size // 65536):
        yield b"0" * 65536


def chunks(size: int) -> Iterator[bytes]:
    for piece in zeros(size):
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


def length(size: int) -> dict[str, str]:
    return {"Content-Length": str(size)}


CHUNKED = {"Transfer-Encoding": "chunked"}
FORM, FILE = "/interests/sources/", {"Content-Type": "multipart/form-data; boundary=x"}
OTHER_KINDS = ["application/x-www-form-urlencoded", "application/json", "text/plain", ""]


@pytest.fixture
def cookie(penny: Penny) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in penny.http.cookies.items()), "Origin": penny.url}


@pytest.mark.parametrize("path", ["/interests/sources/", "/api/pair", "/v1/chat/completions", "/nowhere/"])
def test_a_large_body_of_nobody_is_refused_before_it_is_sent(penny: Penny, path: str) -> None:
    status, accepted, _ = send_post(penny, path, length(50 * MB), zeros(50 * MB))
    assert status == 413
    assert accepted <= MB


@pytest.mark.parametrize("path", ["/interests/sources/", "/v1/chat/completions"])
def test_a_body_without_a_length_is_counted_while_it_comes(penny: Penny, path: str) -> None:
    status, accepted, _ = send_post(penny, path, CHUNKED, chunks(50 * MB))
    assert status == 413
    assert accepted < 10 * MB  # what the buffers of the system hold


@pytest.mark.parametrize("size", [2 * MB, 50 * MB])
def test_a_made_up_session_or_token_reads_nothing(penny: Penny, size: int) -> None:
    name = next(iter(penny.http.cookies))
    status, accepted, _ = send_post(penny, FORM, FILE | length(size) | {"Cookie": f"{name}=made-up"}, zeros(size))
    assert (status, accepted <= 8 * MB) == (413, True)
    headers = length(size) | {"Authorization": "Bearer penny-made-up"}
    status, accepted, answer = send_post(penny, "/v1/chat/completions", headers, zeros(size))
    assert (status, accepted <= 8 * MB) == (413, True)
    assert "token" in json.loads(answer)["error"]["message"] or size > 32 * MB


def test_a_session_sends_the_file_of_a_form_and_no_more(penny: Penny, cookie: dict[str, str]) -> None:
    most = files.SIZE_MAX + MB
    status, accepted, _ = send_post(penny, FORM, cookie | FILE | length(most), zeros(most))
    assert (status, accepted) == (400, most)  # read whole: it is no form
    status, accepted, _ = send_post(penny, FORM, cookie | FILE | length(most + 1), zeros(most))
    assert (status, accepted <= MB) == (413, True)
    status, accepted, _ = send_post(penny, FORM, cookie | FILE | CHUNKED, chunks(2 * most))
    assert (status, accepted < most + 16 * MB) == (413, True)


@pytest.mark.parametrize("path", ["/chat/", "/memory/", "/admin/", "/asks/"])
@pytest.mark.parametrize("kind", [FILE["Content-Type"], *OTHER_KINDS])
def test_what_takes_no_file_takes_one_megabyte(penny: Penny, cookie: dict[str, str], path: str, kind: str) -> None:
    headers = cookie | {"Content-Type": kind}
    status, accepted, _ = send_post(penny, path, headers | length(2 * MB), zeros(2 * MB))
    assert (status, accepted <= MB) == (413, True)


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_only_files_of_a_form_are_large(penny: Penny, cookie: dict[str, str], kind: str) -> None:
    """Django would hold the fields of this body in memory."""
    status, accepted, _ = send_post(penny, FORM, cookie | {"Content-Type": kind} | CHUNKED, chunks(50 * MB))
    assert (status, accepted < 16 * MB) == (413, True)


@pytest.mark.parametrize("sign", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_sends_nothing_large_with_the_owners_cookie(
    penny: Penny, cookie: dict[str, str], sign: dict[str, str]
) -> None:
    status, accepted, _ = send_post(penny, FORM, cookie | FILE | length(5 * MB) | sign, zeros(5 * MB))
    assert (status, accepted <= MB) == (413, True)


def test_a_request_that_came_whole_waits_for_the_look_up(penny: Penny) -> None:
    """A little more than may be read without asking arrives with its end, before the session is looked up."""
    size = MB + 65536
    name = next(iter(penny.http.cookies))
    status, _, _ = send_post(penny, FORM, CHUNKED | FILE | {"Cookie": f"{name}=made-up"}, chunks(size))
    assert status == 413


def test_a_token_sends_what_a_program_needs(penny: Penny) -> None:
    headers = {"Authorization": f"Bearer {make_token(penny, 'Large bodies')}", "Content-Type": "application/json"}
    status, accepted, _ = send_post(penny, "/v1/chat/completions", headers | length(31 * MB), zeros(31 * MB))
    assert (status, accepted) == (400, 31 * MB)  # read whole: it is no JSON
    status, accepted, _ = send_post(penny, "/v1/chat/completions", headers | length(33 * MB), zeros(33 * MB))
    assert (status, accepted <= MB) == (413, True)
