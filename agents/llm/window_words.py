"""Say how much a model takes at once, and what helps where that is little. Imports no Django."""

from urllib.parse import urlsplit

from agents.llm.endpoint import LOCAL_SERVERS, Endpoint
from agents.llm.windows import Window, is_local

ENOUGH, LITTLE = 16_384, 3_000
_MORE = {
    "Ollama": "start Ollama with OLLAMA_CONTEXT_LENGTH=16384",
    "llama.cpp": "start llama.cpp with -c 16384",
    "LM Studio": "set Context Length to 16384 when LM Studio loads the model",
    "vLLM": "start vLLM with --max-model-len 16384",
    "SGLang": "start SGLang with --context-length 16384",
    "KoboldCpp": "start KoboldCpp with --contextsize 16384",
    "text-generation-webui": "start text-generation-webui with --ctx-size 16384",
    "Jan": "set Context Size to 16384 for the model in Jan",
    "GPT4All": "set Context Length to 16384 for the model in GPT4All",
    "Docker Model Runner": "run docker model configure --context-size 16384 for the model",
}
_PORTS = {urlsplit(url).port: name for name, _, url in LOCAL_SERVERS}


def window_line(endpoint: Endpoint, window: Window) -> str:
    """Return the size of a window in words; of a small one also what helps."""
    advice = advice_words(endpoint, window)
    return f"{endpoint.name}: {size_words(window)}{f'; {advice}' if advice else ''}"


def size_words(window: Window) -> str:
    size = f"{window.tokens:,} tokens{_doubt(window)}"
    if window.tokens >= ENOUGH:
        return size
    return f"{size}, {'enough for short pages' if window.tokens >= LITTLE else 'too little for most answers'}"


def advice_words(endpoint: Endpoint, window: Window) -> str:
    """Return what helps where a model takes little at once, else nothing."""
    return more_words(endpoint, window) if window.tokens < ENOUGH else ""


def _doubt(window: Window) -> str:
    if window.is_guess:
        return " (not told by the server)"
    if window.source != "found":
        return ""
    minutes = int(window.age_s // 60)
    when = f"{minutes} minutes ago" if minutes > 1 else "just now"
    return f" (more was too long {when})"


def too_long_words(endpoint: Endpoint, window: Window, what: str = "That") -> str:
    """Return why a request is not sent, and what helps."""
    doubt = ", as far as its server tells" if window.is_guess else ""
    return (
        f"{what} is too long for {endpoint.name}, which takes {window.tokens:,} tokens at once{doubt}. "
        f"Ask about less, or {more_words(endpoint, window)}."
    )


def more_words(endpoint: Endpoint, window: Window) -> str:
    if window.source == "setting":
        return "raise “Window of the model” in the settings if the model takes more"
    if not is_local(endpoint):
        return "choose a model that takes more at once"
    server = window.server or ("Ollama" if endpoint.provider == "ollama" else _PORTS.get(urlsplit(endpoint.url).port))
    return _MORE.get(server or "", "give the model a window of 16384 tokens where its server is started")
