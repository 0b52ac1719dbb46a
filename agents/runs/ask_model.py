"""Send a model request of a run: recorded as a step, with zone and labels, before it leaves."""

import json
from dataclasses import asdict

from agents.llm import audit, client, messages
from agents.llm.providers import Endpoint
from agents.models import Memory
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.right_path import with_right_path
from agents.runs.steps import record_step
from agents.zones import slots
from devices.db import in_db


async def ask_recorded(
    context: Context, endpoint: Endpoint, request: messages.Request, on_text: client.OnText | None = None
) -> messages.Answer:
    """Return the model's answer. The request loses the values of slots. Raises ModelFailed, BudgetSpent."""
    request = slots.hide_in_request(request, await in_db(Memory.objects.slots)())
    budget, prompt = context.budget, request.record()
    prompt_json = json.dumps(prompt)
    origin, tokens = request.origin, estimate(prompt_json)
    step_of = record_step(
        context,
        kind="model",
        zone=request.zone,
        name=str(endpoint),
        origin=origin,
        request=prompt,
        tokens=tokens,
        url=endpoint.url,
    )
    async with step_of as step:
        context.on_start()

        async def record(sent_request: audit.SentRequest) -> None:
            """Add the request to the step, which is already stored.

            The hashes are saved with the result.
            """
            step.request = step.request | {"sent": [*step.request.get("sent", []), asdict(sent_request)]}

        try:
            answer = await client.ask(
                endpoint, request, record, on_text, float(context.numbers["MODEL_SILENCE_S"]), budget.characters_left
            )
        except messages.ModelFailed as error:
            if error.code == "model_too_long" and budget.characters_left < messages.CHARACTERS_MAX:
                raise budget.stop("tokens", budget.tokens_max) from None
            raise await with_right_path(endpoint, error) from error
        step.result = {
            "text": answer.text,
            "calls": [{"tool": r.tool, "arguments": r.arguments} for r in answer.requests],
        }
        step.input_tokens, step.output_tokens = answer.input_tokens, answer.output_tokens
        answer_json = json.dumps(step.result)
        context.is_cut = answer.is_cut
        budget.add_tokens(answer.input_tokens + answer.output_tokens, prompt_json, answer_json)
        budget.add_use(str(endpoint), answer.input_tokens, answer.output_tokens, prompt_json, answer_json)
        if context.caller in ("planner", "program") and request.zone == "planner" and not answer.requests:
            context.last = step  # no call follows: the step is saved with the end of the turn
        return answer
