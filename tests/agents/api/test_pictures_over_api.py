"""Pictures in calls and answers of programs."""

import asyncio
import json
from uuid import uuid4

import httpx2
import openai
import pytest
from django.test import RequestFactory

from agents.api import completions
from tests.agents.api.calls import about_pictures, as_address, call
from tests.agents.pages.seeing import SEEN, draw_picture, is_picture_request
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer

pytestmark = pytest.mark.processes("programs of others open connections of their own")


@pytest.mark.parametrize("is_streamed", [False, True])
def test_a_picture_is_looked_at_by_the_model_that_sees(
    api: openai.OpenAI, sight: ModelServer, is_streamed: bool
) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": as_address(draw_picture()), "detail": "low"}},
    ]
    completion = call(api, messages=[{"role": "user", "content": parts}], stream=is_streamed)
    content = (
        "".join(chunk.choices[0].delta.content or "" for chunk in completion)
        if is_streamed
        else completion.choices[0].message.content
    )
    assert SEEN in content
    assert not any(request.tools for request in sight.requests)  # no request with tools gets the description
    assert any(is_picture_request(request) and "What is this?" in request.everything for request in sight.requests)


def test_a_picture_alone_is_a_question_and_the_same_key_with_another_is_refused(
    api: openai.OpenAI, sight: ModelServer
) -> None:
    keyed = {"extra_headers": {"Idempotency-Key": str(uuid4())}}
    for _ in range(2):
        assert SEEN in call(api, **about_pictures(as_address(draw_picture())), **keyed).choices[0].message.content
    assert len([request for request in sight.requests if is_picture_request(request)]) == 1
    with pytest.raises(openai.UnprocessableEntityError):
        call(api, **about_pictures(as_address(draw_picture(size=(90, 90)))), **keyed)


def test_a_large_picture_is_taken_and_what_is_far_too_large_is_refused(
    penny: Penny, api: openai.OpenAI, token: str, sight: ModelServer
) -> None:
    large = draw_picture("PNG") + bytes(2 * 1024 * 1024)  # trailing bytes that no decoder reads
    assert SEEN in call(api, **about_pictures(as_address(large, "png"))).choices[0].message.content
    body, headers = (
        b'{"messages": [' + b" " * completions.BODY_BYTES,
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    answer = httpx2.post(f"{penny.url}/v1/chat/completions", content=body, headers=headers, trust_env=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


async def _turns_of_the_loop(body: bytes) -> int:
    """Return how often other tasks ran on the loop while a call was parsed."""
    count = 0

    async def others() -> None:
        nonlocal count
        while True:
            await asyncio.sleep(0)
            count += 1

    running = asyncio.create_task(others())
    parsed = await completions.parse_request(
        RequestFactory().post("/v1/chat/completions", body, content_type="application/json")
    )
    running.cancel()
    assert parsed.request.message.text == "What is this?"
    return count


async def test_a_large_call_is_taken_apart_beside_the_loop_and_a_small_one_at_once() -> None:
    def body(size: int) -> bytes:
        parts = [
            {"type": "text", "text": "What is this?"},
            *[{"type": "image_url", "image_url": {"url": as_address(bytes(size))}}] * 2,
        ]
        return json.dumps({"messages": [{"role": "user", "content": parts}]}).encode()

    assert await _turns_of_the_loop(body(1000)) == 0
    assert await _turns_of_the_loop(body(5 * 1024 * 1024)) > 0
