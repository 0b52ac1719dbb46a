"""Send a model request of a run: recorded as a step, with zone and labels, before it leaves."""

import json
from dataclasses import asdict
from typing import NoReturn

from agents.llm import audit, client, messages, windows
from agents.llm.providers import Endpoint
from agents.llm.tokens import is_far_less, request_tokens
from agents.llm.window_words import too_long_words
from agents.llm.windows import WindowSmaller
from agents.model_choice.kept_windows import keep_window
from agents.models import Memory, Step
from agents.runs import busy_model
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.cut_requests import was_cut
from agents.runs.right_path import with_right_path
from agents.runs.steps import record_step
from agents.zones import slots
from devices.db import in_db


async def ask_recorded(
    context: Context,
    endpoint: Endpoint,
    request: messages.Request,
    on_text: client.OnText | None = None,
    on_withdraw: client.OnWithdraw | None = None,
) -> messages.Answer:
    """Return the model's answer. The request loses the values of slots. Raises ModelFailed, BudgetSpent.

    A request that does not fit into the window is not sent. WindowSmaller: it was refused as too long, or cut.
    A background run also raises WaitsForModel.
    """
    request = slots.hide_in_request(request, await in_db(Memory.objects.slots)())
    size, setting = request_tokens(request), int(context.numbers["MODEL_WINDOW"])
    if size > windows.most_in(windows.window_of(endpoint, setting)):
        raise messages.ModelFailed("model_context", too_long_words(endpoint, windows.window(endpoint, setting)))
    silence_s = float(context.numbers["MODEL_SILENCE_S"])
    prompt = request.record()
    prompt_json = json.dumps(prompt)
    async with record_step(
        context,
        kind="model",
        zone=request.zone,
        name=str(endpoint),
        origin=request.origin,
        request=prompt,
        tokens=estimate(prompt_json),
        url=endpoint.url,
    ) as step:
        context.on_start()
        try:
            answer = await client.ask(
                endpoint,
                request,
                _recorder(step),
                on_text,
                silence_s,
                context.budget.characters_left,
                on_withdraw,
                busy_model.patience_of(context),
            )
        except messages.ModelFailed as error:
            await _raise_for_run(context, endpoint, size, error)
        _note_answer(context, step, endpoint, prompt_json, answer)
        windows.ask_beside(endpoint, again=True)
        if is_far_less(answer.input_tokens, size) and await was_cut(endpoint, answer.input_tokens, size, silence_s):
            await in_db(keep_window)(endpoint)
            raise WindowSmaller("model_context", too_long_words(endpoint, windows.window(endpoint, setting)))
        if context.caller in ("planner", "program") and request.zone == "planner" and not answer.requests:
            context.last = step  # no call follows: the step is saved with the end of the turn
        return answer


def _recorder(step: Step) -> audit.Record:
    """Return what adds each sent request to the step, which is already stored. The hashes are saved with the result."""

    async def record(sent_request: audit.SentRequest) -> None:
        step.request = step.request | {"sent": [*step.request.get("sent", []), asdict(sent_request)]}

    return record


def _note_answer(context: Context, step: Step, endpoint: Endpoint, prompt_json: str, answer: messages.Answer) -> None:
    """Write the answer to its step, and what it cost to the budget."""
    calls = [{"tool": call.tool, "arguments": call.arguments} for call in answer.requests]
    step.result = {"text": answer.text, "calls": calls}
    step.input_tokens, step.output_tokens = answer.input_tokens, answer.output_tokens
    answer_json = json.dumps(step.result)
    context.is_cut = answer.is_cut
    context.budget.add_tokens(answer.input_tokens + answer.output_tokens, prompt_json, answer_json)
    context.budget.add_use(str(endpoint), answer.input_tokens, answer.output_tokens, prompt_json, answer_json)


async def _raise_for_run(context: Context, endpoint: Endpoint, size: int, error: messages.ModelFailed) -> NoReturn:
    """Raise what a failed request of `size` tokens is for its run: BudgetSpent, WindowSmaller, a wait, or words."""
    budget, setting = context.budget, int(context.numbers["MODEL_WINDOW"])
    if error.code == "model_too_long" and budget.characters_left < messages.CHARACTERS_MAX:
        raise budget.stop("tokens", budget.tokens_max) from None
    if error.code == "model_context":
        kind = WindowSmaller if windows.shrink_window(endpoint, setting, size) else messages.ModelFailed
        await in_db(keep_window)(endpoint)
        raise kind(error.code, too_long_words(endpoint, windows.window(endpoint, setting))) from None
    if (failure := await in_db(busy_model.failure_in)(context, endpoint, error)) is not error:
        raise failure from error
    raise await with_right_path(endpoint, error) from error
