"""One item, one question, one reading: by the model, or by extraction where none is set."""

from agents import llm
from agents.providers import Endpoint
from agents.readings import Reading, ReadingInvalid, ReadingReply, ReadingRequest, parse_reading
from agents.zones import Private, Untrusted, reader_request

ATTEMPTS = 2


async def read(request: ReadingRequest, endpoint: Endpoint | None) -> ReadingReply:
    """Return a reading or the code of a failure. An answer that breaks the form is asked for once more, then the reading has failed."""
    if endpoint is None:
        from agents.sandbox.extractive import read_by_extraction  # loads numpy: only where no model reads

        return ReadingReply(reading=read_by_extraction(request))
    try:
        return await _read_by_model(request, endpoint)
    except llm.ModelFailed as error:
        return ReadingReply(error_code=error.code, model=str(endpoint))


async def _read_by_model(request: ReadingRequest, endpoint: Endpoint) -> ReadingReply:
    text = f"{request.title}\n\n{request.text}" if not request.choose else request.text
    asked = reader_request(Untrusted(text, frozenset({request.domain})), Private(request.question), request.choose)
    entries = request.text.count("\n") + 1 if request.choose else 0
    tokens_in = tokens_out = 0
    for attempt in range(1, ATTEMPTS + 1):
        answer = await llm.ask(endpoint, asked)
        tokens_in, tokens_out = tokens_in + answer.input_tokens, tokens_out + answer.output_tokens
        reading = _parse(answer.text, request.text, entries)
        if reading is not None:
            return ReadingReply(reading=reading, attempts=attempt, model=str(endpoint), input_tokens=tokens_in, output_tokens=tokens_out)
    return ReadingReply(
        error_code="reading_invalid", attempts=ATTEMPTS, model=str(endpoint), input_tokens=tokens_in, output_tokens=tokens_out
    )


def _parse(answer: str, text: str, entries: int) -> Reading | None:
    try:
        return parse_reading(answer, text, entries)
    except ReadingInvalid:
        return None
