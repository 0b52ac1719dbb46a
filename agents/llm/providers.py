"""Parse a model setting `provider:name` into an endpoint.

Imports no Django: the sandbox uses it too.
"""

import os
from collections.abc import Mapping

from agents.llm.endpoint import (
    AUTO,
    URLS,
    clean_key,
    clean_url,
    split_model,
    usual_key,
    without_quotes,
)
from agents.llm.endpoint import KEY_VARIABLES as KEY_VARIABLES
from agents.llm.endpoint import LOCAL_SERVERS as LOCAL_SERVERS
from agents.llm.endpoint import Endpoint as Endpoint
from agents.llm.endpoint import EndpointInvalid as EndpointInvalid


def parse_endpoint(
    model: str, url: str = "", key: str = "", environment: Mapping[str, str] = os.environ
) -> Endpoint | None:
    """Return the endpoint of `provider:name`, None if no model is set. Raises EndpointInvalid.

    The key of a provider's own address may also stand under its usual name, such as OPENAI_API_KEY. `auto` looks for a
    server or a key (agents/llm/servers/auto.py), and is None where there is neither.
    """
    model, url, key = without_quotes(model), clean_url(url), clean_key(key)
    if not model:
        return None
    provider, name = split_model(model)
    if provider == AUTO:
        from agents.llm.servers import auto

        return auto.find_endpoint(name, url, key, environment).endpoint
    if provider not in URLS:
        raise EndpointInvalid(f"write provider:name, the provider being one of {', '.join([*URLS, AUTO])}")
    if not name:
        raise EndpointInvalid(f"also name the model of {provider}, as {provider}:name")
    if not (url or URLS[provider]):
        raise EndpointInvalid("the provider openai-compatible also needs PENNY_MODEL_URL")
    if url == URLS[provider].rstrip("/"):
        url = ""
    if not url and not key:
        key = usual_key(provider, environment)
    return Endpoint(provider, name, url or URLS[provider], key)
