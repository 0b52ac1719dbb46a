"""Why servers refuse, told in words that say what to do; models without tools or a system role are server in words."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from agents.llm.failures.refusals import REASON_CHARACTERS, refusal_code
from agents.llm.failures.retries import Patience
from agents.llm.messages import ModelFailed
from tests.agents.llm.streams import DONE, URL, Events, Refusal, ask_for, delta, serve

WORDS = {
    "model_no_tools": [
        "registry.ollama.ai/library/gemma2:2b does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "tools param requires --jinja flag",
        "No endpoints found that support tool use. To learn more about provider routing, visit our docs",
        "Tool calling is not supported by this model",
        "Function calling is not enabled for models/gemma-3-4b-it",
        "Unrecognized request argument supplied: tools",
        "unknown field `tools`, expected one of `model`, `messages`",
    ],
    "model_no_system": [
        "System role not supported",
        "Developer instruction is not enabled for models/gemma-3-4b-it",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Only user and assistant roles are supported!",
    ],
    "model_no_pictures": [
        "This model does not support image inputs",
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "Missing data required for image input",
        "No endpoints found that support image input",
    ],
    "model_context": [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        "the request exceeds the available context size, try increasing it",
        (
            "Trying to keep the first 9000 tokens when context overflows. However, the model is loaded with context "
            "length of only 4096 tokens"
        ),
        "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit",
    ],
    "model_loading": ["Loading model", "Model x is currently loading", "model is still loading"],
    "model_memory": ["model requires more system memory (9.1 GiB) than is available", "CUDA error: out of memory"],
    "model_not_found": [
        'model "llama9" not found, try pulling it first',
        "The model `gpt-9` does not exist or you do not have access to it.",
        "No models loaded. Please load a model in the developer page",
        "x is not a valid model ID",
    ],
    "model_quota": [
        "You exceeded your current quota, please check your plan and billing details.",
        "Insufficient Balance",
    ],
    "model_key_refused": ["Incorrect API key provided: sk-1", "No auth credentials found", "API key not valid."],
    "model_busy": ["Rate limit reached for requests", "The engine is currently overloaded"],
}


@pytest.mark.parametrize(("code", "words"), [(code, words) for code, texts in WORDS.items() for words in texts])
def test_the_words_of_a_refusal_tell_its_reason(code: str, words: str) -> None:
    assert refusal_code(words, 400) == code


@pytest.mark.parametrize(
    "words", ["", "something", "a" * 10_000, "tool " * 5000, "the answer is not supported by facts"]
)
def test_other_words_tell_nothing(words: str) -> None:
    assert refusal_code(words, 400) == ""


FORMS: list[Callable[[str], str]] = [
    lambda words: json.dumps({"error": {"message": words, "type": "api_error"}}),
    lambda words: json.dumps({"error": words}),
    lambda words: json.dumps({"message": words, "object": "error"}),
    lambda words: json.dumps({"detail": words}),
    lambda words: words,
]


@pytest.mark.parametrize("status", [200, 400, 404, 422, 500, 503])
@pytest.mark.parametrize("form", FORMS[:4])
async def test_a_refusal_is_told_whatever_its_status_and_form(status: int, form: Any) -> None:
    words = "the request exceeds the available context size"
    with serve(lambda _: Refusal(status, form(words))) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server)
    assert failure.value.code == "model_context"


async def test_a_refusal_as_an_event_of_a_stream_is_told() -> None:
    events: Events = [{"error": {"message": "Loading model", "code": 503}}]
    with serve(events) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server, patience=Patience(0))
    assert failure.value.code == "model_loading"
    assert "Try again in a minute" in str(failure.value)


async def test_the_words_of_another_refusal_are_shown() -> None:
    with (
        serve(lambda _: Refusal(400, FORMS[0]("temperature must be 1"))) as server,
        pytest.raises(ModelFailed) as failure,
    ):
        await ask_for(server)
    assert failure.value.code == "model_rejected"
    assert "It says: “temperature must be 1" in str(failure.value)


async def test_a_model_without_tools_is_asked_in_words_and_calls_in_words() -> None:
    def answer(body: dict[str, Any]) -> Events | Refusal:
        if "tools" in body:
            return Refusal(400, FORMS[0]("x does not support tools"))
        return [delta(content=f'{{"name": "browse_url", "arguments": {URL}}}'), delta("stop"), DONE]

    with serve(answer) as server:
        first, _ = await ask_for(server)
        second, _ = await ask_for(server)
    for reply in (first, second):
        assert [(call.tool, json.loads(call.arguments)) for call in reply.requests] == [("browse_url", json.loads(URL))]
        assert reply.text == ""
    assert ["tools" in body for body in server.bodies] == [True, False, False]  # found out once
    assert "browse_url: Open a page." in str(server.bodies[-1]["messages"])


async def test_a_model_without_a_system_role_gets_the_instructions_as_words() -> None:
    def answer(body: dict[str, Any]) -> Events | Refusal:
        if body["messages"][0]["role"] in ("system", "developer"):
            return Refusal(500, FORMS[0]("System role not supported"))
        return [delta(content="Hello."), delta("stop"), DONE]

    with serve(answer) as server:
        reply, streamed = await ask_for(server)
    assert (reply.text, streamed) == ("Hello.", "Hello.")
    assert [message["role"] for message in server.bodies[-1]["messages"]] == ["user"]
    assert "You are Penny" in str(server.bodies[-1]["messages"][0]["content"])


async def test_a_model_that_refuses_both_is_asked_without_either_and_no_more_often() -> None:
    def answer(body: dict[str, Any]) -> Refusal:
        is_system = body["messages"][0]["role"] != "user"
        words = "does not support tools" if "tools" in body else "System role not supported" if is_system else "no"
        return Refusal(400, FORMS[0](words))

    with serve(answer) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server)
    assert (failure.value.code, len(server.bodies)) == ("model_rejected", 3)


@pytest.mark.parametrize(
    "word", ["exceed", "model ", "context", "tool ", "invalid ", "insufficient ", "role ", "image "]
)
def test_no_words_of_a_server_take_long_to_read(word: str) -> None:
    started_s = time.process_time()
    for _ in range(5):
        refusal_code((word * REASON_CHARACTERS)[:REASON_CHARACTERS])
    assert time.process_time() - started_s < 2
