"""Programs talk to Penny as to OpenAI, with the `openai` package."""

import errno
from typing import Any
from uuid import uuid4

import httpx2
import openai
import pytest
import schemathesis
from django.http import HttpResponse, JsonResponse
from django.test import RequestFactory
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from agents.api.openapi import description
from agents.api.schemas import ErrorBody
from penny_site.middleware import DiskFull
from tests.agents.api.calls import about_pictures, call, complete, make_token, revoke_path
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, text

pytestmark = pytest.mark.processes("programs of others open connections of their own")

URL = "https://coffee.example/water"


def test_a_program_gets_the_whole_answer(api: openai.OpenAI) -> None:
    completion = complete(api, "Say a word about rain", temperature=0.2)
    assert completion.choices[0].message.content.startswith("You said: Say a word about rain")
    assert (completion.object, completion.model, completion.choices[0].finish_reason) == (
        "chat.completion",
        "penny",
        "stop",
    )
    assert completion.usage.total_tokens > 0
    assert completion.id.startswith("chatcmpl-")


def test_an_answer_is_streamed_as_it_is_written(api: openai.OpenAI, model: ModelServer) -> None:
    model.on(lambda _: True, text("One two three four five six seven.", every_s=0.03))
    chunks = list(complete(api, "Count", stream=True, stream_options={"include_usage": True}))
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]
    assert "".join(pieces) == "One two three four five six seven."
    assert len(pieces) > 2
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage.total_tokens > 0


def test_a_program_that_is_revoked_while_an_answer_is_written_hears_no_more_of_it(
    penny: Penny, model: ModelServer
) -> None:
    model.on(lambda _: True, text(" ".join(map(str, range(200))), every_s=0.05))
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=make_token(penny, "Short-lived"), max_retries=0) as program:
        stream = complete(program, "Count", stream=True)
        chunks = [next(stream) for _ in range(3)]
        penny.post(revoke_path(penny, "Short-lived"))
        with pytest.raises(openai.APIError, match="revoked"):
            chunks.extend(stream)
    assert "199" not in "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


@pytest.mark.parametrize("is_streamed", [False, True])
def test_a_command_of_the_owner_s_is_refused_with_what_a_program_may_do(api: openai.OpenAI, is_streamed: bool) -> None:
    completion = complete(api, "/config SEARCH_TEMPLATE https://evil.example/?q={}", stream=is_streamed)
    content = (
        "".join(chunk.choices[0].delta.content or "" for chunk in completion)
        if is_streamed
        else completion.choices[0].message.content
    )
    assert content.startswith("`/config` works in your browser and on Signal.")


def test_what_came_from_a_page_is_said_with_its_source(penny: Penny, api: openai.OpenAI) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    with penny.client(
        "Fake browser", tools=browser_tools({URL: make_page(URL, WATER.title, WATER.text)}), answers=allow("once")
    ):
        whole = complete(api, f"How is espresso brewed? {URL}").choices[0].message.content
    with penny.client(
        "Fake browser", tools=browser_tools({URL: make_page(URL, WATER.title, WATER.text)}), answers=allow("once")
    ):
        chunks = list(complete(api, f"How is espresso brewed? {URL}", stream=True))
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert WATER.paragraphs[0] in whole
    assert WATER.paragraphs[0] in streamed
    assert f"]({URL})" in whole
    assert f"]({URL})" in streamed
    assert "[p1" not in streamed


def test_the_owner_sees_in_the_conversation_what_a_program_asked(penny: Penny, api: openai.OpenAI) -> None:
    words = f"From a program {uuid4()}"
    complete(api, words)
    with penny.client("Desk") as client:
        assert [m.device_label for m in _messages(client) if m.text == words] == ["Editor"]


def _messages(client: Client) -> list[Any]:
    from devices import protocol

    client.ask("Hello")
    return [frame.message for frame in client.frames_of(protocol.MessageNew)]


def test_what_a_client_writes_out_though_it_does_not_ask_for_it_is_no_hindrance(api: openai.OpenAI) -> None:
    fields: Any = {
        "logprobs": False,
        "tools": [],
        "tool_choice": "none",
        "modalities": ["text"],
        "temperature": 0.7,
        "stop": ["x"],
    }
    completion = api.chat.completions.create(model="penny", messages=[{"role": "user", "content": "Hello"}], **fields)
    assert completion.choices[0].message.content


@pytest.mark.parametrize("not_streamed", [None, False])
def test_a_client_may_leave_open_whether_it_wants_a_stream(api: openai.OpenAI, not_streamed: bool | None) -> None:
    completion = call(
        api,
        messages=[{"role": "user", "content": "/help stop"}],
        stream=not_streamed,
        stream_options={"include_usage": None},
    )
    assert completion.choices[0].message.content.startswith("`/stop`")


def test_what_was_said_with_another_model_before_hinders_no_question(api: openai.OpenAI) -> None:
    before = [
        *about_pictures("https://coffee.example/a.png")["messages"],
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}]},
    ]
    completion = call(api, messages=[*before, {"role": "user", "content": "/help stop"}])
    assert completion.choices[0].message.content.startswith("`/stop`")


def test_commands_work_here_too(api: openai.OpenAI) -> None:
    assert "`/stop`" in complete(api, "/help").choices[0].message.content
    assert "".join(
        chunk.choices[0].delta.content or "" for chunk in complete(api, "/help stop", stream=True)
    ).startswith("`/stop`")


def test_what_is_sent_again_with_its_key_is_asked_once(api: openai.OpenAI, model: ModelServer) -> None:
    first, again = (complete(api, "Once", extra_headers={"Idempotency-Key": "same"}) for _ in range(2))
    assert first.id == again.id
    assert first.choices == again.choices
    assert len(model.requests) == 1


def test_a_key_that_came_with_another_question_is_refused(api: openai.OpenAI, model: ModelServer) -> None:
    assert "422" in description()["paths"]["/v1/chat/completions"]["post"]["responses"]
    complete(api, "One question", extra_headers={"Idempotency-Key": "reused"})
    with pytest.raises(openai.UnprocessableEntityError) as refusal:
        complete(api, "Another question", extra_headers={"Idempotency-Key": "reused"})
    assert refusal.value.code == "idempotency_key_reused"
    assert len(model.requests) == 1


def test_a_full_disk_is_an_error_of_the_shape_that_is_promised() -> None:
    refuse = DiskFull(lambda request: HttpResponse())
    answer = refuse.process_exception(
        RequestFactory().post("/v1/chat/completions"), OSError(errno.ENOSPC, "No space left on device")
    )
    assert isinstance(answer, JsonResponse)
    assert (answer.status_code, ErrorBody.model_validate_json(answer.content).error.code) == (507, "disk_full")


def test_a_model_that_fails_is_an_error_and_no_answer(api: openai.OpenAI, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401), times=10)
    with pytest.raises(openai.InternalServerError) as failed:
        complete(api, "Hello")
    assert failed.value.code == "model_key_missing"
    with pytest.raises(openai.APIError, match="key"):
        list(complete(api, "Hello", stream=True))


def test_the_model_is_listed_and_no_other_is_there(api: openai.OpenAI) -> None:
    assert [listed_model.id for listed_model in api.models.list()] == ["penny"]
    assert api.models.retrieve("penny").owned_by == "penny"
    with pytest.raises(openai.NotFoundError):
        api.models.retrieve("gpt-4")
    with pytest.raises(openai.NotFoundError):
        api.chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": "x"}])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "no message of the user"),
        ({"messages": [{"role": "user", "content": "x"}], "n": 2}, "n:"),
        ({"messages": [{"role": "user", "content": "x"}], "tool_choice": "required"}, "leave tool_choice out"),
        ({"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "json_object"}}, "in words"),
        (about_pictures("data:"), "send it along"),
        (about_pictures("https://coffee.example/a.png"), "Penny fetches no picture for a program"),
        (about_pictures("data:image/png;base64,QUJD"), "is no picture that Penny can look at"),
        (about_pictures("data:image/png;base64,QUJ"), "is no base64"),
        (about_pictures(*["data:image/png;base64,QUJD"] * 9), "more than 8 pictures"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}]}
                ]
            },
            "no input_audio",
        ),
        ({"messages": [{"role": "user", "content": "x" * 32_001}]}, "32,000 characters"),
        ({"messages": [{"role": "user", "content": "x" * 1_000_001}]}, "1,000,000 characters in one message"),
        ({"messages": [{"role": "user", "content": "x"}], "functions": [], "function_call": {"name": "x"}}, "leave"),
        ({"messages": [{"role": "user", "content": "x"}], "modalities": ["text", "audio"]}, "modalities"),
        ({"messages": [{"role": "user", "content": "x"}], "tool_choice": {"type": "function"}}, "tool_choice"),
    ],
)
def test_what_penny_does_not_do_is_refused_by_name(penny: Penny, token: str, body: dict[str, Any], reason: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx2.post(
        f"{penny.url}/v1/chat/completions", json={"model": "penny"} | body, headers=headers, trust_env=False
    )
    assert answer.status_code == 400
    assert reason in answer.json()["error"]["message"]


def test_the_description_holds_for_whatever_is_sent(penny: Penny, token: str) -> None:
    """Have schemathesis make good and bad calls, and check each answer against the description.

    Excluded: no schema can say that the last message is the user's, and 502 is a documented answer.
    """
    described = httpx2.get(f"{penny.url}/api/docs", trust_env=False)
    schema = schemathesis.openapi.from_dict(described.json())
    schema.config.update(base_url=penny.url)
    count = 0
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        for result in schema.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=5, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
            )
            def check(case: Any) -> None:
                nonlocal count
                count += 1
                answer = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=30)
                case.validate_response(answer, excluded_checks=[positive_data_acceptance, not_a_server_error])

            check()
    assert count > 15
