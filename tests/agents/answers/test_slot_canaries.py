"""The value of a slot is in no request of a task, a reading or a search by meaning."""

import numpy as np
import pytest
from django.conf import settings
from numpy.typing import NDArray

from agents.embeddings import embed
from agents.llm.providers import Endpoint
from agents.memory import remember
from agents.models import Memory
from agents.zones import slots
from agents.zones.inputs import Private
from devices.models import Device
from tests.agents.answers.tasks import run_now, schedule_task
from tests.agents.background import Clock
from tests.stand_ins.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
CANARY = "ada.canary@mail.example"
TASK = f"Look whether coffee.example/water writes to {CANARY.upper()}"


@pytest.fixture
def email() -> Memory:
    return remember.keep_slot("email", CANARY, Memory.Source.OWNER)


def has_canary(model: ModelServer) -> bool:
    return any(CANARY in request.everything.lower() for request in model.requests)


def test_no_request_of_a_task_has_a_value_and_without_the_defence_one_has(
    clock: Clock, canned_browser: Device, model: ModelServer, email: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_now(schedule_task(TASK))
    assert model.requests
    assert any("{{email}}" in request.everything for request in model.requests)
    assert not has_canary(model)
    monkeypatch.setattr(slots, "hide_in_request", lambda request, _: request)
    run_now(schedule_task(TASK))
    assert has_canary(model)


def test_a_sentence_that_repeats_a_value_is_told_without_it(
    clock: Clock, model: ModelServer, email: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember.remember(f"Newsletters go to {CANARY}, never to work.", Memory.Source.OWNER)
    run_now(schedule_task("Write a line about newsletters"))
    assert any("Newsletters go to {{email}}, never to work." in request.everything for request in model.requests)
    assert not has_canary(model)


@pytest.mark.parametrize("is_hidden", [True, False])
def test_what_an_endpoint_embeds_has_no_value(email: Memory, monkeypatch: pytest.MonkeyPatch, is_hidden: bool) -> None:
    texts = list[str]()

    def answer(endpoint: Endpoint, batch: list[Private]) -> NDArray[np.float32]:
        texts.extend(text.text for text in batch)
        return np.ones((len(batch), 2), np.float32)

    monkeypatch.setattr(settings, "EMBEDDING_MODEL", Endpoint("openai-compatible", "m", "http://127.0.0.1:9/v1"))
    monkeypatch.setattr(embed, "_request_vectors", answer)
    if not is_hidden:
        monkeypatch.setattr(embed, "hide_values", lambda text, _: text)
    embed.embed([Private(f"letters to {CANARY}")])
    assert texts == ["letters to {{email}}" if is_hidden else f"letters to {CANARY}"]
