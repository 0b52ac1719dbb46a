"""What counts as silence of a model: pauses, comments, thoughts and calls against the limit that the owner set."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.bench.reality.outcome import Outcome

KIND = "K29"
LIMIT_S, PAUSE_S = 0.5, 0.25  # each answer below takes longer than the limit
ONE = b'data: {"choices": [{"index": 0, "delta": {"content": "One"}}]}\n\n'
CUT = "model_cut_off: One, so this is not whole"
SILENT = "model_slow: One, so this is not whole"


def outcomes() -> list[Outcome]:
    return [_check(*case) for case in _cases()]


def _cases() -> list[tuple[str, list[Any], str]]:
    from tests.agents.llm.streams import DONE, Pause, delta, tool_call

    pause, long, end = Pause(PAUSE_S), Pause(20 * LIMIT_S), [delta("stop"), DONE]
    one, two = delta(content="One"), delta(content=" two.")

    def signs(*sign: Any) -> list[Any]:
        return [*sign, pause] * 4

    nothing = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "x"}
    null = delta()
    null["choices"][0]["delta"] = None
    call = [delta(tool_calls=[tool_call("a", part, name=name)]) for part, name in _call_pieces()]
    lives: dict[str, Any] = {
        "comment": ": keep-alive",
        "comment_openrouter": ": OPENROUTER PROCESSING",
        "comment_one_break": b": ping\n",
        "empty_comment": b":\n\n",
        "line_break": b"\n",
        "carriage_return": b"\r\n",
        "event_ping": "event: ping\ndata: {}",
        "retry": b"retry: 3000\n\n",
        "empty_delta": delta(),
        "role_only": delta(role="assistant", content=""),
        "null_delta": null,
        "null_content": delta(content=None),
        "empty_choices": nothing | {"choices": []},
        "usage_only": nothing | {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 0}},
        "reasoning": delta(reasoning="Hm."),
        "reasoning_content": delta(reasoning_content="Hm."),
        "note_of_a_proxy": {"status": "waiting", "position": 3},
        "blank": b" ",
    }
    return [
        ("C076", [one, pause, two, *end], "One two."),
        ("C076_twice", [one, pause, delta(content=" and"), pause, two, *end], "One and two."),
        *((f"C078_{name}", [*signs(sign), one, two, *end], "One two.") for name, sign in lives.items()),
        *((f"between_{name}", [one, *signs(sign), two, *end], "One two.") for name, sign in lives.items()),
        ("think", [delta(content="<think>"), *signs(delta(content="Hm.")), delta(content="</think>One"), *end], "One"),
        ("call_in_pieces", [*(item for part in call for item in (part, pause)), delta("tool_calls"), DONE], "call"),
        ("end_late", [one, two, *signs(": wait"), *end], "One two."),
        ("byte_by_byte", [*_slowly(ONE, pause), *end], "One"),
        ("C081", [delta(role="assistant", content=""), pause, one, pause, *end], "One"),
        ("silent_in_the_middle", [one, long, two, *end], SILENT),
        ("silent_after_comments", [one, *signs(": wait"), long, two, *end], SILENT),
        ("silent_at_first", [long, one, *end], "model_slow: Try again"),
        ("silent_after_thoughts", [delta(reasoning="Hm."), long, one, *end], "model_slow: Try again"),
        ("error_in_the_middle", [one, {"error": {"message": "broken", "code": 500}}, DONE], CUT),
    ]  # fmt: skip


def _call_pieces() -> list[tuple[str, str | None]]:
    return [("", "browse_url"), ('{"url": ', None), ('"https://one', None), ('.example/a"', None), ("}", None)]


def _slowly(data: bytes, pause: Any) -> list[Any]:
    return [item for start in range(0, len(data), 16) for item in (data[start : start + 16], pause)]


def _check(number: str, events: list[Any], expected: str) -> Outcome:
    outcome = asyncio.run(_ask_server(events))
    return Outcome(number, KIND, outcome == expected, outcome)


async def _ask_server(events: list[Any]) -> str:
    """Return the text, or the code of the failure, what was shown until then and how the reason ends."""
    from agents.llm.messages import ModelFailed
    from tests.agents.llm.streams import ask_for, serve

    texts: list[str] = []
    with serve(events) as server:
        try:
            answer, _ = await ask_for(server, LIMIT_S, texts)
        except ModelFailed as failure:
            ends = "so this is not whole" if str(failure).endswith("so this is not whole.") else "Try again"
            return f"{failure.code}: {', '.join([*filter(None, [''.join(texts)]), ends])}"
    return "call" if answer.requests else answer.text
