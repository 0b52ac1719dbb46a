from typing import Any

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from devices.models import Device
from tests.agents.vault.worker import Worker


@pytest.fixture
def keeper() -> Device:
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    worker = Worker()
    monkeypatch.setattr(current_app, "send_task", worker.send_task)
    return worker


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(current_app, "send_task", away)
