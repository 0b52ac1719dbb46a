"""What a model that is asked one word tells."""

from typing import Any

import pytest
from django.conf import settings

from agents.llm.endpoint import Endpoint
from agents.llm.providers import parse_endpoint
from penny_site.health import model as health
from penny_site.health.part import Part
from tests.agents.llm.streams import DONE, Events, Refusal, delta, serve
from tests.stand_ins.model_server import ModelServer, Reply

pytestmark = pytest.mark.django_db(transaction=True)  # the model is asked on another thread

WORD: Events = [delta(role="assistant", content="Yes"), delta("stop"), DONE]
UNKNOWN = Refusal(404, '{"error": {"message": "model \\"m\\" not found, try pulling it first"}}')


def ask(monkeypatch: pytest.MonkeyPatch, endpoint: Endpoint | None) -> Part:
    monkeypatch.setattr(settings, "MODEL", endpoint)
    return health.ask_here()


@pytest.mark.parametrize(
    ("answer", "key", "text", "advice"),
    [
        (WORD, "", "answers", ""),
        (Refusal(401, "{}"), "k", "refused the key", "Enter another one under Settings › Model."),
        (Refusal(403, "<html>"), "k", "refused the key", "Enter another one under Settings › Model."),
        (Refusal(401, "{}"), "", "wants a key, and none is set", "Enter it under Settings › Model."),
        (Refusal(429, "{}"), "k", "limits how often it may be asked", "Try again in a minute."),
        (Refusal(402, "{}"), "k", " is used up", "Add credit there"),
        (UNKNOWN, "k", "has no model named m", "Choose another one under Settings › Model."),
        (
            [delta(role="assistant", content=""), delta("stop"), DONE],
            "",
            "The model gave an empty answer",
            "Try again.",
        ),
        ([delta(content="<think>Am I?</think>"), delta("stop"), DONE], "", "The model gave an empty answer", ""),
        (Refusal(200, "<html>Hello</html>", "text/html"), "", "is not the OpenAI protocol", "Correct its address"),
        (Refusal(503, '{"error": {"message": "Loading model"}}'), "", "is still loading", "Try again in a minute."),
    ],
)
def test_what_the_model_answers_is_told(
    monkeypatch: pytest.MonkeyPatch, answer: Any, key: str, text: str, advice: str
) -> None:
    with serve(answer if isinstance(answer, list) else lambda _: answer) as server:
        part = ask(monkeypatch, Endpoint("openai-compatible", "m", server.endpoint.url, key))
    assert text in part.text
    assert advice in part.advice
    assert (part.is_ok, part.is_required) == (answer is WORD, False)


def test_a_dead_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    part = ask(monkeypatch, parse_endpoint("openai-compatible:m", "http://127.0.0.1:9/v1"))
    assert (part.is_ok, part.text) == (False, "No model answers at http://127.0.0.1:9/v1")
    assert part.advice == "Start it, or correct its address under Settings › Model."


def test_silence_is_told_in_time(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    monkeypatch.setattr(health, "TRIAL_S", 1.0)
    model.on(lambda _: True, Reply(tokens=("<think>", "So"), hangs=True))
    part = ask(monkeypatch, parse_endpoint("openai-compatible:m", model.url))
    assert (part.is_ok, part.text) == (False, "openai-compatible:m did not answer within 1 s")


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google", "xai", "zai", "openrouter"])
def test_a_missing_key_is_told_without_a_request(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    part = ask(monkeypatch, parse_endpoint(f"{provider}:m", environment={}))
    assert (part.is_ok, part.text) == (False, f"{provider} wants a key, and none is set")


def test_a_server_that_takes_any_name_answers_and_its_own_names_are_told(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    part = ask(monkeypatch, parse_endpoint("openai-compatible:other", model.url))
    assert part.is_ok
    assert part.text.endswith("answers, though its list names only scripted")


def test_the_models_that_there_are_are_told_with_an_unknown_one(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    model.on(lambda _: True, Reply(status=404))
    part = ask(monkeypatch, parse_endpoint("openai-compatible:other", model.url))
    assert part.advice == "Choose another one under Settings › Model. It has: scripted."


def test_the_trial_holds_nothing_of_the_owner(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    ask(monkeypatch, parse_endpoint("openai-compatible:scripted", model.url))
    [request] = model.requests
    assert [message["content"] for message in request.messages] == [
        "You are being tried out. Answer with one word.",
        "Are you there?",
    ]
    assert request.tools == []
