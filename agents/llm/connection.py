"""Build the OpenAI-compatible client of an endpoint.

The clients of the endpoints that were used last are kept. One that falls out is closed on the loop that used it last:
a dropped one would leave its connections open. Every request passes the audit hook.
"""

from __future__ import annotations

import asyncio
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.llm.audit import record_before_sending
from agents.llm.providers import Endpoint

if TYPE_CHECKING:
    from pydantic_ai.models.openai import OpenAIChatModel


SILENCE_S = 120.0  # before the first token: a local model may need minutes for a long page
CONNECT_S = 5.0
CLIENTS_MAX = 8  # endpoints: the planner's, the reader's, the one that sees, and those just tried in Settings


class _Client(NamedTuple):
    """The models of one endpoint, which share a client. `loop`: the one that used them last."""

    chat: OpenAIChatModel
    schema: OpenAIChatModel
    loop: asyncio.AbstractEventLoop | None


_clients: dict[Endpoint, _Client] = {}  # the one that was used last stands at the end
_lock = Lock()


async def _skip_transform(data: dict[str, Any], expected_type: Any) -> dict[str, Any]:
    """Replace the client library's search for fields to rename; our requests have none.

    The search takes 5 ms for 20 messages.
    """
    from openai._utils import is_given

    return {name: value for name, value in data.items() if is_given(value)}


def _read_tokens_only() -> None:
    """Make the client library read token counts only.

    Its default price tables hold 20 MB that Penny does not use.
    """
    from genai_prices.data_snapshot import DataSnapshot, set_custom_snapshot
    from genai_prices.types import Provider, UsageExtractor, UsageExtractorMapping

    fields = [("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens")]
    mappings = [UsageExtractorMapping(path=path, dest=destination, required=True) for path, destination in fields]
    usage = UsageExtractor(root="usage", mappings=mappings, api_flavor="chat")
    openai = Provider(id="openai", name="OpenAI", api_pattern=r"https://api\.openai\.com", extractors=[usage])
    set_custom_snapshot(DataSnapshot(providers=[openai], from_auto_update=False))


def chat_model(endpoint: Endpoint) -> OpenAIChatModel:
    return _client_of(endpoint).chat


def schema_model(endpoint: Endpoint) -> OpenAIChatModel:
    """Return the model that takes schemas as they are; `translate.py` has already adapted them."""
    return _client_of(endpoint).schema


def _client_of(endpoint: Endpoint) -> _Client:
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        loop = None
    with _lock:
        client = _clients.pop(endpoint, None) or _new_client(endpoint)
        _clients[endpoint] = client = client._replace(loop=loop or client.loop)
        left = [_clients.pop(oldest) for oldest in list(_clients)[:-CLIENTS_MAX]]
    for unused in left:
        if unused.loop is not None and unused.loop.is_running():
            asyncio.run_coroutine_threadsafe(unused.chat.client.close(), unused.loop)
    return client


def _new_client(endpoint: Endpoint) -> _Client:
    import httpx2
    from openai import AsyncOpenAI
    from openai import Timeout as OpenAITimeout
    from openai.resources.chat.completions import completions
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    from agents.llm.streams.event_stream import CoalescingTransport

    vars(completions)["async_maybe_transform"] = _skip_transform
    _read_tokens_only()
    timeout = OpenAITimeout(10 * SILENCE_S, connect=CONNECT_S)  # client.py times the gaps between tokens
    limits = httpx2.Limits(max_connections=100, max_keepalive_connections=100)
    hooks = {"request": [record_before_sending]}
    http = httpx2.AsyncClient(
        transport=CoalescingTransport(httpx2.AsyncHTTPTransport(limits=limits)), timeout=timeout, event_hooks=hooks
    )
    client = AsyncOpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        max_retries=0,  # retries.py repeats
        timeout=timeout,
        http_client=http,
        default_headers={"Accept-Encoding": "identity"},  # event_stream.py reads the bytes
    )
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=endpoint.provider == "openai",
        # The library knows a tag only as a piece of its own. hidden_text.py finds tags wherever a stream is cut.
        thinking_tags=("\x00", "\x00"),
    )
    provider = OpenAIProvider(openai_client=client)
    chat = OpenAIChatModel(endpoint.name, provider=provider, profile=profile)
    as_they_are = OpenAIModelProfile(**{**chat.profile, "json_schema_transformer": None})
    return _Client(chat, OpenAIChatModel(endpoint.name, provider=provider, profile=as_they_are), None)
