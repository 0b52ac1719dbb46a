"""Fixtures for the tests of agents: the owner's browser, a Signal server and a phone."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from agents.signal import listener
from agents.worker import tables as tables  # registers the tools that the gateway calls
from devices.channels.signal import api
from devices.models import Device
from tests.client import Client
from tests.house import _house as _house
from tests.house import _sandbox as _sandbox
from tests.house import house as house
from tests.house import penny_by_mark as penny_by_mark
from tests.penny import Penny
from tests.stand_ins import signal_server
from tests.stand_ins.signal_server import BOT, OWNER, SignalServer


@pytest.fixture
def signal(monkeypatch: pytest.MonkeyPatch) -> Iterator[SignalServer]:
    with signal_server.run_signal_server() as server:
        monkeypatch.setattr(settings, "SIGNAL_URL", server.url)
        monkeypatch.setattr(settings, "SIGNAL_NUMBER", BOT)
        monkeypatch.setattr(listener, "PROBE_S", 0.05)
        monkeypatch.setattr(listener, "AGAIN_S", 0.05)
        monkeypatch.setattr(api, "AGAIN_S", 0.01)
        yield server


@pytest.fixture
def phone() -> Device:
    return Device.objects.create(label="Signal", kind=Device.Kind.SIGNAL, address=OWNER)


@pytest.fixture
def desk(penny: Penny, request: pytest.FixtureRequest) -> Iterator[Client]:
    """The owner's browser, without grants. The test module may set DESK_TOOLS and DESK_ANSWERS."""
    penny.admin_action("devices/grant", "delete_selected")
    tools, answers = getattr(request.module, "DESK_TOOLS", None), getattr(request.module, "DESK_ANSWERS", None)
    with penny.client("Desk", tools=tools, answers=answers) as client:
        yield client
    penny.admin_action("devices/grant", "delete_selected")
