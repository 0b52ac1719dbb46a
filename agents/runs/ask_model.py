"""Asking a model on behalf of a run: recorded as a step, with its zone and labels, before it happens."""

import json
from dataclasses import asdict

from agents.llm import audit, client, messages
from agents.llm.providers import Endpoint
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.steps import recorded


async def ask_recorded(
    context: Context, endpoint: Endpoint, request: messages.Request, on_text: client.OnText | None = None
) -> messages.Answer:
    """Return the model's answer. Raises ModelFailed, BudgetSpent."""
    budget, asked = context.budget, request.record()
    asked_json = json.dumps(asked)
    origin, tokens = request.origin, estimate(asked_json)
    step_of = recorded(
        context, kind="model", zone=request.zone, name=str(endpoint), origin=origin, request=asked, tokens=tokens
    )
    async with step_of as step:
        context.on_start()

        async def record(sent: audit.Sent) -> None:
            """The row is there; its hashes are written with what came of it."""
            step.request = step.request | {"sent": [*step.request.get("sent", []), asdict(sent)]}

        try:
            answer = await client.ask(
                endpoint, request, record, on_text, float(context.numbers["MODEL_SILENCE_S"]), budget.characters_left
            )
        except messages.ModelFailed as error:
            if error.code == "model_too_long" and budget.characters_left < messages.CHARACTERS_MAX:
                raise budget.stop("tokens", budget.tokens_max) from None
            raise
        step.result = {
            "text": answer.text,
            "calls": [{"tool": r.tool, "arguments": r.arguments} for r in answer.requests],
        }
        step.input_tokens, step.output_tokens = answer.input_tokens, answer.output_tokens
        answered_json = json.dumps(step.result)
        budget.add_tokens(answer.input_tokens + answer.output_tokens, asked_json, answered_json)
        budget.add_use(str(endpoint), answer.input_tokens, answer.output_tokens, asked_json, answered_json)
        if (
            context.caller == request.zone == "planner" and not answer.requests
        ):  # nothing is called any more: the turn ends, or is written
            context.last = step
        return answer
