"""The providers of models, their addresses and keys, and how their settings are written. Imports no Django."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

# All of them speak the OpenAI protocol: one client serves every provider.
URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1/",
    "google": "https://generativelanguage.googleapis.com/v1beta/openai/",
    "xai": "https://api.x.ai/v1",
    "zai": "https://api.z.ai/api/paas/v4",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "openai-compatible": "",
}
# Where local model servers listen by default: name, provider, address.
LOCAL_SERVERS = [
    ("Ollama", "ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "openai-compatible", "http://127.0.0.1:1234/v1"),
    ("llama.cpp", "openai-compatible", "http://127.0.0.1:8080/v1"),
    ("vLLM", "openai-compatible", "http://127.0.0.1:8000/v1"),
    ("Jan", "openai-compatible", "http://127.0.0.1:1337/v1"),
    ("GPT4All", "openai-compatible", "http://127.0.0.1:4891/v1"),
    ("KoboldCpp", "openai-compatible", "http://127.0.0.1:5001/v1"),
    ("text-generation-webui", "openai-compatible", "http://127.0.0.1:5000/v1"),
    ("SGLang", "openai-compatible", "http://127.0.0.1:30000/v1"),
    ("Docker Model Runner", "openai-compatible", "http://127.0.0.1:12434/engines/v1"),
]
# The usual variables of a provider's key, the first one that is set counts.
KEY_VARIABLES = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "xai": ("XAI_API_KEY",),
    "zai": ("ZAI_API_KEY", "Z_AI_API_KEY"),
    "openrouter": ("OPENROUTER_API_KEY",),
}
AUTO = "auto"
# Other usual names of the same providers.
_OTHER_NAMES = {
    "claude": "anthropic",
    "gemini": "google",
    "google-ai": "google",
    "grok": "xai",
    "x-ai": "xai",
    "x.ai": "xai",
    "z-ai": "zai",
    "z.ai": "zai",
    "open-router": "openrouter",
    "open-ai": "openai",
    "openaicompatible": "openai-compatible",
}
_QUOTES = ('""', "''", "“”", "‘’", "„“", "``")


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

    @property
    def lacks_key(self) -> bool:
        """Whether it is a hosted provider's own address, which answers nobody without a key."""
        return self.provider in KEY_VARIABLES and self.url == URLS[self.provider] and not self.key


def split_model(model: str) -> tuple[str, str]:
    """Return provider and name of `provider:name`. Blanks, capitals and quotes of the provider are forgiven."""
    provider, _, name = without_quotes(model).partition(":")
    provider = re.sub(r"[\s_]+", "-", without_quotes(provider).lower())
    return _OTHER_NAMES.get(provider, provider), without_quotes(name)


def usual_key(provider: str, environment: Mapping[str, str]) -> str:
    """Return the provider's key under its usual name, "" without one."""
    keys = (clean_key(environment.get(variable, "")) for variable in KEY_VARIABLES.get(provider, ()))
    return next(filter(None, keys), "")


def without_quotes(text: str) -> str:
    """Return a setting without blanks and pairs of quotes around it: files of settings are read in many ways."""
    text = text.strip()
    while len(text) >= 2 and text[0] + text[-1] in _QUOTES:
        text = text[1:-1].strip()
    return text


def clean_url(url: str) -> str:
    """Return an address as the client needs it: without quotes, without slashes and paths of calls at its end."""
    url = without_quotes(url).rstrip("/").removesuffix("/chat/completions").rstrip("/")
    scheme, mark, rest = url.partition("://")
    return f"{scheme.lower()}{mark}{rest}" if mark and urlsplit(url).hostname else url


def clean_key(key: str) -> str:
    """Return a key without quotes and without the word that stands before it in a header."""
    key = without_quotes(key)
    return without_quotes(key[7:]) if key[:7].lower() == "bearer " else key
