"""What servers really stream: ends, calls and thoughts written otherwise than the protocol says."""

import json
import time

import pytest

from agents.answers.planner import _normal
from agents.llm.messages import ModelFailed
from agents.llm.replies.hidden_text import VisibleText, visible_text
from agents.llm.replies.written_calls import read_written
from agents.llm.streams.stream_repair import END_WORDS, StreamRepair
from agents.llm.streams.whole_body import events_of
from agents.llm.translate import COUNT_MAX, _json_object
from tests.agents.llm.streams import DONE, URL, Events, delta, stream_answer, tool_call


@pytest.mark.parametrize("end", ["stop", "eos_token", "STOP", "end_turn", "stop_sequence", "eos", "COMPLETE"])
async def test_any_word_for_the_end_ends_a_whole_answer(end: str) -> None:
    answer, streamed = await stream_answer([delta(content="Hello there."), delta(end), DONE])
    assert (answer.text, streamed, answer.is_cut) == ("Hello there.", "Hello there.", False)


@pytest.mark.parametrize("last", [[DONE], []])
async def test_without_a_word_a_clean_end_is_one(last: Events) -> None:
    assert (await stream_answer([delta(content="Hello "), delta(content="there."), *last]))[0].text == "Hello there."


async def test_a_broken_connection_is_no_end() -> None:
    with pytest.raises(ModelFailed) as failure:
        await stream_answer([delta(content="Hello ")], is_cut=True)
    assert failure.value.code == "model_cut_off"


@pytest.mark.parametrize("end", ["error", "abort", "network_error"])
async def test_a_word_for_a_failure_is_no_end(end: str) -> None:
    with pytest.raises(ModelFailed):
        await stream_answer([delta(content="Hello "), delta(end), DONE])


async def test_a_delta_that_is_null_loses_nothing() -> None:
    last = delta("stop")
    last["choices"][0]["delta"] = None
    assert (await stream_answer([delta(content="Hello there."), last, DONE]))[0].text == "Hello there."


@pytest.mark.parametrize("end", ["length", "MAX_TOKENS", "max_output_tokens"])
async def test_an_answer_that_a_limit_ended_says_so(end: str) -> None:
    answer, _ = await stream_answer([delta(content="Hello there and then"), delta(end), DONE])
    assert (answer.text, answer.is_cut) == ("Hello there and then", True)


OTHER = '{"url": "https://two.example/b"}'


@pytest.mark.parametrize(
    "events",
    [
        [delta(tool_calls=[tool_call("a", URL)]), delta(tool_calls=[tool_call("b", OTHER)])],
        [delta(tool_calls=[tool_call("a", URL), tool_call("b", OTHER)])],
        [delta(tool_calls=[tool_call("a", URL, None)]), delta(tool_calls=[tool_call("b", OTHER, None)])],
        [delta(tool_calls=[tool_call("a", URL[:9])]), delta(tool_calls=[tool_call("a", URL[9:])]),
         delta(tool_calls=[tool_call("b", OTHER, 1)])],
        [delta(tool_calls=[tool_call("a", URL[:9])]), delta(tool_calls=[tool_call(None, URL[9:], 0, None)]),
         delta(tool_calls=[tool_call("b", OTHER[:9])]), delta(tool_calls=[tool_call(None, OTHER[9:], 0, None)])],
        [delta(tool_calls=[tool_call("a", "", 0), tool_call("b", "", 1)]),
         delta(tool_calls=[tool_call(None, OTHER, 1, None)]),
         delta(tool_calls=[tool_call(None, URL, 0, None)])],
    ],
)  # fmt: skip
async def test_two_calls_are_two_whatever_their_places(events: Events) -> None:
    answer, _ = await stream_answer([*events, delta("tool_calls"), DONE])
    calls = [(request.tool, json.loads(request.arguments)) for request in answer.requests]
    assert calls == [("browse_url", json.loads(URL)), ("browse_url", json.loads(OTHER))]


THOUGHTS = [
    ["<think>", "\nThe owner says hi.\n", "</think>", "\n\nHello there."],
    ["<th", "ink>sec", "ret</thi", "nk>Hello there."],
    ["<think>\nsecret\n</think>\n\nHello there."],
    ["<thinking>secret</thinking>\nHello ", "there."],
    ["[THINK]secret[/THINK]Hello there."],
    ["<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>Hello there."],
    ["\n\n<reasoning>a < b</reasoning>\n", "\nHello there."],
]


@pytest.mark.parametrize("pieces", THOUGHTS)
async def test_thoughts_are_neither_shown_nor_kept(pieces: list[str]) -> None:
    answer, streamed = await stream_answer([*(delta(content=piece) for piece in pieces), delta("stop"), DONE])
    assert (answer.text, streamed.strip()) == ("Hello there.", "Hello there.")


@pytest.mark.parametrize("text", ["".join(pieces) for pieces in THOUGHTS])
def test_a_tag_is_found_wherever_a_stream_is_cut(text: str) -> None:
    for size in range(1, 12):
        visible = VisibleText()
        streamed = "".join(visible.feed(text[at : at + size]) for at in range(0, len(text), size)) + visible.rest()
        assert streamed.strip() == "Hello there."


@pytest.mark.parametrize("text", ["a <think> b", "`<think>`", "x < y\n<thought", "<thin ice>", "1 <b>2</b>\n3"])
def test_other_text_is_all_shown(text: str) -> None:
    assert visible_text(text) == text


def test_a_thought_whose_begin_is_in_the_prompt_is_none_of_the_answer() -> None:
    assert visible_text("Let me see.\nYes.\n</think>\n\nHello there.") == "Hello there."


def test_a_thought_without_an_end_is_no_answer() -> None:
    assert visible_text("<think>for ever") == ""


CALL = f'{{"name": "browse_url", "arguments": {URL}}}'


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"```json\n{CALL}\n```",
        f"[{CALL}]",
        f'{{"type": "function", "function": {CALL}}}',
        CALL.replace("arguments", "parameters"),
        f"<think>I open it.</think>\n{CALL}",
    ],
)
async def test_a_call_that_is_written_as_text_is_carried_out(text: str) -> None:
    answer, _ = await stream_answer([delta(content=text), delta("stop"), DONE])
    assert [(request.tool, json.loads(request.arguments)) for request in answer.requests] == [
        ("browse_url", json.loads(URL))
    ]
    assert answer.text == ""


@pytest.mark.parametrize(
    "text",
    [
        f"Write this: {CALL}",
        CALL.replace("browse_url", "delete_all"),
        '{"name": "Ada", "age": 3}',
        "[1, 2]",
        "[" * 5000,
        "<tool_call>{" * 5000,
        f"[{','.join([CALL] * 50)}]",
    ],
)
def test_other_json_is_an_answer(text: str) -> None:
    assert read_written(text, ["browse_url"]).calls == []


@pytest.mark.parametrize("event", [b"data: {", b"data: [1]", b": comment", b'data: {"choices": [{"delta": null}', b""])
def test_what_is_not_understood_passes_unchanged(event: bytes) -> None:
    assert StreamRepair().repair(event) == event


def test_the_words_for_an_end_are_lower_case() -> None:
    assert all(word == word.lower() for word in END_WORDS)


@pytest.mark.parametrize("name", ["x", None])
@pytest.mark.parametrize("written", [b'"tool_calls"', b'"tool\\u005fcalls"'])
async def test_more_calls_than_a_model_makes_end_the_answer_at_once(name: str | None, written: bytes) -> None:
    calls = [tool_call(f"a{number}", "{}", number, name) for number in range(20_000)]
    event = b"data: " + json.dumps(delta(tool_calls=calls)).encode().replace(b'"tool_calls"', written) + b"\n\n"
    started_s = time.process_time()
    with pytest.raises(ModelFailed) as failure:
        await stream_answer([event, delta("tool_calls"), DONE])
    assert (failure.value.code, time.process_time() - started_s < 10) == ("model_too_long", True)
    assert events_of(json.dumps({"choices": [{"message": {"tool_calls": calls}}]}).encode()) is None


async def test_a_name_without_end_ends_the_answer() -> None:
    pieces = [delta(tool_calls=[tool_call(None, "", 0, f"{number}{'x' * 10_000}")]) for number in range(12)]
    with pytest.raises(ModelFailed) as failure:
        await stream_answer([delta(tool_calls=[tool_call("a", "", 0, "x")]), *pieces, delta("tool_calls"), DONE])
    assert failure.value.code == "model_too_long"


@pytest.mark.parametrize(("count", "tokens"), [(10**40, COUNT_MAX), (7, 7)])
async def test_a_count_of_tokens_that_is_none_is_bounded(count: int, tokens: int) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": count, "total_tokens": 1}}
    answer, _ = await stream_answer([delta(content="Hello."), delta("stop"), usage, DONE])
    assert (answer.input_tokens, answer.output_tokens) == (tokens, tokens)


def test_a_thought_that_lies_too_deep_is_none() -> None:
    deep: object = "words"
    for _ in range(400):
        deep = [deep]
    event = b"data: " + json.dumps(delta(content=[{"type": "text", "text": deep}])).encode()
    assert b'"content": ""' in StreamRepair().repair(event)


@pytest.mark.parametrize("arguments", ["[" * 100_000, '{"a":' * 100_000])
def test_arguments_nested_without_end_are_none(arguments: str) -> None:
    assert (_json_object(arguments), _normal(arguments)) == ({}, arguments)
