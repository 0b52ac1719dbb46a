"""Structured answers of a reader, flawed as models flaw them: what is read of them, and cited."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.bench.reality.outcome import Outcome

PAGE = "Espresso is brewed at nine bars. It's hot - between 90 and 96 degrees."
CLAIM = {"text": "It is brewed at nine bars.", "quote": "brewed at nine bars"}
GOOD = {"found": True, "headline": "Espresso", "summary": "Nine bars.", "claims": [CLAIM]}
WHOLE = json.dumps(GOOD)
ANSWERS = {
    "B063": json.dumps(GOOD | {"headline": "x" * 133}),
    "B065": json.dumps(GOOD | {"claims": [CLAIM | {"text": "x" * 350}, CLAIM]}),
    "B068": json.dumps(GOOD | {"claims": [CLAIM | {"confidence": 0.9}]}),
    "B069": json.dumps(GOOD | {"found": "true"}),
    "B071": f"```json\n{WHOLE}\n```",
    "B075": WHOLE,
    "B076": f"Here is the JSON: {WHOLE} Hope {{this}} helps!",
    "B077": f"<think>A {{reading}} of {{}}</think>\n{WHOLE}",
    "B078": f"{WHOLE[:-1]},}}",
    "B081": json.dumps(GOOD | {"claims": [{"text": "It is hot.", "quote": "It’s hot – between 90"}]}),
}
SERVERS = {"B073": 500, "B074": 501}  # what they answer to a JSON schema


def outcomes() -> list[Outcome]:
    return [
        *(Outcome(number, "K5", *_read_answer(answer)) for number, answer in ANSWERS.items()),
        *(Outcome(number, "K5", *asyncio.run(_read_from(status))) for number, status in SERVERS.items()),
    ]


def _read_answer(answer: str) -> tuple[bool, str]:
    from agents.zones.reader_answers import ReadingInvalid, parse_reading

    try:
        reading = parse_reading(answer, PAGE)
    except ReadingInvalid as why:
        return False, str(why)
    return reading.found and bool(reading.claims), str(reading)


async def _read_from(status: int) -> tuple[bool, str]:
    from agents.llm.client import ask
    from agents.llm.messages import ModelFailed
    from agents.zones.inputs import Private, Untrusted
    from agents.zones.reader import reader_request
    from tests.agents.llm.streams import DONE, Events, Refusal, delta, serve

    def answer(body: dict[str, Any]) -> Events | Refusal:
        is_schema = body.get("response_format", {}).get("type") == "json_schema"
        return Refusal(status, '{"error": "internal"}') if is_schema else [delta(content=WHOLE), delta("stop"), DONE]

    async def record(_: object) -> None:
        pass

    request = reader_request(Untrusted(PAGE, frozenset({"page.example"})), Private("How?"))
    with serve(answer) as server:
        try:
            return _read_answer((await ask(server.endpoint, request, record)).text)
        except ModelFailed as error:
            return False, error.code
