"""A window that was found outlives a restart, with its age, and goes with its model, its address and its time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from agents.llm import windows
from agents.llm.endpoint import Endpoint
from agents.llm.messages import ModelFailed
from agents.llm.servers.window_answers import TOO_LARGE
from agents.llm.window_words import window_line
from agents.llm.windows import LEAST, LIMIT_S, SMALL, KnownWindow, Window
from agents.model_choice.choose import Chosen, choose_others, forget_choice, store_choice
from agents.model_choice.in_use import models_in_use
from agents.model_choice.kept_windows import keep_window, recall_windows, stored_window
from agents.models import ModelWindow
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from devices.db import in_db
from penny_site.health import model as health
from penny_site.health.part import Part
from tests.agents.runs.test_fit import context as context  # a fixture
from tests.agents.runs.test_fit import history, planner
from tests.stand_ins.model_server import ModelServer, Reply

pytestmark = pytest.mark.django_db(transaction=True)
HERE = Chosen("ollama", "kept", "http://127.0.0.1:1/v1")


@pytest.fixture(autouse=True)
def _nothing_is_known() -> Iterator[None]:
    windows.forget_windows()
    yield
    windows.forget_windows()


def chosen_endpoint(chosen: Chosen = HERE) -> Endpoint:
    store_choice(chosen)
    endpoint = models_in_use().main
    assert endpoint is not None
    return endpoint


def restart() -> None:
    windows.forget_windows()
    recall_windows()


async def test_a_window_that_a_refusal_showed_outlives_a_restart_for_a_while(
    context: Context, model: ModelServer
) -> None:
    model.window.told_by = ""
    endpoint = await in_db(chosen_endpoint)(Chosen("openai-compatible", "refuses", model.url))
    model.on(lambda _: True, Reply(status=413))
    with pytest.raises(ModelFailed):
        await ask_recorded(context, endpoint, planner(history(1))(3_000))
    tokens = windows.window_of(endpoint)
    assert LEAST <= tokens < SMALL
    await in_db(restart)()
    assert windows.window(endpoint) == Window(tokens, "found")
    await ModelWindow.objects.aupdate(found_at=timezone.now() - timedelta(seconds=LIMIT_S + 1))
    await in_db(restart)()
    assert windows.window(endpoint) == Window(SMALL, "guess")


def test_a_server_that_is_started_again_with_more_is_believed_also_after_a_restart(model: ModelServer) -> None:
    endpoint = chosen_endpoint(Chosen("ollama", "scripted", model.url))
    model.window.ollama(4_096)
    windows.ask_now(endpoint)
    windows.limit_window(endpoint, 2_000)
    keep_window(endpoint)
    restart()
    windows.ask_now(endpoint)
    assert windows.window(endpoint) == Window(2_000, "found", "Ollama")
    model.window.ollama(16_384)
    windows.ask_now(endpoint)
    assert windows.window(endpoint) == Window(16_384, "told", "Ollama")


@pytest.mark.parametrize(
    "row",
    [
        {"found": 3, "found_at": timedelta()},
        {"found": TOO_LARGE + 1, "found_at": timedelta()},
        {"found": 2_000, "found_at": timedelta(hours=-1)},
        {"found": 2_000, "found_at": None},
        {"told": 7},
        {"told": 2_000_000_000},
    ],
)
def test_a_row_that_cannot_be_counts_as_none(row: dict[str, object]) -> None:
    endpoint = chosen_endpoint()
    ago = row.get("found_at")
    found_at = timezone.now() - ago if isinstance(ago, timedelta) else None
    ModelWindow.objects.create(url=endpoint.url, name=endpoint.name, **row | {"found_at": found_at})
    assert replace(stored_window(endpoint), age_s=0) == KnownWindow()
    restart()
    assert windows.window(endpoint).is_guess


@pytest.mark.parametrize(
    "change",
    [
        lambda: store_choice(replace(HERE, name="other")),
        lambda: store_choice(replace(HERE, url="http://127.0.0.1:2/v1")),
        forget_choice,
    ],
)
def test_another_model_or_address_forgets_it(change: object) -> None:
    endpoint = chosen_endpoint()
    windows.limit_window(endpoint, 2_000)
    keep_window(endpoint)
    choose_others("kept-reader", "", "")
    assert ModelWindow.objects.count() == 1
    assert callable(change)
    change()
    assert not ModelWindow.objects.exists()
    store_choice(HERE)
    restart()
    assert windows.window(endpoint).is_guess


def test_an_address_with_a_password_is_not_stored() -> None:
    keep_window(Endpoint("ollama", "m", "http://me:secret@127.0.0.1/v1"))
    assert not ModelWindow.objects.exists()


@pytest.mark.usefixtures("redis")
def test_settings_say_what_holds_now_and_how_old_it_is() -> None:
    endpoint = chosen_endpoint()
    health.store_answer(endpoint, Part("model", "Model", True, False, "answers", note="as it was when it was asked"))
    assert health.check_model().note == window_line(endpoint, Window(SMALL, "guess"))
    windows.limit_window(endpoint, 2_000)
    keep_window(endpoint)
    assert health.check_model().note.startswith("kept: 2,000 tokens (more was too long just now), too little")
    ModelWindow.objects.update(found_at=timezone.now() - timedelta(minutes=12, seconds=5))
    assert "kept: 2,000 tokens (more was too long 12 minutes ago)" in health.check_model().note
