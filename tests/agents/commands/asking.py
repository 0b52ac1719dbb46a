"""The time at which these tests take place, and a question to the model."""

from datetime import UTC, datetime

import pytest

from devices.models import Message
from tests.agents.background import carry_out_all, use_model
from tests.agents.outbox.send_message import reply_to, send_message
from tests.stand_ins.model_server import ModelServer

SUNDAY = datetime(2020, 11, 22, 16, 30, tzinfo=UTC)


def ask_model(monkeypatch: pytest.MonkeyPatch, model: ModelServer, words: str) -> Message:
    use_model(monkeypatch, model)
    run = send_message(words)
    carry_out_all()
    return reply_to(run)
