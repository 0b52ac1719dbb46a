"""Ask a model's server how many tokens the model takes at once. Imports no Django, and follows no redirect.

Each answer is untrusted: its bytes and its time are bounded, and what is no plausible number counts as no answer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from agents.llm.endpoint import KEY_VARIABLES, Endpoint
from agents.llm.servers.model_names import fetch_json

ASK_S = 1.5
TOO_SMALL, TOO_LARGE = 512, 10_000_000
MODELS_MAX = 2_000
# What lists of models call it: what is loaded stands before what could be.
_FIELDS = ("loaded_context_length", "context_length", "max_context_length")
_TELLS_IN_LIST = ("openrouter",)  # the hosted providers whose lists have it


def told_window(endpoint: Endpoint) -> tuple[int, str]:
    """Return the window that the server tells, and the kind of server by the way it tells; (0, "") if it does not.

    What tells of the loaded model wins. It takes ASK_S at most.
    """
    if not asks_for_window(endpoint):
        return 0, ""
    asks = _ASKS if endpoint.provider not in KEY_VARIABLES else _ASKS[-1:]
    answers = _fetch_side_by_side(endpoint, {path for path, _, _ in asks})
    numbers = ((plausible(read(answers.get(path), endpoint.name)), kind) for path, read, kind in asks)
    return next(((tokens, kind) for tokens, kind in numbers if tokens), (0, ""))


def _fetch_side_by_side(endpoint: Endpoint, paths: set[str]) -> dict[str, Any]:
    answers: dict[str, Any] = {}

    def fetch(path: str) -> None:
        answers[path] = _fetch(endpoint, path)

    threads = [threading.Thread(target=fetch, args=(path,), daemon=True) for path in paths]
    ends_at = time.monotonic() + ASK_S
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, ends_at - time.monotonic()))
    return dict(answers)


def asks_for_window(endpoint: Endpoint) -> bool:
    """Whether the server may tell: the makers' own ones do not, but one."""
    return endpoint.provider not in KEY_VARIABLES or endpoint.provider in _TELLS_IN_LIST


def plausible(value: object) -> int:
    """Return a number of tokens that can be one, else 0."""
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return value if TOO_SMALL < value <= TOO_LARGE else 0


def _fetch(endpoint: Endpoint, path: str) -> Any:
    """Return the JSON at a path: below the endpoint's address, or from the root where it begins with a slash."""
    parts = urlsplit(endpoint.url)
    root = f"{parts.scheme}://{parts.netloc}"
    url = f"{root}{path}" if path.startswith("/") else f"{endpoint.url.rstrip('/')}/{path}"
    return fetch_json(url, ASK_S, endpoint.key)


def _of_ollama(answer: Any, name: str) -> Any:
    return _row_of(answer, "models", name).get("context_length")


def _of_llama_cpp(answer: Any, _: str) -> Any:
    settings = answer.get("default_generation_settings") if isinstance(answer, dict) else None
    return settings.get("n_ctx") if isinstance(settings, dict) else None


def _of_lm_studio(answer: Any, name: str) -> Any:
    return _row_of(answer, "data", name).get("loaded_context_length")


def _of_kobold(answer: Any, _: str) -> Any:
    return answer.get("value") if isinstance(answer, dict) else None


def _of_list(answer: Any, name: str) -> Any:
    row = _row_of(answer, "data", name)
    return next((row[field] for field in _FIELDS if plausible(row.get(field))), None)


def _of_vllm(answer: Any, name: str) -> Any:
    return _row_of(answer, "data", name).get("max_model_len")


def _row_of(answer: Any, field: str, name: str) -> dict[str, Any]:
    """Return the row of a model in a list of them; of a list of one, that one."""
    rows = answer.get(field) if isinstance(answer, dict) else None
    rows = [row for row in rows[:MODELS_MAX] if isinstance(row, dict)] if isinstance(rows, list) else []
    own = name.lower().removesuffix(":latest")
    own_rows = [row for row in rows if own in _names_of(row)]
    return own_rows[0] if own_rows else rows[0] if len(rows) == 1 and field == "data" else {}


def _names_of(row: dict[str, Any]) -> set[str]:
    names = [row.get(field) for field in ("id", "name", "model")]
    small = [name.lower().removesuffix(":latest") for name in names if isinstance(name, str)]
    return {*small, *(name.rpartition("/")[2] for name in small)}


# Where a server may tell it, how, and the kind of server that tells it there. The first that tells counts.
_ASKS: tuple[tuple[str, Callable[[Any, str], Any], str], ...] = (
    ("/api/ps", _of_ollama, "Ollama"),
    ("/api/v0/models", _of_lm_studio, "LM Studio"),
    ("/props", _of_llama_cpp, "llama.cpp"),
    ("/api/extra/true_max_context_length", _of_kobold, "KoboldCpp"),
    ("models", _of_vllm, "vLLM"),
    ("models", _of_list, ""),
)
