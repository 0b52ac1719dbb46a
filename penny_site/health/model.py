"""Check the model: by asking it one word. What it answered counts for some minutes."""

import asyncio
import json
import time
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import redis
from constance import config
from django.conf import settings
from django.db import DatabaseError
from kombu.exceptions import OperationalError

from agents.llm import windows
from agents.llm.messages import ModelFailed
from agents.llm.providers import LOCAL_SERVERS, Endpoint
from agents.llm.servers.model_names import fetch_model_names, fetch_side_by_side
from agents.llm.window_words import window_line
from agents.model_choice.in_use import Models, models_in_use
from agents.model_choice.kept_windows import recall_window, stored_window
from devices.redis import sync_client, wake
from penny_site.health.alive import WORKER_KEY
from penny_site.health.part import START, Part

TASK, ASKING = "penny.try_model", "model:asking"
TRIAL_S, NAMES_S, WAIT_S, KEPT_S = 60.0, 5.0, 5.0, 24 * 3600
# So long no further word is asked for. A model that fails is asked sooner: it costs nothing.
WORKING_S, FAILING_S = 300.0, 60.0
NAMES_SHOWN = 8
CHOOSE = "Choose one under Settings › Model."
ENTER_AGAIN = "Enter it again under Settings › Model."


@dataclass(frozen=True)
class LocalModel:
    """A model server on this machine, and the names of its models."""

    server: str
    provider: str
    url: str
    models: list[str]


def find_local_models() -> list[LocalModel]:
    names_by_url = fetch_side_by_side([url for _, _, url in LOCAL_SERVERS], 1.0)
    return [
        LocalModel(server, provider, url, names_by_url[url])
        for server, provider, url in LOCAL_SERVERS
        if url in names_by_url
    ]


def check_model(*, asks: bool = False) -> Part:
    """Return what the model answered when it was last asked.

    With `asks` the worker asks it again if that was some minutes ago, and is waited for, for a few seconds.
    """
    models = _models()
    endpoint = models.main
    if endpoint is None:
        why = models.trouble or settings.MODEL_NOTE or "none is set"
        advice = ENTER_AGAIN if models.trouble else CHOOSE
        return Part("model", "Model", False, False, f"{why}: Penny quotes instead of writing", advice)
    try:
        answer = _last_answer(endpoint)
        if asks and (answer is None or answer.is_due) and _have_asked():
            answer = _wait_for_newer(endpoint, answer)
    except (redis.RedisError, OperationalError, OSError):
        answer = None
    if answer is None:
        return Part("model", "Model", True, False, f"{endpoint} at {endpoint.url}, not asked yet", is_tried=False)
    return replace(answer.part, note=_kept_note(endpoint)) if answer.part.note else answer.part


def try_in_worker() -> Part:
    """Have the worker ask the model now: this process has no model's client. Without a worker, ask it here."""
    if _models().main is None:
        return check_model()
    key = f"model-tried:{uuid4().hex}"
    try:
        if not sync_client().exists(WORKER_KEY):
            return ask_here()
        _send_task(key)
        wait_s = int(TRIAL_S + NAMES_S) + 5
        answer = sync_client(wait_s).blpop([key], timeout=wait_s)
    except (redis.RedisError, OperationalError, OSError):
        return ask_here()
    if answer is None:
        return Part("model", "Model", False, False, "the worker did not ask it in time", START)
    return Part(**json.loads(answer[1]))


def ask_here() -> Part:
    """Ask the model in this process, which then loads the client of models."""
    from agents.worker.loop import worker_loop

    endpoint = _models().main
    if endpoint is None:
        return check_model()
    recall_window(endpoint)
    return asyncio.run_coroutine_threadsafe(ask(endpoint, silence_s()), worker_loop()).result()


def _models() -> Models:
    try:
        return models_in_use()
    except DatabaseError:  # before the first start
        return Models()


async def ask(endpoint: Endpoint, longest_s: float) -> Part:
    """Ask a model for one word, and return how that went."""
    from agents.runs.try_model import try_model  # the web process asks in the worker

    try:
        await try_model(endpoint, longest_s)
    except ModelFailed as error:
        text, _, advice = str(error).partition(". ")
        if error.code in ("model_not_found", "model_failed"):
            advice += await asyncio.to_thread(_hint, endpoint)
        return Part("model", "Model", False, False, text.removesuffix("."), advice)
    names = await asyncio.to_thread(fetch_model_names, endpoint.url, NAMES_S, endpoint.key)
    doubt = f", though its list names only {_joined_names(names)}" if names and not _has(names, endpoint.name) else ""
    note = await asyncio.to_thread(_window_note, endpoint)
    return Part("model", "Model", True, False, f"{endpoint} at {endpoint.url} answers{doubt}", note=note)


def store_answer(endpoint: Endpoint, part: Part, key: str = "") -> None:
    """Keep the answer for `check_model`, and hand it to whoever waits for `key`. Raises RedisError."""
    sync_client().set(_answer_key(endpoint), json.dumps({"at": time.time(), "part": asdict(part)}), ex=KEPT_S)
    sync_client().delete(ASKING)
    if key:
        wake(key, json.dumps(asdict(part)), keep_s=30)


def silence_s() -> float:
    """Return how long a trial waits for the model."""
    try:
        return min(float(config.MODEL_SILENCE_S), TRIAL_S)
    except DatabaseError:  # before the first start
        return TRIAL_S


def _window_note(endpoint: Endpoint) -> str:
    """Return how much the model takes at once. It has just answered, so its server has loaded it."""
    windows.ask_now(endpoint)
    return window_line(endpoint, windows.window(endpoint, window_setting()))


def _kept_note(endpoint: Endpoint) -> str:
    """Return how much the model takes at once by what the worker stored, with the setting as it is now."""
    return window_line(endpoint, window_in_use(endpoint))


def window_in_use(endpoint: Endpoint) -> windows.Window:
    return windows.window_from(endpoint, stored_window(endpoint), window_setting())


def window_setting() -> int:
    try:
        return int(config.MODEL_WINDOW)
    except DatabaseError:  # before the first start
        return 0


def _hint(endpoint: Endpoint) -> str:
    """Return what may be wrong with an endpoint that knows no such model, or speaks otherwise."""
    names = fetch_model_names(endpoint.url, NAMES_S, endpoint.key)
    if names and not _has(names, endpoint.name):
        return f" It has: {_joined_names(names)}."
    return "" if urlsplit(endpoint.url).path.strip("/") else " Such an address usually ends in /v1."


def _has(names: list[str], name: str) -> bool:
    """Whether a list of models names this one. Some lists add a folder before it, or a version behind it."""
    own = name.lower()
    return any(
        own in (label, label.removesuffix(":latest"), label.rpartition("/")[2]) for label in map(str.lower, names)
    )


def _joined_names(names: list[str]) -> str:
    return ", ".join(names[:NAMES_SHOWN]) + (" and more" if len(names) > NAMES_SHOWN else "")


@dataclass(frozen=True)
class _Answer:
    """What an endpoint answered, and when: `at` is a time of `time.time`."""

    at: float
    part: Part

    @property
    def is_due(self) -> bool:
        return time.time() - self.at > (WORKING_S if self.part.is_ok else FAILING_S)


def _last_answer(endpoint: Endpoint) -> _Answer | None:
    text = sync_client().get(_answer_key(endpoint)) if settings.REDIS_URL else None
    if text is None:
        return None
    answer: dict[str, Any] = json.loads(str(text))
    return _Answer(answer["at"], Part(**answer["part"]))


def _wait_for_newer(endpoint: Endpoint, last: _Answer | None) -> _Answer | None:
    """Return the answer that comes within a few seconds, else the last one."""
    ends_at = time.monotonic() + WAIT_S
    answer = _last_answer(endpoint)
    while answer == last and time.monotonic() < ends_at:
        time.sleep(0.05)
        answer = _last_answer(endpoint)
    return answer


def _answer_key(endpoint: Endpoint) -> str:
    """Return the Redis key of an endpoint's answer. Another key of the provider is another endpoint."""
    text = f"{endpoint}\n{endpoint.url}\n{endpoint.key}"
    return f"model:answer:{sha256(text.encode()).hexdigest()[:32]}"


def _have_asked() -> bool:
    """Have the worker ask the model, unless it already does so. Return whether an answer will come."""
    if not settings.REDIS_URL or not sync_client().exists(WORKER_KEY):
        return False
    if sync_client().set(ASKING, "1", ex=int(TRIAL_S + NAMES_S) + 5, nx=True):
        _send_task("")
    return True


def _send_task(key: str) -> None:
    from celery import current_app

    current_app.send_task(TASK, [key], queue="runs", expires=TRIAL_S)
