"""Send a request to a model, for the worker and for the sandbox. Imports no Django.

Importing pydantic-ai takes two seconds, so the first request imports it; `warm_up` does so earlier.
"""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from agents.llm.audit import Record, audit_requests
from agents.llm.connection import SILENCE_S, schema_model
from agents.llm.failures.refusals import CUT_OFF, broken_off
from agents.llm.failures.retries import Patience, is_busy, repeat
from agents.llm.messages import CHARACTERS_MAX, TRUSTED, Answer, ModelFailed, Request
from agents.llm.plain_requests import Lack
from agents.llm.providers import Endpoint
from agents.llm.replies.hidden_text import has_lone_end
from agents.llm.replies.lone_ends import always_thinks, may_begin_with_thought, note_answer
from agents.llm.replies.streamed_words import StreamedWords
from agents.llm.streams.silence import silence_limit
from agents.llm.translate import JsonMode, is_thought, model_failure, parse_response, raw_text, text_of, translate

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

OnText = Callable[[str], Awaitable[None]]
OnWithdraw = Callable[[], Awaitable[None]]


async def ask(
    endpoint: Endpoint,
    request: Request,
    record: Record,
    on_text: OnText | None = None,
    silence_s: float = SILENCE_S,
    characters_max: int = CHARACTERS_MAX,
    on_withdraw: OnWithdraw | None = None,
    patience: Patience | None = None,
) -> Answer:
    """Return the model's answer; stream its text to `on_text`. Raises ModelFailed.

    `record` is awaited before each HTTP request; if it raises, the request is not sent. While the model is busy, the
    request is repeated as long as the patience lasts. Fails when the server sends nothing for `silence_s` (silence.py),
    or when the answer (with its thinking and tool arguments) is longer than `characters_max`. What `on_text` got before
    a failure is all that the owner may see of that answer, without what came before `on_withdraw`: that was a thought
    of the model.
    """
    with audit_requests(request, endpoint, record):
        if request.schema is not None:
            send = partial(_ask_for_json, endpoint, request, silence_s, characters_max)
        else:
            send = partial(_ask_as_it_takes, endpoint, request, on_text, None, silence_s, characters_max, on_withdraw)
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
    on_withdraw: OnWithdraw | None = None,
) -> Answer:
    """Ask again in words for what the endpoint refuses to take: tools, or a system role."""
    while True:
        lacks = _lacks.get(endpoint, frozenset())
        try:
            return await _stream(endpoint, request, on_text, mode, silence_s, characters_max, lacks, on_withdraw)
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
    on_withdraw: OnWithdraw | None = None,
) -> Answer:
    from pydantic_ai.direct import model_request_stream

    messages, parameters, settings = translate(endpoint, request, mode, lacks)
    size = 0
    streamed = StreamedWords(request.tool_names, may_be_thought=may_begin_with_thought(endpoint))
    words = _Shown(streamed, on_text, on_withdraw)
    try:
        stream = model_request_stream(
            schema_model(endpoint), messages, model_settings=settings, model_request_parameters=parameters
        )
        async with silence_limit(silence_s), stream as response:
            async for event in response:
                text, room = text_of(event), characters_max - size
                size += _size_of(event)
                if is_thought(event):
                    streamed.thinks_elsewhere()
                if room > 0 and text:
                    await words.show(text[:room])
                if size > characters_max:
                    await words.show_pending()
                    raise ModelFailed("model_too_long", "The model did not stop writing.")
            await words.end()
            answer = _read_answer(endpoint, response.get(), request)
        if not answer.requests:
            await words.show_rest(answer.text)
        return answer
    except TimeoutError as error:
        await words.show_pending()
        raise broken_off(silence_s, has_text=words.has_shown) from error
    except Exception as error:
        failure = model_failure(endpoint, error, has_begun=size > 0)
        if failure.code == CUT_OFF:
            await words.show_pending()
            failure = broken_off(None, has_text=words.has_shown)
        raise failure from error


class _Shown:
    """The words of an answer that the owner has been shown."""

    def __init__(self, words: StreamedWords, on_text: OnText | None, on_withdraw: OnWithdraw | None) -> None:
        self._words, self._on_text, self._on_withdraw, self.has_shown = words, on_text, on_withdraw, False

    async def show(self, text: str) -> None:
        if self._on_text is not None:
            visible = self._words.feed(text)
            await self._withdraw_thought()
            await self._pass_on(visible)

    async def end(self) -> None:
        self._words.end()
        await self._withdraw_thought()

    async def show_pending(self) -> None:
        await self._pass_on(self._words.pending())

    async def show_rest(self, answer: str) -> None:
        await self._pass_on(self._words.rest(answer))

    async def _withdraw_thought(self) -> None:
        if self._words.take_withdrawal() and self._on_withdraw is not None:
            self.has_shown = False
            await self._on_withdraw()

    async def _pass_on(self, text: str) -> None:
        if self._on_text is not None and text:
            self.has_shown = self.has_shown or bool(text.strip())
            await self._on_text(text)


def _read_answer(endpoint: Endpoint, response: ModelResponse, request: Request) -> Answer:
    """Return the answer, and note whether it began with a thought. Raises ModelFailed."""
    if text := raw_text(response).strip():
        has_end = has_lone_end(text)
        if response.finish_reason == "length" and not has_end and always_thinks(endpoint):
            raise ModelFailed("model_empty", "The model was still thinking when its answer had to end. Try again.")
        # A page can have such an end written, to keep later answers from being shown. A server that holds a model to a
        # schema lets it think nowhere.
        if not request.origin - TRUSTED if has_end else request.schema is None:
            note_answer(endpoint, has_lone_end=has_end)
    return parse_response(response, request)


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
        return len(part.tool_name) + len(part.args_as_json_str())
    if isinstance(part, ToolCallPartDelta):
        return len(part.tool_name_delta or "") + len(str(part.args_delta or ""))
    return 0
