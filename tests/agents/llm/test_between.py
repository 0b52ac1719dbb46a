"""What stands between Penny and a model is named: one line, without a word of a page and without the key."""

import pytest

from agents.llm.failures.between import Received, failure_between
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.runs.right_path import with_right_path
from tests.agents.llm.streams import Refusal, ask_for, serve
from tests.bench.reality.wrong_settings import ANSWERS, CERTIFICATES, PAGE, Wrong, failure_of_words

OWN = {"model_missing", "model_ollama", "loading_503", "key_403", "own_502"}  # a server of models says these
ENDPOINT = Endpoint("openai-compatible", "x", "http://127.0.0.1:1/v1", "")


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case.id)
def test_an_answer_that_comes_from_no_model_is_named(case: Wrong) -> None:
    failure = failure_between(ENDPOINT, Received(case.status, case.body, case.headers))
    assert (failure is None) == (case.id in OWN)
    if failure is not None:
        words, code = str(failure), case.code.replace("busy", "failed")  # a status alone is read as busy in retries.py
        assert (failure.code, [word for word in case.says if word not in words]) == (code, [])
        assert not [bad for bad in ("<", "canary", "\n") if bad in words]


@pytest.mark.parametrize(("name", "error", "says"), CERTIFICATES)
def test_why_no_connection_comes_about_is_named(name: str, error: str, says: tuple[str, ...]) -> None:
    failure = failure_of_words(error)
    assert (failure.code, [word for word in says if word not in str(failure)]) == ("model_unreachable", [])


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (Refusal(200, PAGE.format("Sign in"), "text/html"), "model_failed"),
        (Refusal(302, "", headers={"Location": "/login"}), "model_between"),
        (Refusal(404, '{"detail": "Not Found"}'), "model_path"),
        (Refusal(504, PAGE.format("Forbidden: model not found"), "text/html"), "model_failed"),
    ],
)
async def test_the_failure_of_a_request_names_it(refusal: Refusal, code: str) -> None:
    with serve(lambda _: refusal) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server)
    assert failure.value.code == code


@pytest.mark.parametrize("path", ["", "/api/chat", "/v1/chat/completions", "/v2"])
async def test_the_address_that_answers_is_named_where_only_the_path_is_wrong(path: str) -> None:
    with serve([]) as server:
        wrong = Endpoint("openai-compatible", "x", server.endpoint.url.removesuffix("/v1") + path, "")
        failure = await with_right_path(wrong, ModelFailed("model_path", "Wrong."))
    assert f"Write {server.endpoint.url} under Settings › Model" in str(failure)
