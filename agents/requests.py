"""Asking a model on behalf of a run: recorded as a step, with its zone and labels, before it happens."""

from constance import config

from agents import llm
from agents.models import Run
from agents.providers import Endpoint
from agents.steps import recorded
from devices.db import in_db


async def ask_recorded(run: Run, endpoint: Endpoint, request: llm.Request, on_text: llm.OnText | None = None) -> llm.Answer:
    """Return the model's answer. Raises ModelFailed."""
    async with recorded(run, kind="model", zone=request.zone, name=str(endpoint), origin=request.origin, request=request.record()) as step:
        silence_s = float(await in_db(getattr)(config, "MODEL_SILENCE_S"))
        answer = await llm.ask(endpoint, request, on_text, silence_s)
        step.input_tokens, step.output_tokens = answer.input_tokens, answer.output_tokens
        step.result = {"text": answer.text, "calls": [{"tool": r.tool, "arguments": r.arguments} for r in answer.requests]}
        return answer
