"""A model that went away is told, and answers again when it is back."""

import pytest
from django.conf import settings

from agents.llm.providers import parse_endpoint
from devices import protocol as p
from tests.house import House
from tests.penny import free_port
from tests.stand_ins.model_server import NAME, run_model_server


def test_a_model_that_went_away_is_told_and_answers_again_when_it_is_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1"
    monkeypatch.setattr(settings, "MODEL", parse_endpoint(f"openai-compatible:{NAME}", url))
    with house.client() as client:
        failed = client.expect(p.TurnFailed, 60, turn_id=client.say("Are you there?"))
        assert failed.error.code == "model_unreachable"
        assert url in failed.message.text
        with run_model_server(port):
            assert "And now?" in client.ask("And now?").text
