"""Streams and refusals of models' servers, server as the planner asks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.bench.reality.outcome import Outcome

ONE, TWO = '{"url": "https://one.example/a"}', '{"url": "https://two.example/b"}'
HELLO = "Hello there."
THINK = "<think>\nsecret\n</think>\n\n"
CONTEXT = "model_context"


def outcomes() -> list[Outcome]:
    return [*_streams(), *_refusals()]


def _streams() -> list[Outcome]:
    from tests.agents.llm.streams import DONE, delta, tool_call

    end, calls = [delta("stop"), DONE], [delta("tool_calls"), DONE]
    null = delta("stop")
    null["choices"][0]["delta"] = None
    no_word = delta(content=HELLO)
    del no_word["choices"][0]["finish_reason"]
    usage = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "x", "choices": []}
    in_words = f'{{"name": "browse_url", "arguments": {ONE}}}'
    object_call = tool_call("a", "")
    object_call["function"]["arguments"] = json.loads(ONE)
    with_name = tool_call("a", "", name="list_things")
    nothing = tool_call("a", "", name="list_things")
    nothing["function"]["arguments"] = None
    two = [delta(tool_calls=[tool_call("a", ONE)]), delta(tool_calls=[tool_call("b", TWO)])]
    without_place = [delta(tool_calls=[tool_call("a", ONE, None)]), delta(tool_calls=[tool_call("b", TWO, None)])]
    cases: list[tuple[str, str, Any, Any]] = [
        ("B001", "K2", [*two, *calls], [ONE, TWO]),
        ("B002", "K2", [delta(tool_calls=[tool_call("a", ONE), tool_call("b", TWO)]), *calls], [ONE, TWO]),
        ("B003", "K2", [*without_place, *calls], [ONE, TWO]),
        ("B005", "K2", [delta(tool_calls=[object_call]), *calls], [ONE]),
        ("B006", "K2", [delta(tool_calls=[nothing]), *calls], ["{}"]),
        ("B007", "K2", [delta(tool_calls=[with_name]), *calls], ["{}"]),
        ("B008", "K2", [delta(tool_calls=[tool_call(None, ONE)]), *calls], [ONE]),
        ("B009", "K1", [delta(tool_calls=[tool_call("a", ONE)]), *end], [ONE]),
        (
            "B010",
            "K3",
            [*(delta(content=part) for part in ("<think>", "\nHi.\n", "</think>", "\n\n", HELLO)), *end],
            HELLO,
        ),
        ("B011", "K3", [*(delta(content=part) for part in THINK), delta(content=HELLO), *end], HELLO),
        ("B012", "K3", [*(delta(content=part) for part in ("<th", "ink>secret</thi", "nk>" + HELLO)), *end], HELLO),
        ("B014", "K3", [delta(content=THINK + HELLO), *end], HELLO),
        ("B018", "K1", [no_word, *end], HELLO),
        ("B019", "K1", [delta(content=HELLO), delta("eos_token"), DONE], HELLO),
        ("B020", "K1", [delta(content=HELLO), delta("STOP"), DONE], HELLO),
        ("B021", "K1", [delta(content=HELLO), delta("end_turn"), DONE], HELLO),
        ("B023", "K1", [delta(content=HELLO), delta("length"), DONE], f"cut: {HELLO}"),
        ("B024", "K1", [delta(content=HELLO), delta("stop"), usage | {"usage": {"prompt_tokens": 3}}, DONE], HELLO),
        (
            "B025",
            "K1",
            [
                delta(content=HELLO),
                delta("stop"),
                usage | {"usage": {"prompt_tokens": 3, "completion_tokens": None, "total_tokens": 3}},
                DONE,
            ],
            HELLO,
        ),
        (
            "B026",
            "K1",
            [
                delta(content=HELLO),
                delta("stop"),
                usage | {"usage": {"completion_tokens_details": {"reasoning_tokens": 3}}},
                DONE,
            ],
            HELLO,
        ),
        (
            "B029",
            "K1",
            [
                delta(content=HELLO),
                delta("stop"),
                usage | {"choices": None, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
                DONE,
            ],
            HELLO,
        ),
        ("B030", "K1", [delta(content=HELLO), null, DONE], HELLO),
        ("B032", "K3", [delta(reasoning="secret"), delta(content=HELLO), *end], HELLO),
        *_thoughts_begun_in_the_prompt(),
        ("B034", "K1", [": keep-alive", delta(content=HELLO), *end], HELLO),
        ("B037", "K1", [f"event: message\ndata: {json.dumps(delta(content=HELLO))}", *end], HELLO),
        ("B039", "K1", [delta(content=HELLO), delta("stop")], HELLO),
        ("B041", "K1", _body({"choices": [{"index": 0, "message": {"role": "assistant", "content": HELLO}}]}), HELLO),
        ("B044", "K1", [delta(content="Hel"), {"error": {"message": "broken", "code": 500}}, DONE], "model_cut_off"),
        ("B055", "K3", [delta(content=in_words), *end], [ONE]),
        ("B056", "K3", [delta(content=f"<tool_call>\n{in_words}\n</tool_call>"), *end], [ONE]),
    ]
    return [_check(*case) for case in cases]


# Forms of the end of a thought whose begin the server wrote into the prompt.
ENDS = [
    "\n</think>\n\n", "</think>", "\n</think>\n", ". </think> ", ".</think >", "\n</THINK>\n", "</thinking>",
    "\n</thinking>\n\n", "</reasoning>", "</thought>\n", "</seed:think>", "</longcat_think>", "[/THINK]", " [/THINK] ",
    "[/reasoning]", "[/thinking]\n", "◁/think▷", "\n<|end_of_thought|>\n\n", "<|END_THINKING|>", "<|/think|>",
    "<|/thinking|>", "<channel|>", "<unused95>", "<|inner_suffix|>", "<｜end▁of▁thinking｜>",
    "<|end|><|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>", "\n</think>\n<answer>",
    "</think>\n```\n</think>\n```\nNo.\n</think>",
]  # fmt: skip


def _thoughts_begun_in_the_prompt() -> list[tuple[str, str, Any, Any]]:
    """Return each form in one piece, by characters, and cut within the end."""
    from tests.agents.llm.streams import DONE, delta

    cases: list[tuple[str, str, Any, Any]] = []
    for number, end in enumerate(ENDS):
        text = f"Okay, this is secret{end}{HELLO}"
        cut = len(text) - len(HELLO) - len(end.rstrip()) // 2
        for form, pieces in (("one", [text]), ("characters", list(text)), ("cut", [text[:cut], text[cut:]])):
            events = [*(delta(content=piece) for piece in pieces), delta("stop"), DONE]
            cases.append((f"K3-{number}-{form}", "K3", events, HELLO))
    unmarked = f"analysisThe owner says hi. Secret.assistantfinal{HELLO}"
    return [*cases, ("K3-unmarked", "K3", [*(delta(content=part) for part in unmarked), delta("stop"), DONE], HELLO)]


def _refusals() -> list[Outcome]:
    from tests.agents.llm.streams import Refusal

    page = "<html><body>Sign in</body></html>"
    overflow = (
        "The number of tokens to keep from the initial prompt is greater than the context length "
        "(n_keep: 9000>= n_ctx: 4096)."
    )
    vllm = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens in the messages."
    cases: list[tuple[str, Any, Any]] = [
        ("B042", Refusal(200, page, "text/html"), "model_failed"),
        ("B043", Refusal(502, page, "text/html"), "model_failed"),
        ("B045", Refusal(400, _error("registry.ollama.ai/library/gemma:2b does not support tools")), "model_no_tools"),
        ("B047", [{"error": {"message": overflow}}], CONTEXT),
        ("B049", Refusal(400, json.dumps({"error": overflow})), CONTEXT),
        (
            "B050",
            Refusal(400, _error("the request exceeds the available context size, try increasing it")),
            CONTEXT,
        ),
        ("B051", Refusal(400, _error(vllm)), CONTEXT),
        ("B057", Refusal(429, _error("Rate limit reached")), "model_busy"),
        ("B059", Refusal(503, _error("Loading model")), "model_loading"),
        ("B060", Refusal(404, _error('model "x" not found, try pulling it first')), "model_not_found"),
        ("B061", Refusal(403, _error("Forbidden")), "model_key_missing"),
    ]  # fmt: skip
    return [_check(number, "K4", answer, expected) for number, answer, expected in cases]


def _error(words: str) -> str:
    return json.dumps({"error": {"message": words, "type": "api_error"}})


def _body(answer: dict[str, Any]) -> Any:
    from tests.agents.llm.streams import Refusal

    return Refusal(200, json.dumps(answer))


def _check(number: str, kind: str, answer: Any, expected: str | list[str]) -> Outcome:
    """`expected`: the text, the arguments of the calls, or the code of the failure."""
    result = asyncio.run(_ask_server(answer))
    arguments = [json.loads(text) for text in expected] if isinstance(expected, list) else expected
    return Outcome(number, kind, result == arguments, str(result))


async def _ask_server(answer: Any) -> Any:
    from agents.llm.messages import ModelFailed
    from tests.agents.llm.streams import Refusal, ask_for, serve

    with serve((lambda _: answer) if isinstance(answer, Refusal) else answer) as server:
        try:
            reply, streamed = await ask_for(server)
        except ModelFailed as error:
            return error.code
    if reply.requests:
        return [json.loads(call.arguments) for call in reply.requests]
    return "shown otherwise" if streamed.strip() != reply.text else f"cut: {reply.text}" if reply.is_cut else reply.text
