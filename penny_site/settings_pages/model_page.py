"""The context of the page Model: which models are in use, what sets them, and whether they answer."""

import os
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from agents.llm.endpoint import KEY_VARIABLES, LOCAL_SERVERS, Endpoint
from agents.llm.failures.refusals import WHERE
from agents.llm.servers.auto import ELSEWHERE, NOT_FOR_WORDS
from agents.llm.window_words import advice_words, size_words
from agents.model_choice.hand_over import can_hand_over
from agents.model_choice.in_use import is_set_by_environment, models_in_use
from agents.model_choice.models import ModelChoice
from penny_site.health import parts
from penny_site.health.model import LocalModel, check_model, find_local_models, window_in_use
from penny_site.settings_pages.model_forms import PROVIDERS, HostedForm, OthersForm, ServerForm

TEMPLATE = "penny_site/settings/model.html"
HERE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class ModelRow:
    """A model of a server on this machine."""

    name: str
    url: str
    is_in_use: bool

    @property
    def is_elsewhere(self) -> bool:
        """Whether the server only passes on what it gets: the model runs on the computers of its maker."""
        return ELSEWHERE.search(self.name) is not None


def model_page(**changes: Any) -> dict[str, Any]:
    """Return the context of the page. `changes` replaces parts of it, such as a form with errors."""
    models, choice = models_in_use(), ModelChoice.objects.first()
    by_environment = is_set_by_environment()
    provider = choice.provider if choice and choice.provider in PROVIDERS else ""
    context = {
        "models": models,
        "choice": None if by_environment else choice,
        "by_environment": by_environment,
        "variables": _variables() if by_environment else (),
        "place": _place_of(models.main) if models.main else "",
        "hosted_form": HostedForm(initial={"provider": provider, "name": choice.name if choice and provider else ""}),
        "server_form": ServerForm(initial=_server_fields(choice) if choice and not provider else None),
        "others_form": OthersForm(initial=_others(choice) if choice else None),
        "opens": "server" if choice and not provider and (choice.sealed_key or not _is_usual(choice.url)) else "",
    }
    return context | model_state() | changes


def model_state(*, asks: bool = False) -> dict[str, Any]:
    """Return whether the model answers, and what the sandbox reads with. With `asks`, wait some seconds for that."""
    models, report = models_in_use(), parts.sandbox_report()
    part = check_model(asks=asks)
    part = replace(part, advice=part.advice.replace(WHERE, "below"))
    reader = str(models.reader or "")
    is_behind = report is not None and report.model != reader
    is_starting = report is None and models.main is not None  # the supervisor replaces the reader, or starts it anew
    return {
        "part": part,
        **_window_words(models.main),
        "acts_with": models.act.name if models.act and models.act != models.main else "",
        "reads_with": report.model.partition(":")[2] if report else None,
        "reader": reader,
        "reader_name": models.reader.name if models.reader else "",
        "is_behind": is_behind,
        "can_hand_over": can_hand_over(),
        "is_settling": (models.main is not None and not part.is_tried)
        or ((is_behind or is_starting) and can_hand_over()),
    }


def _window_words(endpoint: Endpoint | None) -> dict[str, str]:
    """Return how much the model takes at once, and what helps where that is little."""
    if endpoint is None:
        return {}
    window = window_in_use(endpoint)
    return {"window_size": size_words(window), "window_advice": advice_words(endpoint, window)}


def found_models() -> list[tuple[LocalModel, list[ModelRow]]]:
    """Return the model servers of this machine, each with its models for words. It takes a second at most."""
    main = models_in_use().main
    return [
        (
            server,
            [
                ModelRow(name, server.url, main is not None and (main.url, main.name) == (server.url, name))
                for name in server.models
                if not NOT_FOR_WORDS.search(name)
            ],
        )
        for server in find_local_models()
    ]


def _others(choice: ModelChoice) -> dict[str, str]:
    return {"reader": choice.reader, "vision": choice.vision, "act": choice.act}


def _server_fields(choice: ModelChoice) -> dict[str, str]:
    return {"url": choice.url, "name": choice.name}


def _is_usual(address: str) -> bool:
    return any(url == address for _, _, url in LOCAL_SERVERS)


def _place_of(endpoint: Endpoint) -> str:
    """Return where a model runs, in words."""
    server = next((name for name, _, url in LOCAL_SERVERS if url == endpoint.url), "")
    host = urlsplit(endpoint.url).hostname or endpoint.url
    if endpoint.provider in PROVIDERS:
        return f"at {PROVIDERS[endpoint.provider]}{', without a key' if endpoint.lacks_key else ''}"
    if host in HERE and ELSEWHERE.search(endpoint.name):
        return f"on the computers of {server or 'its maker'}"
    if host in HERE:
        return f"in {server} on this computer" if server else "on this computer"
    return f"at {host}"


def _variables() -> list[str]:
    """Return the variables of the environment that set the model, by their names alone."""
    others = ["PENNY_READER_MODEL", "PENNY_VISION_MODEL", "PENNY_ACT_MODEL"]
    names = ["PENNY_MODEL", "PENNY_MODEL_URL", *others, "PENNY_MODEL_KEY"]
    present = [name for name in names if os.environ.get(name)]
    endpoint = models_in_use().main
    if "PENNY_MODEL_KEY" not in present and endpoint is not None and endpoint.key:
        usual = KEY_VARIABLES.get(endpoint.provider, ())
        present += [name for name in usual if os.environ.get(name)][:1]
    return present or names[:1]
