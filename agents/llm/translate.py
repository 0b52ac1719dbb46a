"""Translate requests, answers and errors between Penny and pydantic-ai."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from agents.llm.connection import chat_model
from agents.llm.failures import between
from agents.llm.failures.refusals import REASON_CHARACTERS, WHERE, broken_off, failure_of, refusal_code
from agents.llm.messages import (
    Answer,
    CallTurn,
    ModelFailed,
    PageTurn,
    Request,
    ResultTurn,
    ToolRequest,
    ToolSpec,
    Turn,
)
from agents.llm.plain_requests import Lack, plain_turns
from agents.llm.providers import Endpoint
from agents.llm.replies.hidden_text import visible_text
from agents.llm.replies.sloppy_json import mend_arguments
from agents.llm.replies.written_calls import Call, read_written, tool_name

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
    from pydantic_ai.models import ModelRequestParameters


COUNT_MAX = 10_000_000  # tokens of one request; a larger count is nonsense, and no database holds any number
JsonMode = Literal["schema", "object", "text"]


def text_of(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return _storable(event.part.content)
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return _storable(event.delta.content_delta)
    return ""


def is_thought(event: object) -> bool:
    """Whether an event brings a thought apart from the text."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, ThinkingPart, ThinkingPartDelta

    part = event.part if isinstance(event, PartStartEvent) else None
    delta = event.delta if isinstance(event, PartDeltaEvent) else None
    return (isinstance(part, ThinkingPart) and bool(part.content)) or (
        isinstance(delta, ThinkingPartDelta) and bool(delta.content_delta)
    )


def raw_text(response: ModelResponse) -> str:
    """Return all of a model's text, thoughts in it included."""
    from pydantic_ai.messages import TextPart

    return "".join(_storable(part.content) for part in response.parts if isinstance(part, TextPart))


def _storable(text: str) -> str:
    """Return text without NUL and lone surrogates, which no database and no frame can hold."""
    return text.replace("\x00", "").encode(errors="replace").decode()


def parse_response(response: ModelResponse, request: Request) -> Answer:
    """Return the answer without the model's thoughts. A text that is a call of an offered tool becomes that call.

    Raises ModelFailed.
    """
    from pydantic_ai.messages import ToolCallPart

    if response.finish_reason is None:
        raise broken_off(None, has_text=False)
    if response.finish_reason == "content_filter":
        raise ModelFailed("model_refused", "The model's provider filtered the answer.")
    tools, is_cut = request.tool_names, response.finish_reason == "length"
    text = raw_text(response)
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    requests = tuple(
        ToolRequest(part.tool_call_id, tool_name(_storable(part.tool_name), tools), _arguments(part, is_cut=is_cut))
        for part in calls
    )
    if request.schema is not None:
        text = visible_text(text)
    else:
        text, written = _read_text(text, tools, has_calls=bool(requests))
        requests = requests or tuple(ToolRequest(f"call_{uuid4()}", *call) for call in written)
    if not text.strip() and not requests:
        raise ModelFailed("model_empty", "The model gave an empty answer. Try again.")
    usage = response.usage
    return Answer(text, requests, min(usage.input_tokens, COUNT_MAX), min(usage.output_tokens, COUNT_MAX), is_cut)


def _arguments(part: ToolCallPart, *, is_cut: bool) -> str:
    """Return the arguments of a call as JSON. Of an answer that was cut off they stay as they came."""
    arguments = _storable(part.args if isinstance(part.args, str) else part.args_as_json_str())
    return arguments if is_cut else mend_arguments(arguments)


def _read_text(text: str, tools: list[str], *, has_calls: bool) -> tuple[str, list[Call]]:
    """Return the words of a text, and the calls that are written in it. Raises ModelFailed."""
    visible = visible_text(text)
    # A call in a channel of its own is hidden with the channel.
    written = read_written(text if "<|channel|>" in text and not has_calls else visible, tools)
    words = visible_text(written.words) if written.calls or written.is_unclear else visible
    if not tools and words.strip():
        return visible, []  # it tells of calls, as pages about models do
    if written.calls and tools:
        return words, written.calls
    if written.is_unclear and not has_calls and (tools or not words.strip()):
        raise ModelFailed(
            "model_call_unclear",
            "The model called a tool in a form that I do not understand. Ask again, or choose a model that calls "
            "tools.",
        )
    if written.calls and not words.strip():
        raise ModelFailed("model_called", "The model called a tool instead of answering. Ask again.")
    return words, []


@lru_cache(maxsize=64)
def _tool_parameters(endpoint: Endpoint, tools: tuple[ToolSpec, ...]) -> ModelRequestParameters:
    """Return the tools as the model takes them.

    Cached: every turn needs them before its first word.
    """
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    definitions = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.schema)
        for tool in tools
    ]
    return chat_model(endpoint).customize_request_parameters(ModelRequestParameters(function_tools=definitions))


def translate(
    endpoint: Endpoint, request: Request, mode: JsonMode | None, lacks: Collection[Lack] = ()
) -> tuple[list[ModelMessage], ModelRequestParameters, Any]:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModelSettings
    from pydantic_ai.output import OutputObjectDefinition

    instructions = request.instructions
    settings = OpenAIChatModelSettings()
    if mode == "schema":
        assert request.schema is not None
        output = OutputObjectDefinition(json_schema=request.schema, name="answer", strict=True)
        parameters = ModelRequestParameters(output_mode="native", output_object=output)
        return (
            _messages(request, instructions, lacks),
            chat_model(endpoint).customize_request_parameters(parameters),
            settings,
        )
    if mode is not None:
        instructions += "\nAnswer with one JSON object of this JSON Schema and nothing else:\n" + json.dumps(
            request.schema
        )
    if mode == "object":
        settings = OpenAIChatModelSettings(extra_body={"response_format": {"type": "json_object"}})
    tools = () if "tools" in lacks else tuple(request.tools)
    return _messages(request, instructions, lacks), _tool_parameters(endpoint, tools), settings


def _messages(request: Request, instructions: str, lacks: Collection[Lack]) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, SystemPromptPart

    instructions, turns = plain_turns(request, instructions, lacks)
    parts: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(instructions)])] if instructions else []
    return parts + [_message(turn) for turn in turns]


def _message(turn: Turn) -> ModelMessage:
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

    if isinstance(turn, ResultTurn):
        return ModelRequest(parts=[ToolReturnPart(turn.request.tool, turn.content, tool_call_id=turn.request.id)])
    if isinstance(turn, PageTurn):
        return ModelRequest(parts=[ToolReturnPart(turn.request.tool, turn.text, tool_call_id=turn.request.id)])
    if isinstance(turn, CallTurn):
        text = [TextPart(turn.text)] if turn.text else []
        return ModelResponse(
            parts=[*text, *(ToolCallPart(r.tool, _json_object(r.arguments), tool_call_id=r.id) for r in turn.requests)]
        )
    if turn.role == "assistant":
        return ModelResponse(parts=[TextPart(turn.text)])
    if turn.picture:
        return ModelRequest(parts=[UserPromptPart([turn.text, BinaryContent(turn.picture, media_type="image/jpeg")])])
    return ModelRequest(parts=[UserPromptPart(turn.text)])


def _json_object(arguments: str) -> dict[str, Any]:
    """Return the arguments as an endpoint accepts them back.

    Anything but a JSON object becomes an empty object.
    """
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def model_failure(endpoint: Endpoint, error: Exception, *, has_begun: bool) -> ModelFailed:
    from pydantic_ai import exceptions as e

    if isinstance(error, ModelFailed):
        return error
    if not has_begun and (failure := _refusal(endpoint, error)):
        return failure
    reason = _reason(error, endpoint.key)
    texts: Sequence[tuple[type[Exception], str, str]] = (
        (e.ModelTimeoutError, "model_slow", "The model did not answer in time. Try again, or choose a smaller model."),
        (
            e.ModelRequestRejectedError,
            "model_rejected",
            f"{endpoint.provider} refused the request.{reason}",
        ),
        (
            e.ModelAPIError,
            "model_failed",
            f"{endpoint.provider} had a problem. Try again in a moment.{reason}",
        ),
    )
    for kind, code, message in texts if not has_begun else ():
        if isinstance(error, kind):
            return ModelFailed(code, message)
    if has_begun:
        return broken_off(None, has_text=False)
    return ModelFailed(
        "model_failed", f"What {endpoint.url} answered is not the OpenAI protocol. Correct its address {WHERE}."
    )


def _refusal(endpoint: Endpoint, error: Exception) -> ModelFailed | None:
    """Return why the model was not reached or refuses, None for another failure.

    The words of a page of the web tell nothing: any word may stand there.
    """
    from pydantic_ai import exceptions as e

    if isinstance(error, e.ModelConnectionError):
        is_late = isinstance(error, e.ModelTimeoutError) and not between.is_unconnected(error)
        return None if is_late else between.failure_to_connect(endpoint, error)
    received = between.received_of(error)
    words = "" if received and received.is_page else _words_of(error)
    if not refusal_code(words) and received and (failure := between.failure_between(endpoint, received)):
        return failure
    code = _code_of(error, words)
    return failure_of(code, endpoint) if code else None


def _code_of(error: Exception, words: str) -> str:
    """Return the code of a refusal that its words, its status or its class tell; empty for another failure."""
    from pydantic_ai import exceptions as e

    if not isinstance(error, e.ModelAPIError):
        return ""
    kinds: Sequence[tuple[type[Exception], str]] = (
        (e.ModelContextWindowExceededError, "model_context"),
        (e.ModelQuotaExceededError, "model_quota"),
        (e.ModelRateLimitError, "model_busy"),
        (e.ModelAuthenticationError, "model_key_refused"),
        (e.ModelNotFoundError, "model_not_found"),
    )
    status = error.status_code if isinstance(error, e.ModelHTTPError) else 0
    by_class = next((code for kind, code in kinds if isinstance(error, kind)), "")
    return refusal_code(words, status) or by_class


def _words_of(error: Exception) -> str:
    """Return what the server said, without what the library says around it."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        words = inner.get("message") if isinstance(inner, dict) else inner
        parts = (words, body.get("code"), body.get("type"), body.get("param"))
        body = " ".join(str(part) for part in parts if part) or json.dumps(body)
    return str(body or error)[:REASON_CHARACTERS]


def without_key(words: str, key: str) -> str:
    """Return the words of a server without the key that it was sent: some servers repeat it."""
    return words.replace(key, "(the key)") if key else words


def _reason(error: Exception, key: str) -> str:
    """Return the words of the server for the owner: one line, bounded, without the key, none for a page of HTML."""
    words = without_key(" ".join(_words_of(error).split()), key)[:200]
    return f" It says: “{words}”" if words and "<" not in words and getattr(error, "body", None) else ""
