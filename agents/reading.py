"""Having one untrusted item read: the sandbox's reply is validated here again, each quote against the text that was sent."""

from django.conf import settings
from pydantic import ValidationError

from agents.models import Run
from agents.readings import Reading, ReadingReply, ReadingRequest, is_true_to
from agents.sandbox_client import SandboxFailed, ask_sandbox
from agents.steps import recorded


async def read(run: Run, request: ReadingRequest, *, use_model: bool) -> Reading:
    """Return the sandbox's reading of one item. Raises SandboxFailed; a page's raw text is never the answer."""
    origin = frozenset({request.domain, "owner"})
    name = str(settings.READER_MODEL) if use_model else "extraction"
    summary = {"question": request.question, "domain": request.domain, "characters": len(request.text), "choose": request.choose}
    async with recorded(run, kind="model", zone="reader", name=name, origin=origin, request=summary) as step:
        reply = _validated(await ask_sandbox("sandbox.read", request.model_dump(mode="json"), use_model), request)
        step.input_tokens, step.output_tokens = reply.input_tokens, reply.output_tokens
        step.result = {"attempts": reply.attempts, "reading": reply.reading.model_dump(mode="json") if reply.reading else None}
        if reply.reading is None:
            raise SandboxFailed(reply.error_code or "reading_invalid")
        return reply.reading


def _validated(answer: str, request: ReadingRequest) -> ReadingReply:
    entries = request.text.count("\n") + 1 if request.choose else 0
    try:
        reply = ReadingReply.model_validate_json(answer)
    except ValidationError:
        raise SandboxFailed("reading_invalid") from None
    if reply.reading is not None and not is_true_to(reply.reading, request.text, entries):
        raise SandboxFailed("reading_untrue")
    return reply
