"""What the setup page, `/readyz` and `doctor` tell of the model: they ask it one word."""

from typing import Any

import httpx2
import pytest
from django.conf import settings

from agents.llm.providers import parse_endpoint
from devices.redis import sync_client
from penny_site.health.alive import BEAT_KEY
from tests.house import House
from tests.house import _house as _house
from tests.house import _sandbox as _sandbox
from tests.house import house as house
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until


@pytest.fixture
def failing(house: House, model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    monkeypatch.setattr(settings, "MODEL", parse_endpoint("Auto:scripted", model.url))
    sync_client().set(BEAT_KEY, "1")
    until(lambda: probe(house).status_code == 200, "the sandbox works", 60)
    return model


def probe(house: House) -> httpx2.Response:
    """Ask without a session."""
    with httpx2.Client(base_url=house.url, transport=house.transport.pages()) as stranger:
        return stranger.get("/readyz")


def model_part(house: House) -> dict[str, Any]:
    answer = house.http.get("/readyz")
    assert answer.status_code == 200
    return next(part for part in answer.json()["parts"] if part["name"] == "model")


def test_readyz_tells_a_failing_model_and_asks_it_once_for_many_probes(house: House, failing: ModelServer) -> None:
    failing.on(lambda _: True, Reply(status=401))
    assert "text" not in probe(house).text
    assert failing.requests == []  # a probe without a session asks nothing
    until(lambda: not model_part(house)["is_ok"], "/readyz tells the refusal", 60)  # the worker may be slow
    parts = [model_part(house) for _ in range(5)]
    assert {part["text"] for part in parts} == {f"{failing.url} wants a key, and none is set"}
    assert len(failing.requests) == 1
    page = house.http.get("/settings/model/").text
    assert f"{failing.url} wants a key, and none is set." in page
    assert len(failing.requests) == 1


def test_the_test_of_the_page_asks_anew_each_time(house: House, failing: ModelServer) -> None:
    failing.on(lambda _: True, Reply(status=429, headers={"Retry-After": "60"}))
    assert "limits how often it may be asked. Try again in a minute." in house.post("/setup/test/model/").text
    failing.reset()
    assert f"openai-compatible:scripted at {failing.url} answers." in house.post("/setup/test/model/").text
    assert len(failing.requests) == 1
    assert model_part(house)["is_ok"]
    assert len(failing.requests) == 1


def test_the_doctor_asks_the_model_and_does_not_fail_for_it(house: House, failing: ModelServer) -> None:
    failing.on(lambda _: True, Reply())
    assert " note  Model: The model gave an empty answer. Try again." in house.manage("doctor")
    failing.reset()
    assert f"   ok  Model: openai-compatible:scripted at {failing.url} answers" in house.manage("doctor")
