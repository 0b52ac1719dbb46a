"""Choose the model of the setting `auto`: a server on this machine, else the one key that is set. Imports no Django."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agents.llm.endpoint import (
    KEY_VARIABLES,
    LOCAL_SERVERS,
    URLS,
    Endpoint,
    EndpointInvalid,
    clean_key,
    usual_key,
)
from agents.llm.servers.model_names import fetch_model_names, fetch_side_by_side

LOOK_S, NAMED_LOOK_S = 1.0, 5.0
# A model of each provider for who names none: capable of tools, and not the dearest.
USUAL_MODELS = {
    "openai": "gpt-5-mini",
    "anthropic": "claude-sonnet-4-5",
    "google": "gemini-flash-latest",
    "xai": "grok-4",
    "zai": "glm-5",
    "openrouter": "openrouter/auto",
}
# How the keys of the providers begin. The first form that fits counts.
_KEY_FORMS = {
    "anthropic": re.compile(r"sk-ant-"),
    "openrouter": re.compile(r"sk-or-"),
    "xai": re.compile(r"xai-"),
    "google": re.compile(r"AIza|AQ\."),
    "zai": re.compile(r"[0-9a-f]{32}\.\w{8,}"),
    "openai": re.compile(r"sk-(?:proj|svcacct|admin|None)-|sk-\w{20,}T3BlbkFJ"),
}
# Models that answer no words: they compare, hear, speak or draw.
NOT_FOR_WORDS = re.compile(
    r"embed|\bbge\b|minilm|\bgte\b|\be5\b|rerank|whisper|\btts\b|\bclip\b|diffusion|\bflux\b|moderation|\bocr\b",
    re.IGNORECASE,
)
# Ollama lists models that run at its maker's beside those of this machine.
ELSEWHERE = re.compile(r"[:-]cloud$", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """The endpoint of `auto`. Without one, `why` says what was looked for."""

    endpoint: Endpoint | None
    why: str = ""


def find_endpoint(name: str, url: str, key: str, environment: Mapping[str, str]) -> Choice:
    """Return the model to use; `name`, if any, is the model that the owner wants. Raises EndpointInvalid.

    The server at `url` counts where one is named. A key goes to its own provider, or to that server; never to another.
    """
    if url:
        return _choose_at(url, key, name)
    endpoint = _find_local(name)
    if endpoint is None:
        endpoint = _choose_by_key(name, key, environment)
    if endpoint is not None:
        return Choice(endpoint)
    which = f" with {name}" if name else " with a model for words"
    return Choice(None, f"auto found no model server{which} on this machine, and no key")


def _choose_at(url: str, key: str, name: str) -> Choice:
    names = fetch_model_names(url, NAMED_LOOK_S, key)
    fitting = _fitting(names or [], name)
    if names is None and not name:
        return Choice(None, f"auto got no list of models from {url}")
    if not fitting and not name:
        return Choice(None, f"auto found no model for words at {url}")
    return Choice(Endpoint("openai-compatible", fitting[0] if fitting else name, url, key))


def _find_local(name: str) -> Endpoint | None:
    """Return the first fitting model of the first server that has one, in the order of LOCAL_SERVERS."""
    names_by_url = fetch_side_by_side([url for _, _, url in LOCAL_SERVERS], LOOK_S)
    for _, provider, url in LOCAL_SERVERS:
        names = [own for own in names_by_url.get(url, []) if not ELSEWHERE.search(own)]
        if fitting := _fitting(names, name):
            return Endpoint(provider, fitting[0], url)
    return None


def _fitting(names: list[str], name: str) -> list[str]:
    if not name:
        return [own for own in names if not NOT_FOR_WORDS.search(own)]
    small = name.lower()
    return [own for own in names if own.lower() in (small, f"{small}:latest")]


def _choose_by_key(name: str, key: str, environment: Mapping[str, str]) -> Endpoint | None:
    if key := clean_key(key):
        provider = provider_of_key(key)
        if not provider:
            raise EndpointInvalid(
                f"auto cannot tell whose key PENNY_MODEL_KEY is: write PENNY_MODEL=provider:name, the provider being "
                f"one of {', '.join(KEY_VARIABLES)}"
            )
        return Endpoint(provider, name or USUAL_MODELS[provider], URLS[provider], key)
    providers = [provider for provider in KEY_VARIABLES if usual_key(provider, environment)]
    if len(providers) > 1:
        variables = [_variable_of(provider, environment) for provider in providers]
        examples = [f"PENNY_MODEL={provider}:{name or USUAL_MODELS[provider]}" for provider in providers]
        raise EndpointInvalid(
            f"auto found keys of several providers, {_joined(variables, 'and')}. Which one should it be? Write "
            f"{_joined(examples, 'or')}"
        )
    if not providers:
        return None
    [provider] = providers
    return Endpoint(provider, name or USUAL_MODELS[provider], URLS[provider], usual_key(provider, environment))


def provider_of_key(key: str) -> str:
    """Return whose key this is, by how it begins; "" where that does not tell."""
    return next((provider for provider, form in _KEY_FORMS.items() if form.match(key)), "")


def _variable_of(provider: str, environment: Mapping[str, str]) -> str:
    return next(name for name in KEY_VARIABLES[provider] if clean_key(environment.get(name, "")))


def _joined(words: list[str], conjunction: str) -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"
