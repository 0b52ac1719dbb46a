"""The one place where a model is asked, by the worker and by the sandbox. Knows no Django.

pydantic-ai takes two seconds to import and is therefore imported when the first request is made (`warm_up` does it early).
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from agents.llm.providers import Endpoint

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel

SILENCE_S = 120.0  # before the first token: a local model may think long about a long page
PAUSE_S = 30.0  # between two tokens
CONNECT_S = 5.0
CHARACTERS_MAX = 100_000

OnText = Callable[[str], Awaitable[None]]
JsonMode = Literal["schema", "object", "text"]


class ModelFailed(Exception):
    """A request that brought no usable answer. `code` is for programs, the text for the owner: what happened and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Said:
    """`picture`: a JPEG that goes with the words; only a reader is shown one."""

    role: Literal["user", "assistant"]
    text: str
    picture: bytes = b""


@dataclass(frozen=True)
class ToolRequest:
    """A tool call that a model asks for. `arguments` is JSON text as the model wrote it, good or not."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Called:
    text: str
    requests: tuple[ToolRequest, ...]


class ZoneViolation(TypeError):
    """A request that would have mixed what must stay apart."""


# What a tool may tell a planner, by the name of the field; anything else is numbers and truth values.
_HANDLE, _CODE = re.compile(r"[bpst]\d+(\.[lrc]\d+)?|a\d+"), re.compile(r"[a-z][a-z0-9_]{0,63}")
_DOMAIN = re.compile(r"[a-z0-9_.:\[\]-]{1,260}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T[0-9:.+Z-]{2,30})?")
TYPED = {
    "handle": _HANDLE,
    "best": _HANDLE,
    "best_links": _HANDLE,
    "domain": _DOMAIN,
    "error": _CODE,
    "tools": _CODE,
    "availability": _CODE,
    "currency": re.compile(r"[A-Z]{3}"),
    "kind": _CODE,
    "published": _DATE,
    "modified": _DATE,
    "at": re.compile(r"\d{4}-\d{2}-\d{2}T[0-9:.+-]{5,30}"),
    "rule": re.compile(r"FREQ=[A-Z0-9=;,-]{4,190}"),
}


@dataclass(frozen=True)
class Returned:
    """What a tool call brought: typed values only, never a page's words. Raises ZoneViolation for text that is none of `TYPED`."""

    request: ToolRequest
    content: dict[str, Any]

    def __post_init__(self) -> None:
        _require_typed("", self.content)


def _require_typed(name: str, value: object) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not _CODE.fullmatch(key):
                raise ZoneViolation("a tool's result has a field whose name is no name")
            _require_typed(key, inner)
    elif isinstance(value, list):
        for inner in value:
            _require_typed(name, inner)
    elif isinstance(value, str):
        if name not in TYPED or not TYPED[name].fullmatch(value):
            raise ZoneViolation(f"a tool's result holds free text in {name or 'its place'}")
    elif value is not None and not isinstance(value, bool | int | float):
        raise ZoneViolation(f"a tool's result holds a {type(value).__name__} in {name or 'its place'}")


@dataclass(frozen=True, eq=False)
class ToolSpec:
    """What a request says of a tool. Each stands for itself: what a model needs of it is made once."""

    name: str
    description: str
    schema: dict[str, Any]


Turn = Said | Called | Returned


SEAL = object()  # held by agents/zones/inputs.py, without which there is no request
TRUSTED = frozenset({"owner", "penny"})


@dataclass(frozen=True)
class Request:
    """One request to a model, made by a builder of agents/zones/inputs.py and by nothing else. Raises ZoneViolation.

    One whose labels name a domain has no tools and no history: one turn, and nobody to call.
    """

    zone: Literal["planner", "reader", "writer"]
    instructions: str
    turns: tuple[Turn, ...]
    origin: frozenset[str]
    tools: tuple[ToolSpec, ...] = ()
    schema: dict[str, Any] | None = None
    seal: InitVar[object] = field(kw_only=True)

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            raise ZoneViolation("requests are made in agents/zones/inputs.py")
        _require_seen_by_reader(self.zone, self.turns)
        if self.tools and self.zone != "planner":
            raise ZoneViolation(f"the {self.zone} has no tools")
        if self.origin - TRUSTED and (self.tools or self.zone == "planner" or [type(turn) for turn in self.turns] != [Said]):
            raise ZoneViolation("a request with words of the web has no tools and no history")

    def record(self) -> dict[str, Any]:
        """Return what a step keeps of it."""
        return {
            "instructions": self.instructions,
            "turns": [_record(turn) for turn in self.turns],
            "tools": [tool.name for tool in self.tools],
        }


def _require_seen_by_reader(zone: str, turns: tuple[Turn, ...]) -> None:
    if zone != "reader" and any(isinstance(turn, Said) and turn.picture for turn in turns):
        raise ZoneViolation(f"the {zone} sees no pictures")


@dataclass
class Answer:
    text: str = ""
    requests: tuple[ToolRequest, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Sent:
    """What is recorded of each HTTP request to a model before it leaves: the same request tried again is another one."""

    zone: str
    labels: tuple[str, ...]
    model: str
    sha256: str
    size_bytes: int


Record = Callable[[Sent], Awaitable[None]]
_auditing: ContextVar[tuple[Request, Endpoint, Record]] = ContextVar("auditing")


class NotRecorded(Exception):
    """A request that was about to leave without a record. It does not leave."""


@contextmanager
def _audited(request: Request, endpoint: Endpoint, record: Record) -> Iterator[None]:
    token = _auditing.set((request, endpoint, record))
    try:
        yield
    finally:
        _auditing.reset(token)


async def _record_before_sending(http: Any) -> None:
    """Called by the HTTP client with each request that is about to leave, whoever made it."""
    try:
        request, endpoint, record = _auditing.get()
    except LookupError:
        raise NotRecorded(f"{http.method} {http.url.host}") from None
    body = http.content
    await record(Sent(request.zone, tuple(sorted(request.origin)), str(endpoint), hashlib.sha256(body).hexdigest(), len(body)))


async def ask(
    endpoint: Endpoint,
    request: Request,
    record: Record,
    on_text: OnText | None = None,
    silence_s: float = SILENCE_S,
    characters_max: int = CHARACTERS_MAX,
) -> Answer:
    """Return the model's answer, its text streamed to `on_text` as it comes. Raises ModelFailed.

    `record` is awaited with each HTTP request before it leaves; what it raises keeps that request from leaving.
    A model that says nothing for `silence_s`, or that pauses for longer than that or 30 s in the middle, has failed. So has one that
    writes more than `characters_max`, its thoughts and the arguments of its calls included.
    """
    with _audited(request, endpoint, record):
        if request.schema is not None:
            return await _ask_for_json(endpoint, request, silence_s, characters_max)
        return await _stream(endpoint, request, on_text, None, silence_s, characters_max)


def warm_up(endpoint: Endpoint) -> None:
    """Import and make what the first request needs.

    What is there then stays for good: the garbage collector, which needs a quarter of a second to look through it, leaves it alone. A
    process that is forked after this shares it.
    """
    import pydantic_ai.direct  # noqa: F401

    _sender(endpoint)
    gc.collect()
    gc.freeze()


# How an endpoint takes a JSON schema is found out once, by trying: what it refuses is not tried again.
_json_modes: dict[Endpoint, JsonMode] = {}
_NEXT_MODE: dict[JsonMode, JsonMode] = {"schema": "object", "object": "text"}


async def _ask_for_json(endpoint: Endpoint, request: Request, silence_s: float, characters_max: int) -> Answer:
    while True:
        mode = _json_modes.get(endpoint, "schema")
        try:
            return await _stream(endpoint, request, None, mode, silence_s, characters_max)
        except ModelFailed as error:
            if error.code != "model_rejected" or mode not in _NEXT_MODE:
                raise
            _json_modes[endpoint] = _NEXT_MODE[mode]


async def _stream(
    endpoint: Endpoint,
    request: Request,
    on_text: OnText | None,
    mode: JsonMode | None,
    silence_s: float,
    characters_max: int = CHARACTERS_MAX,
) -> Answer:
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.exceptions import AgentRunError

    messages, parameters, settings = _translate(endpoint, request, mode)
    size = 0
    try:
        stream = model_request_stream(_sender(endpoint), messages, model_settings=settings, model_request_parameters=parameters)
        async with asyncio.timeout(silence_s) as silence, stream as response:
            async for event in response:
                silence.reschedule(asyncio.get_running_loop().time() + min(PAUSE_S, silence_s))
                text, room = _text_of(event), characters_max - size
                size += _size_of(event)
                if room > 0 and text and on_text is not None:
                    await on_text(text[:room])
                if size > characters_max:
                    raise ModelFailed("model_too_long", "The model did not stop writing.")
            return _answer(response.get())
    except TimeoutError:
        raise ModelFailed("model_slow", "The model stopped answering. Try again, or choose a smaller model.") from None
    except AgentRunError as error:
        raise _failure(endpoint, error, has_begun=size > 0) from error
    except Exception as error:
        raise _failure(endpoint, error, has_begun=size > 0) from error


def _text_of(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return _storable(event.part.content)
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return _storable(event.delta.content_delta)
    return ""


def _storable(text: str) -> str:
    """Return text without what no database and no frame can hold: NUL, and halves of characters."""
    return text.replace("\x00", "").encode(errors="replace").decode()


def _size_of(event: object) -> int:
    """Return how much more was written: words, thoughts, or the arguments of a call."""
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

    part = event.part if isinstance(event, PartStartEvent) else event.delta if isinstance(event, PartDeltaEvent) else None
    if isinstance(part, TextPart | ThinkingPart):
        return len(part.content)
    if isinstance(part, TextPartDelta | ThinkingPartDelta):
        return len(part.content_delta or "")
    if isinstance(part, ToolCallPart):
        return len(part.args_as_json_str())
    return len(str(part.args_delta or "")) if isinstance(part, ToolCallPartDelta) else 0


def _answer(response: ModelResponse) -> Answer:
    from pydantic_ai.messages import TextPart, ToolCallPart

    if response.finish_reason is None:
        raise ModelFailed("model_cut_off", "The model broke off in the middle of its answer. Try again.")
    if response.finish_reason == "content_filter":
        raise ModelFailed("model_refused", "The model's provider filtered the answer.")
    text = "".join(_storable(part.content) for part in response.parts if isinstance(part, TextPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    requests = tuple(ToolRequest(part.tool_call_id, _storable(part.tool_name), _storable(part.args_as_json_str())) for part in calls)
    if not text.strip() and not requests:
        raise ModelFailed("model_empty", "The model gave an empty answer. Try again.")
    return Answer(text, requests, response.usage.input_tokens, response.usage.output_tokens)


async def _as_they_are(data: dict[str, Any], expected_type: Any) -> dict[str, Any]:
    """Stand in for the client library's search for fields to rename, of which our requests have none: it takes 5 ms for 20 messages."""
    from openai._utils import is_given

    return {name: value for name, value in data.items() if is_given(value)}


def _read_tokens_only() -> None:
    """Have the client library read of an answer's usage what Penny asks for.

    It reads usage by descriptions that come with what every model of every provider costs. Those are 20 MB, and nothing here asks for them.
    """
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
    from genai_prices.types import Provider, UsageExtractor, UsageExtractorMapping

    counted = [("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")]
    mappings = [UsageExtractorMapping(path=path, dest=destination, required=True) for path, destination in counted]
    usage = UsageExtractor(root="usage", mappings=mappings, api_flavor="chat")
    openai = Provider(id="openai", name="OpenAI", api_pattern=r"https://api\.openai\.com", extractors=[usage])
    set_custom_snapshot(DataSnapshot(providers=[openai], from_auto_update=False))


@lru_cache
def _model(endpoint: Endpoint) -> OpenAIChatModel:
    import httpx2
    from openai import AsyncOpenAI
    from openai import Timeout as OpenAITimeout
    from openai.resources.chat.completions import completions
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    from agents.llm.event_stream import CoalescingTransport

    vars(completions)["async_maybe_transform"] = _as_they_are
    _read_tokens_only()
    timeout = OpenAITimeout(10 * SILENCE_S, connect=CONNECT_S)  # silence is watched above, where the tokens are
    limits = httpx2.Limits(max_connections=100, max_keepalive_connections=100)
    hooks = {"request": [_record_before_sending]}
    http = httpx2.AsyncClient(transport=CoalescingTransport(httpx2.AsyncHTTPTransport(limits=limits)), timeout=timeout, event_hooks=hooks)
    client = AsyncOpenAI(base_url=endpoint.url, api_key=endpoint.key or "none", max_retries=1, timeout=timeout, http_client=http)
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=endpoint.provider == "openai",
        openai_chat_streaming_requires_finish_reason=True,  # a stream that just ends was cut off
    )
    return OpenAIChatModel(endpoint.name, provider=OpenAIProvider(openai_client=client), profile=profile)


@lru_cache
def _sender(endpoint: Endpoint) -> OpenAIChatModel:
    """Return the model to which schemas are handed over as they are to be sent."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    model = _model(endpoint)
    profile = OpenAIModelProfile(**{**model.profile, "json_schema_transformer": None})
    return OpenAIChatModel(endpoint.name, provider=OpenAIProvider(openai_client=model.client), profile=profile)


@lru_cache(maxsize=64)
def _tools(endpoint: Endpoint, tools: tuple[ToolSpec, ...]) -> ModelRequestParameters:
    """Return tools as the model takes them: made once, as every turn needs them before its first word."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    made = [ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.schema) for tool in tools]
    return _model(endpoint).customize_request_parameters(ModelRequestParameters(function_tools=made))


def _translate(endpoint: Endpoint, request: Request, mode: JsonMode | None) -> tuple[list[ModelMessage], ModelRequestParameters, Any]:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModelSettings
    from pydantic_ai.output import OutputObjectDefinition

    instructions = request.instructions
    settings = OpenAIChatModelSettings()
    if mode == "schema":
        assert request.schema is not None
        output = OutputObjectDefinition(json_schema=request.schema, name="answer", strict=True)
        parameters = ModelRequestParameters(output_mode="native", output_object=output)
        return _messages(request, instructions), _model(endpoint).customize_request_parameters(parameters), settings
    if mode is not None:
        instructions += "\nAnswer with one JSON object of this JSON Schema and nothing else:\n" + json.dumps(request.schema)
    if mode == "object":
        settings = OpenAIChatModelSettings(extra_body={"response_format": {"type": "json_object"}})
    return _messages(request, instructions), _tools(endpoint, tuple(request.tools)), settings


def _messages(request: Request, instructions: str) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, SystemPromptPart

    parts: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(instructions)])]
    return parts + [_message(turn) for turn in request.turns]


def _message(turn: Turn) -> ModelMessage:
    from pydantic_ai.messages import BinaryContent, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

    if isinstance(turn, Returned):
        return ModelRequest(parts=[ToolReturnPart(turn.request.tool, turn.content, tool_call_id=turn.request.id)])
    if isinstance(turn, Called):
        text = [TextPart(turn.text)] if turn.text else []
        return ModelResponse(parts=[*text, *(ToolCallPart(r.tool, _object(r.arguments), tool_call_id=r.id) for r in turn.requests)])
    if turn.role == "assistant":
        return ModelResponse(parts=[TextPart(turn.text)])
    if turn.picture:
        return ModelRequest(parts=[UserPromptPart([turn.text, BinaryContent(turn.picture, media_type="image/jpeg")])])
    return ModelRequest(parts=[UserPromptPart(turn.text)])


def _object(arguments: str) -> dict[str, Any]:
    """Return arguments that an endpoint will take back: what was not a JSON object goes back as none."""
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _failure(endpoint: Endpoint, error: Exception, *, has_begun: bool) -> ModelFailed:
    from pydantic_ai import exceptions as e

    if isinstance(error, ModelFailed):
        return error
    known: Sequence[tuple[type[Exception], str, str]] = (
        (e.ModelTimeoutError, "model_slow", "The model did not answer in time. Try again, or choose a smaller model."),
        (e.ModelConnectionError, "model_unreachable", f"No model answers at {endpoint.url}. Start it, or correct PENNY_MODEL_URL."),
        (e.ModelAuthenticationError, "model_key_refused", f"{endpoint.provider} refused the key. Correct PENNY_MODEL_KEY."),
        (e.ModelNotFoundError, "model_not_found", f"{endpoint.url} has no model named {endpoint.name}. Correct PENNY_MODEL."),
        (
            e.ModelContextWindowExceededError,
            "model_context",
            "That is too much text for the model. Ask about less, or choose a larger model.",
        ),
        (e.ModelRequestRejectedError, "model_rejected", f"{endpoint.provider} refused the request."),
        (e.ModelRateLimitError, "model_busy", f"{endpoint.provider} limits how often it may be asked. Try again in a minute."),
        (e.ModelQuotaExceededError, "model_quota", f"The allowance at {endpoint.provider} is used up."),
        (e.ModelAPIError, "model_failed", f"{endpoint.provider} had a problem. Try again in a moment."),
    )
    for kind, code, message in known if not has_begun else ():
        if isinstance(error, kind):
            return ModelFailed(code, message)
    if has_begun:
        return ModelFailed("model_cut_off", "The model broke off in the middle of its answer. Try again.")
    return ModelFailed("model_failed", f"What {endpoint.url} answered is not the OpenAI protocol. Correct PENNY_MODEL_URL.")


def _record(turn: Turn) -> dict[str, Any]:
    if isinstance(turn, Said):
        return {"role": turn.role, "text": turn.text}
    if isinstance(turn, Called):
        return {"role": "assistant", "text": turn.text, "calls": [{"tool": r.tool, "arguments": r.arguments} for r in turn.requests]}
    return {"role": "tool", "tool": turn.request.tool, "content": turn.content}
