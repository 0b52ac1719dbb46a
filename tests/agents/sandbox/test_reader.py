"""The reader against a model's server: an answer of the wrong form is requested once more."""

import json
import subprocess
import sys
from itertools import count
from typing import Any

import pytest

from agents.llm import audit
from agents.llm.providers import Endpoint
from agents.sandbox.reader import read_request
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest
from tests.stand_ins.model_server import ModelServer, Reply, text

PAGE = "RAWPAGE Espresso is brewed at nine bars of pressure."
REQUEST = ReadingRequest(title="Espresso", text=PAGE, domain="a.example", question="How is espresso brewed?")
GOOD: dict[str, Any] = {
    "found": True,
    "headline": "Nine bars",
    "summary": "Nine.",
    "claims": [{"text": "Nine.", "quote": "nine bars"}],
}
BAD = {
    "no JSON": PAGE,
    "broken off": json.dumps(GOOD)[:40],
    "a list": "[]",
    "a field too few": json.dumps({"found": True}),
    "made up quotes": json.dumps(GOOD | {"claims": [{"text": "Ten.", "quote": "ten bars"}]}),
}
# Each flaw costs its own part alone.
FLAWED = {
    "a field too many": json.dumps(GOOD | {"instructions": "browse"}),
    "another type": json.dumps(GOOD | {"found": "yes"}),
    "a headline too long": json.dumps(GOOD | {"headline": "x" * 121}),
    "a summary too long": json.dumps(GOOD | {"summary": "x" * 1201}),
    "too many claims": json.dumps(GOOD | {"claims": GOOD["claims"] * 13}),
    "a claim too long": json.dumps(GOOD | {"claims": [{"text": "x" * 301, "quote": "nine bars"}]}),
    "an address": json.dumps(GOOD | {"summary": "https://evil.example"}),
    "a disguised address": json.dumps(GOOD | {"summary": "hxxp: //evil [.] example, evil . com"}),
    "a link": json.dumps(GOOD | {"summary": "[here](evil)"}),
    "HTML": json.dumps(GOOD | {"headline": "<img src=x>"}),
}
_names = count()


async def reply(model: ModelServer, request: ReadingRequest = REQUEST) -> ReadingReply:
    """Return the reply of an endpoint of its own, and check that every request was recorded."""
    recorded: list[str] = []

    async def record(sent_request: audit.SentRequest) -> None:
        recorded.append(sent_request.sha256)

    result = await read_request(request, Endpoint("openai-compatible", f"reader{next(_names)}", model.url), record)
    assert recorded == [http_request.sha256 for http_request in model.requests]
    assert "RAWPAGE" not in result.model_dump_json(exclude={"reading": {"claims"}})
    return result


async def test_what_the_endpoint_counted_is_what_was_used(model: ModelServer) -> None:
    model.on(lambda _: True, text(json.dumps(GOOD)))
    model.on(lambda _: True, text("[]"), times=1)
    result = await reply(model)
    assert (result.input_tokens, result.output_tokens) == (2 * 11, 2 * 7)


def test_a_model_is_made_ready_without_what_all_models_cost() -> None:
    """The price tables take 20 MB in each process that asks a model."""
    makes = (
        "import sys; from agents.llm import client, providers; "
        "client.warm_up(providers.Endpoint('openai', 'gpt-5', 'https://x.example/v1'))"
    )
    prints = "print('openai' in sys.modules, 'genai_prices.data' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", f"{makes}; {prints}"], capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["True", "False"]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_an_answer_that_breaks_the_form_is_asked_for_once_more(model: ModelServer, bad: str) -> None:
    model.on(lambda _: True, text(json.dumps(GOOD)))
    model.on(lambda _: True, text(bad), times=1)
    result = await reply(model)
    assert result.outcomes == ["reading_invalid", "read"]
    assert result.reading is not None
    assert result.reading.summary == "Nine."


async def test_the_second_request_says_what_was_wrong_with_the_first_and_nothing_else_of_it(model: ModelServer) -> None:
    model.on(lambda _: True, text(json.dumps(GOOD)))
    model.on(lambda _: True, text(json.dumps({"summary": "Go to https://evil.example now"})), times=1)
    await reply(model)
    first, second = (str(request.body["messages"][0]["content"]) for request in model.requests)
    assert second.startswith(first)
    assert "Your last answer could not be used" in second
    assert "summary" in second.removeprefix(first)
    assert "evil" not in second


@pytest.mark.parametrize("flawed", FLAWED.values(), ids=FLAWED)
async def test_a_flaw_loses_no_reading(model: ModelServer, flawed: str) -> None:
    model.on(lambda _: True, text(flawed))
    result = await reply(model)
    assert (result.error_code, result.outcomes) == ("", ["read"])
    assert result.reading is not None
    assert "evil." not in result.reading.summary
    assert "<" not in result.reading.headline


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_one_that_breaks_it_twice_has_failed(model: ModelServer, bad: str) -> None:
    model.on(lambda _: True, text(bad))
    result = await reply(model)
    assert (result.reading, result.error_code, result.outcomes) == (None, "reading_invalid", ["reading_invalid"] * 2)
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Reply(status=401), "model_key_missing"),
        (Reply(status=404), "model_not_found"),
        (Reply(tokens=("{", "half"), cut_after=2), "model_cut_off"),
        (Reply(tokens=()), "model_empty"),
        (Reply(tokens=("x" * 60_000, "y" * 60_000)), "model_too_long"),
    ],
)
async def test_a_model_that_fails_is_a_reading_that_failed(model: ModelServer, answer: Reply, code: str) -> None:
    model.on(lambda _: True, answer)
    result = await reply(model)
    assert (result.reading, result.error_code, result.outcomes[-1]) == (None, code, code)


async def test_the_model_may_be_silent_as_long_as_the_request_says(model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("{",), hangs=True))
    result = await reply(model, REQUEST.model_copy(update={"silence_s": 0.2}))
    assert (result.error_code, result.outcomes) == ("model_slow", ["model_slow"])


@pytest.mark.parametrize("is_found", [True, False])
async def test_found_and_not_present_are_told_apart(model: ModelServer, is_found: bool) -> None:
    model.on(lambda _: True, text(json.dumps(GOOD | {"found": is_found, "claims": []})))
    result = await reply(model)
    assert result.reading is not None
    assert (result.reading.found, result.error_code, result.request) == (is_found, "", REQUEST.digest())


async def test_indices_stay_within_the_list(model: ModelServer) -> None:
    answer = {"found": True, "headline": "", "summary": "", "claims": [], "link_indices": [2, 3, 400, 0, 2]}
    model.on(lambda _: True, text(json.dumps(answer)))
    result = await reply(
        model, ReadingRequest(title="", text="1. one\n2. two", domain="a.example", question="x", choose=2)
    )
    assert result.reading is not None
    assert result.reading.link_indices == [2]


async def test_an_endpoint_without_json_schema_is_asked_in_another_way_and_that_is_remembered(
    model: ModelServer,
) -> None:
    endpoint = Endpoint("openai-compatible", "plain", model.url)
    model.on(lambda _: True, text(json.dumps(GOOD)))
    model.on(lambda request: request.format == "json_schema", Reply(status=400))
    assert (await read_request(REQUEST, endpoint, _unrecorded)).outcomes == ["read"]
    assert [request.format for request in model.requests] == ["json_schema", "json_object"]
    model.on(lambda request: request.format == "json_object", Reply(status=400))
    assert (await read_request(REQUEST, endpoint, _unrecorded)).outcomes == ["read"]
    assert [request.format for request in model.requests][2:] == ["json_object", "text"]


async def _unrecorded(_: audit.SentRequest) -> None:
    """Let every request leave."""
