"""Have the sandbox read one untrusted item; check its reply, each quote against the text."""

import asyncio
from uuid import uuid4

from django.conf import settings
from pydantic import ValidationError

from agents.models import Step
from agents.pages.sandbox_client import SandboxFailed, ask_sandbox, sent_by
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.steps import record_step
from agents.zones.reader_answers import Reading, is_true_to
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest

PICTURE_TOKENS = 1_500  # about the cost of a picture in vision models


async def read_item(context: Context, request: ReadingRequest, *, use_model: bool) -> Reading:
    """Return the sandbox's reading of one item; raw text is never returned.

    Raises SandboxFailed.
    """
    origin = request.origin | {"owner"}
    name = str(settings.VISION_MODEL if request.picture else settings.READER_MODEL) if use_model else "extraction"
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
        context, kind="model", zone="reader", name=name, origin=origin, request=summary, tokens=tokens
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
        if reply.reading is None:
            raise SandboxFailed(reply.error_code or "reading_invalid")
        return reply.reading


async def _request_reading(request: ReadingRequest, step: Step, *, use_model: bool) -> str:
    """Return the sandbox's answer; record its model requests in the step, also after a failure."""
    task_id = str(uuid4())
    try:
        return await ask_sandbox("sandbox.read", request.model_dump(mode="json"), use_model, task_id=task_id)
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
