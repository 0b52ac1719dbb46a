"""Send a request to a model, for the worker and for the sandbox. Imports no Django.

Importing pydantic-ai takes two seconds, so the first request imports it; `warm_up` does so earlier.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import partial

from agents.llm.audit import Record, audit_requests
from agents.llm.connection import SILENCE_S, schema_model
from agents.llm.messages import CHARACTERS_MAX, Answer, ModelFailed, Request
from agents.llm.plain_requests import Lack
from agents.llm.providers import Endpoint
from agents.llm.retries import Patience, is_busy, repeat
from agents.llm.streamed_words import StreamedWords
from agents.llm.translate import JsonMode, model_failure, parse_response, text_of, translate

PAUSE_S = 30.0  # between two tokens

OnText = Callable[[str], Awaitable[None]]


async def ask(
    endpoint: Endpoint,
    request: Request,
    record: Record,
    on_text: OnText | None = None,
    silence_s: float = SILENCE_S,
    characters_max: int = CHARACTERS_MAX,
    patience: Patience | None = None,
) -> Answer:
    """Return the model's answer; stream its text to `on_text`. Raises ModelFailed.

    While the model is busy, the request is repeated as long as the patience lasts.

    `record` is awaited before each HTTP request; if it raises, the request is not sent. Fails when the first token
    takes longer than `silence_s`, when a later one takes longer than the smaller of `silence_s` and 30 s, or when the
    answer (with its thinking and tool arguments) is longer than `characters_max`.
    """
    with audit_requests(request, endpoint, record):
        if request.schema is not None:
            send = partial(_ask_for_json, endpoint, request, silence_s, characters_max)
        else:
            send = partial(_ask_as_it_takes, endpoint, request, on_text, None, silence_s, characters_max)
        return await repeat(endpoint, patience or Patience(), send)


def warm_up(endpoint: Endpoint) -> None:
    """Import and build what the first request needs.

    Everything allocated until now is frozen out of garbage collection: a full pass takes a quarter of a second. A
    process that is forked afterwards shares this memory.
    """
    import pydantic_ai.direct  # noqa: F401

    schema_model(endpoint)
    gc.collect()
    gc.freeze()


# The JSON mode that each endpoint accepts, found by trying. A mode that the endpoint rejected is not tried again.
_json_modes: dict[Endpoint, JsonMode] = {}
_NEXT_MODE: dict[JsonMode, JsonMode] = {"schema": "object", "object": "text"}


# What an endpoint turned out not to take; it is asked in words instead from then on.
_lacks: dict[Endpoint, frozenset[Lack]] = {}
_LACK_OF: dict[str, Lack] = {"model_no_tools": "tools", "model_no_system": "system"}


async def _ask_for_json(endpoint: Endpoint, request: Request, silence_s: float, characters_max: int) -> Answer:
    """Ask in the strictest JSON mode that the endpoint takes.

    Some servers fail at a mode instead of refusing it; a mode that worked before is kept then.
    """
    mode = _json_modes.get(endpoint, "schema")
    while True:
        try:
            answer = await _ask_as_it_takes(endpoint, request, None, mode, silence_s, characters_max)
        except ModelFailed as error:
            may_be_mode = error.code == "model_rejected" or (
                error.code == "model_failed" and endpoint not in _json_modes and not is_busy(error)
            )
            if not may_be_mode or mode not in _NEXT_MODE:
                raise
            mode = _NEXT_MODE[mode]
        else:
            _json_modes[endpoint] = mode
            return answer


async def _ask_as_it_takes(
    endpoint: Endpoint,
    request: Request,
    on_text: OnText | None,
    mode: JsonMode | None,
    silence_s: float,
    characters_max: int,
) -> Answer:
    """Ask again in words for what the endpoint refuses to take: tools, or a system role."""
    while True:
        lacks = _lacks.get(endpoint, frozenset())
        try:
            return await _stream(endpoint, request, on_text, mode, silence_s, characters_max, lacks)
        except ModelFailed as error:
            lack = _LACK_OF.get(error.code)
            if lack is None or lack in lacks or (lack == "tools" and not request.tools):
                raise
            _lacks[endpoint] = lacks | {lack}


async def _stream(
    endpoint: Endpoint,
    request: Request,
    on_text: OnText | None,
    mode: JsonMode | None,
    silence_s: float,
    characters_max: int,
    lacks: frozenset[Lack],
) -> Answer:
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.exceptions import AgentRunError

    messages, parameters, settings = translate(endpoint, request, mode, lacks)
    size, words = 0, StreamedWords([tool.name for tool in request.tools])
    try:
        stream = model_request_stream(
            schema_model(endpoint), messages, model_settings=settings, model_request_parameters=parameters
        )
        async with asyncio.timeout(silence_s) as silence, stream as response:
            async for event in response:
                silence.reschedule(asyncio.get_running_loop().time() + min(PAUSE_S, silence_s))
                text, room = text_of(event), characters_max - size
                size += _size_of(event)
                if room > 0 and text and on_text is not None and (visible := words.feed(text[:room])):
                    await on_text(visible)
                if size > characters_max:
                    if on_text is not None and (pending := words.pending()):
                        await on_text(pending)
                    raise ModelFailed("model_too_long", "The model did not stop writing.")
            answer = parse_response(response.get(), request)
        if on_text is not None and not answer.requests and (rest := words.rest(answer.text)):
            await on_text(rest)
        return answer
    except TimeoutError:
        raise ModelFailed("model_slow", "The model stopped answering. Try again, or choose a smaller model.") from None
    except AgentRunError as error:
        raise model_failure(endpoint, error, has_begun=size > 0) from error
    except Exception as error:
        raise model_failure(endpoint, error, has_begun=size > 0) from error


def _size_of(event: object) -> int:
    from pydantic_ai.messages import (
        PartDeltaEvent,
        PartStartEvent,
        TextPart,
        TextPartDelta,
        ThinkingPart,
        ThinkingPartDelta,
        ToolCallPart,
        ToolCallPartDelta,
    )

    part = (
        event.part if isinstance(event, PartStartEvent) else event.delta if isinstance(event, PartDeltaEvent) else None
    )
    if isinstance(part, TextPart | ThinkingPart):
        return len(part.content)
    if isinstance(part, TextPartDelta | ThinkingPartDelta):
        return len(part.content_delta or "")
    if isinstance(part, ToolCallPart):
        return len(part.args_as_json_str())
    return len(str(part.args_delta or "")) if isinstance(part, ToolCallPartDelta) else 0
