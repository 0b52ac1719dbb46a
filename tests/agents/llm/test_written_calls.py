"""Calls that models write as text, and the JSON of their arguments."""

import json
from typing import Any

import pytest

from agents.llm.replies.sloppy_json import mend_arguments
from agents.llm.replies.streamed_words import StreamedWords
from agents.llm.replies.written_calls import read_written
from agents.llm.streams.whole_body import events_of
from tests.cpu_time import check_growth

TOOLS = ["browse_url", "search_web", "get_current_tab"]
ARGUMENTS = {"url": "https://one.example/a"}
URL = json.dumps(ARGUMENTS)
CALL = f'{{"name": "browse_url", "arguments": {URL}}}'


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{CALL}</tool_call>",
        f"<tool_call>\n{CALL}",
        f"<function_call> {CALL} </function_call>",
        f"<tool_code>print(browse_url(url='{ARGUMENTS['url']}'))</tool_code>",
        f"[TOOL_CALLS][{CALL}]",
        f"[TOOL_CALLS]browse_url[ARGS]{URL}",
        f"<|tool_call|>{CALL}",
        f"<|python_tag|>{CALL}",
        f"functools[{CALL}]",
        f"<function=browse_url>{URL}</function>",
        f"<tool_call><function=browse_url><parameter=url>{ARGUMENTS['url']}</parameter></function></tool_call>",
        f'<invoke name="browse_url"><parameter name="url">{ARGUMENTS["url"]}</parameter></invoke>',
        "<tool_call>browse_url\n<arg_key>url</arg_key>\n<arg_value>https://one.example/a</arg_value>\n</tool_call>",
        f"<|tool▁call▁begin|>function<|tool▁sep|>browse_url\n```json\n{URL}\n```<|tool▁call▁end|>",
        f"✿FUNCTION✿: browse_url\n✿ARGS✿: {URL}\n✿RESULT✿: nothing",
        f"Action: browse_url\nAction Input: {URL}",
        f"I open it.\n```json\n{CALL}\n```",
        f'{{"tool": "browse_url", "parameters": {URL}}}',
        f'{{"tool_calls": [{{"type": "function", "function": {CALL}}}]}}',
        f'{{"browse_url": {URL}}}',
        f'{{"name": "functions.browse_url", "arguments": {json.dumps(URL)}}}',
        f"[browse_url(url='{ARGUMENTS['url']}')]",
        CALL.replace("browse_url", "browse-url"),
        f"{CALL},",
        CALL[:-1],
    ],
)
def test_a_call_in_a_usual_form_is_the_call(text: str) -> None:
    calls = read_written(text, TOOLS).calls
    assert [(name, json.loads(arguments)) for name, arguments in calls] == [("browse_url", ARGUMENTS)]


@pytest.mark.parametrize(
    "text",
    [
        "Hello there.",
        f"To call it, a model writes `{CALL}`.",
        f"```\n<tool_call>{CALL}</tool_call>\n```\nis how it looks.",
        'It says "<tool_call>" before each.',
        '{"name": "Ada", "arguments": {"of": "life"}}',
        '{"url": "https://one.example/a"}',
        "print(1)",
        "The action: browse it.",
        "x" * 300_000,
    ],
)
def test_other_text_is_words(text: str) -> None:
    written = read_written(text, TOOLS)
    assert (written.words, written.calls, written.is_unclear) == (text, [], False)


def test_a_call_in_its_tag_that_cannot_be_read_is_never_words() -> None:
    written = read_written("I look.\n<tool_call>{{{{</tool_call>", TOOLS)
    assert (written.words, written.calls, written.is_unclear) == ("I look.", [], True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", {}),
        ("null", {}),
        (URL, ARGUMENTS),
        (f"```json\n{URL}\n```", ARGUMENTS),
        (f"{URL}{URL}", ARGUMENTS),
        (f"{{}}{URL}", ARGUMENTS),
        (json.dumps(URL), ARGUMENTS),
        ("{'url': 'https://one.example/a'}", ARGUMENTS),
        ('{"url": "https://one.example/a",}', ARGUMENTS),
        ('{url: "https://one.example/a"}', ARGUMENTS),
        (f"{URL}\nThat opens the page.", ARGUMENTS),
        (URL[:-1], ARGUMENTS),
    ],
)
def test_arguments_with_one_plain_meaning_are_mended(arguments: str, expected: dict[str, Any]) -> None:
    assert json.loads(mend_arguments(arguments)) == expected


@pytest.mark.parametrize(
    "arguments", ['{"url": "https://one.exam', f'{URL}{{"url": "https://two.example"}}', "[1]", "go"]
)
def test_arguments_without_one_plain_meaning_stay(arguments: str) -> None:
    assert mend_arguments(arguments) == arguments


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("text", ["Hello <there>.\n- [a](b)", "```py\nx = {1: 2}\n```\ndone", "a < b, then c"])
def test_words_are_shown_while_they_come(text: str, size: int) -> None:
    words = StreamedWords([])
    visible = "".join(words.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert text.startswith(visible)
    assert visible + words.rest(text) == text


@pytest.mark.parametrize("tools", [[], ["browser_tabs"]])
def test_markup_at_the_begin_of_an_answer_is_no_call(tools: list[str]) -> None:
    text = "<b>Hello</b> you.\n"
    assert "".join(map(StreamedWords(tools).feed, text)) == text


def test_nothing_is_held_back_without_tools() -> None:
    text = "So a call looks: <tool_call>{...}</tool_call>, and\n"
    assert "".join(map(StreamedWords([]).feed, text)) == text


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40])
@pytest.mark.parametrize(
    "call",
    [
        CALL,
        '<browser_tabs>{"limit": 3}</browser_tabs>',
        f"<tool_call>{CALL}</tool_call>",
        f"I look.\n<tool_call>{CALL}</tool_call>",
    ],
)
def test_a_call_is_never_shown(call: str, size: int) -> None:
    words = StreamedWords(["browser_tabs"])
    visible = "".join(words.feed(call[at : at + size]) for at in range(0, len(call), size)) + words.pending()
    assert visible.strip() in ("", "I look.")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}}]}, "Hello."),
        ({"message": {"role": "assistant", "content": "Hello."}, "done": True, "done_reason": "stop"}, "Hello."),
        ({"error": {"message": "no such model"}}, "no such model"),
        ({"error": "no such model"}, "no such model"),
    ],
)
def test_an_answer_in_one_body_is_a_stream(body: dict[str, Any], text: str) -> None:
    assert text.encode() in (events_of(json.dumps(body).encode()) or b"")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"choices": []}', b"[" * 100_000, b'"x"', b"\xff"])
def test_another_body_is_none(body: bytes) -> None:
    assert events_of(body) is None


@pytest.mark.parametrize(
    "unit",
    [
        "<tool_call>{",
        "<",
        "```",
        "`<tool_call>`",
        "[TOOL_CALLS]",
        "Action: x\n",
        "{\n",
        "<parameter=a>",
        "functools[",
        "\n" * 9,
    ],
)
def test_the_cost_of_reading_grows_with_the_text_alone(unit: str) -> None:
    def read(characters: int) -> None:
        text = unit * (characters // len(unit))
        read_written(text, TOOLS)
        mend_arguments(text)

    check_growth(read, 25_000, 100_000, repr(unit))


def test_the_cost_of_mending_arguments_grows_with_them_alone() -> None:
    def mend(characters: int) -> None:
        mend_arguments('["' + 'a "' * (characters // 3) + "]")

    check_growth(mend, 4_500, 18_000, "quotes")
