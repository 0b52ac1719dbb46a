"""A large body of a call is bounded before it is parsed, and its pictures are found again."""

import base64
import io
import json
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import pytest
from django.test import RequestFactory

from agents.api import completions, large_bodies
from agents.api.large_bodies import LargeBody, TooLarge

KB = 1024
PICTURE = bytes(range(256)) * 400


@pytest.fixture
def file() -> Iterator[BinaryIO]:
    with TemporaryFile() as file:
        yield file


def cut(file: BinaryIO, body: bytes) -> LargeBody:
    file.write(body)
    file.flush()
    return LargeBody(file)


def address(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text,
        lambda text: text.replace("/", "\\/"),  # PHP
        lambda text: text.replace("+", "\\u002B").replace("=", "\\u003d"),  # .NET, Gson
    ],
)
def test_pictures_stay_in_the_file_however_a_program_writes_them(file: BinaryIO, written: Any) -> None:
    pictures = [PICTURE, PICTURE[1:] + b"x", b"small"]
    value = {"a": [{"url": address(picture)} for picture in pictures], 'a "quote" \\': "\\"}
    body = cut(file, written(json.dumps(value)).encode())
    parsed = json.loads(bytes(body.rest))
    assert len(body.rest) < 1 * KB
    assert parsed | {"a": 0} == value | {"a": 0}
    words = [item["url"].partition(",")[2] for item in parsed["a"]]
    assert [base64.b64decode(body.read_picture(word)) for word in words] == pictures
    assert body.size_of(words[0]) >= len(PICTURE)


def test_a_number_that_stands_for_no_picture_is_none(file: BinaryIO) -> None:
    body = cut(file, json.dumps([address(PICTURE)]).encode())
    assert body.read_picture("00001") == b"00001"


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"1," * 300 * KB,
        b"[],{}" * 200 * KB,
        b'"",' * 300 * KB,
        b'"' * 600 * KB,
        b"\\" * 600 * KB,
        b'["' + b"a" * 9 * KB * KB + b'"]',
        b'["' + b'\\"' * 5 * KB * KB,  # a text without an end
        b'["data:image/png;base64' + b"a" * 9 * KB * KB + b'"]',
        b'["data:text/plain;base64,' + b"a" * 9 * KB * KB + b'"]',
    ],
)
def test_too_much_is_refused(file: BinaryIO, body: bytes) -> None:
    with pytest.raises(TooLarge, match="more than"):
        cut(file, body)


def test_no_more_is_copied_than_may_be() -> None:
    copy = io.BytesIO()
    assert large_bodies.copy_body(io.BytesIO(bytes(50 * KB * KB)), copy, 3 * KB * KB) == len(copy.getvalue())
    assert 3 * KB * KB < len(copy.getvalue()) <= 4 * KB * KB


@pytest.mark.parametrize(("count", "size_kb", "reason"), [(2, 6145, "12 MB together"), (1, 8193, "larger than 8 MB")])
async def test_too_large_pictures_are_refused_before_they_are_decoded(count: int, size_kb: int, reason: str) -> None:
    parts = [{"type": "image_url", "image_url": {"url": address(bytes(size_kb * KB))}}] * count
    body = json.dumps({"messages": [{"role": "user", "content": parts}]}).encode()
    request = RequestFactory().post("/v1/chat/completions", body, content_type="application/json")
    with pytest.raises(completions.Refused, match=reason):
        await completions.parse_request(request)
