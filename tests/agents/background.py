"""Background work in the process of the test: a clock that is moved, the scripted model, and runs carried out one after
the other.
"""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from agents.llm.providers import parse_endpoint
from agents.models import Run
from agents.worker import execute, loop, tick
from devices.db import in_db
from devices.models import Device
from tests.stand_ins.model_server import NAME, ModelServer


class Clock:
    """What the time is, for Penny. Nothing sleeps."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def move(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


def moved(monkeypatch: pytest.MonkeyPatch, now: datetime) -> Clock:
    clock = Clock(now)
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


def use_model(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    monkeypatch.setattr(settings, "MODEL", parse_endpoint(f"openai-compatible:{NAME}", model.url))


def connect_browser(now: datetime) -> Device:
    """A browser that is connected at that moment."""
    return Device.objects.create(
        label="Desk", kind=Device.Kind.BROWSER, tools=["browse_url", "search_web"], seen_at=now, connection=str(uuid4())
    )


def carry_out_all() -> list[Run]:
    """Do what is due: tick once, then carry out whatever may run now. Return these runs as they are then. Who is
    connected stays so.
    """
    Device.objects.exclude(connection=None).update(seen_at=timezone.now())
    tick.tick()
    waiting = list(Run.objects.filter(state=Run.State.QUEUED).due(timezone.now()).order_by("created_at"))
    for run in waiting:
        loop.run_on_loop(_carried_out(run))
    return list(Run.objects.filter(pk__in=[run.pk for run in waiting]))


async def _carried_out(run: Run) -> None:
    await execute.execute(run.pk)
    await in_db(
        connections.close_all
    )()  # those of the thread of this loop: PostgreSQL drops no database that somebody is connected to
