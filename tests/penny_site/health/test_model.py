"""What the setup page, `/readyz` and `doctor` tell of the model: they ask it one word."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
from django.conf import settings

from agents.llm.endpoint import Endpoint
from agents.llm.providers import parse_endpoint
from penny_site.health import model as health
from penny_site.health.part import Part
from tests.agents.llm.streams import DONE, Events, Refusal, delta, serve
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins.model_server import ModelServer, Reply, run_model_server
from tests.waiting import until

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


@pytest.fixture(scope="module")
def failing() -> Iterator[ModelServer]:
    with run_model_server() as server:
        yield server


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, failing: ModelServer) -> Iterator[Penny]:
    data: Path = tmp_path_factory.mktemp("model")
    with run_penny(data, **with_model(failing.url) | {"PENNY_MODEL": "Auto:scripted"}) as penny:
        yield penny


def model_part(penny: Penny) -> dict[str, Any]:
    answer = penny.http.get("/readyz")
    assert answer.status_code == 200
    return next(part for part in answer.json()["parts"] if part["name"] == "model")


def test_readyz_tells_a_failing_model_and_asks_it_once_for_many_probes(own: Penny, failing: ModelServer) -> None:
    failing.reset()
    failing.on(lambda _: True, Reply(status=401))
    with build_opener(ProxyHandler({})).open(f"{own.url}/readyz", timeout=5) as probe:
        assert b"text" not in probe.read()
    assert failing.requests == []  # a probe without a session asks nothing
    until(lambda: not model_part(own)["is_ok"], "/readyz tells the refusal", 60)  # the worker may be slow
    parts = [model_part(own) for _ in range(5)]
    assert {part["text"] for part in parts} == {f"{failing.url} wants a key, and none is set"}
    assert len(failing.requests) == 1
    page = own.http.get("/settings/model/").text
    assert f"{failing.url} wants a key, and none is set." in page
    assert len(failing.requests) == 1


def test_the_test_of_the_page_asks_anew_each_time(own: Penny, failing: ModelServer) -> None:
    failing.reset()
    failing.on(lambda _: True, Reply(status=429, headers={"Retry-After": "60"}))
    assert "limits how often it may be asked. Try again in a minute." in own.post("/setup/test/model/").text
    failing.reset()
    assert f"openai-compatible:scripted at {failing.url} answers." in own.post("/setup/test/model/").text
    assert len(failing.requests) == 1
    assert model_part(own)["is_ok"]
    assert len(failing.requests) == 1


def test_the_doctor_asks_the_model_and_does_not_fail_for_it(own: Penny, failing: ModelServer) -> None:
    failing.reset()
    failing.on(lambda _: True, Reply())
    assert " note  Model: The model gave an empty answer. Try again." in own.manage("doctor")
    failing.reset()
    assert f"   ok  Model: openai-compatible:scripted at {failing.url} answers" in own.manage("doctor")
