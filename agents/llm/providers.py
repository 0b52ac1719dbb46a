"""Parse a model setting `provider:name` into an endpoint.

Imports no Django: the sandbox uses it too.
"""

from dataclasses import dataclass, field

# All of them speak the OpenAI protocol: one client serves every provider.
URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1/",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai/",
    "ollama": "http://127.0.0.1:11434/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "openai-compatible": "",
}
# Where local model servers listen by default: name, provider, address.
LOCAL_SERVERS = [
    ("Ollama", "ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "openai-compatible", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "openai-compatible", "http://127.0.0.1:8080/v1"),
    ("vLLM", "openai-compatible", "http://127.0.0.1:8000/v1"),
]


class EndpointInvalid(ValueError):
    """An unusable model setting. The text says what to write instead."""


@dataclass(frozen=True)
class Endpoint:
    """One model at one OpenAI-compatible address. `key` is in no repr, so in no log."""

    provider: str
    name: str
    url: str
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


def parse_endpoint(model: str, url: str = "", key: str = "") -> Endpoint | None:
    """Return the endpoint of `provider:name`, None if no model is set. Raises EndpointInvalid."""
    if not model:
        return None
    provider, _, name = model.partition(":")
    if provider not in URLS or not name:
        raise EndpointInvalid(f"write provider:name, the provider being one of {', '.join(URLS)}")
    if not (url or URLS[provider]):
        raise EndpointInvalid("the provider openai-compatible also needs PENNY_MODEL_URL")
    return Endpoint(provider, name, url or URLS[provider], key)
