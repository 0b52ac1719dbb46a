"""Have the sandbox read one untrusted item; check its reply, each quote against the text."""

import asyncio
from collections.abc import Mapping
from uuid import uuid4

from pydantic import ValidationError

from agents.llm import windows
from agents.llm.providers import Endpoint
from agents.llm.tokens import tokens_of
from agents.model_choice.in_use import models_in_use
from agents.model_choice.kept_windows import keep_window
from agents.models import Memory, Step
from agents.pages.sandbox_client import SandboxFailed, ask_sandbox, sent_by
from agents.runs import busy_model
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.cut_requests import was_cut
from agents.runs.fit import fitting_window, note_long
from agents.runs.steps import record_step
from agents.sandbox.settings import longer_s
from agents.zones.reader_answers import Reading, is_true_to
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest
from agents.zones.slots import cover_values, hide_values
from devices.db import in_db

PICTURE_TOKENS = 1_500  # about the cost of a picture in vision models
TRIES = 3


async def read_item(context: Context, request: ReadingRequest, *, use_model: bool, what: str = "") -> Reading:
    """Return the sandbox's reading of one item; raw text is never returned. Raises SandboxFailed.

    What the model cannot take at once is read in parts. A reading of what a server cut is none: the model's window is
    corrected, and the item is read again. `what`: the item in words, if not its domain.
    A background run also raises WaitsForModel.
    """
    for _ in range(TRIES):
        reading = await _read_once(context, request, what or request.domain, use_model=use_model)
        if reading is not None:
            return reading
    raise SandboxFailed("model_context")


async def _read_once(context: Context, request: ReadingRequest, what: str, *, use_model: bool) -> Reading | None:
    """Return None if the server cut the item."""
    page, request = request.text, _without_facts(request, await in_db(Memory.objects.slots)())
    request = request.model_copy(update={"silence_s": float(context.numbers["MODEL_SILENCE_S"])})
    origin = request.origin | {"owner"}
    models = await in_db(models_in_use)()  # the run may have begun with others
    endpoint = models.vision if request.picture else models.reader
    use_model = use_model and endpoint is not None
    if use_model and endpoint is not None:
        window = await fitting_window(context, endpoint, lambda: tokens_of(request.text + request.skill))
        request = request.model_copy(update={"window": window.tokens})
    name = str(endpoint) if use_model else "extraction"
    url = endpoint.url if use_model and endpoint else ""
    summary = {
        "question": request.question,
        "domain": request.domain,
        "characters": len(request.text),
        "choose": request.choose,
    }
    summary |= {"visited": True} if request.visited else {}
    summary |= {"skill": request.skill_name} if request.skill else {}
    summary |= {"picture": True} if request.picture else {}
    picture_tokens = PICTURE_TOKENS if request.picture else 0
    tokens = max(1, estimate(request.skill + request.text) + picture_tokens) if use_model else 0
    async with record_step(
        context, kind="model", zone="reader", name=name, origin=origin, request=summary, tokens=tokens, url=url
    ) as step:
        reply = _validate_reply(await _request_reading(request, step, use_model=use_model), request)
        step.input_tokens, step.output_tokens = reply.input_tokens, reply.output_tokens
        context.budget.add_tokens(reply.input_tokens + reply.output_tokens, request.text if use_model else "")
        if use_model:
            reading_json = reply.reading.model_dump_json() if reply.reading else ""
            context.budget.add_use(name, reply.input_tokens, reply.output_tokens, request.text, reading_json)
        step.result = {
            "outcomes": reply.outcomes,
            "reading": reply.reading.model_dump(mode="json") if reply.reading else None,
        }
        if use_model and endpoint is not None and await _is_too_much(context, endpoint, reply):
            return None
        if reply.reading is None:
            busy_model.require_reader(context, reply.error_code)
            raise SandboxFailed(reply.error_code or "reading_invalid")
        if endpoint is not None and (reply.parts > 1 or reply.unread):
            note_long(context, endpoint, what, len(request.text) - reply.unread, len(request.text))
        return _with_words_of(page, reply.reading)


async def _is_too_much(context: Context, endpoint: Endpoint, reply: ReadingReply) -> bool:
    """Whether the server cut a request of the reader. What the reader learned of the window is kept."""
    windows.ask_beside(endpoint, again=True)
    if reply.window:
        windows.limit_window(endpoint, reply.window)
    silence_s = float(context.numbers["MODEL_SILENCE_S"])
    is_cut = reply.counted > 0 and await was_cut(endpoint, reply.counted, reply.sent, silence_s)
    if reply.window or is_cut:
        await in_db(keep_window)(endpoint)
    return is_cut


def _without_facts(request: ReadingRequest, slots: Mapping[str, str]) -> ReadingRequest:
    """Return a request without the values of the owner's facts."""
    covered = {name: cover_values(getattr(request, name), slots) for name in ("title", "text", "facts", "skill")}
    return request.model_copy(update=covered | {"question": hide_values(request.question, slots)})


def _with_words_of(page: str, reading: Reading) -> Reading:
    """Return a reading whose quotes are the page's own, where the reader saw covered ones."""
    claims = [claim.model_copy(update={"quote": page[claim.start : claim.end]}) for claim in reading.claims]
    return reading.model_copy(update={"claims": claims})


async def _request_reading(request: ReadingRequest, step: Step, *, use_model: bool) -> str:
    """Return the sandbox's answer; record its model requests in the step, also after a failure."""
    task_id = str(uuid4())
    try:
        longer = {"longer_s": more_s} if use_model and (more_s := longer_s(request.silence_s)) else {}
        return await ask_sandbox("sandbox.read", request.model_dump(mode="json"), use_model, task_id=task_id, **longer)
    finally:
        if use_model:
            step.request = step.request | {"sent": await asyncio.shield(sent_by(task_id))}


def _validate_reply(answer: str, request: ReadingRequest) -> ReadingReply:
    try:
        reply = ReadingReply.model_validate_json(answer)
    except ValidationError:
        raise SandboxFailed("reading_invalid") from None
    if reply.reading is None:
        return reply
    if reply.error_code or reply.request != request.digest():
        raise SandboxFailed("reading_invalid")
    candidates, wants_offer = request.candidates or request.visited, request.wants_offer
    if not is_true_to(reply.reading, request.text, request.entries, candidates=candidates, wants_offer=wants_offer):
        raise SandboxFailed("reading_untrue")
    return reply
