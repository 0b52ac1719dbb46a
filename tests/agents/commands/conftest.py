"""The clock of these tests: it stands on SUNDAY."""

import pytest
from constance import config

from agents.models import Schedule
from tests.agents.background import Clock, movable_clock
from tests.agents.commands.asking import SUNDAY


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    Schedule.objects.all().delete()
    return movable_clock(monkeypatch, SUNDAY)
