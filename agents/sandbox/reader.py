"""Read one item for one question: by a model, or by extraction if none is set."""

from agents.llm import audit, client, messages
from agents.llm.connection import SILENCE_S
from agents.llm.failures.retries import Patience
from agents.llm.providers import Endpoint
from agents.llm.tokens import is_far_less, request_tokens
from agents.sandbox.offers import read_offer
from agents.sandbox.parts import read_whole_or_in_parts
from agents.sandbox.settings import SOFT_LIMIT_S
from agents.zones.again import ask_again
from agents.zones.inputs import Private, Untrusted, UntrustedPicture
from agents.zones.reader import picture_request, reader_request, visited_request
from agents.zones.reader_answers import Reading, ReadingInvalid, parse_candidates, parse_picture, parse_reading
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest

ATTEMPTS = 2
PATIENCE_S = SOFT_LIMIT_S - SILENCE_S  # for a busy model, all requests together: the task ends in its time


async def read_request(request: ReadingRequest, endpoint: Endpoint | None, record: audit.Record) -> ReadingReply:
    """Return a reading or an error code. An answer of the wrong form is requested once more."""
    if request.picture:
        return await _look(request, endpoint, record)
    if endpoint is None and request.wants_offer:
        return ReadingReply(request=request.digest(), reading=read_offer(request))
    if endpoint is None and request.visited:
        from agents.sandbox.titles import read_visited

        return ReadingReply(request=request.digest(), reading=read_visited(request))
    if endpoint is None:
        from agents.sandbox.extractive import read_by_extraction  # loads numpy: only without a model

        return ReadingReply(request=request.digest(), reading=read_by_extraction(request))
    return await read_whole_or_in_parts(
        request, endpoint, _request_for, lambda prompt: _read_by_model(request, prompt, endpoint, record)
    )


async def _look(request: ReadingRequest, endpoint: Endpoint | None, record: audit.Record) -> ReadingReply:
    """Have a vision model look at a picture: its pixels alone, encoded again here."""
    from agents.sandbox.images import as_jpeg  # loads Pillow: only when there is a picture

    if endpoint is None:
        return ReadingReply(request=request.digest(), error_code="no_vision_model")
    jpeg = as_jpeg(request.picture)
    if jpeg is None:
        return ReadingReply(request=request.digest(), error_code="image_broken")
    prompt = picture_request(UntrustedPicture(jpeg, request.origin), Private(request.question))
    return await _read_by_model(request, prompt, endpoint, record)


async def _read_by_model(
    request: ReadingRequest, first_prompt: messages.Request, endpoint: Endpoint, record: audit.Record
) -> ReadingReply:
    prompt, outcomes, tokens_in, tokens_out = first_prompt, list[str](), 0, 0
    counted, sent = 0, 0 if request.picture else request_tokens(first_prompt)
    patience = Patience(PATIENCE_S)
    while True:
        reading: Reading | None = None
        try:
            answer = await client.ask(endpoint, prompt, record, silence_s=request.silence_s, patience=patience)
            tokens_in, tokens_out = tokens_in + answer.input_tokens, tokens_out + answer.output_tokens
            counted = answer.input_tokens if is_far_less(answer.input_tokens, sent) else counted
            reading = _parse_answer(answer.text, request)
            outcomes.append("read")
        except ReadingInvalid as why:
            outcomes.append("reading_invalid")
            prompt = ask_again(first_prompt, why)
        except messages.ModelFailed as error:
            outcomes.append(error.code)
        if outcomes[-1] != "reading_invalid" or len(outcomes) == ATTEMPTS:
            code = "" if reading else outcomes[-1]
            return ReadingReply(
                request=request.digest(),
                reading=reading,
                error_code=code,
                outcomes=outcomes,
                counted=counted,
                sent=sent if counted else 0,
                input_tokens=tokens_in,
                output_tokens=tokens_out,
            )


def _request_for(request: ReadingRequest) -> messages.Request:
    if request.visited:
        return visited_request(Untrusted(request.text, request.origin))
    text = f"{request.title}\n\n{request.text}" if not request.choose else request.text
    item, question = Untrusted(text, request.origin), Private(request.question)
    skill = Private(request.skill) if request.skill else None
    return reader_request(
        item, question, request.choose, candidates=request.candidates, wants_offer=request.wants_offer, skill=skill
    )


def _parse_answer(answer: str, request: ReadingRequest) -> Reading:
    if request.picture:
        return parse_picture(answer)
    if request.visited:
        return parse_candidates(answer)
    wants_offer, currency = request.wants_offer, request.currency
    return parse_reading(
        answer, request.text, request.entries, candidates=request.candidates, wants_offer=wants_offer, currency=currency
    )
